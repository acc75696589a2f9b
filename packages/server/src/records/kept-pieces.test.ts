import { expect, it } from 'vitest';
import { KeptPieces } from './kept-pieces.ts';
import { cutPieces } from './said-pieces.ts';

const room = 1_000_000;

it.each(['', 'short', 'ä€😀', 'long '.repeat(5000), '😀'.repeat(4000)])(
  'what was added is taken, at once or in pieces: %.20s',
  (text) => {
    const kept = new KeptPieces(room);
    const bytes = Buffer.from(text);
    for (let round = 0; round < 2; round += 1) {
      kept.add(text);
      kept.add(bytes);
      for (const each of text) kept.add(each);
      for (const each of bytes) kept.add(Uint8Array.of(each));
      const whole = text === '' ? [] : [text, text];
      // A cut inside of a character becomes one after it.
      expect(cutPieces(kept.take())).toEqual([...whole, ...text, ...text]);
    }
  },
);

it('what is kept by one is not changed by what others keep after a third one has let go', () => {
  const [first, second] = [new KeptPieces(room), new KeptPieces(room)];
  first.add('first');
  first.take();
  second.add('second');
  first.add('again');
  const taken = second.take();
  first.add(', and again');
  expect(taken.text).toBe('second');
  expect(cutPieces(first.take())).toEqual(['again', ', and again']);
});

it('what there is no room for is missing, and so is all that comes after it', () => {
  const kept = new KeptPieces(10);
  for (const piece of ['12345', '6789', 'abc', 'd']) kept.add(piece);
  expect([kept.size, kept.missing]).toEqual([10, 4]);
  expect(cutPieces(kept.take())).toEqual(['12345', '6789']);
});
