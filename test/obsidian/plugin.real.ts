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
    fallback: ({ method }) => (method === 'GET' ? models : (replies.shift() ?? chatStream('Nothing is scripted.'))),
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
    const chats: string = await page.evaluate(`(async () => {
      const { adapter, configDir } = window.vault.app.vault;
      const { files } = await adapter.list(configDir + '/plugins/dragoman/chats');
      return adapter.read(files[0]);
    })()`);
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
    await page.getByText('cannot be reached. Is it running').first().waitFor();
    await page.screenshot({ path: 'test/obsidian/output/offline.png' });
  });
});
