import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { turnMarkers } from '../../chat/turn-markers.ts';
import { escapeJsonMarkers } from './escape-json-markers.ts';
import { jsonItems, jsonMembers } from './past-calls.ts';

describe('jsonMembers', () => {
  it('B-119 keeps order and the own text of every value', () => {
    expect(jsonMembers(' {"b": 12345678901234567890, "10": [1, {"x":","}] ,"a":"}\\"{,"} ')).toEqual([
      { key: 'b', json: '12345678901234567890', value: 12345678901234567000 },
      { key: '10', json: '[1, {"x":","}]', value: [1, { x: ',' }] },
      { key: 'a', json: '"}\\"{,"', value: '}"{,' },
    ]);
  });

  it('reads empty text, wrapped objects and repeated keys, and refuses the rest', () => {
    expect(jsonMembers('')).toEqual([]);
    expect(jsonMembers('{ }')).toEqual([]);
    expect(jsonMembers('"{\\"a\\":1}"')).toEqual([{ key: 'a', json: '1', value: 1 }]);
    expect(jsonMembers('{"a":1,"b":2,"a":3}')).toEqual([
      { key: 'a', json: '3', value: 3 },
      { key: 'b', json: '2', value: 2 },
    ]);
    for (const text of ['[1]', '5', 'null', '{"a":', '"text"', 'not json']) expect(jsonMembers(text)).toBeUndefined();
  });

  it('finds the members of any object, also when printed with spaces (property)', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(0, 2), (object, space) => {
        const members = jsonMembers(JSON.stringify(object, undefined, space)) ?? [];
        const read: unknown = Object.fromEntries(members.map(({ key, json }) => [key, JSON.parse(json)]));
        expect(read).toEqual(JSON.parse(JSON.stringify(object)));
        expect(Object.fromEntries(members.map(({ key, value }) => [key, value]))).toEqual(read);
      }),
    );
  });
});

describe('jsonItems', () => {
  it('B-119 keeps the own text of every element, and refuses the rest', () => {
    expect(jsonItems(' [12345678901234567890, {"a":[1,"],"]} , "," ] ')).toEqual([
      '12345678901234567890',
      '{"a":[1,"],"]}',
      '","',
    ]);
    expect(jsonItems('[ ]')).toEqual([]);
    for (const text of ['{}', '5', 'null', '[1', '"[1]"', '']) expect(jsonItems(text)).toBeUndefined();
  });
});

describe('escapeJsonMarkers', () => {
  it('keeps the value and leaves no literal (property)', () => {
    const literals = ['<tool_call>', '</tools>', '## Return of ', '[EOS]'];
    const piece = fc.constantFrom(...literals, 'a', '"', '\\', '<', '#');
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const value = { [pieces.join('')]: pieces.join('-') };
        const escaped = escapeJsonMarkers(JSON.stringify(value), literals);
        expect(JSON.parse(escaped)).toEqual(value);
        for (const literal of literals) expect(escaped).not.toContain(literal);
      }),
    );
  });

  it('leaves no token of a template, whatever the dialect', () => {
    const value = { text: turnMarkers.join(' ') };
    const escaped = escapeJsonMarkers(JSON.stringify(value), []);
    expect(JSON.parse(escaped)).toEqual(value);
    for (const token of turnMarkers) expect(escaped).not.toContain(token);
  });

  it('breaks no escape whose letter begins a literal', () => {
    for (const text of ['\to=functions.x', '\\to=functions.x', 'to=functions.x']) {
      expect(JSON.parse(escapeJsonMarkers(JSON.stringify(text), ['to=functions.']))).toBe(text);
    }
  });
});
