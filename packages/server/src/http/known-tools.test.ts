import { jsonOf } from '@dragoman/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { knownToolBytes, parseWithKnown } from './known-tools.ts';

const toolsOf = (name: string) => [
  {
    name,
    description: 'Reads "tools":[ of a file, \\ and all. '.repeat(40),
    parameters: { type: 'object', maximum: 5 },
  },
];

const parse = (text: string, mostValues = 200_000) => parseWithKnown(Buffer.from(text), { mostValues, owner: '' });

function toolsIn(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'tools' in body ? body.tools : undefined;
}

describe('parseWithKnown', () => {
  it('gives the same tools to bodies that have them byte for byte, wherever they stand', () => {
    const tools = JSON.stringify(toolsOf('one'));
    const first = parse(`{"model":"a","tools":${tools},"messages":[]}`);
    const second = parse(`{"messages":[{"content":"\\"tools\\":[1]"}], "tools" : ${tools} }`);
    const spaced = parse(`{"tools":${JSON.stringify(toolsOf('one'), undefined, 1)}}`);
    expect(first).toEqual({ model: 'a', tools: toolsOf('one'), messages: [] });
    expect(second).toEqual({ messages: [{ content: '"tools":[1]' }], tools: toolsOf('one') });
    expect(toolsIn(second)).toBe(toolsIn(first));
    expect(toolsIn(spaced)).toEqual(toolsOf('one'));
    expect(toolsIn(spaced)).not.toBe(toolsIn(first));
  });

  it('leaves to others what is no list of tools of the request', () => {
    const tools = JSON.stringify(toolsOf('two'));
    const bodies = [
      `{"metadata":{"tools":${tools}},"messages":[]}`,
      `{"metadata":{"tools":${tools}},"tools":[]}`,
      `{"tools":${tools},"tools":[]}`,
      `{"tools":${tools},"t\\u006fols":[]}`,
      `{"a":"tools","messages":[]}`,
      `{"tools":[]}`,
      `[{"tools":${tools}}]`,
      `{"tools":${tools},"messages":[}`,
      `{"tools":${tools.slice(0, -1)}}`,
      `{"tools":${tools}`,
      `{"tools":[${'['.repeat(2000)}`,
    ];
    for (const body of bodies) expect(parse(body), body.slice(0, 40)).toBeUndefined();
  });

  it('finds no tools that differ in one byte or go on', () => {
    const one = JSON.stringify(toolsOf('three'));
    const other = one.replace('three', 'thref');
    const longer = `${one.slice(0, -1)},{}]`;
    for (const tools of [one, other, longer, one])
      expect(parse(`{"tools":${tools}}`)).toEqual(JSON.parse(`{"tools":${tools}}`));
  });

  it('keeps numbers as they were written', () => {
    const tools = JSON.stringify(toolsOf('four'));
    const body = `{"tools":${tools},"temperature":1.0,"messages":[{"id":12345678901234567890}]}`;
    const read = parse(body);
    expect(typeof read === 'object' && read !== null ? jsonOf(read) : '').toBe(body);
    expect(parse(`{"tools":${tools.replace('5', '5.0')}}`)).toBeUndefined();
  });

  it('holds all of a body to the bounds', () => {
    const tools = JSON.stringify(toolsOf('five'));
    const body = `{"tools":${tools},"messages":[${'0,'.repeat(50)}0]}`;
    expect(parse(body, 40)).toBeUndefined();
    expect(parse(body, 80)).toEqual(JSON.parse(body));
    expect(parse(body, 40)).toBeUndefined();
    const deep = (depth: number) =>
      `{"tools":[${JSON.stringify('x'.repeat(2000))},${'['.repeat(depth)}${']'.repeat(depth)}]}`;
    expect(parse(deep(498))).toEqual(JSON.parse(deep(498)));
    expect(parse(deep(499))).toBeUndefined();
  });

  it('keeps a bounded number of bytes', () => {
    for (let at = 0; at < 100; at += 1) parse(`{"tools":["${String(at).repeat(50_000)}"]}`);
    expect(knownToolBytes()).toBeGreaterThan(1_000_000);
    expect(knownToolBytes()).toBeLessThanOrEqual(4_000_000);
  });

  it('reads what JSON.parse reads, or nothing (property)', () => {
    const key = fc.constantFrom('tools', 'messages', 'a', '"tools":[', '\\');
    const long = 'z'.repeat(1100);
    const value = fc.letrec((tie) => ({
      any: fc.oneof({ maxDepth: 3 }, fc.integer(), fc.string(), fc.constant(long), tie('list'), tie('object')),
      list: fc.array(tie('any'), { maxLength: 4 }),
      object: fc.dictionary(key, tie('any'), { maxKeys: 4 }),
    }));
    fc.assert(
      fc.property(value.object, fc.constantFrom(0, 1), (object, indent) => {
        const text = JSON.stringify(object, undefined, indent);
        const read = parse(text);
        if (read !== undefined) expect(JSON.stringify(read)).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });
});
