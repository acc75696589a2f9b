import { jsonOf } from '@dragoman/core';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { forgetMessages, knownMessageBytes } from './known-messages.ts';
import { parseWithKnown } from './known-tools.ts';

const long = 'An {"answer"}, [with] "marks" \\ and "messages":[ in it. '.repeat(50);
const message = (at: number) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content: `${at} ${long}` });
const messages = (count: number) => Array.from({ length: count }, (_, at) => message(at));

const parse = (text: string, { owner = 'one', mostValues = 200_000 } = {}) =>
  parseWithKnown(Buffer.from(text), { mostValues, owner });

function messagesIn(body: unknown): readonly unknown[] {
  return typeof body === 'object' && body !== null && 'messages' in body && Array.isArray(body.messages)
    ? body.messages
    : [];
}

beforeEach(() => forgetMessages());

describe('messages that a body begins with', () => {
  it('are the very same if the sender has sent them before', () => {
    const first = messagesIn(parse(JSON.stringify({ model: 'm', messages: messages(6) })));
    const body = { messages: [...messages(5), { role: 'user', content: 'Another end.' }, message(6)], stream: true };
    const text = JSON.stringify(body).replaceAll('},{', '} ,\n{').replace('[{', '[ {');
    const spaced = messagesIn(parse(text));
    const second = parse(JSON.stringify(body));
    expect([spaced, second]).toEqual([body.messages, body]);
    expect(messagesIn(second).map((each, at) => each === first[at])).toEqual([...Array(5).fill(true), false, false]);
    const third = messagesIn(parse(JSON.stringify({ messages: [...body.messages, message(8)] })));
    expect(third.map((each, at) => each === messagesIn(second)[at])).toEqual([...Array(6).fill(true), false, false]);
  });

  it('are known to no other sender', () => {
    const text = JSON.stringify({ messages: messages(6) });
    const [mine, theirs] = [parse(text), parse(text, { owner: 'two' })].map(messagesIn);
    expect(theirs).toEqual(mine);
    expect(theirs?.some((each) => mine?.includes(each))).toBe(false);
  });

  it('are those of the request, and there are no others', () => {
    const known = JSON.stringify(messages(6));
    const bodies = [
      `{"metadata":{"messages":${known}},"messages":[]}`,
      `{"metadata":{"messages":${known}}}`,
      `{"messages":${known},"messages":[]}`,
      `{"messages":${known},"m\\u0065ssages":[]}`,
      `[{"messages":${known}}]`,
      `{"messages":${known.slice(0, -1)}}`,
      `{"messages":${known.slice(0, -1)} {}]}`,
      `{"messages":${known}`,
    ];
    for (const _ of [1, 2]) for (const body of bodies) expect(parse(body), body.slice(-20)).toBeUndefined();
    const changed = known.replaceAll('messages', 'massages');
    for (const each of [known, changed, known]) {
      expect(parse(`{"messages":${each}}`)).toEqual({ messages: JSON.parse(each) });
    }
  });

  it('keep numbers as they were written, and all of a body within the bounds', () => {
    const odd = `{"messages":[${JSON.stringify(message(1)).slice(0, -1)},"n":1.0},${JSON.stringify(messages(6)).slice(1)}}`;
    for (const _ of [1, 2]) expect(jsonOf(Object(parse(odd)))).toBe(odd);
    const many = `{"messages":${JSON.stringify([...messages(5), { role: 'user', content: Array(100).fill(0) }])}}`;
    for (const _ of [1, 2]) {
      expect(parse(many)).toEqual(JSON.parse(many));
      expect(parse(many, { mostValues: 100 })).toBeUndefined();
    }
  });

  it('take a bounded number of bytes, however often a history grows', () => {
    for (let at = 1; at < 60; at += 1) parse(JSON.stringify({ messages: messages(5 + at) }));
    expect(knownMessageBytes()).toBeLessThan(400_000);
    for (let at = 0; at < 100; at += 1)
      parse(JSON.stringify({ messages: [{ content: String(at).repeat(50_000) }, {}] }));
    expect(knownMessageBytes()).toBeGreaterThan(1_000_000);
    expect(knownMessageBytes()).toBeLessThanOrEqual(4_000_000);
  });

  it('are what JSON.parse reads, or nothing (property)', () => {
    const key = fc.constantFrom('tools', 'messages', 'role', '"messages":[', '\\');
    const { object } = fc.letrec((tie) => ({
      any: fc.oneof({ maxDepth: 3 }, fc.integer(), fc.string(), tie('list'), tie('object')),
      list: fc.array(tie('any'), { maxLength: 4 }),
      object: fc.dictionary(key, tie('any'), { maxKeys: 4 }),
    }));
    const some = messages(5);
    const list = fc.array(fc.oneof(fc.constantFrom(...some), object), { maxLength: 4 });
    fc.assert(
      fc.property(list, object, fc.constantFrom(0, 1), (more, rest, indent) => {
        const text = JSON.stringify({ ...Object(rest), messages: [...some, ...more], end: long }, undefined, indent);
        for (const _ of [1, 2]) {
          const read = parse(text);
          if (read !== undefined) expect(JSON.stringify(read)).toBe(JSON.stringify(JSON.parse(text)));
        }
      }),
    );
  });
});
