import Anthropic from '@anthropic-ai/sdk';
import { chatStream, jsonReply, type ScriptedReply, type ScriptedUpstream } from '@dragoman/testkit';
import OpenAI from 'openai';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { gatewayForTest, upstreamForTest } from './for-test.ts';
import type { TestGateway } from './start-test-gateway.ts';

let upstream: ScriptedUpstream;
let passed: number;

beforeEach(async () => {
  upstream = await upstreamForTest();
  passed = 0;
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + passed);
  // Whoever watches silence looks when the test says so; sockets and what the test waits for go on by the clock.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const upstreamsOf = () => {
  const models = { m: { toolCalling: 'native' }, text: { toolCalling: { dialect: 'hermes' } } };
  return {
    up: { wire: 'openai-chat', baseUrl: upstream.baseUrl, models },
    same: { wire: 'anthropic-messages', baseUrl: upstream.baseUrl, models: { m: { passthrough: 'always' } } },
  };
};

/** A gateway that waits for its upstreams for ever, as for local servers that read long prompts. */
const start = (timeouts: Readonly<Record<string, number>> = {}): Promise<TestGateway> =>
  gatewayForTest({
    config: { upstreams: upstreamsOf(), timeouts: { connect: 0, firstToken: 0, idle: 0, total: 0, ...timeouts } },
  });

/** An answer that the test lets come. */
function waitingReply(reply: ScriptedReply): { readonly reply: ScriptedReply; readonly come: () => void } {
  let isDue = false;
  function* steps() {
    while (!isDue) yield { delay: 20 };
    yield* reply.steps;
  }
  return { reply: { ...reply, holdHead: true, steps: steps() }, come: () => (isDue = true) };
}

/** Lets so many seconds pass for whoever watches silence, and what is written then arrive. */
async function pass(seconds: number): Promise<void> {
  passed += seconds * 1000;
  vi.advanceTimersByTime(1000);
  await new Promise((resolve) => setTimeout(resolve, 100));
}

const messages = [{ role: 'user' as const, content: 'Hi' }];

/** Streams a reply through the gateway; `begun` is whether its status has left after so much silence. */
async function ask(gateway: TestGateway, { path, body, agent }: { path: string; body: object; agent?: string }) {
  let begun = false;
  const response = fetch(gateway.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(agent === undefined ? {} : { 'user-agent': agent }) },
    body: JSON.stringify({ ...body, stream: true }),
  }).then((given) => {
    begun = true;
    return given;
  });
  await upstream.request(0);
  return { response, begun: () => begun };
}

const paths: readonly (readonly [name: string, path: string, body: object])[] = [
  ['Chat Completions', '/v1/chat/completions', { model: 'up/m', messages }],
  ['Responses', '/v1/responses', { model: 'up/m', input: 'Hi' }],
  ['Messages', '/v1/messages', { model: 'up/m', messages, max_tokens: 100 }],
  ["Ollama's chat", '/api/chat', { model: 'up/m', messages }],
];

describe.each(paths)('a stream of %s', (_, path, body) => {
  it('an error after a long silence still has its status', async () => {
    const gateway = await start();
    const late = waitingReply(jsonReply(429, { error: { message: 'later' } }));
    upstream.next({ ...late.reply, headers: { ...late.reply.headers, 'retry-after': '7' } });
    const asked = await ask(gateway, { path, body });
    await pass(230);
    expect(asked.begun()).toBe(false);
    late.come();
    const response = await asked.response;
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '7']);
  });

  it('begins before its client gives up', async () => {
    const gateway = await start();
    const late = waitingReply(chatStream('Hello'));
    upstream.next(late.reply);
    const asked = await ask(gateway, { path, body });
    await pass(241);
    expect(asked.begun()).toBe(true);
    late.come();
    expect(await (await asked.response).text()).toContain('Hell');
  });

  it('begins early where `keepAlive` is set, for proxies that cut silent connections', async () => {
    const gateway = await start({ keepAlive: 40_000 });
    const late = waitingReply(chatStream('Hello'));
    upstream.next(late.reply);
    const asked = await ask(gateway, { path, body });
    await pass(41);
    expect(asked.begun()).toBe(true);
    late.come();
    await (await asked.response).text();
  });
});

it('VS Code, which waits for two minutes, gets its first byte before', async () => {
  const gateway = await start();
  const late = waitingReply(chatStream('Hello'));
  upstream.next(late.reply);
  const [, path, body] = paths[0] ?? expect.fail('no path');
  const asked = await ask(gateway, { path, body, agent: 'GitHubCopilotChat/0.42.0' });
  await pass(101);
  expect(asked.begun()).toBe(true);
  late.come();
  await (await asked.response).text();
});

describe('clients that count events', () => {
  const tools = [{ name: 'read', input_schema: { type: 'object' as const, properties: {} } }];

  it.each([
    ['text', 'up/m', 'Hello', [{ type: 'text', text: 'Hello' }]],
    [
      'a call',
      'up/text',
      '<tool_call>{"name":"read","arguments":{}}</tool_call>',
      [{ type: 'text' }, { type: 'tool_use' }],
    ],
  ])('Messages: an empty piece of text comes first, and then %s', async (_, model, said, content) => {
    const gateway = await start();
    const late = waitingReply(chatStream(said));
    upstream.next(late.reply);
    const client = new Anthropic({ baseURL: gateway.url, apiKey: 'any' });
    const seen: string[] = [];
    const stream = client.messages
      .stream({ model, messages, tools, max_tokens: 100 })
      .on('streamEvent', ({ type }) => seen.push(type));
    await upstream.request(0);
    await pass(241);
    expect(seen).toEqual(['message_start', 'content_block_start', 'content_block_delta']);
    await pass(241);
    expect(seen.slice(3)).toEqual(['content_block_delta']);
    late.come();
    expect((await stream.finalMessage()).content).toMatchObject(content);
  });

  it('Messages: frames of the upstream that come after it are written anew', async () => {
    const gateway = await start();
    const frame = (type: string, more: object) => ({
      text: `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`,
    });
    const late = waitingReply({
      headers: { 'content-type': 'text/event-stream' },
      steps: [
        frame('message_start', {
          message: { id: 'm', type: 'message', role: 'assistant', content: [], model: 'm', usage: { input_tokens: 1 } },
        }),
        frame('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
        frame('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Hello' } }),
        frame('content_block_stop', { index: 0 }),
        frame('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } }),
        frame('message_stop', {}),
      ],
    });
    upstream.next(late.reply);
    const client = new Anthropic({ baseURL: gateway.url, apiKey: 'any' });
    const stream = client.messages.stream({ model: 'same/m', messages, max_tokens: 100 });
    await upstream.request(0);
    await pass(241);
    late.come();
    expect((await stream.finalMessage()).content).toMatchObject([{ type: 'text', text: 'Hello' }]);
  });

  it('Responses: `keepalive` comes, numbered as all events are', async () => {
    const gateway = await start();
    const late = waitingReply(chatStream('Hello'));
    upstream.next(late.reply);
    const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'any' });
    const seen: { type: string; sequence_number: number }[] = [];
    const stream = client.responses.stream({ model: 'up/m', input: 'Hi' }).on('event', (event) => {
      seen.push({ type: event.type, sequence_number: 'sequence_number' in event ? event.sequence_number : -1 });
    });
    await upstream.request(0);
    await pass(241);
    late.come();
    expect((await stream.finalResponse()).output_text).toBe('Hello');
    expect(seen.slice(0, 4).map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'keepalive',
      'response.output_item.added',
    ]);
    expect(seen.map(({ sequence_number }) => sequence_number)).toEqual(seen.map((_, index) => index));
  });
});
