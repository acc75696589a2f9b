import { runs } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ArgumentsReader } from './arguments-reader.ts';
import { SchemaView } from './schema.ts';

interface Reading {
  readonly json: string;
  readonly warnings: readonly string[];
  readonly state: string;
  readonly taken: number;
}

interface How {
  readonly schema?: unknown;
  readonly cuts?: readonly number[];
}

function read(text: string, { schema = {}, cuts = [] }: How = {}): Reading {
  const warnings: string[] = [];
  let json = '';
  const reader = new ArgumentsReader({
    schema: SchemaView.of(schema),
    emit: (piece) => {
      json += piece;
    },
    warning: (code) => warnings.push(code),
  });
  let taken = 0;
  let start = 0;
  for (const end of [...cuts, text.length].filter((cut) => cut <= text.length).sort((a, b) => a - b)) {
    taken += reader.read(`#${text.slice(start, end)}`, 1) - 1;
    start = end;
  }
  reader.end();
  return { json, warnings, state: reader.state, taken };
}

const everyCut = (text: string): number[] => Array.from({ length: text.length }, (_, index) => index);
const cutsOf = fc.array(fc.nat(200), { maxLength: 20 });
const object = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 5 });

function parses(json: string): boolean {
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}

function both(text: string, how: How = {}): Reading {
  const whole = read(text, how);
  expect(read(text, { ...how, cuts: everyCut(text) })).toEqual(whole);
  return whole;
}

describe('an object', () => {
  test('A-133 E-055 any object, in any pieces, leaves exactly as written', () => {
    fc.assert(
      fc.property(object, cutsOf, (value, cuts) => {
        const json = JSON.stringify(value, null, 1);
        expect(read(json, { cuts })).toEqual({ json, warnings: [], state: 'done', taken: json.length });
      }),
    );
  });

  test('nothing is read or emitted after it', () => {
    expect(both('{"a":{"b":1}} trailing')).toMatchObject({ json: '{"a":{"b":1}}', state: 'done', taken: 13 });
  });

  test('it is repaired and coerced inside', () => {
    const schema = { properties: { n: { type: 'integer' } } };
    expect(both(`{'n': "5",}`, { schema })).toMatchObject({ json: '{"n": 5}', state: 'done' });
  });

  test.each<[string, string]>([
    ['{{"a":1}}', '{"a":1}'],
    ['{ {"a":{"b":2}} }', '{ "a":{"b":2}}'],
    ['{{}}', '{}'],
  ])('doubled braces: %s', (text, json) => {
    expect(both(text)).toEqual({ json, warnings: ['json-repaired'], state: 'done', taken: text.length });
  });

  test.each(['{{"a":1}', '{{}', '{{"a":1}<', '{{"a":1},{}}', '{{{"a":1}}}'])(
    'B-194 %s has a brace too few or too many and never looks complete',
    (text) => {
      const reading = both(text);
      expect(reading.state).not.toBe('done');
      expect(parses(reading.json)).toBe(false);
    },
  );
});

describe('a string that holds the object', () => {
  test('D-007 E-053 any object is decoded on the fly', () => {
    fc.assert(
      fc.property(object, cutsOf, (value, cuts) => {
        const json = JSON.stringify(value);
        const text = JSON.stringify(json);
        expect(read(text, { cuts })).toEqual({ json, warnings: ['value-coerced'], state: 'done', taken: text.length });
      }),
    );
  });

  test('it leaves while it is written', () => {
    expect(read('"{\\"path\\": \\"src/ma').json).toBe('{"path": "src/ma');
  });

  test('string parameters inside stay strings', () => {
    const schema = { properties: { s: { type: 'string' }, n: { type: 'integer' } } };
    const text = JSON.stringify(JSON.stringify({ s: '{"x":1}', n: '7' }));
    expect(both(text, { schema }).json).toBe('{"s":"{\\"x\\":1}","n":7}');
  });

  test.each<[string, string]>([
    [`'{"a": 1}'`, '{"a": 1}'],
    ['" {} "', '{}'],
    ['""', '{}'],
    ['"null"', '{}'],
    ['"{\n\\"a\\": \\"\\\\d\\"}"', '{\n"a": "\\\\d"}'],
    ['"{\\"a\\":\\"\\u00e9\\d\\"}"', '{"a":"é\\\\d"}'],
    ['"\\u007b\\u007d"', '{}'],
  ])('%j', (text, json) => {
    expect(both(text)).toMatchObject({ json, state: 'done', taken: text.length });
  });

  test.each([
    '"{\\"a\\":1}',
    '"{\\"a\\":1} x"',
    '"{"a":1}"',
    '"[1]"',
    '"5"',
    '"\\"{}\\""',
    '"{\\"a\\":1"',
    '"{}\\n\\u12"',
    '"nul"',
  ])('D-007 %s does not hold one object and never looks complete', (text) => {
    const reading = both(text);
    expect(reading.state).not.toBe('done');
    expect(parses(reading.json)).toBe(false);
    expect(reading.warnings).not.toContain('value-coerced');
  });
});

describe('nothing', () => {
  test('D-007 no text and null are an empty object', () => {
    expect(both('')).toEqual({ json: '{}', warnings: [], state: 'done', taken: 0 });
    expect(both(' \n ')).toMatchObject({ json: '{}', state: 'done' });
    expect(both(' null ')).toEqual({ json: '{}', warnings: [], state: 'done', taken: 5 });
    expect(both('None')).toEqual({ json: '{}', warnings: ['json-repaired'], state: 'done', taken: 4 });
  });
});

test.each<[string, number]>([
  ['[1]', 0],
  ['5', 0],
  ['true', 0],
  [' text', 1],
  ['</tool_call>', 0],
  ['nul}', 3],
  ['"[1]"', 1],
])('D-007 %s is broken before anything was emitted', (text, taken) => {
  expect(both(text)).toEqual({ json: '', warnings: [], state: 'broken', taken });
});

test('B-194 whatever comes, in whatever pieces: only a done reading parses, and no prefix of it does', () => {
  const parts = [
    '{',
    '}',
    '"',
    "'",
    '\\',
    '\\"',
    'a',
    ':',
    ',',
    '1',
    ' ',
    '{"a":1}',
    'null',
    '"a":',
    '\\\\',
    'u007d',
    '[',
  ];
  const text = fc.array(fc.constantFrom(...parts), { maxLength: 16 }).map((list) => list.join(''));
  fc.assert(
    fc.property(text, cutsOf, (input, cuts) => {
      const whole = read(input);
      expect(read(input, { cuts })).toEqual(whole);
      expect(read(input, { cuts: everyCut(input) })).toEqual(whole);
      expect(parses(whole.json)).toBe(whole.state === 'done');
      for (let end = 0; end < whole.json.length; end += 1) expect(parses(whole.json.slice(0, end))).toBe(false);
    }),
    { numRuns: runs(3000) },
  );
});

describe('closing brackets that are missing', () => {
  const closed = (text: string): string | undefined => {
    let json = '';
    const reader = new ArgumentsReader({
      schema: SchemaView.any,
      emit: (piece) => {
        json += piece;
      },
      warning: () => {},
    });
    reader.read(`${text}<`, 0);
    return reader.closeContainers() ? json : undefined;
  };

  test.each([
    ['{"a":1', '{"a":1}'],
    ['{"a":"b"', '{"a":"b"}'],
    ['{"a":[{"b":[true', '{"a":[{"b":[true]}]}'],
    ['{"a":[] ', '{"a":[] }'],
  ])('%s are added after a value', (text, json) => {
    expect(closed(text)).toBe(json);
  });

  test.each(['{', '{"a"', '{"a":', '{"a":1,', '{"a":"b', '{{"a":1', '"{', '[1', '', '{"a":1}'])(
    '%s is not closed: more than brackets is missing, or nothing',
    (text) => {
      expect(closed(text)).toBeUndefined();
    },
  );
});
