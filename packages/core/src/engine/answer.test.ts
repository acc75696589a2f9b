import { describe, expect, it } from 'vitest';
import { violationsOf } from '../chat/check-events.ts';
import { collect } from '../chat/collect.ts';
import type { ChatEvent } from '../chat/event.ts';
import type { ChatRequest } from '../chat/request.ts';
import { GatewayError } from '../errors.ts';
import { answer } from './answer.ts';
import { tickLength } from './deadlines.ts';
import { type Answer, type Deadlines, defaultModelRule, type EngineSetup, type ModelRule } from './setup.ts';
import type { Receiver, UpstreamRequest } from './transport.ts';

const request: ChatRequest = {
  model: 'up/m',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Read a.txt' }] }],
  tools: [{ name: 'read', inputSchema: { type: 'object', properties: { path: { type: 'string' } } } }],
  toolChoice: 'auto',
  parallelToolCalls: true,
  stream: true,
  includeUsage: false,
  sampling: {},
  extra: {},
  issues: [],
};

interface Options {
  readonly rule?: Partial<ModelRule>;
  readonly request?: Partial<ChatRequest>;
  readonly deadlines?: Partial<Deadlines>;
  readonly setup?: Partial<EngineSetup>;
  readonly onEvent?: (event: ChatEvent, reply: () => Answer | undefined) => void;
  /** Runs inside `send`, as a transport does that answers at once. */
  readonly atOnce?: (receiver: Receiver) => void;
}

/** One request against an upstream in memory, whose every byte the test sends by hand. */
function start(options: Options = {}) {
  const heard: (ChatEvent | 'flush')[] = [];
  const told: string[] = [];
  const sent: UpstreamRequest[] = [];
  const tick: (() => void)[] = [];
  let now = 0;
  let receiver: Receiver | undefined;
  let reply: Answer | undefined;
  const transport = {
    send: (upstreamRequest: UpstreamRequest, to: Receiver) => {
      sent.push(upstreamRequest);
      receiver = to;
      options.atOnce?.(to);
      return { pause: () => told.push('pause'), resume: () => told.push('resume'), abort: () => told.push('abort') };
    },
  };
  const upstream = {
    name: 'up',
    wire: 'openai-chat',
    transport,
    quirks: {},
    deadlines: { connect: 0, firstToken: 0, idle: 0, total: 0, ...options.deadlines },
    models: new Map([['m', { ...defaultModelRule, ...options.rule }]]),
  };
  const setup: EngineSetup = {
    upstreams: new Map([['up', upstream]]),
    aliases: new Map(),
    maxTools: 8,
    maxReplyBytes: 100_000,
    toolCalling: true,
    countTokens: async (text) => text.length,
    now: () => now,
    every: (_milliseconds, run) => {
      tick.push(run);
      return () => tick.pop();
    },
    randomHex: (length) => (heard.length + 1).toString(16).padStart(length, '0'),
    ...options.setup,
  };
  const event = (each: ChatEvent): void => {
    heard.push(each);
    options.onEvent?.(each, () => reply);
  };
  reply = answer({ ...request, ...options.request }, setup, { event, flush: () => heard.push('flush') });
  const to = (): Receiver => receiver ?? expect.fail('nothing was sent');
  const encoder = new TextEncoder();
  return {
    heard,
    told,
    sent,
    reply,
    timers: () => tick.length,
    to,
    events: () => heard.filter((each) => each !== 'flush'),
    message: () => {
      const events = heard.filter((each) => each !== 'flush');
      expect(violationsOf(events)).toEqual([]);
      return collect(events);
    },
    stream: () => to().start(200, 'text/event-stream'),
    data: (text: string) => to().data(encoder.encode(text)),
    pass: (milliseconds: number) => {
      for (let passed = 0; passed < milliseconds; passed += tickLength) {
        now += tickLength;
        for (const run of [...tick]) run();
      }
    },
  };
}

const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'x', model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const done = 'data: [DONE]\n\n';
const hermes: Options = { rule: { toolCalling: { dialect: 'hermes' } } };

describe('answer', () => {
  it('A-175 A-176 lets text out in the read that brought it, and flushes once a read', () => {
    const run = start();
    run.stream();
    run.data(chunk({ content: 'Hel' }) + chunk({ content: 'lo' }));
    expect(run.heard.map((each) => (each === 'flush' ? each : each.type))).toEqual([
      'message-start',
      'text-start',
      'text-delta',
      'text-delta',
      'flush',
    ]);
    run.data(': a comment\n\n');
    expect(run.heard.filter((each) => each === 'flush')).toHaveLength(1);
    run.data(chunk({}, 'stop') + done);
    run.to().end();
    expect(run.message()).toMatchObject({ text: 'Hello', finishReason: 'stop', complete: true });
    expect(run.heard.at(-1)).toBe('flush');
    expect([run.told, run.timers()]).toEqual([[], 0]);
  });

  it('gives the same events whatever the cuts of the bytes', () => {
    const text = chunk({ content: 'é😀 <tool_call>\n{"name":"read","arguments":{"path":"a"}}\n</tool_call>' });
    const bytes = new TextEncoder().encode(text + chunk({}, 'stop') + done);
    const messages = [1, 2, 7, bytes.length].map((size) => {
      const run = start(hermes);
      run.stream();
      for (let at = 0; at < bytes.length; at += size) run.to().data(bytes.slice(at, at + size));
      run.to().end();
      const { content, finishReason } = run.message();
      return { content: content.map((part) => ({ ...part, callId: '' })), finishReason };
    });
    for (const message of messages) expect(message).toEqual(messages[0]);
    expect(messages[0]?.content.at(-1)).toMatchObject({ name: 'read', arguments: '{"path":"a"}' });
  });

  it('calls out of text: streamed as they are written, finish tool-calls', () => {
    const run = start(hermes);
    expect(JSON.stringify(run.sent[0]?.body)).toContain('tool_call');
    expect(run.sent[0]?.body).not.toHaveProperty('tools');
    run.stream();
    run.data(chunk({ content: 'I read.<tool_call>{"name": "read", "arguments": {"path": "a.t' }));
    expect(run.events().at(-1)).toMatchObject({ type: 'tool-call-delta', text: expect.stringContaining('a.t') });
    run.data(chunk({ content: 'xt"}}</tool_call>' }) + chunk({}, 'stop') + done);
    run.to().end();
    expect(run.message()).toMatchObject({
      text: 'I read.',
      finishReason: 'tool-calls',
      rawFinishReason: 'stop',
      calls: [{ name: 'read', arguments: '{"path": "a.txt"}' }],
    });
  });

  it('A-159 complete calls, A-156 granularity', () => {
    const run = start({ rule: { ...hermes.rule, callDeltas: 'complete', textGranularity: 'characters' } });
    run.stream();
    run.data(chunk({ content: 'Hi <tool_call>{"name":"read","arguments":{"path":"a"' }));
    expect(run.events().map(({ type }) => type)).not.toContain('tool-call-start');
    run.data(chunk({ content: '}}</tool_call>' }) + chunk({}, 'stop') + done);
    const deltas = run.events().flatMap((event) => ('text' in event ? [event.text] : []));
    expect(deltas).toEqual(['H', 'i', ' ', '{"path":"a"}']);
  });

  it('tool calling switched off: no tool is sent, and call syntax stays text', () => {
    const run = start({ ...hermes, setup: { toolCalling: false } });
    expect(JSON.stringify(run.sent[0]?.body)).not.toContain('tool_call');
    run.stream();
    run.data(chunk({ content: '<tool_call>{"name":"read","arguments":{}}</tool_call>' }) + chunk({}, 'stop') + done);
    expect(run.message()).toMatchObject({ calls: [], finishReason: 'stop', text: expect.stringContaining('"read"') });
  });

  it('throws what the client did wrong before anything is sent', () => {
    expect(() => start({ request: { model: 'up/none' } })).toThrow(GatewayError);
    expect(() => start({ setup: { maxTools: 0 } })).toThrow('at most 0');
  });

  it('A-173 an error answer is one error, with what the headers said', () => {
    const run = start();
    run.to().start(429, 'application/json', 7);
    run.data('{"error":{"message":"slow ');
    run.data('down"}}');
    run.to().end();
    expect(run.events().filter(({ type }) => type !== 'error')).toEqual([]);
    expect(run.message().error).toMatchObject({ code: 'upstream-rate-limited', upstreamStatus: 429, retryAfter: 7 });
  });

  it('reads no more than 64 KB of an error answer', () => {
    const run = start();
    run.to().start(500, 'text/html');
    run.data('x'.repeat(70_000));
    expect(run.message().error?.code).toBe('upstream-failed');
    expect(run.told).toEqual(['abort']);
  });

  it('B-094 a page instead of a reply says where to look', () => {
    const run = start();
    run.to().start(200, 'text/html');
    run.data('<html>Log in</html>');
    expect(run.message().error).toMatchObject({ code: 'upstream-unreadable', status: 502 });
    expect(run.message().error?.message).toContain('key');
    expect(run.told).toEqual(['abort']);
  });

  it('reads a whole answer, and says when it cannot be read', () => {
    const run = start(hermes);
    run.to().start(200, 'application/json');
    const content = 'x<tool_call>{"name":"read","arguments":{}}</tool_call>';
    run.data(JSON.stringify({ choices: [{ index: 0, message: { content }, finish_reason: 'stop' }] }));
    run.to().end();
    expect(run.message()).toMatchObject({ text: 'x', finishReason: 'tool-calls', calls: [{ name: 'read' }] });
    const broken = start();
    broken.to().start(200, 'application/json');
    broken.data('{"choices":');
    broken.to().end();
    expect(broken.message().error?.code).toBe('upstream-unreadable');
  });

  it('A-171 an upstream that breaks off: what was read, then one error', () => {
    const run = start(hermes);
    run.stream();
    run.data(chunk({ content: 'part <tool_call>{"name":"read","arguments":{"path":"a' }));
    run.to().fail(new GatewayError('upstream-cut', 'gone'));
    run.to().end();
    const message = run.message();
    expect([message.error?.code, message.calls]).toEqual(['upstream-cut', []]);
    expect(message.text).toBe('part <tool_call>{"name":"read","arguments":{"path":"a');
    const silent = start();
    silent.stream();
    silent.data(chunk({ content: 'half' }));
    silent.to().end();
    expect(silent.message()).toMatchObject({ text: 'half', error: { code: 'upstream-cut' } });
  });

  it('a reply that is too large ends with an error and the upstream is stopped', () => {
    const run = start({ setup: { maxReplyBytes: 300 } });
    run.stream();
    run.data(chunk({ content: 'a' }));
    run.data(chunk({ content: 'b'.repeat(300) }));
    run.data(chunk({ content: 'c' }));
    expect(run.message()).toMatchObject({ text: 'a', error: { code: 'reply-too-large' } });
    expect([run.told, run.timers()]).toEqual([['abort'], 0]);
  });

  it('A-174 abort stops the upstream, and the sink hears nothing more', () => {
    const run = start();
    run.stream();
    run.data(chunk({ content: 'a' }));
    const before = run.heard.length;
    run.reply.abort();
    run.data(chunk({ content: 'b' }));
    run.to().end();
    run.pass(1000);
    expect([run.heard.length, run.told, run.timers()]).toEqual([before, ['abort'], 0]);
  });

  it('A-178 a slow client pauses the upstream', () => {
    const run = start({ deadlines: { idle: 300 } });
    run.stream();
    run.data(chunk({ content: 'a' }));
    run.reply.pause();
    run.pass(2000);
    run.reply.resume();
    expect(run.told).toEqual(['pause', 'resume']);
    run.pass(500);
    expect(run.message().error?.code).toBe('idle-timeout');
    expect(run.told).toEqual(['pause', 'resume', 'abort']);
  });

  it('deadlines: the upstream is stopped and the client told which', () => {
    const silent = start({ deadlines: { connect: 500 } });
    silent.pass(600);
    expect([silent.message().error?.code, silent.told]).toEqual(['connect-timeout', ['abort']]);
    const mute = start({ deadlines: { firstToken: 500 } });
    mute.stream();
    mute.data(chunk({ role: 'assistant', content: '' }));
    mute.pass(600);
    expect(mute.message().error?.code).toBe('first-token-timeout');
  });

  it('lets the upstream end by itself after a whole reply, but not forever', () => {
    const run = start();
    run.stream();
    run.data(chunk({ content: 'a' }, 'stop') + done);
    expect([run.message().complete, run.told, run.timers()]).toEqual([true, [], 1]);
    run.pass(6000);
    expect([run.told, run.timers()]).toEqual([['abort'], 0]);
  });

  it('counts usage when the client wants it and the upstream gave none', async () => {
    const run = start({ request: { includeUsage: true } });
    run.stream();
    run.data(chunk({ content: 'four' }, 'stop') + done);
    run.to().end();
    expect(run.events().at(-1)?.type).toBe('text-end');
    await new Promise((resolve) => setImmediate(resolve));
    expect(run.message().usage).toMatchObject({ outputTokens: 4, source: 'counted' });
    expect([run.heard.at(-1), run.timers()]).toEqual(['flush', 0]);
  });

  it('a client that goes away while tokens are counted hears nothing more', async () => {
    const run = start({ request: { stream: false } });
    run.stream();
    run.data(chunk({ content: 'four' }, 'stop') + done);
    const before = run.heard.length;
    run.reply.abort();
    await new Promise((resolve) => setImmediate(resolve));
    expect(run.heard.length).toBe(before);
  });

  it('a stage or a sink that throws becomes one error, and the upstream is stopped', () => {
    const run = start({
      onEvent: (event) => {
        if (event.type === 'text-delta') throw new Error('our own mistake');
      },
    });
    run.stream();
    run.data(chunk({ content: 'a' }));
    run.data(chunk({ content: 'b' }));
    expect(run.events().map(({ type }) => type)).toEqual([
      'message-start',
      'text-start',
      'text-delta',
      'text-end',
      'error',
    ]);
    expect([run.message().error?.code, run.told]).toEqual(['internal', ['abort']]);
  });

  it('takes answers that come, and clients that go, while the request is being sent', () => {
    const bytes = new TextEncoder().encode(chunk({ content: 'at once' }, 'stop') + done);
    const atOnce = (to: Receiver): void => {
      to.start(200, 'text/event-stream');
      to.data(bytes);
    };
    const run = start({ atOnce });
    expect([run.message().text, run.told]).toEqual(['at once', []]);
    const large = start({ atOnce, setup: { maxReplyBytes: 10 } });
    expect([large.message().error?.code, large.told]).toEqual(['reply-too-large', ['abort']]);
  });
});
