import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeTag, tagOf } from './tag-names.ts';

describe('tagOf and decodeTag', () => {
  it('B-007 keeps legal names and maps the others reversibly', () => {
    expect(tagOf('read')).toBe('read');
    expect(tagOf('mcp.server:do')).toBe('mcp.server:do');
    expect(tagOf('read-file_2')).toBe('read-file_2');
    expect(tagOf('2nd try')).toBe('_x32_nd_x20_try');
    expect(tagOf('.hidden')).toBe('_x2e_hidden');
    expect(tagOf('a_x20_b')).toBe('a_x5f_x20_b');
    for (const name of ['mcp.server:do', '2nd try', '_x20_', '_x_', '', '<a>', '日本', '😀']) {
      expect(decodeTag(tagOf(name))).toBe(name);
    }
  });

  it('B-007 gives every name a legal tag of its own (property)', () => {
    const piece = fc.constantFrom('_', 'x', '_x', '20', '_', '5f', 'a', '.', ':', '-', '9', ' ', '<', 'é');
    const name = fc.oneof(
      fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
      fc.string(),
    );
    fc.assert(
      fc.property(name, (one) => {
        const tag = tagOf(one);
        expect(tag).toMatch(/^[A-Za-z_][A-Za-z0-9_.:-]*$/);
        expect(decodeTag(tag)).toBe(one);
      }),
    );
  });
});
