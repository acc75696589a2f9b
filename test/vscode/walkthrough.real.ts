import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../../packages/server/test/start-test-gateway.ts';
import type { Window } from './open-window.ts';
import { type RunningVscode, startVscode } from './start-vscode.ts';

// From the installation to a chat with a model of one's own.

let gateway: TestGateway;
let vscode: RunningVscode;
let window: Window;

beforeAll(async () => {
  gateway = await startTestGateway({ upstream: { baseUrl: 'http://127.0.0.1:9/v1' } });
  vscode = await startVscode({ bare: true, settings: { 'dragoman.gateway': gateway.url } });
  window = await vscode.open();
});

afterAll(async () => {
  await vscode?.stop();
  await gateway?.close();
});

it('the walkthrough opens by itself when the extension is installed, and leads to a chat', async () => {
  const { page, inside } = window;
  const walkthrough = page.locator('.gettingStartedContainer');
  // With this page VS Code begins to look what is installed; most people see it at the start.
  await inside(({ commands }) => commands.executeCommand('workbench.action.openWalkthrough'));
  await walkthrough.waitFor();
  await inside(({ commands }) => commands.executeCommand('workbench.action.closeActiveEditor'));
  await inside(
    ({ commands, Uri }, file) => commands.executeCommand('workbench.extensions.installExtension', Uri.file(file)),
    vscode.extension,
  );
  const stepOf = (title: string) => walkthrough.locator('.getting-started-step', { hasText: title });
  await stepOf('Find your models').waitFor();
  await inside(async ({ commands }) => {
    await commands.executeCommand('workbench.action.closeAuxiliaryBar');
    await commands.executeCommand('workbench.action.closeSidebar');
  });
  const picture = page.frameLocator('iframe.webview').last().frameLocator('#active-frame').locator('svg').first();
  for (const [index, title] of [
    'Find your models',
    'Ask one of them',
    'Titles and summaries',
    'When something',
  ].entries()) {
    await stepOf(title).click();
    await picture.waitFor();
    await window.picture(`walkthrough-${index + 1}`);
  }
  await stepOf('Ask one of them').click();
  await walkthrough.getByRole('button', { name: 'Open the chat' }).click();
  await page.locator('.interactive-input-part').getByText('Agent').waitFor();
  const models = await inside(async ({ lm }) =>
    (await lm.selectChatModels({ vendor: 'dragoman' })).map(({ id }) => id),
  );
  expect(models).toEqual(['local/up/text', 'local/up/native']);
});
