import { violationsOf } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import { chunk, done, hermes, startAnswer } from '../../test/start-answer.ts';
import type { ChatEvent } from '../chat/event.ts';
import { defaultCallPolicy } from '../plan/rules.ts';
import { runStage } from '../stream/stage.ts';
import { createCallLimit } from './limit-calls.ts';

const start = (block: number): ChatEvent[] => [
  { type: 'tool-call-start', block, callId: `call_${block}`, name: 'read' },
  { type: 'tool-call-delta', block, text: `{"path":"${block}"}` },
];
const call = (block: number): ChatEvent[] => [
  ...start(block),
  { type: 'tool-call-end', block, arguments: `{"path":"${block}"}` },
];
const text = (block: number, written: string): ChatEvent[] => [
  { type: 'text-start', block },
  { type: 'text-delta', block, text: written },
  { type: 'text-end', block },
];
const begin: ChatEvent = { type: 'message-start', id: 'm', model: 'm' };
const end: ChatEvent = { type: 'message-end', finishReason: 'tool-calls' };

/** Two native calls in one reply. */
const twoCalls =
  chunk({
    tool_calls: [
      { index: 0, id: 'a', function: { name: 'read', arguments: '{"path":"a"}' } },
      { index: 1, id: 'b', function: { name: 'read', arguments: '{"path":"b"}' } },
    ],
  }) +
  chunk({}, 'tool_calls') +
  done;

describe('a limit on calls', () => {
  it('A-050 lets the first ones through and says all of the others, with blocks numbered without a gap', () => {
    const out = runStage(createCallLimit({ most: 2 }), [
      begin,
      ...call(0),
      ...call(1),
      ...call(2),
      ...text(3, 'and'),
      ...call(4),
      end,
    ]);
    const held = (arguments_: string): ChatEvent => {
      const message = `Only 2 calls are allowed: a call of "read" was held back. Its arguments: ${arguments_}`;
      return { type: 'warning', warning: { code: 'call-surplus', message } };
    };
    expect(out).toEqual([
      begin,
      ...call(0),
      ...call(1),
      held('{"path":"2"}'),
      ...text(2, 'and'),
      held('{"path":"4"}'),
      end,
    ]);
    expect(violationsOf(out)).toEqual([]);
  });

  it('does not count a call that was cut, and lets the text of every one pass', () => {
    const cut = (block: number): ChatEvent[] => [
      ...start(block),
      { type: 'tool-call-cut', block },
      ...text(block + 1, '{'),
    ];
    const out = runStage(createCallLimit({ most: 1 }), [begin, ...cut(0), ...call(2), ...cut(3), end]);
    expect(out).toEqual([begin, ...cut(0), ...call(2), ...text(3, '{'), end]);
    expect(violationsOf(out)).toEqual([]);
  });

  it.each([
    ['a client that wants one call at a time', { request: { parallelToolCalls: false } }],
    ['a model rule', { rule: { policy: { ...defaultCallPolicy, maxCalls: 1 } } }],
    [
      'a model with a dialect whose server reads calls itself',
      { rule: { ...hermes.rule, policy: { ...defaultCallPolicy, maxCalls: 1 } } },
    ],
  ])('A-050 holds for the native calls of %s', (_who, options) => {
    const reply = startAnswer(options);
    reply.stream();
    reply.data(twoCalls);
    reply.to().end();
    const { calls, warnings, finishReason } = reply.message();
    expect(calls).toMatchObject([{ name: 'read', arguments: '{"path":"a"}' }]);
    expect(finishReason).toBe('tool-calls');
    const surplus = warnings.filter(({ code }) => code === 'call-surplus');
    expect(surplus.map(({ message }) => message)).toEqual([expect.stringContaining('{"path":"b"}')]);
  });

  it.each([
    ['a model that calls natively', {}],
    ['a model with a dialect whose server reads calls itself', { rule: hermes.rule }],
  ])('A-049 tool_choice none: native calls of %s are held back, and the reply ends well', (_who, options) => {
    const reply = startAnswer({ ...options, request: { toolChoice: 'none' } });
    reply.stream();
    reply.data(twoCalls);
    reply.to().end();
    const { calls, warnings, finishReason } = reply.message();
    expect(calls).toEqual([]);
    expect(finishReason).toBe('stop');
    const surplus = warnings.filter(({ code }) => code === 'call-surplus');
    expect(surplus.map(({ message }) => message)).toEqual([
      expect.stringContaining('{"path":"a"}'),
      expect.stringContaining('{"path":"b"}'),
    ]);
  });

  it('is not there where any number of calls may come', () => {
    const reply = startAnswer();
    reply.stream();
    reply.data(twoCalls);
    reply.to().end();
    expect(reply.message().calls).toHaveLength(2);
  });
});
