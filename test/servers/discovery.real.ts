import { setTimeout as sleep } from 'node:timers/promises';
import { findServers, openServer } from '@dragoman/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { run } from '../../packages/server/src/cli/run.ts';
import { type TestTerminal, testTerminal } from '../../packages/server/test/test-terminal.ts';
import { ask, at } from './ask.ts';
import { type RealServer, startLlama, startOllama } from './start-servers.ts';

/** The newer of the ports that llama.cpp has by itself. */
const port = 9931;
const startAgain = () => startLlama({ window: 4096, tools: false, port });

let ollama: RealServer;
let llama: RealServer | undefined;
let terminal: TestTerminal;
let served: Promise<number>;
let url = '';

beforeAll(async () => {
  [ollama, llama] = await Promise.all([startOllama({ window: 256 }), startAgain()]);
  const env = { DRAGOMAN_FIND_UPSTREAMS: 'on', OLLAMA_HOST: new URL(ollama.url).host };
  terminal = testTerminal({ env });
  served = run(['--port', '0'], terminal);
  while (!terminal.out().includes('OpenAI SDK')) await sleep(50);
  url = /http:\/\/127\.0\.0\.1:\d+/.exec(terminal.out())?.[0] ?? '';
});

afterAll(async () => {
  terminal?.stop();
  expect(await served).toBe(0);
  await Promise.all([ollama?.stop(), llama?.stop()]);
});

async function models(): Promise<ReadonlyMap<unknown, unknown>> {
  const list = at(await (await fetch(`${url}/v1/models`)).json(), 'data');
  return new Map(Array.isArray(list) ? list.map((model) => [at(model, 'id'), at(model, 'context_window')]) : []);
}

async function hasLlama(): Promise<boolean> {
  const list = at(await (await fetch(`${url}/v1/models`)).json(), 'data');
  return Array.isArray(list) && list.some((model) => at(model, 'owned_by') === 'llama.cpp');
}

it('what runs on this machine is served without a configuration, by its own names', async () => {
  expect(terminal.out()).toContain(`llama.cpp at http://127.0.0.1:${port}`);
  expect(terminal.out()).toContain(`Ollama at ${ollama.url}`);
  expect(terminal.out()).not.toContain('demo/');
  const told = await models();
  expect(told.get('smollm2')).toBe(4096);
  // More than Ollama gives by itself, and all that the model can have.
  expect([told.get('plain'), told.get('tools')]).toEqual([8192, 8192]);
  for (const model of ['smollm2', 'llama.cpp/smollm2']) {
    const answer = await ask(url, 'openai-chat', { model, stream: true, text: 'Name a colour.' });
    expect(answer).toMatchObject({ status: 200, error: '' });
  }
  const body = JSON.stringify({ messages: [{ role: 'user', content: 'Name a colour.' }], max_tokens: 5 });
  const unnamed = await fetch(`${url}/v1/chat/completions`, { method: 'POST', body });
  expect([unnamed.status, await unnamed.text()]).toEqual([200, expect.stringContaining('"choices"')]);
});

it('a server that ends is gone from the list, and there again when it starts', async () => {
  await llama?.stop();
  llama = undefined;
  await until(async () => !(await hasLlama()));
  expect((await models()).has('plain')).toBe(true);
  llama = await startAgain();
  await until(hasLlama);
  expect(terminal.err()).toContain(`llama.cpp at http://127.0.0.1:${port} has gone`);
});

it('hosts without a gateway find the same, and ask it', async () => {
  const found = await findServers({ also: [ollama.url] });
  const kinds = found
    .filter(({ url: each }) => each === ollama.url || each.endsWith(`:${port}`))
    .map(({ kind }) => kind);
  expect(kinds).toEqual(['llama.cpp', 'ollama']);
  for (const server of found.filter(({ kind }) => kind === 'llama.cpp')) {
    const opened = await openServer(server, { signal: AbortSignal.timeout(10_000) });
    expect(opened.models.map(({ id, contextWindow }) => [id, contextWindow])).toEqual([['smollm2', 4096]]);
  }
});

/** As long as somebody who asks for models would wait. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(500);
}
