import { expect, it } from 'vitest';
import { KeptBytes } from './kept-bytes.ts';

it.each(['', 'short', 'ä€😀', 'long '.repeat(5000), '😀'.repeat(4000)])(
  'what was added is taken, at once or in pieces: %.20s',
  (text) => {
    const kept = new KeptBytes();
    const bytes = Buffer.from(text);
    for (let round = 0; round < 2; round += 1) {
      kept.addText(text);
      kept.add(bytes);
      for (const each of text) kept.addText(each);
      for (const each of bytes) kept.add(Uint8Array.of(each));
      expect(kept.take().toString('utf8')).toBe(text.repeat(4));
    }
  },
);

it('what is kept by one is not changed by what others keep after a third one has let go', () => {
  const [first, second] = [new KeptBytes(), new KeptBytes()];
  first.addText('first');
  first.take();
  second.addText('second');
  first.addText('again');
  const taken = second.take();
  first.addText(', and again');
  expect(taken.toString()).toBe('second');
  expect(first.take().toString()).toBe('again, and again');
});
