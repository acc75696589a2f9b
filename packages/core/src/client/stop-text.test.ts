import { violationsOf } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collect } from '../chat/collect.ts';
import type { ChatEvent } from '../chat/event.ts';
import { EventWriter } from '../chat/event-writer.ts';
import { runStage } from '../stream/stage.ts';
import { createTextStop } from './stop-text.ts';

function stopped(sequences: readonly string[], write: (writer: EventWriter) => void) {
  const list: ChatEvent[] = [];
  const writer = new EventWriter((event) => list.push(event));
  writer.start('r', 'm');
  write(writer);
  const events = runStage(createTextStop(sequences), list);
  expect(violationsOf(events)).toEqual([]);
  return { events, message: collect(events) };
}

const says = (writer: EventWriter, ...pieces: readonly string[]) => {
  for (const piece of pieces) writer.text(piece);
  writer.end('stop');
};

describe('a reply that is to end at a sequence', () => {
  it('A-052 ends before the first one, and says which', () => {
    const { message } = stopped(['END', '\n\nUser:'], (writer) => says(writer, 'Fine.\n', '\nUs', 'er: and END'));
    expect(message).toMatchObject({ text: 'Fine.', finishReason: 'stop', stopSequence: '\n\nUser:', complete: true });
  });

  it('A-052 holds back only what may become one', () => {
    const { events } = stopped(['aab'], (writer) => says(writer, 'xaa', 'a', 'c', 'aa'));
    const deltas = events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : []));
    expect(deltas).toEqual(['x', 'a', 'aac', 'aa']);
  });

  it('A-052 leaves out what follows, calls and reasoning too, and runs calls that came before', () => {
    const { message } = stopped(['STOP'], (writer) => {
      writer.callStart('a', 'read');
      writer.callEnd();
      writer.text('then STOP and');
      writer.reasoning('more');
      writer.callStart('b', 'read');
      writer.callEnd();
      writer.end('tool-calls');
    });
    expect(message.calls.map(({ callId }) => callId)).toEqual(['a']);
    expect(message).toMatchObject({ text: 'then ', reasoning: '', finishReason: 'tool-calls' });
  });

  it('does not find one across a call, and lets a reply without one pass as it is', () => {
    const { message } = stopped(['STOP', ''], (writer) => {
      writer.text('ST');
      writer.callStart('a', 'read');
      writer.callEnd();
      writer.text('OP');
      writer.end('tool-calls');
    });
    expect(message.text).toBe('STOP');
    expect(message.stopSequence).toBeUndefined();
  });

  it('A-052 cuts at the same place whatever the pieces (property)', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 40 });
    const sequences = fc.array(fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 4 }), {
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 5 }), sequences, (pieces, wanted) => {
        const whole = pieces.join('');
        const ends = wanted
          .map((each) => whole.indexOf(each))
          .map((at, index) => (at < 0 ? -1 : at + (wanted[index]?.length ?? 0)));
        const first = Math.min(...ends.filter((end) => end >= 0));
        const { message } = stopped(wanted, (writer) => says(writer, ...pieces));
        const found = wanted.filter((_, index) => ends[index] === first);
        const expected = Number.isFinite(first) ? found.map((each) => whole.slice(0, first - each.length)) : [whole];
        expect(expected).toContain(message.text);
      }),
    );
  });
});
