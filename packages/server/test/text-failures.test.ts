import { setTimeout as wait } from 'node:timers/promises';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import {
  chatFrames,
  chatStream,
  collectAsAiSdk,
  collectAsCopilot,
  errorReply,
  openaiChatViolations,
  sample,
} from '@dragoman/testkit';
import { jsonSchema, stepCountIs, streamText, tool } from 'ai';
import OpenAI from 'openai';
import { afterEach, describe, expect, it } from 'vitest';
import { dataOf } from './start-test-gateway.ts';
import {
  eachDialect,
  startTextGateway,
  type TextGateway,
  type TextGatewayOptions,
  tools,
  written,
} from './start-text-gateway.ts';

let gateway: TextGateway;

afterEach(() => gateway.close());

async function start(options: TextGatewayOptions = {}): Promise<{ gateway: TextGateway; client: OpenAI }> {
  gateway = await startTextGateway(options);
  return { gateway, client: new OpenAI({ baseURL: gateway.baseURL, apiKey: 'any', maxRetries: 0 }) };
}

const asked = [{ role: 'user' as const, content: 'Write it.' }];
/** A reply that has begun a call and not ended it. */
const begun = (id: string): string[] => {
  const { dialect } = eachDialect.find((each) => each.id === id) ?? expect.fail();
  const call = written(dialect, [['write', { path: 'a.txt', content: 'do not run me' }]]);
  return chatFrames(`One moment.\n${call.slice(0, call.indexOf('run'))}`, { finishReason: null, done: false });
};
const steps = (frames: readonly string[]) => frames.map((text) => ({ text }));

describe.each(sample(eachDialect, 1))('an upstream that fails in the middle of a call in $id', ({ id }) => {
  it.each([
    [
      'an error frame',
      [{ text: 'data: {"error":{"message":"out of memory","code":500}}\n\n' }, { stall: true as const }],
    ],
    ['a reset', [{ delay: 20 }, { cut: true as const }]],
    ['an early end', []],
  ])('A-171 A-172 by %s: text, one error, a final chunk, [DONE]; no client runs the call', async (_, rest) => {
    const { client } = await start();
    gateway.upstream.next(...[1, 2].map(() => ({ steps: [...steps(begun(id)), ...rest] })));
    const stream = await gateway.stream(id);
    const violations = openaiChatViolations(stream).filter((each) => !each.includes('text comes after a call'));
    expect(violations).toEqual([]);
    const aiSdk = collectAsAiSdk(stream);
    expect(aiSdk.text).toContain('One moment.');
    expect(aiSdk.errors).toHaveLength(1);
    expect(aiSdk.finishReason).toBe('length');
    expect(collectAsCopilot([stream])).toMatchObject({ calls: [], outcome: 'error' });
    const data = dataOf(stream);
    expect(data.at(-1)).toBe('[DONE]');
    expect(JSON.parse(data.at(-2) ?? '')).not.toHaveProperty('choices');

    const heard = client.chat.completions.stream({ model: `up/${id}`, messages: asked, tools });
    await expect(heard.finalChatCompletion()).rejects.toBeInstanceOf(OpenAI.APIError);
  });
});

describe('an upstream that fails before its first event', () => {
  it('A-173: both SDKs see a real status, streamed and whole', async () => {
    const { client } = await start({ scripted: { fallback: errorReply(500, 'out of order') } });
    const body = { model: 'up/hermes', messages: asked, tools };
    await expect(client.chat.completions.create({ ...body, stream: true })).rejects.toMatchObject({
      status: 502,
      code: 'upstream_failed',
    });
    await expect(client.chat.completions.create(body)).rejects.toMatchObject({ status: 502 });
    const errors: unknown[] = [];
    const model = createOpenAICompatible({ name: 'd', baseURL: gateway.baseURL })('up/hermes');
    const result = streamText({ model, prompt: 'x', maxRetries: 0, onError: ({ error }) => void errors.push(error) });
    await result.consumeStream();
    expect(errors).toMatchObject([{ statusCode: 502 }]);
  });

  it('A-173: a rate limit stays one, with its delay', async () => {
    const { client } = await start();
    gateway.upstream.next(errorReply(429, 'slow down', { 'retry-after': '7' }));
    const asking = client.chat.completions.create({ model: 'up/hermes', messages: asked });
    await expect(asking).rejects.toBeInstanceOf(OpenAI.RateLimitError);
    const thrown: unknown = await asking.catch((error: unknown) => error);
    expect(thrown instanceof OpenAI.APIError && thrown.headers?.get('retry-after')).toBe('7');
  });

  it('B-094: a web page instead of an answer is a 400 with a hint, streamed and whole, and is not passed on', async () => {
    await start();
    const page = {
      headers: { 'content-type': 'text/html; charset=utf-8' },
      steps: [{ text: '<!doctype html><title>Log in</title><script>secret()</script>' }],
    };
    gateway.upstream.next(page, page);
    for (const stream of [true, false]) {
      const response = await gateway.post({ model: 'up/hermes', messages: asked, stream });
      expect(response.status).toBe(400);
      expect(response.headers.get('content-type')).toContain('application/json');
      const { error } = await response.json();
      expect(error.message).toMatch(/key|credential/i);
      expect(error.message).toContain('text/html');
      expect(JSON.stringify(error)).not.toContain('secret');
    }
  });
});

describe('silence and leaving', () => {
  it('an upstream that goes silent in the middle of a call: the idle timeout ends the stream in order', async () => {
    await start({ config: { timeouts: { idle: 200 } } });
    gateway.upstream.next({ steps: [...steps(begun('hermes')), { stall: true }] });
    const stream = await gateway.stream('hermes');
    const [final = '', frame = '', done] = dataOf(stream).slice(-3);
    expect(JSON.parse(frame).error.code).toBe('idle_timeout');
    expect(JSON.parse(final).choices[0].finish_reason).toBe('length');
    expect(done).toBe('[DONE]');
    await (await gateway.upstream.request(0)).aborted;
  });

  it('an upstream that never begins: 504 before the first byte', async () => {
    await start({ config: { timeouts: { firstToken: 200 } } });
    gateway.upstream.next({ steps: [{ stall: true }] });
    const response = await gateway.post({ model: 'up/hermes', messages: asked, stream: true });
    expect(response.status).toBe(504);
    expect((await response.json()).error.code).toBe('first_token_timeout');
  });

  it.each(sample(eachDialect, 1))(
    'A-174 A-175 $id: an SDK that aborts in the middle of a call stops the upstream in a second',
    async ({ id }) => {
      const { client } = await start();
      gateway.upstream.next({ steps: [...steps(begun(id)), { stall: true }] });
      const stream = await client.chat.completions.create({ model: `up/${id}`, messages: asked, tools, stream: true });
      // The upstream has not finished, and the call has begun to arrive all the same.
      for await (const chunk of stream) if (chunk.choices[0]?.delta.tool_calls?.[0]?.function?.arguments) break;
      stream.controller.abort();
      const seen = await gateway.upstream.request(0);
      const outcome = await Promise.race([seen.aborted.then(() => 'aborted'), wait(1000).then(() => 'still running')]);
      expect(outcome).toBe('aborted');
    },
  );
});

describe.each(sample(eachDialect, 1))('a call that the model left unfinished in $id', ({ id, dialect }) => {
  const reply = (): string => begun(id).join('') + chatFrames('').slice(1).join('');

  it('A-268 error case: the AI SDK never runs it and tells the model so, and its next request is accepted', async () => {
    await start();
    gateway.upstream.next({ steps: [{ text: reply() }] }, chatStream('I give up.'));
    const ran: unknown[] = [];
    const schema = jsonSchema<object>({ type: 'object', properties: { path: { type: 'string' } }, required: ['path'] });
    const result = streamText({
      model: createOpenAICompatible({ name: 'd', baseURL: gateway.baseURL })(`up/${id}`),
      prompt: 'Write it.',
      tools: { write: tool({ inputSchema: schema, execute: (values) => void ran.push(values) }) },
      stopWhen: stepCountIs(3),
      maxRetries: 0,
      onError: ({ error }) => expect.fail(String(error)),
    });
    await result.consumeStream();
    expect(ran).toEqual([]);
    const steps = await result.steps;
    expect(steps[0]?.text).toContain('do not');
    // The SDK tells the model what was wrong with its call, and the model answers that.
    expect(gateway.upstream.requests[1]?.text).toContain('Invalid input for tool write');
    expect(await result.text).toBe('I give up.');
    for (const seen of gateway.upstream.requests) expect(await seen.over).toBe('ended');
    expect(gateway.records().filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('never shows with whole calls, and the stream keeps every rule', async () => {
    await start({ rule: { callDeltas: 'complete' } });
    const whole = written(dialect, [['read', { path: 'x' }]]);
    gateway.upstream.next({ steps: [{ text: reply() }] }, chatStream(`Look.\n${whole}`));
    const stream = await gateway.stream(id);
    expect(openaiChatViolations(stream)).toEqual([]);
    expect(collectAsCopilot([stream])).toMatchObject({ calls: [], outcome: 'success', problems: [] });
    expect(collectAsCopilot([stream]).text).toContain('do not');
    const next = await gateway.stream(id);
    expect(openaiChatViolations(next)).toEqual([]);
    expect(collectAsCopilot([next]).calls).toMatchObject([{ name: 'read' }]);
  });
});
