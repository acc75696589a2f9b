import { createClient, type ReplyPart, ResponsesError } from '@dragoman/openresponses-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../../packages/server/test/start-test-gateway.ts';
import { type RealServer, startLlama, startOllama } from './start-servers.ts';

// The client of OpenResponses with servers of this API that are not ours, and with ours before them.

const window = 2048;
let servers: readonly RealServer[] = [];
let gateway: TestGateway | undefined;
/** Where each speaks this API, and its model. */
const places = new Map<string, { readonly baseUrl: string; readonly model: string }>();

beforeAll(async () => {
  const [llama, ollama] = await Promise.all([startLlama({ window, tools: true }), startOllama({ window })]);
  servers = [llama, ollama];
  const upstreams = { llama: { wire: 'openai-chat', baseUrl: `${llama.url}/v1`, models: { smollm2: {} } } };
  gateway = await startTestGateway({ config: { upstreams } });
  places.set('llama.cpp', { baseUrl: llama.url, model: 'smollm2' });
  places.set('Ollama', { baseUrl: ollama.url, model: 'plain' });
  places.set('Dragoman', { baseUrl: gateway.url, model: 'llama/smollm2' });
});

afterAll(async () => {
  await gateway?.close();
  await Promise.all(servers.map((server) => server.stop()));
});

function open(name: string) {
  const { baseUrl, model } = places.get(name) ?? expect.fail(name);
  const lines: string[] = [];
  const log = ({ level, message }: { readonly level: string; readonly message: string }) => {
    if (level === 'warn' || level === 'error') lines.push(message);
  };
  return { client: createClient({ baseUrl, log }), model, lines };
}

describe.each(['llama.cpp', 'Ollama', 'Dragoman'])('%s', (name) => {
  const input = 'Write all numbers from 1 to 100: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,';

  it('lists its model', async () => {
    const { client, model } = open(name);
    const ids = (await client.models()).map(({ id }) => id);
    expect(ids.some((id) => id.startsWith(model))).toBe(true);
  });

  it('streams a text that is cut at its longest, with its tokens', async () => {
    const { client, model, lines } = open(name);
    const parts: ReplyPart[] = [];
    for await (const part of client.reply({ model, input, max_output_tokens: 16, temperature: 0 })) parts.push(part);
    const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
    expect(text).not.toBe('');
    expect(parts.filter(({ type }) => type === 'text').length).toBeGreaterThan(2);
    expect(parts.at(-2)).toMatchObject({ type: 'usage', usage: { outputTokens: 16, source: 'upstream' } });
    expect(parts.at(-1)).toMatchObject({ type: 'end', reason: 'length' });
    expect(lines).toEqual([]);
    const whole = await client.create({ model, input, max_output_tokens: 16, temperature: 0, stream: false });
    expect(JSON.stringify(whole.output)).toContain(JSON.stringify(text).slice(1, -1));
  });

  it('is told what is said before, in every role', async () => {
    const { client, model } = open(name);
    const { output, status } = await client.create({
      model,
      max_output_tokens: 16,
      input: [
        { type: 'message', role: 'system', content: [{ type: 'input_text', text: 'Be brief.' }] },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello.' }] },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello. What is it?' }] },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Count to three.' }] },
      ],
    });
    expect(['completed', 'incomplete']).toContain(status);
    expect(output.length).toBeGreaterThan(0);
  });

  it('stops when it is told to', async () => {
    const { client, model } = open(name);
    const stop = new AbortController();
    const reply = client.reply({ model, input, max_output_tokens: 1500, temperature: 0 }, { signal: stop.signal });
    for (let part = 0; part < 3; part += 1) await reply.next();
    stop.abort();
    await expect(reply.next()).rejects.toMatchObject({ code: 'aborted' });
    // Its one slot is free again.
    const { usage } = await client.create({ model, input: 'Hi', max_output_tokens: 16 });
    expect(usage?.output_tokens).toBeLessThanOrEqual(16);
  });
});

it.each(['Ollama', 'Dragoman'])('%s says in clean words that there is no such model', async (name) => {
  const { client } = open(name);
  const error: unknown = await client.create({ model: 'nowhere/none', input: 'Hi' }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ResponsesError);
  expect(error).toMatchObject({ status: 404, message: expect.stringContaining('nowhere/none') });
});

it.each(['llama.cpp', 'Dragoman'])('%s says in clean words that a prompt is too long', async (name) => {
  const { client, model } = open(name);
  const input = 'word '.repeat(4 * window);
  const error: unknown = await client.create({ model, input }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ResponsesError);
  expect(error).toMatchObject({ status: 400, message: expect.stringMatching(/context size.*\d/) });
});
