import { fileURLToPath } from 'node:url';
import {
  chatFrames,
  chatStream,
  jsonReply,
  type ScriptedUpstream,
  type SeenRequest,
  startScriptedUpstream,
} from '@dragoman/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../../packages/server/test/start-test-gateway.ts';
import { addModels } from './add-models.ts';
import { measureFirstToken } from './measure-first-token.ts';
import { openModelPicker } from './model-picker.ts';
import { begun, type Window } from './open-window.ts';
import { type RunningVscode, startVscode } from './start-vscode.ts';
import { doneFiles, task, taskModel } from './task-model.ts';
import { tryUntil } from './try-until.ts';
import { emptyFolder, filesIn } from './work-folder.ts';

// The extension in VS Code, before one model that reads and writes nothing but text. Later tests find what earlier ones
// have set up.

let upstream: ScriptedUpstream;
let gateways: readonly TestGateway[] = [];
let vscode: RunningVscode;
let window: Window;

const vendor = 'dragoman';
const key = 'key-of-a-person';
const title = 'Two friends meet';
const models = jsonReply(200, { object: 'list', data: [{ id: 'text', object: 'model' }] });

const shownInReadme = fileURLToPath(new URL('../../packages/vscode/media/agent-task.png', import.meta.url));

/** The ways to the model, and its id in VS Code. */
const kinds = [
  ['a gateway that was found', 'local/up/text'],
  ['a server of OpenResponses', 'responses/up/text'],
  ['the engine inside', 'engine/text'],
] as const;

beforeAll(async () => {
  upstream = await startScriptedUpstream({
    fallback: (request) => {
      if (request.method === 'GET') return models;
      return asksForTitle(request) ? chatStream(title) : taskModel(request);
    },
  });
  const rule = { toolCalling: { dialect: 'hermes' }, contextWindow: 64_000 };
  const config = { upstreams: { up: { wire: 'openai-chat', baseUrl: upstream.baseUrl, models: { text: rule } } } };
  gateways = await Promise.all([
    startTestGateway({ config }),
    startTestGateway({ config }),
    startTestGateway({ config, env: { OAI_API_KEY: key } }),
  ]);
  const [found, responses] = gateways;
  vscode = await startVscode({
    languageModels: [customEndpoint()],
    settings: {
      'dragoman.gateway': found?.url,
      'dragoman.endpoints': [
        { name: 'Responses', url: `${responses?.url}/v1`, api: 'responses' },
        { name: 'Engine', url: upstream.baseUrl, api: 'openai-chat', toolCalling: 'hermes' },
      ],
      'dragoman.models.settings': { 'engine/text': { contextWindow: 64_000 } },
    },
  });
  window = await vscode.open();
});

afterAll(async () => {
  await vscode?.stop();
  await Promise.all(gateways.map((gateway) => gateway.close()));
  await upstream?.close();
});

/** Copilot Chat asks a model of its own for titles and the like, or the one that it was told to take for them. */
function asksForTitle({ body }: SeenRequest): boolean {
  return JSON.stringify(body).includes('titles for chatbot conversations');
}

/** The same model as VS Code's own provider has it, to compare with. */
function customEndpoint(): unknown {
  const limits = { toolCalling: true, vision: false, maxInputTokens: 60_000, maxOutputTokens: 4000 };
  const models = [{ id: 'text', name: 'text', url: `${upstream.baseUrl}/chat/completions`, ...limits }];
  return { name: 'Custom Endpoint', vendor: 'customendpoint', apiType: 'chat-completions', models };
}

/** The picture of the README: the steps of the task, beside a file that came of it. */
async function writePicture(): Promise<void> {
  const { page, inside } = window;
  await inside(async ({ commands, window: editors, workspace, Uri }) => {
    const folder = workspace.workspaceFolders?.[0]?.uri;
    if (folder !== undefined) await editors.showTextDocument(Uri.joinPath(folder, 'main.js'));
    await commands.executeCommand('workbench.action.closeSidebar');
    await commands.executeCommand('notifications.clearAll');
  });
  await page
    .locator('.interactive-response')
    .getByText(/^Completed \d+ steps/)
    .last()
    .click();
  await page.mouse.move(10, 10);
  await page.waitForTimeout(1500);
  await page.screenshot({ path: shownInReadme });
}

const idsIn = (vendor: string) =>
  window.inside(async ({ lm }, selector) => (await lm.selectChatModels(selector)).map(({ id }) => id), { vendor });

it('C-081: lists the models of every endpoint in the picker', async () => {
  expect(await idsIn(vendor)).toEqual(kinds.map(([, id]) => id));
  await window.inside(({ commands }) => commands.executeCommand('workbench.action.chat.open', { mode: 'agent' }));
  await openModelPicker(window, [
    ['up/text', 'Dragoman'],
    ['up/text', 'Responses'],
    ['text', 'Engine'],
  ]);
  await window.picture('picker');
  await window.page.keyboard.press('Escape');
});

it('takes a server with a key in "Add Models"', async () => {
  const url = gateways[2]?.url ?? '';
  await addModels(window, {
    vendor: 'Dragoman',
    answers: [
      ['Group Name', 'With a key'],
      ['With a key: Address', url],
      ['With a key: Key', key],
    ],
  });
  const groups = 'dragoman-server';
  const id = `${new URL(url).host.replaceAll(/[.:]/g, '-')}/up/text`;
  await expect.poll(() => idsIn(groups)).toEqual([id]);
  upstream.next(chatStream('Hello from behind a key.'));
  const { texts } = await window.ask({ text: 'Say hello.', model: { vendor: groups, id } });
  expect(texts).toEqual(['Hello from behind a key.']);
});

describe.each(kinds)('a text-only model behind %s', (kind, id) => {
  const model = { vendor, id };

  it('does a task of five rounds in agent mode, and the context meter shows what the last one took', async () => {
    await emptyFolder(window.folder);
    const { texts, error } = await window.ask({ text: task, model });
    expect({ last: texts.at(-1), error }).toEqual({ last: 'Both files are there, and they say 42.', error: '' });
    expect(await filesIn(window.folder)).toEqual(doneFiles);
    // 24,000 tokens of prompt and 50 of the answer.
    await expect.poll(() => window.meter(), { timeout: 20_000 }).toContain('24.1K / 64K tokens');
    await window.picture(`task-behind-${kind}`);
    if (process.env.DRAGOMAN_WRITE !== undefined && kind === 'the engine inside') await writePicture();
  });

  it('C-060: shows thoughts in a box of their own', async () => {
    upstream.next(chatStream('Hello.', { reasoning: 'They greet me, so I greet them.' }));
    const shown = await window.ask({ text: 'Say hello.', model });
    expect(shown).toEqual({ texts: ['Hello.'], thoughts: ['They greet me, so I greet them.'], error: '' });
  });

  it('C-065: is stopped by the person: the server hears of it, and what was read stays', async () => {
    const steps = chatFrames(`${begun} of a long answer`).map((text) => ({ text }));
    upstream.next({ steps: [...steps.slice(0, -2), { stall: true }] });
    const index = upstream.requests.length;
    await window.send({ text: 'Say much.', model });
    await window.page.locator('.interactive-response').getByText(begun).waitFor();
    await window.page.getByRole('button', { name: /^Cancel/ }).click();
    await (await upstream.request(index)).aborted;
    const { texts, error } = await window.shown();
    expect(texts.join('')).toContain(begun);
    expect(error).toBe('');
  });
});

it('serves other extensions', async () => {
  upstream.next(chatStream('Hello, extension.'));
  const said = await window.inside(
    async ({ lm, LanguageModelChatMessage }, selector) => {
      const [model] = await lm.selectChatModels(selector);
      const response = await model?.sendRequest([LanguageModelChatMessage.User('Say hello.')]);
      let text = '';
      for await (const part of response?.text ?? []) text += part;
      return text;
    },
    { vendor, id: 'engine/text' },
  );
  expect(said).toBe('Hello, extension.');
});

it.each([
  ['Custom Endpoint', { vendor: 'customendpoint', id: 'text' }],
  ['the extension', { vendor, id: 'engine/text' }],
] as const)('measures how long %s takes to the first token', async (name, model) => {
  const { toServer, toView, asked } = await measureFirstToken({ window, upstream, model });
  const measured = [toServer, toView, asked].map((value) => value.toFixed(0));
  process.stderr.write(
    `${name}: ${measured[0]} ms from the key press to the server, ${measured[1]} ms from there to the view; ` +
      `${measured[2]} ms where an extension asks\n`,
  );
  expect(measured).not.toContain('NaN');
});

it('ends the question for utility models with one click', async () => {
  const notice = window.page.locator('.chat-input-notification-title').getByText('Set BYOK utility models');
  await notice.waitFor();
  await window.inside(({ commands }) => commands.executeCommand('dragoman.useForUtility'));
  await notice.waitFor({ state: 'hidden' });
});

it('the title of a chat is then written by the model of the chat', async () => {
  const shown = window.page.locator(`:text("${title}"):visible`).first();
  // Copilot Chat may ask for the title of the first one before it has heard of the click.
  await tryUntil(
    () => shown.isVisible(),
    async () => {
      await window.ask({ text: 'Say hello to me.', model: { vendor, id: 'engine/text' } });
      await shown.waitFor({ timeout: 10_000 });
    },
  );
  await window.picture('title');
});
