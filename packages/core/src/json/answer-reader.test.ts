import { type Cuts, cutText, growthOf, runs } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { JsonSchema } from '../chat/tool.ts';
import { AnswerReader } from './answer-reader.ts';
import { findMisfit } from './find-misfit.ts';
import { SchemaView } from './schema.ts';

const anyObject = { type: 'object' };
const cutsOf = fc.array(fc.nat(400), { maxLength: 12 });

interface How {
  readonly schema?: JsonSchema;
  readonly cuts?: Cuts;
  readonly waits?: boolean;
}

function fitsIn(schema: JsonSchema) {
  return (json: string) => findMisfit(JSON.parse(json), schema) === undefined;
}

function read(text: string, { schema = {}, cuts = 'whole', waits = false }: How = {}) {
  const warnings: string[] = [];
  const reader = new AnswerReader({
    schema: SchemaView.of(schema),
    fits: fitsIn(schema),
    waits,
    warning: (code, message) => warnings.push(`${code}: ${message}`),
  });
  const pieces = cutText(text, cuts).map((piece) => reader.read(piece));
  const said = pieces.join('') + reader.end();
  return { said, warnings, pieces };
}

function isCity(text: string): boolean {
  try {
    return fitsIn(city)(text);
  } catch {
    return false;
  }
}

/** The same whole and in single characters. */
function both(text: string, schema: JsonSchema = {}, waits = false) {
  const { said, warnings } = read(text, { schema, waits });
  const single = read(text, { schema, waits, cuts: 'chars' });
  expect({ said: single.said, warnings: single.warnings }).toEqual({ said, warnings });
  return { said, warnings };
}

/** The same streamed and as a whole. */
function always(text: string, schema: JsonSchema = {}) {
  const streamed = both(text, schema);
  expect(both(text, schema, true)).toEqual(streamed);
  return streamed;
}

const fence = 'text-dropped: The code fence around the JSON was left out.';
const around = (...words: string[]) =>
  `text-dropped: Text around the JSON was left out: ${words.map((each) => JSON.stringify(each)).join(' and ')}.`;

describe('what is around the JSON is left out and named', () => {
  it.each<[what: string, text: string, warnings: readonly string[]]>([
    ['nothing', '{"a":1}', []],
    ['white space', ' \n{"a":1}\n\n', []],
    ['a fence', '```json\n{"a":1}\n```', [fence]],
    ['a fence on one line', '``` {"a":1} ```', [fence]],
    ['prose in front', 'Sure! Here it is: {"a":1}', [around('Sure! Here it is:')]],
    ['prose behind', '{"a":1}\n\nI hope this helps.', [around('I hope this helps.')]],
    ['prose and a fence', 'Here:\n```json\n{"a":1}\n```\nDone.', [fence, around('Here:', 'Done.')]],
    ['braces in prose', 'The set {x} in {"q"} is {"a":1}', [around('The set {x} in {"q"} is')]],
    ['a footnote', 'As [1] says:\n{"a":1}', [around('As [1] says:')]],
    ['a heading in brackets', '[JSON]\n{"a":1}', [around('[JSON]')]],
    ['thinking with a draft', ' <think>\n{"a":0}</think>\n{"a":1}', [around('<think>\n{"a":0}</think>')]],
    ['a tag that is no thinking', '<thing> {"a":1}', [around('<thing>')]],
    ['a second value', '{"a":1}\n{"a":2}', [around('{"a":2}')]],
  ])('%s', (_, text, warnings) => {
    expect(always(text)).toEqual({ said: '{"a":1}', warnings });
  });

  it('thinking that is never closed stays as it was written', () => {
    const written = '<think>\n{"a":0}</thi';
    expect(always(written)).toEqual({ said: written, warnings: [] });
  });

  it('names a long text by its beginning', () => {
    const { said, warnings } = both(`${'long '.repeat(10_000)}\n[{"a":1}]${' tail'.repeat(10_000)}`);
    expect(said).toBe('[{"a":1}]');
    expect(warnings.join('').length).toBeLessThan(300);
  });
});

describe('broken JSON is repaired as arguments are', () => {
  it.each<[what: string, text: string, json: string, schema?: JsonSchema]>([
    ['a trailing comma', '{"a":[1,],}', '{"a":[1]}'],
    ['single quotes', "{'a': 'it is \"so\"'}", '{"a": "it is \\"so\\""}'],
    ['Python literals', '{"a": True, "b": None}', '{"a": true, "b": null}'],
    ['comments', '{ // the answer\n"a": 1, /* no more */ }', '{ \n"a": 1  }'],
    ['a comment in a list', '[ /* all */ {"a": 1}]', '[  {"a": 1}]'],
    ['a raw newline', '{"a": "b\nc"}', '{"a": "b\\nc"}'],
    ['bare keys', '```\n{a: 1}\n```', '{"a": 1}'],
    ['doubled braces', '{{"a": 1}}', '{"a": 1}'],
    ['a number as a string', '{"n": "5"}', '{"n": 5}', { type: 'object', properties: { n: { type: 'integer' } } }],
    ['a string that holds the JSON', '"{\\"a\\": [1]}"', '{"a": [1]}', anyObject],
    ['that string in a fence', '```json\n"{\\"a\\": 1}"\n```', '{"a": 1}', anyObject],
    ['a long number', '{"n": 12345678901234567890.10}', '{"n": 12345678901234567890.10}'],
  ])('%s', (_, text, json, schema) => {
    expect(always(text, schema).said).toBe(json);
  });
});

describe('a value that is no object and no list', () => {
  it.each<[text: string, said: string, schema: JsonSchema]>([
    ['42', '42', { type: 'integer' }],
    ['```json\n"Graz"\n```', '"Graz"', { type: 'string' }],
    [' True ', 'true', { type: 'boolean' }],
    ['[1, 2]', '[1, 2]', { type: 'array' }],
    ['[]', '[]', {}],
    ['3 cities: Graz', '3 cities: Graz', {}],
    ['True, that is {so}.', 'True, that is {so}.', {}],
    ['', '', {}],
  ])('%s', (text, said, schema) => {
    expect(always(text, schema).said).toBe(said);
  });
});

describe('what is no JSON', () => {
  it.each([
    ['prose', 'I cannot do that.'],
    ['a number that is none', '{"a": NaN}'],
    ['a number without end', '{"a": [1, -Infinity]}'],
    ['a comment that is none', '{"a": 1 / 2}'],
    ['a slash that breaks off', '{"a": 1 /'],
    ['a value that breaks off', '{"a": {"b": tru'],
    ['one that breaks off in an escape', '{"a": "b\\u00'],
    ['one that breaks off after a comma', '{"a": [1,'],
    ['one that breaks off between doubled braces', '{"a": 1, "b": {"c": 12'],
    ['one that goes wrong', '{"a": 1 or 2}'],
    ['a key without a value', '{"a": }'],
    ['a fence of another language', '```python\nprint(1)\n```'],
  ])('%s leaves as it was written', (_, text) => {
    expect(always(text, anyObject)).toEqual({ said: text, warnings: [] });
  });

  it('a value that does not fit its place is held until it breaks off, and is not lost', () => {
    const schema = { type: 'object', properties: { n: { type: 'integer' } } };
    expect(always('{"n": "12', schema).said).toBe('{"n": "12');
  });

  it('what goes wrong after prose has lost only the prose, which is named', () => {
    expect(always('So: {"a": 1; "b": 2}')).toEqual({ said: '{"a": 1; "b": 2}', warnings: [around('So:')] });
  });

  it('a text that never begins is let out beyond its bound', () => {
    const reader = new AnswerReader({ schema: SchemaView.any, fits: () => true, warning: () => {} });
    const piece = 'word '.repeat(1000);
    let said = '';
    for (let index = 0; index < 300; index += 1) said += reader.read(piece);
    expect(said).toBe(piece.repeat(300));
  });
});

const city: JsonSchema = {
  type: 'object',
  properties: { city: { type: 'string' }, people: { type: 'integer' } },
  required: ['city', 'people'],
  additionalProperties: false,
};
const graz = '{"city": "Graz", "people": 300000}';
const linz = '{"city": "Linz", "people": 200000}';

describe('the answer is the value that fits, wherever it stands', () => {
  it.each<[what: string, front: string, after?: string]>([
    ['an example in prose', 'It looks like {"city": "NAME"}, with a number:\n'],
    [
      'an example in a fence',
      'The form:\n```json\n{"city": "…", "people": "how many"}\n```\nThe answer:\n```json\n',
      '\n```',
    ],
    ['an example that is no JSON', 'The form:\n```json\n{"city": ..., "people": ...}\n```\nSo:\n'],
    ['another kind of object', 'Search: {"query": "Graz"}\n'],
    ['an empty object', 'At first {} was found.\n{}\n'],
    ['footnotes', '[1] An atlas.\n["an atlas"]\n\n'],
    ['an example that fits', 'Such as {"city": "Linz", "people": 1} in the atlas:\n'],
    ['an example after it', '', '\n\nNot {"city": "Linz", "people": 1}.'],
    ['the end of a fence', '```\nSo: {"city": "Graz"}\n'],
    ['a draft that lacks a key', '{"place": "Graz"}\nThat was wrong:\n'],
    ['many', `Not ${'{"city": 1} '.repeat(10)}`],
  ])('beside %s', (_, front, after = '') => {
    const { said, warnings } = always(`${front}${graz}${after}`, city);
    expect(said).toBe(graz);
    expect(warnings.some((each) => each.startsWith('text-dropped'))).toBe(true);
  });

  it('where a list of numbers is asked for, a footnote is the answer only when there is no other', () => {
    const numbers: JsonSchema = { type: 'array', items: { type: 'integer' } };
    expect(always('[1] Atlas\n[2] Maps\n\n[4, 5]', numbers).said).toBe('[4, 5]');
    expect(always('[1] Atlas', numbers).said).toBe('[1]');
    expect(always('[]\n[4]', numbers).said).toBe('[4]');
    expect(always('I found none: []', numbers).said).toBe('I found none: []');
    expect(always('None:\n[]', numbers).said).toBe('[]');
  });

  it.each<[what: string, text: string, said: string]>([
    ['the last one where none fits', 'Well:\n{"city": "Graz"}\n{"people": 1}', '{"people": 1}'],
    ['the first one of those that are no JSON, with all after it', 'So: {"a": x}\n{"b": y}', '{"a": x}\n{"b": y}'],
    [
      'the last remark',
      'Not {"city": "Linz", "people": 1}, but {"city": "Graz", "people": 2}, I think.',
      '{"city": "Graz", "people": 2}',
    ],
    ['one that is JSON rather than none', 'So: {"city": oops}\n{"city": "Graz"}\nand so on', '{"city": "Graz"}'],
    ['what breaks off, where there is no other', 'So:\n{"city": "Gr', '{"city": "Gr'],
    [
      'what breaks, with all after it',
      'So:\n{"city": "Graz"; "people": 3}\nDone.',
      '{"city": "Graz"; "people": 3}\nDone.',
    ],
  ])('else it is %s', (_, text, said) => {
    expect(always(text, city).said).toBe(said);
  });

  it('what is nested in a broken value is no answer', () => {
    const text = 'So: {"a": [{"b": 1}, oops {"city": "Graz", "people": 1}],\n  {"city": "Graz", "people": 2}\n]}';
    expect(always(text, city).said).toBe(text.slice(4));
  });

  it('an answer that is cut is not replaced by an example', () => {
    for (const waits of [false, true]) {
      const reader = new AnswerReader({ schema: SchemaView.of(city), fits: fitsIn(city), waits, warning: () => {} });
      expect(reader.read('Like {"city": "NAME"}:\n{"city": "Gr')).toBe('');
      expect(reader.end({ cut: true })).toBe('{"city": "Gr');
    }
  });

  it.each<[what: string, text: string]>([
    [
      'an example that fits',
      `For example:\n\n\`\`\`json\n${linz}\n\`\`\`\n\nThe answer is:\n\n\`\`\`json\n${graz}\n\`\`\`\n`,
    ],
    ['an example that fits, in prose', `The form is ${linz}\n\n${graz}`],
    ['drafts', `First:\n${linz}\nNo, it lies in Styria.\n${linz}\nOnce more:\n${graz}\nDone.`],
    ['what somebody else wrote', `You said:\n\`\`\`\n${linz}\n\`\`\`\nThat is wrong:\n\`\`\`\n${graz}\n\`\`\``],
    ['an answer that breaks in between', `Like\n${linz}\nor {"city": oops}\n${graz}`],
  ])('behind words it is the last one: %s is in front', (_, text) => {
    expect(always(text, city).said).toBe(graz);
  });

  it.each<[what: string, after: string]>([
    ['a remark', `Not ${linz}, by the way.`],
    ['a code span in a sentence', `So it is not \`${linz}\` any more.`],
    ['something empty', '{}'],
    ['what does not fit', '```json\n{"city": "Linz"}\n```'],
    ['what breaks off', '{"city": "Linz", "people'],
  ])('%s after it does not change it', (_, after) => {
    expect(always(`The answer:\n\`\`\`json\n${graz}\n\`\`\`\n${after}`, city).said).toBe(graz);
  });

  it('a code span may be all of its line', () => {
    expect(always(`Not ${linz}.\n\`${graz}\`\nNot ${linz}.`, city).said).toBe(graz);
  });

  it.each<[what: string, after: string]>([
    ['an example for comparison', `For comparison, an example:\n\`\`\`json\n${linz}\n\`\`\``],
    ['a turn of somebody else', `User: And Linz?\nAssistant:\n${linz}`],
    ['prose in its line', `is the answer; ${linz} is not.`],
  ])('what the reply begins with, it stays: %s comes after it', (_, after) => {
    expect(always(`${graz}\n\n${after}`, city).said).toBe(graz);
    expect(always(`\`\`\`json\n${graz}\n\`\`\` ${after}`, city).said).toBe(graz);
  });

  it('what the reply begins with is delivered where none fits', () => {
    expect(always('{"city": "Graz"}\n{"people": 1}', city).said).toBe('{"city": "Graz"}');
  });

  it('what does not end within the bound does not replace an answer', () => {
    const long = `{"city": "${'G'.repeat(1 << 20)}`;
    expect(always(`So:\n${graz}\n${long}`, city).said).toBe(graz);
    expect(always(`So: ${graz}${' '.repeat(1 << 20)} and so on`, city).said).toBe(graz);
  });

  it('a stream has begun with what it begins with, and cannot take it back; a whole answer can', () => {
    const text = `{"city": "Graz"}\nThe number was missing:\n${graz}`;
    expect(both(text, city).said).toBe('{"city": "Graz"}');
    expect(both(text, city, true).said).toBe(graz);
  });

  it('only so many values are tried, and only so much text is kept', () => {
    const many = '{"city": 1}\n'.repeat(20);
    expect(always(`So:\n${many}${graz}`, city).said).toBe('{"city": 1}');
    const long = `{"city": "${'G'.repeat(1 << 20)}`;
    expect(both(`So:\n${long}`, city).said).toBe(long);
    const prose = 'word '.repeat(1 << 18);
    expect(always(`Like {"city": "NAME"}: ${prose}${graz}`, city).said).toBe('{"city": "NAME"}');
  });
});

test('where a value that fits stands free in a whole answer, a value that fits is delivered', () => {
  const scraps = fc.constantFrom(
    'So: ',
    '{"city": 1}',
    '{"city": "a", "people": 1, "b": {}}',
    '{}',
    '[1]',
    '{"city": oops}',
    '{x}',
    '```json\n',
    '\n```\n',
    '\n',
    ' and ',
    graz,
  );
  fc.assert(
    fc.property(fc.array(scraps, { maxLength: 8 }), fc.array(scraps, { maxLength: 8 }), (front, after) => {
      const text = `${front.join('')}\n${graz}\n${after.join('')}`;
      const { said } = both(text, city, true);
      expect(said).toBe(graz);
      const streamed = both(text, city).said;
      // What has left is what the reply begins with.
      if (streamed !== graz) expect(text.replaceAll(/```|json|\s/g, '').startsWith('{"city":')).toBe(true);
    }),
    { numRuns: runs(300) },
  );
});

test('a stream and a whole answer hold the same, but where the reply begins with what does not fit', () => {
  const scraps = fc.constantFrom(
    'So: ',
    graz,
    linz,
    '{"city": 1}',
    '{}',
    '{"city": oops}',
    '`',
    '```json\n',
    '\n```\n',
    '\n',
    ' and ',
    '{"city": "Gr',
  );
  fc.assert(
    fc.property(fc.array(scraps, { maxLength: 9 }), cutsOf, (parts, cuts) => {
      const text = parts.join('');
      const streamed = read(text, { schema: city, cuts });
      const whole = read(text, { schema: city, waits: true });
      if (streamed.said !== whole.said) {
        expect(text.replaceAll(/`|json|\s/g, '').startsWith('{"city":')).toBe(true);
        expect(isCity(streamed.said)).toBe(false);
      }
    }),
    { numRuns: runs(500) },
  );
});

test('the only value that fits is delivered wherever it stands, in prose, too', () => {
  const scraps = fc.constantFrom(
    'So: ',
    '{"city": 1}',
    '{}',
    '[1]',
    '{x}',
    '`',
    '```',
    '```json\n',
    '\n',
    ' and ',
    '"',
    ',',
  );
  fc.assert(
    fc.property(
      fc.array(scraps, { maxLength: 8 }),
      fc.array(scraps, { maxLength: 8 }),
      cutsOf,
      (front, after, cuts) => {
        const { said } = read(`${front.join('')} ${graz}${after.join('')}`, { schema: city, waits: true, cuts });
        expect(said).toBe(graz);
      },
    ),
    { numRuns: runs(300) },
  );
});

it('an object leaves while it is written, also in a fence; after prose, when the reply is over', () => {
  const prose = read('Here: {"a": 1}\n Yes.', { cuts: 'chars' });
  expect(prose.said).toBe('{"a": 1}');
  expect(prose.pieces.join('')).toBe('');
  const written = ['\n```js', 'on\n{"a"', ': "b', 'cd', '\\', 'n'];
  const text = written.join('');
  const cuts = written.map((_, index) => written.slice(0, index + 1).join('').length);
  expect(read(text, { cuts }).pieces).toEqual(['', '', '{"a": "b', 'cd', '', '\\n']);
});

it('text that was held back leaves as it was when something else comes', () => {
  const reader = new AnswerReader({ schema: SchemaView.any, fits: () => true, warning: () => {} });
  expect(reader.read('I look at {"a"')).toBe('');
  expect(reader.release()).toBe('I look at {"a"');
  expect(reader.read(': 1} first')).toBe(': 1} first');
});

test('valid JSON leaves exactly as written, whatever is around it and however it is cut', () => {
  const value = fc.oneof(
    fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 }),
    fc.array(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), { minLength: 1, maxLength: 3 }),
  );
  const surroundings = fc.constantFrom(
    ['', ''],
    ['Well:\n', '\nThat is it.'],
    ['```json\n', '\n```'],
    ['A\n```\n', '\n```\nB'],
  );
  fc.assert(
    fc.property(value, surroundings, fc.nat(2), cutsOf, (json, [front, after], indent, cuts) => {
      const written = JSON.stringify(json, null, indent);
      const { said, warnings } = read(`${front}${written}${after}`, { cuts });
      expect(said).toBe(written);
      expect(warnings.length > 0).toBe(front !== '');
    }),
  );
});

test('any text gives the same in any pieces', () => {
  const scraps = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '"',
    "'",
    ':',
    ',',
    '```',
    'json',
    '\n',
    ' ',
    'a',
    '1',
    'true',
    'None',
    '\\',
    '\\u00',
    '\u0001',
    '😀',
  );
  fc.assert(
    fc.property(fc.array(scraps, { maxLength: 40 }), cutsOf, (parts, cuts) => {
      const text = parts.join('');
      const { said, warnings } = read(text, { schema: anyObject });
      const other = read(text, { schema: anyObject, cuts });
      expect({ said: other.said, warnings: other.warnings }).toEqual({ said, warnings });
    }),
    { numRuns: runs(500) },
  );
});

test('nothing that is missing is made up: no proper beginning of an answer becomes JSON', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), fc.nat(), (object, at) => {
      const written = JSON.stringify(object);
      const { said } = read(written.slice(0, at % written.length), { schema: anyObject });
      expect(() => JSON.parse(said)).toThrow();
    }),
  );
});

test('work is linear in what could begin a value', () => {
  expect(growthOf((size) => read('{"'.repeat(size), { cuts: 'chars' }), 3000)).toBeLessThan(1.1);
});
