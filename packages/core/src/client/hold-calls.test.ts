import { describe, expect, it } from 'vitest';
import type { ChatEvent } from '../chat/event.ts';
import { runStage } from '../stream/stage.ts';
import { createCallHold } from './hold-calls.ts';

const call = (block: number, text: string, pieces = 3): ChatEvent[] => [
  { type: 'tool-call-start', block, callId: `call_${block}`, name: 'read' },
  ...Array.from(
    { length: Math.ceil(text.length / pieces) },
    (_, index): ChatEvent => ({
      type: 'tool-call-delta',
      block,
      text: text.slice(index * pieces, (index + 1) * pieces),
    }),
  ),
];

const text = (block: number, written: string): ChatEvent[] => [
  { type: 'text-start', block },
  { type: 'text-delta', block, text: written },
  { type: 'text-end', block },
];

describe('complete calls', () => {
  it('A-159 leave when they are whole, in one delta', () => {
    const stage: ChatEvent[] = [];
    const hold = createCallHold()((event) => stage.push(event));
    for (const event of [...text(0, 'look'), ...call(1, '{"path":"a.txt"}')]) hold.push(event);
    expect(stage).toEqual(text(0, 'look'));
    hold.push({ type: 'tool-call-end', block: 1, arguments: '{"path":"a.txt"}' });
    expect(stage.slice(3)).toEqual([
      { type: 'tool-call-start', block: 1, callId: 'call_1', name: 'read' },
      { type: 'tool-call-delta', block: 1, text: '{"path":"a.txt"}' },
      { type: 'tool-call-end', block: 1, arguments: '{"path":"a.txt"}' },
    ]);
  });

  it('never show a cut one, and number the blocks after it without a gap', () => {
    const out = runStage(createCallHold(), [
      ...call(0, '{"pa'),
      { type: 'warning', warning: { code: 'call-cut', message: 'cut' } },
      { type: 'tool-call-cut', block: 0 },
      ...text(1, '<call>{"pa'),
      ...call(2, '{}'),
      { type: 'tool-call-end', block: 2, arguments: '{}' },
      { type: 'message-end', finishReason: 'tool-calls' },
    ]);
    expect(out).toEqual([
      { type: 'warning', warning: { code: 'call-cut', message: 'cut' } },
      ...text(0, '<call>{"pa'),
      { type: 'tool-call-start', block: 1, callId: 'call_2', name: 'read' },
      { type: 'tool-call-delta', block: 1, text: '{}' },
      { type: 'tool-call-end', block: 1, arguments: '{}' },
      { type: 'message-end', finishReason: 'tool-calls' },
    ]);
  });
});
