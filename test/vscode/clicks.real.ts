import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chatStream, jsonReply, type ScriptedUpstream, startScriptedUpstream } from '@dragoman/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { at } from '../servers/ask.ts';
import { addModels } from './add-models.ts';
import { openModelPicker } from './model-picker.ts';
import type { Window } from './open-window.ts';
import { type RunningVscode, startVscode } from './start-vscode.ts';
import { soon, tryUntil } from './try-until.ts';

// What a person clicks besides asking: choices beside the picker, commands and their pages.

let upstream: ScriptedUpstream;
let vscode: RunningVscode;
let window: Window;

const thinker = { vendor: 'dragoman', id: 'engine/thinker' };
const list = jsonReply(200, { object: 'list', data: ['thinker', 'small'].map((id) => ({ id, object: 'model' })) });
const hello = chatStream('Hello.', { usage: { prompt: 20_000, completion: 40 } });

beforeAll(async () => {
  upstream = await startScriptedUpstream({ fallback: ({ method }) => (method === 'GET' ? list : hello) });
  vscode = await startVscode({
    settings: {
      'dragoman.gateway': '',
      'dragoman.endpoints': [{ name: 'Engine', url: upstream.baseUrl, api: 'openai-chat', toolCalling: 'hermes' }],
      'dragoman.models.settings': {
        thinker: { contextWindow: 64_000, reasoning: true },
        small: { contextWindow: 8192 },
      },
    },
  });
  window = await vscode.open();
});

afterAll(async () => {
  await vscode?.stop();
  await upstream?.close();
});

const modelsIn = () => window.inside(async ({ lm }) => (await lm.selectChatModels({ vendor: 'dragoman' })).length);
/** Not waited for: some commands end when a person has answered. */
const run = (command: string) =>
  window.inside(({ commands }, id) => {
    commands.executeCommand(id);
  }, command);

/** The rendered page in a tab, once it shows these words. */
async function pageWith(words: string): Promise<string> {
  const texts = async () => {
    const frames = window.page.frames().map((frame) => frame.locator('body').innerText({ timeout: 1000 }));
    return (await Promise.allSettled(frames)).map((each) => (each.status === 'fulfilled' ? each.value : '')).slice(1);
  };
  await expect.poll(async () => (await texts()).join('\n'), { timeout: 20_000 }).toContain(words);
  return (await texts()).find((text) => text.includes(words)) ?? '';
}

it('C-036: an effort that is chosen beside the picker is sent and stays, and no model is listed twice', async () => {
  const { page, inside } = window;
  expect(await modelsIn()).toBe(2);
  await inside(async ({ commands }, modelSelector) => {
    const partial = { query: '', isPartialQuery: true, mode: 'agent', modelSelector };
    await commands.executeCommand('workbench.action.chat.open', partial);
  }, thinker);
  const input = page.locator('.interactive-input-part');
  const high = page.getByRole('menuitemradio', { name: 'High', exact: true });
  await tryUntil(
    () => high.isVisible(),
    () => input.getByText('Auto', { exact: true }).click(soon),
  );
  await high.hover();
  await window.picture('effort');
  await tryUntil(
    () => input.getByText('High', { exact: true }).isVisible(),
    () => high.press('Enter', soon),
  );
  await page.keyboard.press('Escape');
  expect(await modelsIn()).toBe(2);
  for (const question of ['Say hello.', 'Say it again.']) {
    await window.ask({ text: question, model: thinker });
    expect(at(upstream.requests.at(-1)?.body, 'reasoning_effort')).toBe('high');
  }
});

it('"Explain Last Turn" shows a page of what was sent and what came', async () => {
  await run('dragoman.explainLastTurn');
  const page = await pageWith('Request left after');
  expect(page).toMatch(/Model\s+engine\/thinker/);
  expect(page).toMatch(/Tokens\s+20,000 in, 40 out/);
  expect(page).toContain('"effort": "high"');
  await window.picture('explain');
});

it('"Test Connection" goes through a turn with a tool, and shows each step', async () => {
  upstream.next(list, chatStream('I look.<tool_call>{"name":"ping","arguments":{}}</tool_call>'));
  await run('dragoman.testConnection');
  // Tests see no notices that fly in, but the list of them.
  await run('notifications.showList');
  const notices = window.page.locator('.notifications-center');
  await notices.getByText('Engine works: thinker called the tool.').waitFor();
  await notices.getByRole('button', { name: 'Details' }).click();
  expect(await pageWith('✓ A turn with a tool')).toContain(
    'Asked as openai-chat, it lists 2 models, the first is thinker.',
  );
  await window.picture('connection-test');
});

it('"Export Diagnostics" writes a file', async () => {
  await run('dragoman.exportDiagnostics');
  const dialog = window.page.locator('.quick-input-widget').filter({ hasText: 'Export diagnostics' });
  await dialog.waitFor();
  await tryUntil(
    () => dialog.isHidden(),
    () => dialog.locator('input:visible').first().press('Enter', soon),
  );
  const file = join(window.folder, 'dragoman-diagnostics.md');
  await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toContain('engine/thinker: window 64000 (settings)');
  await window.picture('diagnostics');
});

it('a server of "Add Models" that is not there says so in the list of models', async () => {
  const { page } = window;
  const answers = ['Group Name', 'Address', 'Key'].map(
    (asked, index) => [asked, ['Away', '127.0.0.1:9', ''][index] ?? ''] as const,
  );
  await addModels(window, { vendor: 'Dragoman', answers });
  await run('workbench.action.chat.manage');
  await page.locator('.models-widget').getByText('Nothing answers at http://127.0.0.1:9.').waitFor();
  await window.picture('group-away');
});

it('a server that is deleted from the list of models is no endpoint any more', async () => {
  const { page } = window;
  const endpoints = page.locator('.quick-input-widget');
  const away = endpoints.locator('.monaco-list-row', { hasText: '127.0.0.1:9' });
  await run('dragoman.manageEndpoints');
  await away.waitFor();
  await window.picture('endpoints');
  await page.keyboard.press('Escape');
  await run('workbench.action.chat.manage');
  const group = page.locator('.models-widget .monaco-list-row', { hasText: 'Away' });
  const toDelete = page.getByRole('menuitem', { name: 'Delete', exact: true });
  const yes = page.getByRole('button', { name: 'Yes', exact: true });
  await group.waitFor();
  await tryUntil(
    () => group.isHidden(),
    async () => {
      if (await yes.isVisible()) return yes.click(soon);
      if (await toDelete.isHidden()) return group.locator('.codicon-gear').click(soon);
      await toDelete.hover(soon);
      await page.keyboard.press('Enter');
    },
  );
  await run('workbench.action.closeModalEditor');
  await tryUntil(
    async () => (await endpoints.getByText('Add an endpoint').isVisible()) && (await away.isHidden()),
    async () => {
      await page.keyboard.press('Escape');
      await run('dragoman.manageEndpoints');
    },
  );
  await page.keyboard.press('Escape');
});

it('C-104: the tooltip of a model that is too small tells its true window, and what to do', async () => {
  const { page } = window;
  await run('workbench.action.closeModalEditor');
  await page.locator('.models-widget').waitFor({ state: 'hidden' });
  const [small] = await openModelPicker(window, [['small', 'too small']]);
  await small?.hover();
  const tooltip = page.locator('.context-view');
  await tooltip.getByText('Context window 8,192 tokens, from your settings').waitFor();
  await tooltip.getByText('Agent mode needs about 19,000 tokens').waitFor();
  await tooltip.getByText('8K', { exact: true }).waitFor();
  await window.picture('small-window');
  await page.keyboard.press('Escape');
});
