import {
  chatStream,
  jsonReply,
  type ScriptedReply,
  type ScriptedUpstream,
  startScriptedUpstream,
} from '@dragoman/testkit';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../../packages/server/test/start-test-gateway.ts';
import { noteExists, type RunningObsidian, readNote, startObsidian } from './start-obsidian.ts';

// The plugin as it is published, in a browser, before a model that reads and writes nothing but text.

let upstream: ScriptedUpstream;
let gateway: TestGateway;
let obsidian: RunningObsidian;

const models = jsonReply(200, { object: 'list', data: [{ id: 'text', object: 'model', context_length: 32_768 }] });
/** What the model says next. */
const replies: ScriptedReply[] = [];
/** A call as models write it that were trained on Hermes. */
const call = (name: string, values: object) =>
  `<tool_call>\n${JSON.stringify({ name, arguments: values })}\n</tool_call>`;

beforeAll(async () => {
  obsidian = await startObsidian();
  upstream = await startScriptedUpstream({
    fallback: ({ method }) => (method === 'POST' ? (replies.shift() ?? chatStream('Nothing is scripted.')) : models),
  });
  const rule = { toolCalling: { dialect: 'hermes' }, contextWindow: 32_768 };
  gateway = await startTestGateway({
    config: { upstreams: { up: { wire: 'openai-chat', baseUrl: upstream.baseUrl, models: { text: rule } } } },
  });
});

afterAll(async () => {
  await obsidian?.stop();
  await gateway?.close();
  await upstream?.close();
});

const settings = (more: object = {}) => ({
  looksAround: false,
  servers: [{ url: gateway.url, secret: '', taught: false }],
  model: `${gateway.url} up/text`,
  ...more,
});

/** The text of the file that a chat is kept in. */
const firstChat = `(async () => {
  const { adapter, configDir } = window.vault.app.vault;
  const { files } = await adapter.list(configDir + '/plugins/dragoman/chats');
  return adapter.read(files[0]);
})()`;

async function ask(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox').last().fill(text);
  await page.keyboard.press('Enter');
}

describe('a chat about a vault', () => {
  let page: Page;

  beforeAll(async () => {
    const files = { 'tea.md': '# Tea\n\nGreen tea steeps for two minutes.\n', 'list.md': '- bread\n' };
    page = await obsidian.open({ files, data: settings() });
  });

  it('D-090, D-079: a question is answered with what a tool has read', async () => {
    replies.push(
      chatStream(`I look.\n${call('read', { path: 'tea.md' })}`, { pieces: 9 }),
      chatStream('**Two minutes**, says [[tea]].', { pieces: 5 }),
    );
    await ask(page, 'How long does green tea steep?');
    await page.getByText('Two minutes', { exact: true }).waitFor();
    await page.screenshot({ path: 'test/obsidian/output/answer.png' });
    expect(await page.getByText('Read tea.md').count()).toBe(1);
    const { body } = upstream.requests.at(-1) ?? {};
    expect(JSON.stringify(body)).toContain('Green tea steeps for two minutes.');
  });

  it('D-056: a change is shown, and made when its person approves', async () => {
    replies.push(
      chatStream(call('append', { path: 'list.md', text: '- tea\n' }), { pieces: 9 }),
      chatStream('It is on the list.'),
    );
    await ask(page, 'Put tea on the list.');
    const approve = page.getByRole('button', { name: 'Apply', exact: true });
    await approve.waitFor();

    await page.screenshot({ path: 'test/obsidian/output/consent.png' });
    expect(await readNote(page, 'list.md')).toBe('- bread\n');
    await approve.click();
    await page.getByText('It is on the list.', { exact: true }).waitFor();
    expect(await readNote(page, 'list.md')).toBe('- bread\n- tea\n');
  });

  it('D-057: a change that is rejected is not made, and the model is told', async () => {
    replies.push(chatStream(call('write', { path: 'new.md', text: 'x' })), chatStream('As you like.'));
    await ask(page, 'Write a note.');
    await page.getByRole('button', { name: 'Reject', exact: true }).click();
    await page.getByText('As you like.', { exact: true }).waitFor();
    expect(await noteExists(page, 'new.md')).toBe(false);
    expect(JSON.stringify(upstream.requests.at(-1)?.body)).toContain('rejected');
  });

  it('D-056: a change is taken back from the chat', async () => {
    await page.getByRole('button', { name: /undo/i }).first().click();
    await expect.poll(() => readNote(page, 'list.md')).toBe('- bread\n');
  });

  it('D-033, D-023: the chat is kept in a file, with nothing in it but messages', async () => {
    const chats: string = await page.evaluate(firstChat);
    const { messages, title } = JSON.parse(chats);
    expect(title).toBe('How long does green tea steep?');
    expect(messages[1]).toEqual({
      role: 'assistant',
      content: expect.stringContaining('I look.'),
      tool_calls: [{ id: expect.any(String), name: 'read', arguments: { path: 'tea.md' } }],
    });
  });
});

describe('without a gateway', () => {
  it('D-090: a server whose model cannot call tools is taught by the plugin itself, even where no page may read its answers', async () => {
    const page = await obsidian.open({
      files: { 'a.md': 'The word is kumquat.' },
      data: {
        looksAround: false,
        servers: [{ url: upstream.baseUrl, secret: '', taught: true }],
        model: `${upstream.baseUrl} text`,
      },
    });
    replies.push(chatStream(call('read', { path: 'a.md' }), { pieces: 4 }), chatStream('Kumquat.'));
    await ask(page, 'What is the word?');
    await page.getByText('Kumquat.', { exact: true }).waitFor();
    expect(JSON.stringify(upstream.requests.at(-1)?.body)).toContain('The word is kumquat.');
    expect(await page.evaluate('window.notices')).toEqual([expect.stringContaining('they come whole')]);
  });

  it('D-093: a server that does not answer is told with what to do', async () => {
    const page = await obsidian.open({
      data: {
        looksAround: false,
        servers: [{ url: 'http://127.0.0.1:9', secret: '', taught: false }],
        model: 'http://127.0.0.1:9 text',
      },
    });
    await ask(page, 'Hello?');
    await page.getByText('cannot be reached. Is the server running').first().waitFor();
    await page.screenshot({ path: 'test/obsidian/output/offline.png' });
  });
});

it('D-093, D-091: a first start without a model leads to a server, and from there to a first answer', async () => {
  const page = await obsidian.open({ files: { 'tea.md': 'Green tea.' }, data: { looksAround: false } });
  await page.getByText('No model server is running on this device.').waitFor();
  await page.screenshot({ path: 'test/obsidian/output/first-start.png' });
  await page.evaluate('window.openSettings()');
  await page.getByRole('button', { name: 'Add server' }).click();
  await page.getByPlaceholder('http://127.0.0.1:11434').fill(gateway.url);
  await page.getByRole('button', { name: 'Test' }).last().click();
  await page.getByText(`${gateway.url} is connected. Models: up/text.`).waitFor();
  await page.evaluate('window.closeSettings()');
  await page.getByRole('button', { name: 'What is in this vault?' }).click();
  await page.screenshot({ path: 'test/obsidian/output/first-question.png' });
  replies.push(chatStream(call('list', {})), chatStream('One note, about tea.'));
  await page.keyboard.press('Enter');
  await page.getByText('One note, about tea.').first().waitFor();
});

describe('the demo model of a gateway', () => {
  let demo: TestGateway;
  beforeAll(async () => {
    demo = await startTestGateway();
  });
  afterAll(() => demo.close());

  it('D-090, D-056: without any other server it reads a note, and changes one when its person approves', async () => {
    const page = await obsidian.open({
      files: { 'tea.md': 'Green tea steeps for two minutes.', 'list.md': 'bread' },
      data: { looksAround: false, servers: [{ url: demo.url, secret: '', taught: false }] },
      theme: 'dark',
    });
    await ask(page, 'Read tea.md');
    await page.getByText('steeps for two minutes').first().waitFor();
    await page.getByText('Read tea.md').last().waitFor();
    await ask(page, "Write 'tea' to list.md");
    await page.getByRole('button', { name: 'Apply', exact: true }).waitFor();
    await page.screenshot({ path: 'test/obsidian/output/demo-dark.png' });
    expect(await readNote(page, 'list.md')).toBe('bread');
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await expect.poll(() => readNote(page, 'list.md')).toBe('tea');
  });
});

describe('a long answer', () => {
  const lines = Array.from({ length: 60 }, (_, at) => `Line ${at + 1} of the answer.\n\n`);
  const log = `document.querySelector('.dragoman-log')`;

  it('D-073, D-074: whoever reads further up stays there while it is written, and jumps to the newest with a button', async () => {
    const page = await obsidian.open({ data: settings() });
    replies.push(chatStream(lines.join(''), { pieces: lines, delay: 40 }));
    await ask(page, 'Write a lot.');
    await page.getByText('Line 25 of').waitFor();
    await page.evaluate(`${log}.scrollTop = 30`);
    await page.getByText('Line 50 of').waitFor();
    expect(await page.evaluate(`${log}.scrollTop`)).toBe(30);
    const jump = page.getByRole('button', { name: /newest/i });
    await page.screenshot({ path: 'test/obsidian/output/scroll-held.png' });
    await jump.click();
    await page.getByText('Line 60 of').waitFor();
    await expect
      .poll(() =>
        page.evaluate(`(() => { const s = ${log}; return s.scrollHeight - s.scrollTop - s.clientHeight; })()`),
      )
      .toBeLessThan(50);
    expect(await jump.isVisible()).toBe(false);
  });

  it('D-062: cancelled, it keeps what was written', async () => {
    const page = await obsidian.open({ data: settings(), theme: 'dark' });
    replies.push(chatStream(lines.join(''), { pieces: lines, delay: 40 }));
    await ask(page, 'Write a lot.');
    await page.getByText('Line 3 of').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Cancelled').first().waitFor();
    const chats: string = await page.evaluate(firstChat);
    expect(JSON.parse(chats).messages[1].content).toContain('Line 3 of the answer.');
  });
});

describe('on a phone', () => {
  it('nothing is wider than the screen, and buttons are large enough for a finger', async () => {
    const page = await obsidian.open({
      files: { 'list.md': '- bread\n' },
      data: settings(),
      width: 360,
      theme: 'dark',
      phone: true,
    });
    const path = 'notes/a-very-long-name-of-a-folder-that-does-not-fit/and-a-note-with-an-even-longer-name-in-it.md';
    replies.push(chatStream(call('write', { path, text: `${'long '.repeat(60)}\n`.repeat(4) })), chatStream('Done.'));
    await ask(page, 'Write a note with a long name.');
    await page.getByRole('button', { name: 'Create', exact: true }).waitFor();
    await page.screenshot({ path: 'test/obsidian/output/phone.png' });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    for (const name of ['Create', 'Reject', 'Cancel']) {
      const box = await page.getByRole('button', { name, exact: true }).boundingBox();
      expect(box?.height, name).toBeGreaterThanOrEqual(36);
      expect((box?.x ?? 0) + (box?.width ?? 0), name).toBeLessThanOrEqual(360);
    }
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('Done.', { exact: true }).waitFor();
    expect(await noteExists(page, path)).toBe(true);
  });
});

it('D-033: chats of this device follow where another one has moved its own', async () => {
  const chat = JSON.stringify({ version: 2, id: 'a', title: 'Tea', messages: [{ role: 'user', content: 'Tea?' }] });
  const page = await obsidian.open({
    files: { '.obsidian/plugins/dragoman/chats/a.json': chat, 'Dragoman/chats/b.json': chat.replace('Tea', 'Milk') },
    data: settings({ chats: 'Dragoman' }),
  });
  await expect.poll(() => noteExists(page, '.obsidian/plugins/dragoman/chats/a.json')).toBe(false);
  await page.locator('.dragoman-title').click();
  for (const title of ['Tea', 'Milk']) await page.getByText(title, { exact: true }).first().waitFor();
});

it('D-063: a script of the vault is a tool when its person has read and allowed it', async () => {
  const path = 'Dragoman/tools/count.js';
  const script = `export const meta = { name: 'count_words', description: 'Counts words.', inputSchema: { type: 'object' } };
export const run = async ({ path }, vault) => (await vault.read(path)).split(' ').length + ' words'; // \u202e`;
  const page = await obsidian.open({ files: { [path]: script, 'a.md': 'one two three' }, data: settings() });
  await page.evaluate('window.openSettings()');
  const row = page.locator('div', { hasText: path, has: page.getByRole('switch') }).last();
  const reloaded = async () => {
    await page.getByRole('button', { name: 'Reload tools' }).click();
    return page.evaluate('window.notices.at(-1)');
  };
  await row.getByRole('switch').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(`Allow ${path} to run?`).waitFor();
  // All of it is seen.
  await dialog.getByText("' words'; // ⟨U+202E⟩").waitFor();
  const fits = ({ scrollWidth, clientWidth }: HTMLElement) => scrollWidth <= clientWidth;
  expect(await dialog.locator('pre').evaluate(fits)).toBe(true);
  await page.screenshot({ path: 'test/obsidian/output/script.png' });
  await dialog.getByRole('button', { name: 'Not now' }).click();
  await expect.poll(reloaded).toBe('There are no tools of your own.');
  await row.getByRole('switch').click();
  await dialog.getByRole('button', { name: 'Allow', exact: true }).click();
  await expect.poll(reloaded).toBe('Chats have them from now on: count_words');
  await page.evaluate('window.closeSettings()');
  replies.push(chatStream(call('count_words', { path: 'a.md' })), chatStream('Three.'));
  await ask(page, 'How many words has it?');
  await page.getByText('Three.', { exact: true }).waitFor();
  expect(JSON.stringify(upstream.requests.at(-1)?.body)).toContain('3 words');
});

describe('somebody who comes from another plugin', () => {
  // As the plugin that this one follows kept them: an index, and a file for each chat with what its view needed.
  const old = '.obsidian/plugins/astra/chats';
  const files = {
    [`${old}/index.json`]: JSON.stringify([{ id: 'one', title: 'Tea' }]),
    [`${old}/one.json`]: JSON.stringify({
      meta: { id: 'one', title: 'Tea', createdAt: 1_760_000_000_000 },
      messages: [
        { role: 'user', text: 'Read tea.md', rawText: 'Read tea.md' },
        {
          role: 'assistant',
          text: 'STATE: idle\n\nGreen tea.',
          header: 'STATE: idle',
          headerExpanded: false,
          activityLine: 'reading',
          toolCalls: [{ name: 'read', arguments: { path: 'tea.md' } }],
          toolResult: 'Green tea.',
        },
      ],
    }),
    [`${old}/broken.json`]: '{',
  };

  it('D-031, D-012: is told of old chats, imports them in the settings, and goes on with one', async () => {
    const page = await obsidian.open({ files, data: null });
    await expect.poll(() => page.evaluate('window.notices.join()')).toContain('Chats of another plugin are here: 1');
    await page.evaluate('window.openSettings()');
    const found = page.getByText(`In ${old}.`);
    await found.waitFor();
    await page.screenshot({ path: 'test/obsidian/output/settings.png', fullPage: true });
    await page.getByRole('button', { name: 'Import' }).first().click();
    await expect.poll(() => page.evaluate('window.notices.at(-1)')).toContain('Imported chats: 1.');
    await page.evaluate('window.closeSettings()');
    await page.locator('.dragoman-title').click();
    await page.getByText('Tea', { exact: true }).first().click();
    await page.getByText('Green tea.').first().waitFor();
    await page.screenshot({ path: 'test/obsidian/output/imported.png' });
    expect(await page.getByText('STATE').count()).toBe(0);
    // What was there stays, beside the chat and where it came from.
    const read = (path: string) => readNote(page, path);
    expect(await read('.obsidian/plugins/dragoman/chats/one.json.old')).toBe(files[`${old}/one.json`]);
    expect(await read(`${old}/one.json`)).toBe(files[`${old}/one.json`]);
    expect(JSON.parse(await read('.obsidian/plugins/dragoman/chats/one.json')).messages).toHaveLength(3);
  });
});
