import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { violationsOf } from '../chat/check-events.ts';
import { collect } from '../chat/collect.ts';
import type { ChatEvent } from '../chat/event.ts';
import { EventWriter } from '../chat/event-writer.ts';
import { run } from '../stream/stage.ts';
import { createLengthLimit } from './limit-length.ts';

/** A tokenizer whose tokens are words with the space before them, and single letters beyond ASCII. */
function countWords(text: string): number {
  return text.match(/ ?[!-~]+|[^!-~]/gu)?.length ?? 0;
}

function limited(tokens: number, pieces: readonly string[], write?: (writer: EventWriter) => void) {
  const list: ChatEvent[] = [];
  const writer = new EventWriter((event) => list.push(event));
  writer.start('r', 'm');
  write?.(writer);
  for (const piece of pieces) writer.text(piece);
  writer.end('stop');
  let counted = 0;
  const count = (text: string) => {
    counted += text.length;
    return countWords(text);
  };
  const events = run(createLengthLimit({ tokens, count }), list);
  expect(violationsOf(events)).toEqual([]);
  return { message: collect(events), counted };
}

describe('a reply that may be so long', () => {
  it('A-052 ends with length where it is longer', () => {
    const { message } = limited(3, ['one two', ' three four', ' five']);
    expect(message).toMatchObject({ text: 'one two three', finishReason: 'length', complete: true });
  });

  it('A-052 stays as it is where it fits', () => {
    expect(limited(3, ['one two', ' three']).message).toMatchObject({ text: 'one two three', finishReason: 'stop' });
  });

  it('A-052 counts reasoning, too, and what the upstream says of itself passes', () => {
    const { message } = limited(2, ['four'], (writer) => {
      writer.reasoning('one two three');
      writer.usage({ inputTokens: 1, outputTokens: 4, source: 'upstream' });
    });
    expect(message).toMatchObject({
      reasoning: 'one two',
      text: '',
      finishReason: 'length',
      usage: { outputTokens: 4 },
    });
  });

  it('A-052 never halves a character', () => {
    expect(limited(2, ['🧭🧭🧭']).message.text).toBe('🧭🧭');
  });

  it('A-052 cuts where the tokens end, whatever the pieces (property)', () => {
    const words = fc.array(fc.constantFrom('alpha', ' beta', ' c', '🧭', ' é', '\n'), { maxLength: 60 });
    fc.assert(
      fc.property(words, fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 7 }), (parts, tokens, size) => {
        const text = parts.join('');
        const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
        const { message } = limited(tokens, pieces);
        expect(text.startsWith(message.text)).toBe(true);
        expect(message.finishReason).toBe(message.text === text ? 'stop' : 'length');
        if (countWords(text) <= tokens) expect(message.text).toBe(text);
      }),
    );
  });

  it('is counted in linear time', () => {
    const work = [2000, 20_000].map((words) => {
      const { counted } = limited(
        words + 1,
        Array.from({ length: words }, () => ' word'),
      );
      return counted / words;
    });
    expect(work[1]).toBeLessThan((work[0] ?? 0) * 2);
  });
});
