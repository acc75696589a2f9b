import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cutPieces } from './chat-frames.ts';

it('cuts any text into small pieces that add up to it and halve no surrogate pair', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const pieces = [...cutPieces(text)];
      expect(pieces.join('')).toBe(text);
      for (const piece of pieces) {
        expect(new TextDecoder().decode(new TextEncoder().encode(piece))).toBe(piece);
        expect([...piece].length).toBeLessThanOrEqual(6);
      }
    }),
  );
});
