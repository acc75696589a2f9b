import { sized } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonOf, parseJson } from './exact-json.ts';
import { JsonText, writeJson } from './json-text.ts';

const odd = ['9007199254740993', '-0', '1.0', '1e400', '0.1000000000000000055', '1E3', '-12345678901234567890', '0.10'];
const even = ['0', '17', '-3', '0.5', '123456789012345', '1e+300', '-2.25'];

/** JSON text with what it is made of: whether an odd number is within, and its members by key. */
interface Tree {
  readonly text: string;
  readonly odd: boolean;
  readonly members: readonly (readonly [key: string | number, member: Tree])[];
}

const leaf = (texts: readonly string[], isOdd: boolean) =>
  fc.constantFrom(...texts).map((text): Tree => ({ text, odd: isOdd, members: [] }));
const words = fc
  .string({ unit: 'binary' })
  .map((text): Tree => ({ text: JSON.stringify(text), odd: false, members: [] }));
const tricky = leaf(['"1.0"', '"\\\\"', '"a\\"-0"', '"{\\"n\\": 1e400}"', '"\\u00e9"', 'true', 'false', 'null'], false);
const space = fc.constantFrom('', '', ' ', '\n  ', '\t');

const tree = fc.letrec<{ readonly tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    leaf(odd, true),
    leaf(even, false),
    words,
    tricky,
    list(tie('tree')),
    object(tie('tree')),
  ),
})).tree;

function list(member: fc.Arbitrary<Tree>): fc.Arbitrary<Tree> {
  return fc.tuple(fc.array(member, { maxLength: 4 }), space).map(([members, gap]) => ({
    text: `[${gap}${members.map(({ text }) => text).join(`${gap},${gap}`)}${gap}]`,
    odd: members.some((one) => one.odd),
    members: members.map((one, index) => [index, one]),
  }));
}

function object(member: fc.Arbitrary<Tree>): fc.Arbitrary<Tree> {
  const key = fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom('__proto__', 'toString', '2', '"', '\\', 'é'));
  const entries = fc.uniqueArray(fc.tuple(key, member), { maxLength: 4, selector: ([name]) => name });
  return fc.tuple(entries, space).map(([pairs, gap]) => ({
    text: `{${gap}${pairs.map(([name, { text }]) => `${JSON.stringify(name)}${gap}:${gap}${text}`).join(`${gap},${gap}`)}}`,
    odd: pairs.some(([, one]) => one.odd),
    members: pairs,
  }));
}

/** Checks each object and list within. */
function check(value: unknown, expected: Tree): void {
  if (typeof value !== 'object' || value === null) return;
  expect(jsonOf(value)).toBe(expected.odd ? expected.text : JSON.stringify(value));
  const members = new Map<string | number, unknown>(Array.isArray(value) ? value.entries() : Object.entries(value));
  for (const [key, member] of expected.members) check(members.get(key), member);
}

describe('parseJson', () => {
  it('E-062 gives back every object and list with the digits that it was written with', () => {
    fc.assert(
      fc.property(tree, (written) => {
        const value = parseJson(written.text);
        expect(value).toEqual(JSON.parse(written.text));
        check(value, written);
      }),
    );
  });

  it('goes by the last of two equal keys, as the value does', () => {
    const value = parseJson('{"a":{"n":1.0},"b":[1.0],"a":{"n":2},"b":[{"n":1.0}]}');
    expect(value).toEqual({ a: { n: 2 }, b: [{ n: 1 }] });
    const { a, b } = value as { a: object; b: object[] };
    expect([jsonOf(a), jsonOf(b), jsonOf(b[0] ?? [])]).toEqual(['{"n":2}', '[{"n":1.0}]', '{"n":1.0}']);
  });

  it('remembers nothing of a value that nests too deeply to be walked through', () => {
    const text = `${'['.repeat(200_000)}1.0${']'.repeat(200_000)}`;
    expect(() => parseJson(text)).not.toThrow();
    expect(() => parseJson('{"a":')).toThrow(SyntaxError);
  });

  it('remembers the outermost of millions of lists, in no more time than a body may take', () => {
    const count = sized(4000);
    const inner = `${'['.repeat(400)}1.0${']'.repeat(400)}`;
    const value = parseJson(`{"arguments":{"list":[${Array(count).fill(inner).join()}]},"next":{"a":2.0}}`);
    const members = Object.values(Object(value)).map((member) => jsonOf(Object(member)));
    expect(members.map((text) => [text.length, text.slice(-9)])).toEqual([
      [count * 804 + 10, ']]]]]]]]}'],
      [9, '{"a":2.0}'],
    ]);
  });

  it('a key of an object that a later one of its name replaces leads nowhere', () => {
    parseJson('{"a":{"__proto__":{"x":1.0}},"a":{}}');
    expect(jsonOf(Object.prototype)).toBe('{}');
  });
});

describe('writeJson', () => {
  const bodies = fc.jsonValue({ maxDepth: 4 });

  it('is JSON.stringify where there is only JavaScript’s own', () => {
    fc.assert(
      fc.property(bodies, fc.constantFrom(0, 2), (body, indent) => {
        expect(writeJson(body, indent)).toBe(JSON.stringify(body, undefined, indent));
      }),
    );
    expect(writeJson({ a: undefined, b: [undefined] })).toBe('{"b":[null]}');
  });

  it('E-062 writes text in the place of a value, and all around it as JSON.stringify does', () => {
    fc.assert(
      fc.property(bodies, tree, fc.constantFrom(0, 2), (body, { text }, indent) => {
        const mark = 'in the place of the mark';
        const at = (place: unknown) => ({
          before: body,
          none: undefined,
          list: [[], {}, undefined, place],
          after: body,
        });
        const expected = JSON.stringify(at(mark), undefined, indent).split(JSON.stringify(mark)).join(text);
        expect(writeJson(at(new JsonText(text)), indent)).toBe(expected);
      }),
    );
  });

  it('does not take the text of an earlier body for one of its own', () => {
    expect(writeJson([new JsonText('1.0')])).toBe('[1.0]');
    expect(writeJson({ toJSON: () => 'own' })).toBe('"own"');
    expect(JSON.stringify([new JsonText('1.0')])).toBe('[1]');
  });
});
