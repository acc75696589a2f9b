import { describe, expect, expectTypeOf, it } from 'vitest';
import { answer } from './answer.ts';
import { createCallValidator } from './calls/validate.ts';
import { collect } from './chat/collect.ts';
import type { ChatEvent } from './chat/event.ts';
import type { ToolCallPart, ToolMessage } from './chat/message.ts';
import type { ToolCall } from './chat/tool.ts';
import type { PastCall } from './dialects/dialect.ts';
import { DragomanError } from './errors.ts';
import { defaultModelRule, type ModelRule } from './plan/rules.ts';
import type { EngineSetup } from './plan/setup.ts';
import { CallIds } from './prepare/call-ids.ts';
import { decodeSse } from './stream/sse-decoder.ts';
import { runStage, through } from './stream/stage.ts';
import { openaiChatClient, openaiChatUpstream } from './wires/openai-chat/index.ts';
import type { Frame } from './wires/wire.ts';

const encoder = new TextEncoder();
const bytesOf = (text: string) => [encoder.encode(text)];
const never = () => expect.fail('no frame is too long');

const parameters = { type: 'object', properties: { path: { type: 'string' } } };
const tools = [{ type: 'function', function: { name: 'read', parameters } }];
const question = { role: 'user', content: 'Read a.txt' };

/** What an upstream that calls natively sends: the id is in the first fragment only. */
const nativeReply = [
  { tool_calls: [{ index: 0, id: 'call_abc123', type: 'function', function: { name: 'read', arguments: '' } }] },
  { tool_calls: [{ index: 0, function: { arguments: '{"path":' } }] },
  { tool_calls: [{ index: 0, function: { arguments: '"a.txt"}' } }] },
];

function sseOf(deltas: readonly object[], finish: string): string {
  const chunks = [...deltas.map((delta) => ({ delta, finish_reason: null })), { delta: {}, finish_reason: finish }];
  const frames = chunks.map((choice) => `data: ${JSON.stringify({ id: 'r', choices: [{ index: 0, ...choice }] })}\n\n`);
  return `${frames.join('')}data: [DONE]\n\n`;
}

/** The same delta under another call id. */
const renamed = (delta: object, id: string): object => JSON.parse(JSON.stringify(delta).replace('call_abc123', id));

/** A gateway in memory: a client's body in, the client's frames and the upstream's body out. */
function exchange(body: object, options: { readonly reply: string; readonly rule: Partial<ModelRule> }) {
  const sent: string[] = [];
  const setup: EngineSetup = {
    upstreams: new Map([
      [
        'up',
        {
          name: 'up',
          wire: 'openai-chat',
          quirks: {},
          deadlines: { connect: 0, firstToken: 0, idle: 0, total: 0 },
          models: new Map([['m', { ...defaultModelRule, ...options.rule }]]),
          transport: {
            send: (upstreamRequest, receiver) => {
              sent.push(JSON.stringify(upstreamRequest.body));
              receiver.start(200, 'text/event-stream');
              for (const bytes of bytesOf(options.reply)) receiver.data(bytes);
              receiver.end();
              return { pause: () => {}, resume: () => {}, abort: () => {} };
            },
          },
        },
      ],
    ]),
    aliases: new Map(),
    maxTools: 8,
    maxReplyBytes: 1_000_000,
    toolCalling: true,
    countTokens: async (texts) => texts.join('').length,
    now: () => 0,
    randomHex: (length) => 'abcdef0123456789abcdef01'.slice(0, length),
  };
  const request = openaiChatClient.readRequest(body);
  const events: ChatEvent[] = [];
  answer(request, setup, { event: (event) => events.push(event), flush: () => {} });
  const frames = runStage(openaiChatClient.createStreamWriter({ request, replyId: 'reply', created: 1 }), events);
  return { events, frames, body: JSON.parse(sent[0] ?? '{}') };
}

/** The calls as a strict client collects them out of the frames. */
function callsOf(frames: readonly string[]): { id: string; name: string; text: string }[] {
  const calls: { id: string; name: string; text: string }[] = [];
  for (const { data } of runStage(decodeSse({ fail: never }), bytesOf(frames.join('')))) {
    if (data === '[DONE]') continue;
    for (const { index, id, function: about } of JSON.parse(data).choices[0]?.delta.tool_calls ?? []) {
      if (id !== undefined) calls[index] = { id, name: about.name, text: '' };
      const call = calls[index];
      if (call !== undefined) call.text += about.arguments;
    }
  }
  return calls;
}

const withResult = (call: { id: string; name: string; text: string }, stream = true) => ({
  model: 'up/m',
  stream,
  tools,
  messages: [
    question,
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: call.id, type: 'function', function: { name: call.name, arguments: call.text } }],
    },
    { role: 'tool', tool_call_id: call.id, content: 'the file' },
  ],
});

describe('a call id on its way', () => {
  it('E-017 E-013 E-093 issue 981: the id that the upstream issued is the same at every stage, and comes back to it', () => {
    const reply = sseOf(nativeReply, 'tool_calls');
    const body = { model: 'up/m', stream: true, tools, messages: [question] };
    const request = openaiChatClient.readRequest(body);

    // 1, 2: the API's delta, as a frame
    const frames: Frame[] = runStage(decodeSse({ fail: never }), bytesOf(reply));
    expect(JSON.parse(frames[0]?.data ?? '').choices[0].delta.tool_calls[0].id).toBe('call_abc123');
    // 3: collected by the wire's reader
    const read = runStage(openaiChatUpstream.createStreamReader(request), frames);
    expect(read.filter(({ type }) => type === 'tool-call-start')).toMatchObject([{ callId: 'call_abc123' }]);
    // 4: validated
    const callIds = new CallIds({ request, randomHex: () => expect.fail('no id is minted') });
    const validated = runStage(createCallValidator({ tools: request.tools, callIds }), read);
    expect(validated.filter(({ type }) => type === 'tool-call-start')).toMatchObject([{ callId: 'call_abc123' }]);
    // 5: emitted by the engine
    const first = exchange(body, { reply, rule: { toolCalling: 'native' } });
    expect(first.events.filter(({ type }) => type === 'tool-call-start')).toMatchObject([{ callId: 'call_abc123' }]);
    // 6: scheduled by the client
    const [call] = callsOf(first.frames);
    expect(call).toEqual({ id: 'call_abc123', name: 'read', text: '{"path":"a.txt"}' });
    // 7, 8: its response, in the next request
    const next = exchange(withResult(call ?? expect.fail('no call')), {
      reply: sseOf([{ content: 'Done.' }], 'stop'),
      rule: { toolCalling: 'native' },
    });
    expect(next.body.messages[1].tool_calls[0].id).toBe('call_abc123');
    expect(next.body.messages[2].tool_call_id).toBe('call_abc123');
  });

  it('E-061 E-015 the id that a text model wrote comes back to it in the next prompt', () => {
    const written =
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.read:0<|tool_call_argument_begin|>{"path":"a.txt"}<|tool_call_end|><|tool_calls_section_end|>';
    const rule: Partial<ModelRule> = { toolCalling: { dialect: 'kimi-k2' } };
    const first = exchange(
      { model: 'up/m', stream: true, tools, messages: [question] },
      { reply: sseOf([{ content: written }], 'stop'), rule },
    );
    const [call] = callsOf(first.frames);
    expect(call).toMatchObject({ name: 'read', text: '{"path":"a.txt"}' });
    expect(call?.id).toMatch(/^call_[0-9a-f]{8}_functions_2e___3a0$/);
    const next = exchange(withResult(call ?? expect.fail('no call')), {
      reply: sseOf([{ content: 'Done.' }], 'stop'),
      rule,
    });
    const prompt = JSON.stringify(next.body.messages);
    expect(prompt).toContain('functions.read:0');
    expect(prompt).toContain('the file');
    expect(prompt).not.toContain(call?.id);
  });

  it('E-001 is a field of every form that a call takes, and none of them leaves it out', () => {
    expectTypeOf<Extract<ChatEvent, { type: 'tool-call-start' }>>().toHaveProperty('callId').toEqualTypeOf<string>();
    expectTypeOf<ToolCallPart>().toHaveProperty('callId').toEqualTypeOf<string>();
    expectTypeOf<ToolCall>().toHaveProperty('callId').toEqualTypeOf<string>();
    expectTypeOf<ToolMessage>().toHaveProperty('callId').toEqualTypeOf<string>();
    expectTypeOf<PastCall>().toHaveProperty('callId').toEqualTypeOf<string>();
    const { events } = exchange(
      { model: 'up/m', stream: true, tools, messages: [question] },
      { reply: sseOf(nativeReply, 'tool_calls'), rule: { toolCalling: 'native' } },
    );
    expect(collect(events).calls).toEqual([{ callId: 'call_abc123', name: 'read', arguments: '{"path":"a.txt"}' }]);
  });

  it("E-007 is the upstream's own where one came, and made up only where none did", () => {
    const asked = { model: 'up/m', stream: true, tools, messages: [question] };
    const idOf = (fields: object) => {
      const fragment = { index: 0, type: 'function', function: { name: 'read', arguments: '{}' }, ...fields };
      const reply = sseOf([{ tool_calls: [fragment] }], 'tool_calls');
      return callsOf(exchange(asked, { reply, rule: { toolCalling: 'native' } }).frames)[0]?.id;
    };
    expect(idOf({ id: 'call_Ab-9' })).toBe('call_Ab-9');
    for (const fields of [{}, { id: '' }, { id: null }]) expect(idOf(fields)).toMatch(/^call_[0-9a-f]{24}$/);
  });

  it('E-040 nothing of a reply that was aborted shows in the next one', () => {
    const request = openaiChatClient.readRequest({ model: 'up/m', stream: true, tools, messages: [question] });
    const callIds = new CallIds({ request, randomHex: (length) => '0'.repeat(length) });
    const pipeline = through(
      through(decodeSse({ fail: never }), openaiChatUpstream.createStreamReader(request)),
      createCallValidator({ tools: request.tools, callIds }),
    );
    const whole = sseOf(
      nativeReply.map((delta) => renamed(delta, 'call_second')),
      'tool_calls',
    );
    const aborted = sseOf(nativeReply, 'tool_calls').slice(0, 220);
    const first = collect(runStage(pipeline, bytesOf(aborted), new DragomanError('client-gone', 'gone')));
    expect(first).toMatchObject({ calls: [], complete: false });
    expect(collect(runStage(pipeline, bytesOf(whole)))).toMatchObject({
      calls: [{ callId: 'call_second', name: 'read', arguments: '{"path":"a.txt"}' }],
      warnings: [],
      complete: true,
    });
  });

  it('the reader of the wire and the stages after it are one pipeline, cut where it will', () => {
    const request = openaiChatClient.readRequest({ model: 'up/m', stream: true, tools, messages: [question] });
    const pipeline = () => {
      const callIds = new CallIds({ request, randomHex: (length) => '0'.repeat(length) });
      const reader = through(decodeSse({ fail: never }), openaiChatUpstream.createStreamReader(request));
      return through(reader, createCallValidator({ tools: request.tools, callIds }));
    };
    const bytes = encoder.encode(sseOf(nativeReply, 'tool_calls'));
    const whole = runStage(pipeline(), [bytes]);
    const bytewise = runStage(
      pipeline(),
      Array.from(bytes, (byte) => Uint8Array.of(byte)),
    );
    expect(bytewise).toEqual(whole);
  });
});
