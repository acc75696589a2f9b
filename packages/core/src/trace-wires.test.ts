import { chatRequest, sample } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import { answer } from './answer.ts';
import { collect } from './chat/collect.ts';
import type { ChatEvent } from './chat/event.ts';
import { EventWriter } from './chat/event-writer.ts';
import type { Message } from './chat/message.ts';
import type { ToolCall } from './chat/tool.ts';
import { dialects } from './dialects/registry.ts';
import { defaultModelRule, type ModelRule } from './plan/rules.ts';
import type { EngineSetup } from './plan/setup.ts';
import { MemoryCallIdStore } from './stores/memory-call-id-store.ts';
import { decodeNdjson } from './stream/ndjson-decoder.ts';
import { decodeSse } from './stream/sse-decoder.ts';
import { runStage } from './stream/stage.ts';
import { clientWires, upstreamWires } from './wires/registry.ts';
import type { ClientWire, Frame, Quirks } from './wires/wire.ts';

/** Both halves of every wire: one is what we speak, the other one plays the program at the far end. */
const wires = [...clientWires].flatMap(([id, client]) => {
  const upstream = upstreamWires.get(id);
  return upstream === undefined ? [] : [{ id, client, upstream }];
});
type Wire = (typeof wires)[number];

/** Those in which a history of calls can be said. */
const calling = wires.filter(({ upstream }) => upstream.textOnly !== true);

const tools = [{ name: 'read', inputSchema: { type: 'object', properties: { path: { type: 'string' } } } }];
const question: Message = { role: 'user', content: [{ type: 'text', text: 'Read them.' }] };
const json = (at: number) => `{"path":"${at}.txt"}`;
const toLegal = /^[A-Za-z0-9_-]{1,64}$/;
const bytesOf = (text: string) => [new TextEncoder().encode(text)];
const fail = (): never => expect.fail('no frame is too long');
const framesOf = ({ framing }: Pick<ClientWire, 'framing'>, text: string): Frame[] =>
  framing === 'sse' ? runStage(decodeSse({ fail }), bytesOf(text)) : runStage(decodeNdjson({ fail }), bytesOf(text));

/** A reply with these calls as an upstream of this wire streams it. */
function replyOf({ client }: Wire, ids: readonly string[]): string {
  const events: ChatEvent[] = [];
  const writer = new EventWriter((event) => events.push(event));
  writer.start('r', 'm');
  for (const [at, id] of ids.entries()) {
    writer.callStart(id, 'read');
    writer.callDelta(json(at));
    writer.callEnd();
  }
  writer.end('tool-calls');
  return runStage(
    client.createStreamWriter({ request: chatRequest({ tools, stream: true }), replyId: 'r', created: 1 }),
    events,
  ).join('');
}

interface Route {
  readonly from: Wire;
  readonly to: Wire;
  readonly rule?: Partial<ModelRule>;
  readonly quirks?: Quirks;
}

/** A conversation of one client with one upstream, each after its own wire. */
class Conversation {
  readonly #route: Route;
  readonly #callIds = new MemoryCallIdStore({ maxSize: 100_000 }).of('');
  readonly #messages: Message[] = [question];
  #digits = 0;

  constructor(route: Route) {
    this.#route = route;
  }

  /** The upstream's answer to the conversation so far: what the client makes of it, and what the upstream was sent. */
  async turn(reply: string): Promise<{
    readonly calls: readonly ToolCall[];
    readonly body: unknown;
    readonly codes: readonly string[];
  }> {
    const { from, to } = this.#route;
    const sent: unknown[] = [];
    const asked = chatRequest({ model: 'up/m', tools, stream: true, messages: this.#messages });
    const request = from.client.readRequest(from.upstream.writeRequest(asked, 'up/m', {}).body);
    const events: ChatEvent[] = [];
    await new Promise<void>((resolve) => {
      const event = (each: ChatEvent) => {
        events.push(each);
        if (each.type === 'message-end' || each.type === 'error') resolve();
      };
      answer(request, this.#setup(to, { reply, sent }), { event, flush: () => {} });
    });
    const text = runStage(from.client.createStreamWriter({ request, replyId: 'r', created: 1 }), events).join('');
    const { calls } = collect(runStage(from.upstream.createStreamReader(request, {}), framesOf(from.client, text)));
    this.#messages.push(
      { role: 'assistant', content: calls.map((call) => ({ type: 'tool-call', ...call })) },
      ...calls.map(
        ({ callId }, at): Message => ({ role: 'tool', callId, content: [{ type: 'text', text: `result ${at}` }] }),
      ),
    );
    const codes = events.flatMap((event) => (event.type === 'warning' ? [event.warning.code] : []));
    return { calls, body: sent[0], codes };
  }

  #setup(to: Wire, { reply, sent }: { readonly reply: string; readonly sent: unknown[] }): EngineSetup {
    const { rule, quirks = {} } = this.#route;
    return {
      upstreams: new Map([
        [
          'up',
          {
            name: 'up',
            wire: to.id,
            quirks,
            deadlines: { connect: 0, firstToken: 0, idle: 0, total: 0 },
            models: new Map([['m', { ...defaultModelRule, ...rule }]]),
            transport: {
              send: ({ body }, receiver) => {
                sent.push(JSON.parse(JSON.stringify(body)));
                receiver.start(200, to.client.framing === 'sse' ? 'text/event-stream' : 'application/x-ndjson');
                for (const bytes of bytesOf(reply)) receiver.data(bytes);
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
      callIds: this.#callIds,
      randomHex: (length) => {
        this.#digits += 1;
        return this.#digits.toString(16).padStart(length, '0').slice(-length);
      },
    };
  }
}

/** The rounds in a body as its server would see them: ids of calls and of the results after them. */
function roundsIn(
  { client }: Wire,
  body: unknown,
): { readonly calls: readonly string[]; readonly results: readonly string[] }[] {
  const rounds: { calls: string[]; results: string[] }[] = [];
  for (const message of client.readRequest(body).messages) {
    if (message.role === 'tool') rounds.at(-1)?.results.push(message.callId);
    if (message.role !== 'assistant') continue;
    rounds.push({
      calls: message.content.flatMap((part) => (part.type === 'tool-call' ? [part.callId] : [])),
      results: [],
    });
  }
  return rounds;
}

const hostile: readonly (readonly [name: string, turns: readonly (readonly string[])[]])[] = [
  ['ordinary', [['call_a', 'call_b'], ['call_c'], ['call_d']]],
  ['repeated in every turn', [['call_0', 'call_1'], ['call_0', 'call_1'], ['call_0']]],
  ['with other characters', [['functions.read:0', 'functions.read:1'], ['functions.read:2', 'a b'], ['ünï']]],
  ['with other characters, repeated', [['terminal:0'], ['terminal:0', 'terminal:1'], ['terminal:0']]],
  ['very long', [['x'.repeat(64), 'y'.repeat(200)], ['y'.repeat(200)], ['z'.repeat(65)]]],
  ['twice in one reply', [['call_0', 'call_0'], ['read:0', 'read:0'], ['call_0']]],
];

const routesTo = (targets: readonly Wire[]) =>
  calling.flatMap((from) => targets.map((to) => [from.id, to.id, { from, to }] as const));

describe.each(sample(routesTo(calling), 6))('from a client of %s to an upstream of %s', (_, __, route) => {
  it.each(hostile)('E-012 E-013 E-017 E-065 E-066 ids that are %s: three turns, native', async (___, turns) => {
    const conversation = new Conversation({ ...route, rule: { toolCalling: 'native' } });
    const seen: string[] = [];
    let body: unknown;
    for (const ids of [...turns, ['last']]) {
      const reply = await conversation.turn(replyOf(route.to, ids));
      expect(reply.calls.map((call) => call.arguments)).toEqual(ids.map((___, at) => json(at)));
      seen.push(...reply.calls.map(({ callId }) => callId));
      body = reply.body;
    }
    expect(seen.filter((id) => !toLegal.test(id))).toEqual([]);
    expect(new Set(seen).size).toBe(seen.length);
    const rounds = roundsIn(route.to, body);
    expect(rounds.map(({ calls }) => calls.length)).toEqual(turns.map(({ length }) => length));
    for (const [at, { calls, results }] of rounds.entries()) {
      expect(results).toEqual(calls);
      expect(new Set(calls).size).toBe(calls.length);
      // What it issued comes back to it, where it issued one id for one call and takes such ids at all.
      for (const [place, id] of (turns[at] ?? []).entries()) {
        if (turns[at]?.indexOf(id) !== place || (route.to.upstream.callIds === 'anthropic' && !toLegal.test(id)))
          continue;
        if (route.to.upstream.callIds === 'anthropic' && turns.slice(0, at).flat().includes(id)) continue;
        expect(calls[place]).toBe(id);
      }
    }
  });
});

describe.each(sample(routesTo(wires), 6))('from a client of %s to an upstream of %s', (_, __, route) => {
  it.each(sample([...dialects.keys()], 5))('E-012 E-015 E-061 two turns of a model that writes %s', async (id) => {
    const dialect = dialects.get(id) ?? expect.fail(id);
    const conversation = new Conversation({ ...route, rule: { toolCalling: { dialect: id } } });
    const written = (ordinal: number) =>
      dialect.renderCalls(
        [{ callId: 'c', name: 'read', arguments: json(0), ordinal, nativeId: 'functions.read:0' }],
        tools,
      );
    const first = await conversation.turn(textReply(route.to, written(0)));
    const second = await conversation.turn(textReply(route.to, written(0)));
    const { body } = await conversation.turn(textReply(route.to, 'Done.'));
    const ids = [...first.calls, ...second.calls].map(({ callId }) => callId);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(2);
    expect(ids.filter((each) => !toLegal.test(each))).toEqual([]);
    const prompt = JSON.stringify(body);
    expect(prompt.split('result 0').length - 1).toBe(2);
    for (const each of ids) expect(prompt).not.toContain(each);
    if (id === 'kimi-k2') expect(prompt.split('functions.read:0').length - 1).toBeGreaterThanOrEqual(2);
  });
});

function textReply({ client }: Wire, text: string): string {
  const events: ChatEvent[] = [];
  const writer = new EventWriter((event) => events.push(event));
  writer.start('r', 'm');
  writer.text(text);
  writer.end('stop');
  return runStage(
    client.createStreamWriter({ request: chatRequest({ stream: true }), replyId: 'r', created: 1 }),
    events,
  ).join('');
}

type Fragment = Readonly<Record<string, unknown>>;
const fragment = (fields: Fragment, name?: string, text?: string): Fragment => ({
  ...fields,
  function: { ...(name === undefined ? {} : { name }), ...(text === undefined ? {} : { arguments: text }) },
});

/** What servers of Chat Completions do with ids while they stream. `own`: the ids that come back to them. */
const streamed: [name: string, fragments: readonly Fragment[], own: readonly (string | undefined)[], quirks: Quirks][] =
  [
    [
      'late',
      [fragment({ index: 0 }, 'read', ''), fragment({ index: 0, id: 'late:1' }, undefined, json(0))],
      ['late:1'],
      {},
    ],
    [
      'missing',
      [fragment({ index: 0 }, 'read', json(0)), fragment({ index: 1, id: null }, 'read', json(1))],
      [undefined, undefined],
      {},
    ],
    ['empty', [fragment({ index: 0, id: '' }, 'read', json(0))], [undefined], {}],
    [
      'without an index',
      [fragment({ id: 'a:1' }, 'read', ''), fragment({ id: 'a:1' }, undefined, json(0))],
      ['a:1'],
      {},
    ],
    [
      'interleaved',
      [
        fragment({ index: 0, id: 'a:1' }, 'read', '{"path":'),
        fragment({ index: 1, id: 'b:2' }, 'read', '{"path":'),
        fragment({ index: 0 }, undefined, '"0.txt"}'),
        fragment({ index: 1 }, undefined, '"1.txt"}'),
      ],
      ['a:1', 'b:2'],
      {},
    ],
    [
      'told again with cumulative arguments',
      [fragment({ index: 0, id: 'a:1' }, 'read', '{"path"'), fragment({ index: 0, id: 'a:1' }, 'read', json(0))],
      ['a:1'],
      { cumulativeArguments: true },
    ],
    [
      'of two calls under one index',
      [fragment({ index: 0, id: 'a:1' }, 'read', json(0)), fragment({ index: 0, id: 'b:2' }, 'read', json(1))],
      ['a:1', 'b:2'],
      {},
    ],
  ];

describe.each(calling.map((from) => [from.id, from] as const))('from a client of %s', (_, from) => {
  it.each(streamed)(
    'E-004 E-005 E-008 E-011 E-037 E-038 ids that are %s: two turns',
    async (__, fragments, own, quirks) => {
      const to = wires.find(({ id }) => id === 'openai-chat') ?? expect.fail('openai-chat');
      const conversation = new Conversation({ from, to, rule: { toolCalling: 'native' }, quirks });
      const chunks = [
        ...fragments.map((each) => ({ delta: { tool_calls: [each] }, finish_reason: null })),
        { delta: {}, finish_reason: 'tool_calls' },
      ];
      const reply = `${chunks.map((choice) => `data: ${JSON.stringify({ id: 'r', choices: [{ index: 0, ...choice }] })}\n\n`).join('')}data: [DONE]\n\n`;
      const first = await conversation.turn(reply);
      const second = await conversation.turn(reply);
      expect(first.calls.map((call) => call.arguments)).toEqual(own.map((___, at) => json(at)));
      const ids = [...first.calls, ...second.calls].map(({ callId }) => callId);
      expect(ids.filter((id) => !toLegal.test(id))).toEqual([]);
      expect(new Set(ids).size).toBe(2 * own.length);
      const { body } = await conversation.turn(textReply(to, 'Done.'));
      for (const { calls, results } of roundsIn(to, body)) {
        expect(results).toEqual(calls);
        for (const [at, id] of own.entries()) if (id !== undefined) expect(calls[at]).toBe(id);
      }
    },
  );
});
