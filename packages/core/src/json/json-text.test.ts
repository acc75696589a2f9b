import { expect, it } from 'vitest';
import { parseJson, withExactNumbers } from './exact-json.ts';
import { keepingText, writeJson } from './json-text.ts';

it('writes what is kept as it writes everything else, the first time and later', () => {
  const source = '[{"a":1.0,"b":[12345678901234567890]},null]';
  const make = keepingText((list: readonly unknown[]) => list.map((one) => withExactNumbers(one)));
  const read = parseJson(source);
  const list = Array.isArray(read) ? read : [];
  for (let turn = 0; turn < 4; turn += 1) {
    const tools = make(list);
    expect(make(list)).toBe(tools);
    const body = { a: 'x', tools, left: undefined, f: () => 1, messages: [{ tools: [1] }], b: null };
    expect(writeJson(body)).toBe(`{"a":"x","tools":${source},"messages":[{"tools":[1]}],"b":null}`);
    expect(writeJson({ inner: { tools: make([]) } })).toBe('{"inner":{"tools":[]}}');
    expect(JSON.parse(writeJson(body, 2))).toEqual(JSON.parse(writeJson(body)));
    expect(writeJson(tools)).toBe(source);
  }
});
