import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ScriptedUpstream, startScriptedUpstream } from '@dragoman/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../../packages/server/test/start-test-gateway.ts';
import type { Window } from './open-window.ts';
import { type RunningVscode, startVscode } from './start-vscode.ts';
import { creatingModel } from './task-model.ts';

// From the installation to a task that a model of one's own has done.

let upstream: ScriptedUpstream;
let gateway: TestGateway;
let vscode: RunningVscode;
let window: Window;

beforeAll(async () => {
  upstream = await startScriptedUpstream({ fallback: creatingModel });
  const rule = { toolCalling: { dialect: 'hermes' }, contextWindow: 64_000 };
  gateway = await startTestGateway({
    config: { upstreams: { up: { wire: 'openai-chat', baseUrl: upstream.baseUrl, models: { text: rule } } } },
  });
  vscode = await startVscode({ bare: true, settings: { 'dragoman.gateway': gateway.url } });
  window = await vscode.open();
});

afterAll(async () => {
  await vscode?.stop();
  await gateway?.close();
  await upstream?.close();
});

const walkthrough = () => window.page.locator('.gettingStartedContainer');
const stepOf = (title: string) => walkthrough().locator('.getting-started-step', { hasText: title });

it('three clicks lead from the installation to a task that is done: install, open the chat, send', async () => {
  const { page, inside } = window;
  // With this page VS Code begins to look what is installed; most people see it at the start.
  await inside(({ commands }) => commands.executeCommand('workbench.action.openWalkthrough'));
  await walkthrough().waitFor();
  await inside(({ commands }) => commands.executeCommand('workbench.action.closeActiveEditor'));
  // The first click, which is in the marketplace.
  await inside(
    ({ commands, Uri }, file) => commands.executeCommand('workbench.extensions.installExtension', Uri.file(file)),
    vscode.extension,
  );
  await stepOf('Ask a model of yours').waitFor();
  await walkthrough().getByRole('button', { name: 'Open the chat' }).click();
  const input = page.locator('.interactive-input-part');
  await input.getByText('Agent').waitFor();
  await input.getByText('up/text').waitFor();
  // It is ready to be written in.
  await input.locator(':focus').waitFor();
  await page.keyboard.type('Create hello.txt.');
  await window.picture('first-question');
  await input.getByRole('button', { name: /^Send/ }).click();
  const { texts, error } = await window.shown();
  await window.picture('first-turn');
  expect({ last: texts.at(-1), error }).toEqual({ last: 'It is there.', error: '' });
  expect(await readFile(join(window.folder, 'hello.txt'), 'utf8')).toBe('hello\n');
});

it('each step of the walkthrough has its picture', async () => {
  const { page, inside } = window;
  await inside(async ({ commands }) => {
    await commands.executeCommand('workbench.action.closeAuxiliaryBar');
    await commands.executeCommand('workbench.action.closeSidebar');
    await commands.executeCommand('dragoman.openWalkthrough');
  });
  const picture = page.frameLocator('iframe.webview').last().frameLocator('#active-frame').locator('svg').first();
  const titles = ['Ask a model', 'Add other servers', 'Titles and summaries', 'When something'];
  for (const [index, title] of titles.entries()) {
    await stepOf(title).click();
    await picture.waitFor();
    await window.picture(`walkthrough-${index + 1}`);
  }
});
