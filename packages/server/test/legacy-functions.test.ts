import type { ScriptedReply, ScriptedUpstream } from '@dragoman/testkit';
import OpenAI from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { beforeEach, describe, expect, it } from 'vitest';
import { gatewayForTest, upstreamForTest } from './for-test.ts';
import { readTool } from './start-test-gateway.ts';

let upstream: ScriptedUpstream;
let client: OpenAI;

beforeEach(async () => {
  upstream = await upstreamForTest();
  const gateway = await gatewayForTest({ upstream });
  client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'any', maxRetries: 0 });
});

const nativeDeltas = ['a.txt', 'b.txt'].flatMap((path, index) => [
  { content: index === 0 ? 'I look.' : '' },
  { tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name: 'read', arguments: '{"pa' } }] },
  { tool_calls: [{ index, function: { arguments: `th":"${path}"}` } }] },
]);

const textDeltas = ['I look.', ...['a.txt', 'b.txt'].map(textCall)].map((content) => ({ content }));

function textCall(path: string): string {
  return `<tool_call>\n{"name": "read", "arguments": {"path":"${path}"}}\n</tool_call>`;
}

function streamOf(deltas: readonly object[], finish: string): ScriptedReply {
  const frame = (delta: object, reason: string | null) =>
    `data: ${JSON.stringify({ id: 'c', model: 'm', choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;
  const frames = [...deltas.map((delta) => frame(delta, null)), frame({}, finish), 'data: [DONE]\n\n'];
  return { steps: frames.map((text) => ({ text })) };
}

/** Each upstream writes two calls, although one was asked for. */
const models = [
  ['up/native', () => streamOf(nativeDeltas, 'tool_calls')],
  ['up/text', () => streamOf(textDeltas, 'stop')],
] as const;

describe.each(models)('functions of the older API with %s', (model, twoCalls) => {
  const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: 'Read a.txt.' }];
  const ask = { model, messages, functions: [readTool.function] };
  const wanted = { name: 'read', arguments: '{"path":"a.txt"}' };

  it('A-054 the call comes as function_call, whole', async () => {
    upstream.next(twoCalls());
    const [choice] = (await client.chat.completions.create(ask)).choices;
    expect(choice?.finish_reason).toBe('function_call');
    // What becomes of a call too many, a text model's dialect says.
    const content = expect.stringMatching(/^I look\./);
    expect(choice?.message).toEqual({ role: 'assistant', content, refusal: null, function_call: wanted });
  });

  it('A-054 the call comes as function_call, streamed', async () => {
    upstream.next(twoCalls());
    const called: OpenAI.ChatCompletionChunk.Choice.Delta.FunctionCall[] = [];
    const reasons: (string | null)[] = [];
    for await (const { choices } of await client.chat.completions.create({ ...ask, stream: true })) {
      const [choice] = choices;
      expect(choice?.delta).not.toHaveProperty('tool_calls');
      if (choice?.delta.function_call !== undefined) called.push(choice.delta.function_call);
      reasons.push(choice?.finish_reason ?? null);
    }
    expect(called.flatMap(({ name }) => name ?? [])).toEqual(['read']);
    expect(called.map((part) => part.arguments).join('')).toBe(wanted.arguments);
    expect(reasons.filter((reason) => reason !== null)).toEqual(['function_call']);
  });

  it("A-054 the SDK's own reading of the stream finds the call", async () => {
    upstream.next(twoCalls());
    const stream = client.chat.completions.stream(ask);
    expect((await stream.finalChatCompletion()).choices[0]?.message.function_call).toEqual(wanted);
  });

  it('A-054 two rounds of results without ids reach the model, and its answer is a plain one', async () => {
    upstream.next(streamOf([{ content: 'Done.' }], 'stop'));
    const rounds = ['one', 'two'].flatMap((content): ChatCompletionMessageParam[] => [
      { role: 'assistant', content: null, function_call: wanted },
      { role: 'function', name: 'read', content },
    ]);
    const [choice] = (await client.chat.completions.create({ ...ask, messages: [...messages, ...rounds] })).choices;
    expect(choice).toMatchObject({ finish_reason: 'stop', message: { content: 'Done.' } });
    expect(choice?.message).not.toHaveProperty('function_call');
    const body: unknown = (await upstream.request(0)).body;
    expect(JSON.stringify(body).indexOf('one')).toBeLessThan(JSON.stringify(body).indexOf('two'));
    expect(body).not.toHaveProperty('functions');
  });

  it('A-054 who declares tools as well reads calls as tool_calls', async () => {
    upstream.next(twoCalls());
    const tools = [{ type: 'function' as const, function: { ...readTool.function, name: 'write' } }];
    const [choice] = (await client.chat.completions.create({ ...ask, tools })).choices;
    expect(choice?.finish_reason).toBe('tool_calls');
    expect(choice?.message.tool_calls).toHaveLength(2);
  });
});

it('A-054 a native upstream is asked for one call, under the ids that it takes', async () => {
  upstream.next(streamOf([{ content: 'Done.' }], 'stop'));
  await client.chat.completions.create({
    model: 'up/native',
    messages: [
      { role: 'user', content: 'Read a.txt.' },
      { role: 'assistant', content: null, function_call: { name: 'read', arguments: '{}' } },
      { role: 'function', name: 'read', content: 'A' },
    ],
    functions: [readTool.function],
    function_call: { name: 'read' },
  });
  const body: unknown = (await upstream.request(0)).body;
  expect(body).toMatchObject({
    tools: [readTool],
    tool_choice: { type: 'function', function: { name: 'read' } },
    parallel_tool_calls: false,
    messages: [{}, { tool_calls: [{ id: expect.stringMatching(/^.+$/) }] }, { role: 'tool', content: 'A' }],
  });
});
