import { violationsOf } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import { collect } from '../chat/collect.ts';
import type { ChatEvent, FinishReason } from '../chat/event.ts';
import { runStage, through } from '../stream/stage.ts';
import { createCallLimit } from './limit-calls.ts';
import { createStopNotice } from './stop-text.ts';

const text = (block: number, written: string): ChatEvent[] => [
  { type: 'text-start', block },
  { type: 'text-delta', block, text: written },
  { type: 'text-end', block },
];
const call = (block: number): ChatEvent[] => [
  { type: 'tool-call-start', block, callId: 'c', name: 'read' },
  { type: 'tool-call-delta', block, text: '{}' },
  { type: 'tool-call-end', block, arguments: '{}' },
];

function ended(events: readonly ChatEvent[], options: { only?: boolean; finishReason?: FinishReason } = {}) {
  const { only = false, finishReason = 'stop' } = options;
  const stages = through(createCallLimit({ most: 0 }), createStopNotice('[Over.]', { only }));
  const out = runStage(stages, [
    { type: 'message-start', id: 'm', model: 'm' },
    ...events,
    { type: 'message-end', finishReason },
  ]);
  expect(violationsOf(out)).toEqual([]);
  return collect(out);
}

describe('the end of a loop', () => {
  it('A-227: is said after what the model said last', () => {
    const { text: all, finishReason } = ended(text(0, 'I found alpha.'));
    expect({ all, finishReason }).toEqual({ all: 'I found alpha.\n\n[Over.]', finishReason: 'stop' });
  });

  it('A-227: is all there is where the model only calls, and nothing of it is to be run', () => {
    const {
      text: all,
      calls,
      finishReason,
      warnings,
    } = ended([...call(0), ...call(1)], { finishReason: 'tool-calls' });
    expect({ all, calls, finishReason }).toEqual({ all: '[Over.]', calls: [], finishReason: 'stop' });
    expect(warnings.map(({ code }) => code)).toEqual(['call-surplus', 'call-surplus']);
  });

  it('is said after text that follows a call, and keeps the reason of a reply that was cut short', () => {
    const { text: all, finishReason } = ended([...call(0), ...text(1, 'So')], { finishReason: 'length' });
    expect({ all, finishReason }).toEqual({ all: 'So\n\n[Over.]', finishReason: 'length' });
  });

  it('is said of an answer in a form of its own only where there is none', () => {
    expect(ended(text(0, '{"a":1}'), { only: true }).text).toBe('{"a":1}');
    expect(ended([...call(0)], { only: true }).text).toBe('[Over.]');
  });
});
