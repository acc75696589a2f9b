import { violationsOf } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collect } from '../chat/collect.ts';
import type { ChatEvent } from '../chat/event.ts';
import { EventWriter } from '../chat/event-writer.ts';
import { runStage } from '../stream/stage.ts';
import { createLengthLimit } from './limit-length.ts';

function limited(tokens: number, pieces: readonly string[], write?: (writer: EventWriter) => void) {
  const list: ChatEvent[] = [];
  const writer = new EventWriter((event) => list.push(event));
  writer.start('r', 'm');
  write?.(writer);
  for (const piece of pieces) writer.text(piece);
  writer.end('stop');
  const events = runStage(createLengthLimit(tokens), list);
  expect(violationsOf(events)).toEqual([]);
  return collect(events);
}

describe('a reply that may be so long', () => {
  it('A-052 ends with length where it is longer', () => {
    const message = limited(3, ['one two', ' three four', ' five']);
    expect(message).toMatchObject({ text: 'one two three f', finishReason: 'length', complete: true });
  });

  it('A-052 stays as it is where it fits', () => {
    expect(limited(3, ['one two', ' three'])).toMatchObject({ text: 'one two three', finishReason: 'stop' });
  });

  it('A-052 counts reasoning, too, and what the upstream says of itself passes', () => {
    const message = limited(2, ['four'], (writer) => {
      writer.reasoning('one two three');
      writer.usage({ inputTokens: 1, outputTokens: 4, source: 'upstream' });
    });
    expect(message).toMatchObject({
      reasoning: 'one two th',
      text: '',
      finishReason: 'length',
      usage: { outputTokens: 4 },
    });
  });

  it('A-052 never halves a character', () => {
    expect(limited(2, ['🧭🧭🧭']).text).toBe('🧭🧭');
  });

  it.each([
    [
      26,
      'Once upon a time there was a small village at the edge of a dark forest, and the people who lived there were kind.',
    ],
    [19, 'export function add(left: number, right: number) {\n  return left + right;\n}\n'],
    [25, '{"type":"object","properties":{"path":{"type":"string"},"lines":{"type":"integer","minimum":1}}}'],
    [16, '今天天气很好，我们去公园散步，然后回家做饭。'],
    [16, 'Сегодня очень хорошая погода, мы пойдём гулять в парк.'],
    [20, '오늘은 날씨가 매우 좋습니다. 공원에 산책하러 갑시다.'],
    [18, '84213, 19044, 77120, 31415, 92653'],
  ])('A-052 takes what o200k_base counts as %d tokens for as many within a third', (tokens, text) => {
    expect(limited(Math.ceil(tokens * 1.33), [text]).text).toBe(text);
    expect(limited(Math.floor(tokens * 0.67), [text]).text.length).toBeLessThan(text.length);
  });

  it('A-052 cuts at the same place, whatever the pieces (property)', () => {
    const words = fc.array(fc.constantFrom('alpha', ' Beta', ' c', '🧭', ' é', '\n'), { maxLength: 60 });
    fc.assert(
      fc.property(words, fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 7 }), (parts, tokens, size) => {
        const text = parts.join('');
        const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'gu')) ?? [];
        const message = limited(tokens, pieces);
        expect(message.text).toBe(limited(tokens, text === '' ? [] : [text]).text);
        expect(text.startsWith(message.text)).toBe(true);
        expect(message.finishReason).toBe(message.text === text ? 'stop' : 'length');
      }),
    );
  });
});
