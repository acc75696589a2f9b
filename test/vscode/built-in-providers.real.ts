import { chatFrames, type ScriptedUpstream, startScriptedUpstream } from '@dragoman/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../../packages/server/test/start-test-gateway.ts';
import type { Window } from './open-window.ts';
import { type RunningVscode, startVscode } from './start-vscode.ts';
import { doneFiles, task, taskModel } from './task-model.ts';
import { emptyFolder, filesIn } from './work-folder.ts';

// What VS Code's own providers show of the gateway before a text-only model.

let upstream: ScriptedUpstream;
let gateway: TestGateway;
let vscode: RunningVscode;
let window: Window;

const apis = [
  ['chat-completions', '/v1/chat/completions'],
  ['responses', '/v1/responses'],
  ['messages', '/v1/messages'],
] as const;

// A name of its own for each API: VS Code chooses models by id.
const modelOf = (api: string) => `${api}/text`;

const broken = (upstreamName: string) => `The upstream "${upstreamName}" broke off its answer.`;
const ways = [
  ['customendpoint', 'chat-completions', broken('chat-completions')],
  ['customendpoint', 'responses', broken('responses')],
  // Its reader of Messages has no place for an error within a stream.
  ['customendpoint', 'messages', 'Response contained no choices.'],
  ['ollama', 'chat-completions', broken('chat-completions')],
] as const;

const limits = { toolCalling: true, vision: false, maxInputTokens: 60_000, maxOutputTokens: 4000 };

beforeAll(async () => {
  upstream = await startScriptedUpstream({ fallback: taskModel });
  const models = { text: { toolCalling: { dialect: 'hermes' }, contextWindow: 64_000 } };
  const toUpstream = { wire: 'openai-chat', baseUrl: upstream.baseUrl, models };
  gateway = await startTestGateway({
    config: { upstreams: Object.fromEntries(apis.map(([api]) => [api, toUpstream])) },
  });
  const endpoints = apis.map(([apiType, path]) => ({
    name: `Dragoman over ${apiType}`,
    vendor: 'customendpoint',
    apiType,
    models: [{ id: modelOf(apiType), name: modelOf(apiType), url: gateway.url + path, ...limits }],
  }));
  const ollama = { name: 'Dragoman as Ollama', vendor: 'ollama', url: gateway.url };
  vscode = await startVscode({ languageModels: [...endpoints, ollama] });
  window = await vscode.open();
});

afterAll(async () => {
  await vscode?.stop();
  await gateway?.close();
  await upstream?.close();
});

describe.each(ways)('%s over %s', (vendor, api, cut) => {
  const ask = (text: string) => window.ask({ text, model: { vendor, id: modelOf(api) } });

  it('does a task of five rounds', async () => {
    await emptyFolder(window.folder);
    const { texts, error } = await ask(task);
    await window.picture(`${vendor}-${api}-task`);
    expect({ last: texts.at(-1), error }).toEqual({ last: 'Both files are there, and they say 42.', error: '' });
    expect(await filesIn(window.folder)).toEqual(doneFiles);
  });

  it('shows that a reply was cut', async () => {
    const frames = chatFrames('The beginning of an answer that never comes to its end.').slice(0, 8);
    upstream.next({ steps: [...frames.map((text) => ({ text })), { cut: true }] });
    expect((await ask('Say more.')).error).toContain(cut);
    await window.picture(`${vendor}-${api}-cut`);
  });
});
