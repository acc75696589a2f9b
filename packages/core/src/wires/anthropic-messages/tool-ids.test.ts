import fc from 'fast-check';
import { expect, it } from 'vitest';
import { legalToolId, readToolId, writeToolId } from './tool-ids.ts';

const legal = /^[a-zA-Z0-9_-]+$/;

it('E-063: ids in the alphabet stay, others are escaped', () => {
  for (const id of ['toolu_01A', 'call_1f2e_x-9', 'a']) expect([writeToolId(id), legalToolId(id)]).toEqual([id, id]);
  expect(writeToolId('functions.read:7')).toBe('toolu_x_functions_002eread_003a7');
  expect(readToolId('toolu_x_functions_002eread_003a7')).toBe('functions.read:7');
});

it('E-063: what looks escaped but is not stays itself, and what was escaped stays with its upstream', () => {
  for (const id of ['toolu_x_a_zz', 'toolu_x_a_b', 'toolu_x__0061', 'toolu_x__00']) expect(readToolId(id)).toBe(id);
  expect(legalToolId('toolu_x_functions_002eread_003a7')).toBe('toolu_x_functions_002eread_003a7');
});

it('E-063 E-064: the way to a client and back is exact, for any id', () => {
  const id = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string().map((text) => `toolu_x_${text}`),
    fc.string({ unit: 'grapheme' }),
  );
  fc.assert(
    fc.property(id, fc.string(), (one, other) => {
      const written = writeToolId(one);
      expect(written).toMatch(legal);
      expect(readToolId(written)).toBe(one);
      expect(writeToolId(written) === written).toBe(written === one && !one.startsWith('toolu_x_'));
      if (one !== other) expect(writeToolId(other)).not.toBe(written);
      expect(legalToolId(one)).toMatch(legal);
    }),
  );
});
