import {
  ollamaChatViolations,
  type ScriptedReply,
  type ScriptedUpstream,
  startScriptedUpstream,
} from '@dragoman/testkit';
import { Ollama } from 'ollama';
import OpenAI from 'openai';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { codingTools } from './coding-tools.ts';
import { runOllamaTurn } from './ollama-turn.ts';
import { RecordedFetch } from './recorded-fetch.ts';
import { makeScratchFolder } from './scratch-folder.ts';
import { type DemoGateway, startDemoGateway } from './start-demo-gateway.ts';
import { readTool, startTestGateway, type TestGateway } from './start-test-gateway.ts';

type Line = Readonly<Record<string, unknown>>;

/** A reply as Ollama streams it. */
function lines(...all: readonly Line[]): ScriptedReply {
  const steps = all.map((line) => ({
    text: `${JSON.stringify({ model: 'llama', created_at: '2026-11-20T10:00:00Z', ...line })}\n`,
  }));
  return { headers: { 'content-type': 'application/x-ndjson' }, steps };
}

const said = (content: string, rest: Line = {}): Line => ({
  message: { role: 'assistant', content, ...rest },
  done: false,
});
const called = (...calls: readonly (readonly [name: string, values: object, id?: string])[]): Line =>
  said('', {
    tool_calls: calls.map(([name, values, id]) => ({
      ...(id === undefined ? {} : { id }),
      function: { name, arguments: values },
    })),
  });
const done: Line = { ...said(''), done: true, done_reason: 'stop', prompt_eval_count: 26, eval_count: 298 };

let upstream: ScriptedUpstream;
let gateway: TestGateway;
let client: OpenAI;

beforeEach(async () => {
  upstream = await startScriptedUpstream();
  const models = {
    llama: { toolCalling: 'native', contextWindow: 16_384 },
    text: { toolCalling: { dialect: 'hermes' } },
  };
  const up = { wire: 'ollama-chat', baseUrl: upstream.origin, apiKey: 'k', models };
  gateway = await startTestGateway({ config: { upstreams: { up } } });
  client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'any', maxRetries: 0 });
});

afterEach(async () => {
  await gateway.close();
  await upstream.close();
});

const tools = [{ ...readTool, type: 'function' as const }];
const messages = [{ role: 'user' as const, content: 'Read a.txt and b.txt.' }];

describe('an Ollama server as upstream', () => {
  it('gets its own words, and its calls reach an OpenAI client with their ids', async () => {
    upstream.next(
      lines(
        said('', { thinking: 'Hm.' }),
        said('I read '),
        said('both.'),
        called(['read', { path: 'a.txt' }, 'call_x1']),
        called(['read', { path: 'b.txt' }]),
        done,
      ),
    );
    const answer = await client.chat.completions.create({
      model: 'up/llama',
      messages,
      tools,
      temperature: 0,
      max_tokens: 9,
    });
    const [choice] = answer.choices;
    expect(choice?.finish_reason).toBe('tool_calls');
    expect(choice?.message).toMatchObject({ content: 'I read both.', reasoning_content: 'Hm.' });
    const calls = choice?.message.tool_calls ?? [];
    expect(calls.map((call) => (call.type === 'function' ? call.function.arguments : ''))).toEqual([
      '{"path":"a.txt"}',
      '{"path":"b.txt"}',
    ]);
    expect(calls[0]?.id).toBe('call_x1');
    expect(answer.usage).toMatchObject({ prompt_tokens: 26, completion_tokens: 298 });
    const seen = await upstream.request(0);
    expect(seen.path).toBe('/api/chat');
    expect(seen.headers.authorization).toBe('Bearer k');
    expect(seen.body).toEqual({
      model: 'llama',
      messages,
      tools,
      options: { num_ctx: 16_384, temperature: 0, num_predict: 9 },
      truncate: false,
      shift: false,
      stream: true,
    });
    const record = await gateway.record(({ status }) => status === 200);
    expect(record.warnings).toEqual({ 'id-repaired': 1 });
  });

  it('gets results as its own history: names, ids, objects', async () => {
    upstream.next(lines(said('Done.'), done));
    const call = {
      id: 'call_x1',
      type: 'function' as const,
      function: { name: 'read', arguments: '{"path":"a.txt"}' },
    };
    await client.chat.completions.create({
      model: 'up/llama',
      messages: [
        ...messages,
        { role: 'assistant', tool_calls: [call] },
        { role: 'tool', tool_call_id: 'call_x1', content: 'A' },
      ],
      tools,
    });
    expect((await upstream.request(0)).body).toMatchObject({
      messages: [
        ...messages,
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ id: 'call_x1', function: { name: 'read', arguments: { path: 'a.txt' } } }],
        },
        { role: 'tool', content: 'A', tool_name: 'read', tool_call_id: 'call_x1' },
      ],
    });
  });

  it('may be a model that only writes text', async () => {
    upstream.next(
      lines(said('<tool_call>\n{"name": "read", "argu'), said('ments": {"path": "a.txt"}}\n</tool_call>'), done),
    );
    const answer = await client.chat.completions.create({ model: 'up/text', messages, tools });
    expect(answer.choices[0]?.message.tool_calls?.[0]).toMatchObject({
      function: { name: 'read', arguments: '{"path": "a.txt"}' },
    });
    expect(JSON.stringify((await upstream.request(0)).body)).toContain('Reads a file.');
  });

  it('is never believed when it breaks off, and its errors keep their status', async () => {
    upstream.next(lines(said('Half')), lines(said('Half'), { error: 'model runner has stopped' }));
    const ask = () => client.chat.completions.create({ model: 'up/llama', messages });
    await expect(ask()).rejects.toMatchObject({ status: 502, code: 'upstream_cut' });
    await expect(ask()).rejects.toMatchObject({ status: 502, code: 'upstream_failed' });
    upstream.next({
      status: 404,
      headers: { 'content-type': 'application/json' },
      steps: [{ text: '{"error":"model \\"llama\\" not found"}' }],
    });
    await expect(ask()).rejects.toThrow('model "llama" not found');
  });

  it('may answer whole', async () => {
    const whole = { ...done, model: 'llama', message: { role: 'assistant', content: 'All at once.' } };
    upstream.next({
      headers: { 'content-type': 'application/json; charset=utf-8' },
      steps: [{ text: JSON.stringify(whole) }],
    });
    const answer = await client.chat.completions.create({ model: 'up/llama', messages });
    expect(answer.choices[0]?.message.content).toBe('All at once.');
  });

  it('gets from an Ollama client what only this wire knows', async () => {
    upstream.next(lines(said('{}'), done));
    const ollama = new Ollama({ host: gateway.url });
    const format = { type: 'object', properties: {} };
    await ollama.chat({
      model: 'up/llama',
      messages,
      format,
      think: false,
      keep_alive: '1m',
      options: { num_ctx: 512, top_k: 3 },
    });
    expect((await upstream.request(0)).body).toEqual({
      model: 'llama',
      messages,
      format,
      think: false,
      keep_alive: '1m',
      options: { num_ctx: 512, top_k: 3 },
      truncate: false,
      shift: false,
      stream: true,
    });
  });
});

describe('a gateway behind a gateway, both halves of the wire', () => {
  let after: DemoGateway;

  beforeAll(async () => {
    after = await startDemoGateway();
  });

  afterAll(() => after.close());

  it.each([true, false])('reads a file through both, stream: %s', async (stream) => {
    const models = { 'demo/hermes': { toolCalling: 'native' } };
    const front = await startTestGateway({
      config: { upstreams: { back: { wire: 'ollama-chat', baseUrl: after.url, models } } },
    });
    const folder = await makeScratchFolder({ 'a.txt': 'Grüße 🦜 4711', 'b.txt': 'second' });
    const recorded = new RecordedFetch();
    try {
      const ollama = new Ollama({ host: front.url, fetch: recorded.fetch });
      const turn = await runOllamaTurn(ollama, {
        model: 'back/demo/hermes',
        messages: [{ role: 'user', content: 'Read a.txt and b.txt.' }],
        tools: codingTools(folder),
        stream,
      });
      expect(turn.ran.map(({ values }) => values)).toEqual([{ filePath: 'a.txt' }, { filePath: 'b.txt' }]);
      expect(turn.text).toContain('Grüße 🦜 4711');
      for (const { answer, contentType } of await recorded.exchanges()) {
        if (contentType === 'application/x-ndjson') expect(ollamaChatViolations(answer)).toEqual([]);
      }
      const issued = [...JSON.stringify(turn.messages).matchAll(/"id":"(call_[^"]+)"/g)].map(([, id]) => id);
      expect(issued).toHaveLength(2);
      expect(new Set(issued).size).toBe(2);
    } finally {
      await front.close();
      await folder.remove();
    }
  });
});
