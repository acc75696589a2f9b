import { chatRequest } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import { chunk, done } from '../../test/start-answer.ts';
import { answer } from '../answer.ts';
import { defaultModelRule } from '../plan/rules.ts';
import type { EngineSetup } from '../plan/setup.ts';
import type { Receiver } from '../stream/transport.ts';
import { clockOf } from './deadlines.ts';
import type { ExchangeWatch } from './watch-exchange.ts';

const told = `data: ${JSON.stringify({ id: 'x', model: 'm', choices: [], usage: { prompt_tokens: 7, completion_tokens: 2 } })}\n\n`;
const request = chatRequest({
  model: 'up/m',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
  stream: true,
  includeUsage: true,
});
const deadlines = { connect: 1000, firstToken: 0, idle: 0, total: 0 };
const nobody: Receiver = { start: () => {}, data: () => {}, end: () => {}, fail: () => {} };

/** An upstream in memory whose streams the test ends, and what is counted and timed meanwhile. */
function watchedUpstream() {
  const counted: string[] = [];
  const open: Receiver[] = [];
  let timers = 0;
  const transport = {
    send(_: unknown, to: Receiver) {
      open.push(to);
      return { pause: () => {}, resume: () => {}, abort: () => {} };
    },
  };
  const upstream = {
    name: 'up',
    wire: 'openai-chat',
    transport,
    quirks: {},
    deadlines,
    models: new Map([['m', defaultModelRule]]),
  };
  const setup: EngineSetup = {
    upstreams: new Map([['up', upstream]]),
    aliases: new Map(),
    maxTools: 8,
    maxReplyBytes: 100_000,
    toolCalling: true,
    async countTokens(texts) {
      counted.push(...texts);
      return texts.join('').length;
    },
    now: () => 0,
    every() {
      timers += 1;
      return () => {
        timers -= 1;
      };
    },
    randomHex: (length) => ''.padStart(length, 'a'),
  };
  return {
    setup,
    counted,
    timers: () => timers,
    /** Whoever watches gives each request a setup of its own. */
    ask(watch: ExchangeWatch) {
      answer(request, { ...setup }, { event: () => {}, flush: () => {}, watch });
    },
    endAll() {
      for (const to of open.splice(0)) {
        to.start(200, 'text/event-stream');
        to.data(new TextEncoder().encode(chunk({ content: 'Hi' }) + chunk({}, 'stop') + told + done));
        to.end();
      }
    },
  };
}

describe('a watched exchange', () => {
  it('A-241 counts no prompt for an upstream that has told usage before', () => {
    const { ask, endAll, counted } = watchedUpstream();
    const watch = { prepared: () => {}, sent: () => nobody };
    ask(watch);
    endAll();
    expect(counted.length).toBeGreaterThan(0);
    counted.length = 0;
    ask(watch);
    endAll();
    expect(counted).toEqual([]);
  });

  it('shares its clock with all others', () => {
    const { ask, endAll, timers } = watchedUpstream();
    ask({ prepared: () => {} });
    ask({ prepared: () => {}, sent: () => nobody });
    expect(timers()).toBe(1);
    endAll();
    expect(timers()).toBe(0);
  });
});

it('engines that tell time alike and wait each in their own way have clocks of their own', () => {
  const { setup } = watchedUpstream();
  const never = () => () => {};
  expect(clockOf({ ...setup })).toBe(clockOf(setup));
  expect(clockOf({ ...setup, every: never })).not.toBe(clockOf(setup));
});
