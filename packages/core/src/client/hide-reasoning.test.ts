import { violationsOf } from '@dragoman/testkit';
import { expect, it } from 'vitest';
import { chunk, done, startAnswer } from '../../test/start-answer.ts';
import type { ChatEvent } from '../chat/event.ts';
import { runStage } from '../stream/stage.ts';
import { createReasoningHide } from './hide-reasoning.ts';

const reply: readonly ChatEvent[] = [
  { type: 'message-start', id: 'x', model: 'm' },
  { type: 'reasoning-start', block: 0 },
  { type: 'reasoning-delta', block: 0, text: 'secret' },
  { type: 'reasoning-end', block: 0 },
  { type: 'text-start', block: 1 },
  { type: 'text-delta', block: 1, text: 'Hi' },
  { type: 'text-end', block: 1 },
  { type: 'reasoning-start', block: 2 },
  { type: 'reasoning-delta', block: 2, text: 'secret' },
  { type: 'reasoning-end', block: 2, extra: { w: { signature: 's' } } },
  { type: 'tool-call-start', block: 3, callId: 'c', name: 'n' },
  { type: 'tool-call-delta', block: 3, text: '{}' },
  { type: 'tool-call-end', block: 3, arguments: '{}' },
  { type: 'usage', usage: { inputTokens: 1, outputTokens: 9, reasoningTokens: 5, source: 'upstream' } },
  { type: 'message-end', finishReason: 'tool-calls' },
];

it('leaves reasoning out and keeps what has to be sent back, in blocks that are numbered anew', () => {
  let hidden = 0;
  const out = runStage(createReasoningHide({ hidden: () => (hidden += 1) }), reply);
  expect(violationsOf(out)).toEqual([]);
  expect(JSON.stringify(out)).not.toContain('secret');
  expect(out.filter(({ type }) => type.startsWith('reasoning'))).toEqual([
    { type: 'reasoning-start', block: 1 },
    { type: 'reasoning-end', block: 1, extra: { w: { signature: 's' } } },
  ]);
  expect(out).toContainEqual({ type: 'text-delta', block: 0, text: 'Hi' });
  expect(out.filter(({ type }) => type === 'usage')).toEqual(reply.filter(({ type }) => type === 'usage'));
  expect(hidden).toBe(2);
});

it.each([
  ['the client wants none', { request: { hidesReasoning: true } }, ''],
  ['the rule hides it', { rule: { reasoning: 'hide' } }, ''],
  ['nobody objects', {}, 'hm'],
] as const)('reasoning where %s', (_, options, expected) => {
  const started = startAnswer(options);
  started.stream();
  started.data(chunk({ reasoning_content: 'hm' }) + chunk({ content: 'Hi' }) + chunk({}, 'stop') + done);
  expect(started.message()).toMatchObject({ reasoning: expected, text: 'Hi', complete: true });
});

it('counts hidden reasoning as a beginning: the model is at work', () => {
  const started = startAnswer({ request: { hidesReasoning: true }, deadlines: { firstToken: 1000 } });
  started.stream();
  started.data(chunk({ reasoning_content: 'hm' }));
  started.pass(5000);
  expect(started.events().some(({ type }) => type === 'error')).toBe(false);
  started.data(chunk({ content: 'Hi' }, 'stop') + done);
  expect(started.message()).toMatchObject({ text: 'Hi', complete: true });
});
