import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import {
  jsonReply,
  type ScriptedReply,
  type ScriptedUpstream,
  type SeenRequest,
  startScriptedUpstream,
} from '@dragoman/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cellOf, type Fault, type FaultyModel, faults, reasonIn } from './faults.ts';
import { begun, type Shown, type Window } from './open-window.ts';
import { type RunningVscode, startVscode } from './start-vscode.ts';

// The same faults of the same servers, as Custom Endpoint shows them and as the extension does: a table in its README.

let answer: Answer;
let server: ScriptedUpstream;
let vscode: RunningVscode;
let window: Window;

type Answer = (request: SeenRequest) => ScriptedReply;
type Vendor = 'customendpoint' | 'dragoman';

beforeAll(async () => {
  server = await listing(['text', 'small'], (request) => answer(request));
  const stopping = await listing(['gone'], (request) => answer(request));
  vscode = await startVscode({
    languageModels: [customEndpoint({ server: server.baseUrl, stopping: stopping.baseUrl })],
    settings: {
      'dragoman.endpoints': [
        { name: 'My server', url: server.baseUrl, api: 'openai-chat', toolCalling: 'hermes' },
        { name: 'Another', url: stopping.baseUrl, api: 'openai-chat', toolCalling: 'hermes' },
      ],
      'dragoman.models.settings': {
        text: { contextWindow: 64_000 },
        gone: { contextWindow: 64_000 },
        small: { contextWindow: 8192 },
      },
    },
  });
  window = await vscode.open();
  const listed = await window.inside(async ({ lm }) => (await lm.selectChatModels({ vendor: 'dragoman' })).length);
  expect(listed).toBe(3);
  await stopping.close();
});

afterAll(async () => {
  await vscode?.stop();
  await server?.close();
});

/** A server that lists these models. */
function listing(ids: readonly string[], next: Answer): Promise<ScriptedUpstream> {
  const list = jsonReply(200, { object: 'list', data: ids.map((id) => ({ id, object: 'model' })) });
  return startScriptedUpstream({ fallback: (request) => (request.method === 'GET' ? list : next(request)) });
}

function customEndpoint({ server, stopping }: { readonly server: string; readonly stopping: string }): unknown {
  const model = (id: FaultyModel, url: string, size: number) => ({
    ...{ id, name: id, url: `${url}/chat/completions`, toolCalling: true, vision: false },
    ...{ maxInputTokens: size - 4000, maxOutputTokens: 4000 },
  });
  const models = [model('text', server, 64_000), model('gone', stopping, 64_000), model('small', server, 8192)];
  return { name: 'My server', vendor: 'customendpoint', apiType: 'chat-completions', models };
}

async function suffer({ model, asked, reply }: Fault, vendor: Vendor): Promise<Shown> {
  let isShown = false;
  answer = (request) => reply(request, () => isShown);
  const id = vendor === 'customendpoint' ? model : `${model === 'gone' ? 'another' : 'my-server'}/${model}`;
  await window.send({ text: asked, model: { vendor, id } });
  const response = window.page.locator('.interactive-response.chat-most-recent-response');
  const ended = window.page.locator('.interactive-response:not(.chat-response-loading)');
  const asks = window.page.getByRole('button', { name: /^Allow/ });
  await response.getByText(begun).or(ended).or(asks).first().waitFor();
  isShown = true;
  return window.shown();
}

const rows: string[] = [];

it.each(faults)('C-117: $what', async (fault) => {
  const theirs = await suffer(fault, 'customendpoint');
  const ours = await suffer(fault, 'dragoman');
  await window.picture(`fault-${faults.indexOf(fault)}`);
  rows.push(`| ${fault.what} | ${cellOf(theirs)} | ${cellOf(ours)} |`);
  // One line in words: no trace, no JSON.
  expect(reasonIn(ours)).not.toMatch(/\n|[{}]| at \S+ \(/);
});

it('the table in the README of the extension shows it', async () => {
  const file = fileURLToPath(new URL('../../packages/vscode/README.md', import.meta.url));
  const readme = await readFile(file, 'utf8');
  const table = ['| what happens | Custom Endpoint shows | Dragoman shows |', '| --- | --- | --- |', ...rows].join(
    '\n',
  );
  const written = readme.replace(
    /(<!-- faults:.*-->\n\n)[\s\S]*?(\n\n<!-- end -->)/,
    (_, from, to) => from + table + to,
  );
  if (process.env.DRAGOMAN_WRITE !== undefined) await writeFile(file, written);
  else expect(readme, 'Run "npm run test:vscode -- --write" to write it anew').toContain(table);
});
