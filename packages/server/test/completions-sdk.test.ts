import { chatMessage, chatStream, completionsViolations, type ScriptedUpstream } from '@dragoman/testkit';
import OpenAI, { APIError } from 'openai';
import { beforeEach, describe, expect, it } from 'vitest';
import { gatewayForTest, upstreamForTest } from './for-test.ts';
import type { TestGateway } from './start-test-gateway.ts';

let upstream: ScriptedUpstream;
let gateway: TestGateway;
let client: OpenAI;

beforeEach(async () => {
  upstream = await upstreamForTest();
  gateway = await gatewayForTest({ upstream });
  client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'any', maxRetries: 0 });
});

const ask = { prompt: 'Once upon', max_tokens: 16, temperature: 0 };
const usage = { prompt: 2, completion: 3 };

describe.each(['up/native', 'up/text'])("the official SDK's older completions with %s", (model) => {
  it('answers whole', async () => {
    upstream.next(chatStream(' a time', { usage }));
    const answer = await client.completions.create({ ...ask, model });
    expect(answer).toMatchObject({
      id: expect.stringMatching(/^cmpl-/),
      object: 'text_completion',
      model,
      choices: [{ text: ' a time', index: 0, logprobs: null, finish_reason: 'stop' }],
      usage: { prompt_tokens: 2, completion_tokens: 3, total_tokens: 5 },
    });
    expect((await upstream.request(0)).body).toMatchObject({
      messages: [{ role: 'user', content: 'Once upon' }],
      max_tokens: 16,
      temperature: 0,
    });
  });

  it('streams, with usage where it is asked for', async () => {
    upstream.next(chatStream(' a time 😀', { finishReason: 'length', usage }));
    const stream = await client.completions.create({
      ...ask,
      model,
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks: OpenAI.Completion[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks.map(({ choices }) => choices[0]?.text ?? '').join('')).toBe(' a time 😀');
    expect(chunks.flatMap(({ choices }) => choices.map((choice) => choice.finish_reason)).at(-1)).toBe('length');
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 5 } });
  });

  it('throws where the upstream breaks off inside the stream', async () => {
    upstream.next(chatStream('Half of it', { finishReason: null, done: false }));
    const stream = await client.completions.create({ ...ask, model, stream: true });
    let text = '';
    const reading = (async () => {
      for await (const { choices } of stream) text += choices[0]?.text ?? '';
    })();
    await expect(reading).rejects.toSatisfy((error) => error instanceof APIError && error.code === 'upstream_cut');
    expect(text).toBe('Half of it');
  });
});

describe('POST /v1/completions', () => {
  const post = (path: string, fields: object) =>
    fetch(gateway.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...ask, model: 'up/native', ...fields }),
    });

  it('keeps the rules of its streams, also without /v1, and echoes', async () => {
    for (const path of ['/v1/completions', '/completions', '/completions/']) {
      upstream.next(chatStream(' a time', { usage }));
      const response = await post(path, { stream: true, echo: true });
      expect(response.headers.get('content-type')).toContain('text/event-stream');
      const stream = await response.text();
      expect(completionsViolations(stream)).toEqual([]);
      expect(stream).toContain('"text":"Once upon a');
    }
  });

  it('leaves reasoning out, and the log tells', async () => {
    upstream.next(chatStream(' a time', { reasoning: 'A tale, then.' }), chatMessage(' a time'));
    const text = await (await post('/v1/completions', {})).text();
    expect(text).toContain(' a time');
    expect(text).not.toContain('tale');
    const record = await gateway.record(({ status }) => status === 200);
    expect(record).toMatchObject({ route: '/v1/completions', warnings: { 'field-dropped': 1 } });
  });

  it.each([
    [{ prompt: ['one', 'two'] }, 'prompt'],
    [{ prompt: [1, 2, 3] }, 'prompt'],
    [{ n: 2 }, 'n'],
    [{ best_of: 3 }, 'best_of'],
  ])('refuses %j with 400, naming the field', async (fields, param) => {
    const response = await post('/v1/completions', fields);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { param, code: 'unsupported_field' } });
    expect(upstream.requests).toHaveLength(0);
  });
});
