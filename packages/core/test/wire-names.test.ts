import { expect, it } from 'vitest';
import { WireNames } from '../src/prepare/wire-names.ts';

const tool = (name: string) => ({ name, inputSchema: { type: 'object' } });
const declared = ['a.b/c d', 'a_b_c_d', 'läsen', 'x'.repeat(80), 'plain-1'];

it('C-038 gives every tool a legal name of its own, and leads back to the declared one', () => {
  const names = new WireNames(declared.map(tool), 64);
  const written = declared.map((name) => names.wireName(name));
  for (const name of written) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  expect(new Set(written).size).toBe(declared.length);
  expect(written.map((name) => names.declaredName(name))).toEqual(declared);
  expect([names.wireName('plain-1'), names.wireName('a_b_c_d')]).toEqual(['plain-1', 'a_b_c_d']);
  const again = new WireNames(declared.map(tool), 64);
  expect(declared.map((name) => again.wireName(name))).toEqual(written);
});
