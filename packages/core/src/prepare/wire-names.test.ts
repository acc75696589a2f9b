import { chatRequest } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WireNames } from './wire-names.ts';

const tool = (name: string) => ({ name, inputSchema: { type: 'object', properties: {} } });
const named = (names: readonly string[], longest: number | undefined = 64) => new WireNames(names.map(tool), longest);

describe('tool names for an upstream', () => {
  it('C-038 keep what is legal and lead back from what is not', () => {
    const names = named(['read_file', 'a.b/c d', 'später', '']);
    expect(['read_file', 'a.b/c d', 'später', ''].map((name) => names.wireName(name))).toEqual([
      'read_file',
      'a_b_c_d',
      'sp_ter',
      '_',
    ]);
    for (const name of ['read_file', 'a.b/c d', 'später', ''])
      expect(names.declaredName(names.wireName(name))).toBe(name);
    expect(names.declaredName('never_heard')).toBe('never_heard');
  });

  it('C-038 stay apart from tools that have such a name already, wherever those are in the list', () => {
    for (const list of [
      ['a.b', 'a_b', 'a/b'],
      ['a/b', 'a_b', 'a.b'],
    ]) {
      const names = named(list);
      expect(names.wireName('a_b')).toBe('a_b');
      const others = [names.wireName('a.b'), names.wireName('a/b')];
      expect(new Set(['a_b', ...others]).size).toBe(3);
      for (const name of list) expect(names.declaredName(names.wireName(name))).toBe(name);
    }
  });

  it('C-038 are known for tools of the past, too, and never taken for one that is declared', () => {
    const names = named(['a_b']);
    const past = names.wireName('a.b');
    expect(past).toMatch(/^a_b_[0-9a-f]{8}$/);
    expect(names.declaredName('a_b')).toBe('a_b');
  });

  it('leave the request alone where every name is legal, or where any is taken', () => {
    const request = chatRequest({ tools: [tool('read')], toolChoice: { name: 'read' } });
    expect(named(['read']).rename(request)).toBe(request);
    const odd = chatRequest({ tools: [tool('a.b')], toolChoice: { name: 'a.b' } });
    expect(new WireNames(odd.tools, undefined).rename(odd)).toBe(odd);
    expect(new WireNames(odd.tools, 64).rename(odd)).toMatchObject({
      tools: [{ name: 'a_b' }],
      toolChoice: { name: 'a_b' },
    });
    expect(odd.tools[0]?.name).toBe('a.b');
  });

  it('C-038 are legal, distinct, the same each time and lead back, for any names (property)', () => {
    const name = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc.constantFrom('a.b', 'a_b', 'a b', 'a/b', 'x'.repeat(64), 'x'.repeat(65), `${'x'.repeat(64)}y`),
    );
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 12 }), fc.constantFrom(64, 128), (list, longest) => {
        const names = named(list, longest);
        const again = named(list, longest);
        const wireNames = list.map((each) => names.wireName(each));
        expect(wireNames.filter((each) => !/^[A-Za-z0-9_-]+$/.test(each) || each.length > longest)).toEqual([]);
        expect(new Set(wireNames).size).toBe(list.length);
        expect(wireNames.map((each) => names.declaredName(each))).toEqual(list);
        expect(
          list
            .toReversed()
            .map((each) => again.wireName(each))
            .reverse(),
        ).toEqual(wireNames);
      }),
    );
  });
});
