import { chatRequest, violationsOf } from '@dragoman/testkit';
import { expect } from 'vitest';
import { answer } from '../src/answer.ts';
import { collect } from '../src/chat/collect.ts';
import type { ChatEvent } from '../src/chat/event.ts';
import type { ChatRequest } from '../src/chat/request.ts';
import { type Deadlines, defaultModelRule, type ModelRule } from '../src/plan/rules.ts';
import type { EngineSetup, Upstream } from '../src/plan/setup.ts';
import type { Receiver, UpstreamRequest } from '../src/stream/transport.ts';
import type { Answer, AnswerSink } from '../src/upstream/answer-sink.ts';
import { tickLength } from '../src/upstream/deadlines.ts';
import type { Quirks } from '../src/wires/wire.ts';

const request = chatRequest({
  model: 'up/m',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Read a.txt' }] }],
  tools: [{ name: 'read', inputSchema: { type: 'object', properties: { path: { type: 'string' } } } }],
});

export interface AnswerOptions {
  /** What the upstream speaks. Default: `openai-chat`. */
  readonly wire?: string;
  readonly quirks?: Quirks;
  readonly rule?: Partial<ModelRule>;
  readonly request?: Partial<ChatRequest>;
  readonly deadlines?: Partial<Deadlines>;
  readonly setup?: Partial<EngineSetup>;
  readonly upstream?: Partial<Upstream>;
  /** What takes the answer beside the events. */
  readonly sink?: Pick<AnswerSink, 'relay'>;
  readonly onEvent?: (event: ChatEvent, reply: () => Answer | undefined) => void;
  /** Runs inside `send`, as a transport does that answers at once. */
  readonly atOnce?: (receiver: Receiver) => void;
}

/** One request against an upstream in memory, whose every byte the test sends by hand. */
export function startAnswer(options: AnswerOptions = {}) {
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
    wire: options.wire ?? 'openai-chat',
    transport,
    quirks: options.quirks ?? {},
    deadlines: { connect: 0, firstToken: 0, idle: 0, total: 0, ...options.deadlines },
    models: new Map([['m', { ...defaultModelRule, ...options.rule }]]),
    ...options.upstream,
  };
  const setup: EngineSetup = {
    upstreams: new Map([['up', upstream]]),
    aliases: new Map(),
    maxTools: 8,
    maxReplyBytes: 100_000,
    toolCalling: true,
    countTokens: async (texts) => texts.join('').length,
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
  reply = answer({ ...request, ...options.request }, setup, {
    event,
    flush: () => heard.push('flush'),
    ...options.sink,
  });
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

/** One chunk of a Chat Completions stream. */
export const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'x', model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
export const done = 'data: [DONE]\n\n';
/** A model that writes hermes. */
export const hermes: AnswerOptions = { rule: { toolCalling: { dialect: 'hermes' } } };
