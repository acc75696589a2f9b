import { createDirectClient } from '@dragoman/core';
import { chatStream, jsonReply, loadOpenresponsesSchema, startScriptedUpstream } from '@dragoman/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoGateway, startDemoGateway } from '../../server/src/cli/demo-gateway.ts';
import {
  createClient,
  type FunctionTool,
  type InputItem,
  type ReplyPart,
  type ResponseEvent,
  type ResponsesClient,
  type ResponsesRequest,
} from '../src/index.ts';
import { joined } from './responses.ts';

// The client against the real gateway, whose demo model writes its calls as text.

const schema = loadOpenresponsesSchema();
let gateway: DemoGateway;
let client: ResponsesClient;
const lines: string[] = [];

beforeAll(async () => {
  gateway = await startDemoGateway();
  client = createClient({ baseUrl: gateway.url, log: ({ level, message }) => lines.push(`${level}: ${message}`) });
});
afterAll(() => gateway.close());

const readFile: FunctionTool = {
  type: 'function',
  name: 'read_file',
  description: 'Reads a file.',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
};

async function partsOf(parts: AsyncIterable<ReplyPart>): Promise<ReplyPart[]> {
  const all: ReplyPart[] = [];
  for await (const part of parts) all.push(part);
  return all;
}

describe('over the real gateway', () => {
  it('lists its models with their windows', async () => {
    const models = await client.models();
    expect(models.length).toBeGreaterThan(0);
    expect(models.every(({ id, entry }) => entry.id === id)).toBe(true);
  });

  it('completes a turn with a tool: the call once, then the answer to its result', async () => {
    const [model] = await client.models();
    const input: InputItem[] = [{ type: 'message', role: 'user', content: 'Read the file README.md.' }];
    const first = await partsOf(client.reply({ model: model?.id ?? '', input, tools: [readFile] }));
    const calls = first.filter((part) => part.type === 'call');
    expect(calls).toHaveLength(1);
    expect(first.at(-1)).toMatchObject({ type: 'end', reason: 'tool-calls' });
    for (const { callId, name, arguments: json } of calls) {
      input.push({ type: 'function_call', call_id: callId, name, arguments: json });
      input.push({ type: 'function_call_output', call_id: callId, output: 'Hello.' });
    }
    const answer = await client.create({ model: model?.id ?? '', input, tools: [readFile] });
    expect(answer).toMatchObject({ object: 'response', status: 'completed', output: [{ type: 'message' }] });
    expect(answer.usage?.total_tokens).toBeGreaterThan(0);
  });

  it('C-050 tells the events in the order of OpenResponses, and nothing is logged that had to be tolerated', async () => {
    const [model] = await client.models();
    lines.length = 0;
    const events: ResponseEvent[] = [];
    for await (const event of client.stream({ model: model?.id ?? '', input: 'Hello.' })) events.push(event);
    const types = events.map(({ type }) => type);
    expect(types.slice(0, 4)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
    ]);
    expect(types.slice(-4)).toEqual([
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, at) => at));
    expect(lines.filter((line) => !/^(debug|trace): (POST|GET)/.test(line))).toEqual([]);
    const stream = events.map((event) => `data: ${JSON.stringify(event)}\n`).join('');
    expect(schema?.checkStream(stream) ?? []).toEqual([]);
  });

  it('says what the gateway refuses', async () => {
    const error: unknown = await client.create({ model: 'nobody', input: 'Hi' }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status: 404, code: 'model_not_found', type: 'not_found', param: 'model' });
    expect(error).toMatchObject({
      requestId: expect.stringMatching(/./),
      message: expect.stringContaining('"nobody"'),
    });
  });

  it('C-065 stops the model when its signal says so', async () => {
    const stop = new AbortController();
    const reply = client.reply({ model: 'demo', input: 'Hello.' }, { signal: stop.signal });
    await reply.next();
    stop.abort();
    await expect(reply.next()).rejects.toMatchObject({ code: 'aborted' });
  });
});

/** One pixel. */
const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const say = (content: string): InputItem => ({ type: 'message', role: 'user', content });

/** What the compliance suite of OpenResponses sends, as far as it is one request over HTTP. */
const compliance: Readonly<Record<string, { readonly request: ResponsesRequest; readonly item?: string }>> = {
  'basic-response': { request: { input: [say('Say hello in exactly 3 words.')] } },
  'assistant-phase': {
    request: {
      input: [
        { type: 'message', role: 'assistant', phase: 'commentary', content: 'I look.' },
        { type: 'message', role: 'assistant', phase: 'final_answer', content: 'It is fine.' },
        say('Thanks.'),
      ],
    },
  },
  'system-prompt': {
    request: { input: [{ type: 'message', role: 'system', content: 'You are a pirate.' }, say('Say hello.')] },
  },
  'tool-calling': {
    request: {
      input: [say("Read the file 'a.md' with read_file.")],
      tools: [readFile],
      tool_choice: { type: 'function', name: 'read_file' },
    },
    item: 'function_call',
  },
  'image-input': {
    request: {
      input: [
        {
          type: 'message',
          role: 'user',
          content: [
            { type: 'input_text', text: 'What do you see?' },
            { type: 'input_image', image_url: pixel },
          ],
        },
      ],
    },
  },
  'multi-turn': {
    request: {
      input: [
        say('My name is Alice.'),
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello Alice!' }] },
        say('What is my name?'),
      ],
    },
  },
};

describe.each(Object.entries(compliance))(
  'C-023 C-025 C-130 the compliance case %s',
  (_, { request, item = 'message' }) => {
    it.each([true, false])('passes with stream %s', async (stream) => {
      const answer = await client.create({ model: 'demo', ...request, stream });
      expect(answer.status).toBe('completed');
      expect(answer.output.map(({ type }) => type)).toContain(item);
      expect(schema?.check('CreateResponseBody', request) ?? []).toEqual([]);
      expect(schema?.check('ResponseResource', answer) ?? []).toEqual([]);
    });
  },
);

it('C-088 does without a gateway: over the engine in the same process, a text model calls tools', async () => {
  const upstream = await startScriptedUpstream();
  try {
    const written = 'I look.<tool_call>{"name":"read_file","arguments":{"path":"a.md"}}</tool_call>';
    upstream.next(chatStream(written, { pieces: 5 }));
    const { fetch } = createDirectClient({ url: upstream.baseUrl, rule: { toolCalling: { dialect: 'hermes' } } });
    const direct = createClient({ baseUrl: 'http://direct.invalid', fetch });
    const parts = await partsOf(direct.reply({ model: 'm', input: 'Read a.md', tools: [readFile] }));
    expect(joined(parts)).toMatchObject([
      { type: 'text', text: 'I look.' },
      { type: 'call', name: 'read_file', arguments: '{"path":"a.md"}' },
    ]);
    upstream.next(jsonReply(200, { data: [{ id: 'm', context_length: 32_768 }] }));
    expect(await direct.models()).toMatchObject([{ id: 'm', contextWindow: 32_768, toolCalling: true }]);
  } finally {
    await upstream.close();
  }
});
