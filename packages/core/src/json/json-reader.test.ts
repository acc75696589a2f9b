import { runs } from '@dragoman/testkit';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { JsonReader } from './json-reader.ts';
import { SchemaView } from './schema.ts';

interface Reading {
  readonly json: string;
  readonly pieces: readonly string[];
  readonly warnings: readonly string[];
  readonly state: string;
  /** Characters taken before `end`. */
  readonly taken: number;
}

function read(text: string, schema: unknown = {}, cuts: readonly number[] = []): Reading {
  const pieces: string[] = [];
  const warnings: string[] = [];
  const reader = new JsonReader({
    schema: SchemaView.of(schema),
    emit: (json) => pieces.push(json),
    warning: (code) => warnings.push(code),
  });
  let taken = 0;
  const ends = [...cuts, text.length].filter((cut) => cut <= text.length).sort((a, b) => a - b);
  let start = 0;
  for (const end of ends) {
    taken += reader.read(`#${text.slice(start, end)}`, 1) - 1;
    start = end;
  }
  reader.end();
  return { json: pieces.join(''), pieces, warnings, state: reader.state, taken };
}

const everyCut = (text: string): number[] => Array.from({ length: text.length }, (_, index) => index);
const cutsOf = fc.array(fc.nat(200), { maxLength: 20 });

function parses(json: string): boolean {
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}

describe('valid JSON', () => {
  test('D-005 A-133 any value, in any pieces and layout, leaves exactly as written', () => {
    const layout = fc.constantFrom('', ' ', '\t', '  ');
    fc.assert(
      fc.property(fc.jsonValue(), layout, cutsOf, (value, space, cuts) => {
        const text = JSON.stringify(value, null, space);
        expect(read(text, {}, cuts)).toMatchObject({ json: text, state: 'done', warnings: [], taken: text.length });
        expect(read(text, {}, everyCut(text)).json).toBe(text);
      }),
      { numRuns: runs(300) },
    );
  });

  test.each(['1234567890123456789', '-0.10', '1e3', '1E-7', '42.0', '[1.50, 2e10]', '{"a":9007199254740993}'])(
    'the number text of %s is kept',
    (text) => {
      expect(read(text)).toMatchObject({ json: text, state: 'done' });
      expect(read(text, {}, everyCut(text)).json).toBe(text);
    },
  );

  test('escapes, surrogates and markers inside strings are kept as written', () => {
    const text = '{"a":"\\u00e9\\/\\n\\ud83d\\ude00 😀 </tool_call> {[,]} \\\\"}';
    for (const cuts of [[], everyCut(text)]) {
      expect(read(text, {}, cuts)).toMatchObject({ json: text, state: 'done', warnings: [] });
    }
  });

  test('white space around the value is not part of it', () => {
    expect(read(' \n {"a": 1} \n')).toMatchObject({ json: '{"a": 1}', taken: 11, state: 'done' });
    expect(read('  5  ')).toMatchObject({ json: '5', taken: 3 });
  });

  test('reading stops after the value', () => {
    expect(read('{"a":1}}</tool_call>')).toMatchObject({ json: '{"a":1}', taken: 7, state: 'done' });
    expect(read('12,')).toMatchObject({ json: '12', taken: 2, state: 'done' });
    expect(read('truex')).toMatchObject({ json: 'true', taken: 4, state: 'done' });
  });

  test('what is certain leaves at once, in one piece per read', () => {
    expect(read('{"a": "some text", "b": [tru', {}, [10]).pieces).toEqual(['{"a": "som', 'e text", "b": [']);
    expect(read('{"a": "x\\', {}).json).toBe('{"a": "x');
    expect(read('{"a": 12', {}).json).toBe('{"a": ');
    expect(read('{"a": 1,  ', {}).json).toBe('{"a": 1');
  });
});

describe('repairs', () => {
  test.each<[string, string, string]>([
    ['raw newlines and tabs', '{"a":"x\n\ty\u0001"}', '{"a":"x\\n\\ty\\u0001"}'],
    ['trailing comma in an object', '{"a":1 , \n}', '{"a":1  \n}'],
    ['trailing comma in a list', '[1,2,]', '[1,2]'],
    ['single quotes', `{'a': 'say "hi" it\\'s'}`, `{"a": "say \\"hi\\" it's"}`],
    ['escaped double quotes in single quotes', `['\\"']`, '["\\""]'],
    ['unknown escapes', '{"a":"\\d\\w+\\x41"}', '{"a":"\\\\d\\\\w+\\\\x41"}'],
    ['an escaped single quote', `{"a":"it\\'s"}`, `{"a":"it's"}`],
    ['a broken unicode escape', '{"a":"\\u12G \\u"}', '{"a":"\\\\u12G \\\\u"}'],
    ['a backslash before a newline', '["\\\n"]', '["\\\\\\n"]'],
    ['Python literals', '[True, False, None]', '[true, false, null]'],
    ['keys without quotes', '{path: "a", $x_1 : 2}', '{"path": "a", "$x_1" : 2}'],
  ])('D-006 %s', (_title, text, json) => {
    for (const cuts of [[], everyCut(text)]) {
      const reading = read(text, {}, cuts);
      expect(reading).toMatchObject({ json, state: 'done', taken: text.length });
      expect(new Set(reading.warnings)).toEqual(new Set(['json-repaired']));
    }
    expect(parses(json)).toBe(true);
  });

  test('each kind is reported once', () => {
    expect(read(`{'a': 'x', 'b': ['y',], 'c': [1,],}`).warnings).toEqual(['json-repaired', 'json-repaired']);
  });

  test.each<[string, number]>([
    ['{"a":1', 6],
    ['{"a":[1}', 7],
    ['{"a" 1}', 5],
    ['{"a":1,,}', 7],
    ['[,1]', 1],
    ['{,}', 1],
    ['[1 2]', 3],
    ['[007]', 2],
    ['[+5]', 1],
    ['[.5]', 1],
    ['[1.]', 3],
    ['[1e+]', 4],
    ['[-]', 2],
    ['[NaN]', 2],
    ['[nul]', 4],
    ['{"a":1<', 6],
    ['{1:2}', 1],
    ['{a-b:1}', 2],
    [`{'it's':1}`, 5],
    ['<', 0],
    ['}', 0],
  ])('%s is not completed, and stops where it cannot go on', (text, taken) => {
    for (const cuts of [[], everyCut(text)]) {
      const reading = read(text, {}, cuts);
      expect(reading.state).toBe(text === '{"a":1' ? 'open' : 'broken');
      expect(reading.taken).toBe(taken);
      expect(parses(reading.json)).toBe(false);
    }
  });
});

describe('coercion', () => {
  const schema = {
    $defs: { point: { type: 'object', properties: { x: { type: 'number' } } } },
    type: 'object',
    properties: {
      count: { type: 'integer' },
      flag: { type: 'boolean' },
      name: { type: 'string' },
      note: { type: ['string', 'null'] },
      list: { type: 'array', items: { type: 'integer' } },
      point: { $ref: '#/$defs/point' },
      points: { type: 'array', items: { $ref: '#/$defs/point' } },
    },
  };

  test.each<[string, string, string]>([
    ['E-054 a number', '{"count":"5","name":"5"}', '{"count":5,"name":"5"}'],
    ['a long number', '{"count":"1234567890123456789"}', '{"count":1234567890123456789}'],
    ['a boolean', '{"flag": "true", "name": "true"}', '{"flag": true, "name": "true"}'],
    ['a list', '{"list":"[1,\\"2\\"]"}', '{"list":[1,2]}'],
    ['E-053 an object', '{"point":"{\\"x\\": \\"1.5\\"}"}', '{"point":{"x": 1.5}}'],
    ['at depth', '{"points":[{"x":1},{"x":"2"}]}', '{"points":[{"x":1},{"x":2}]}'],
    ['in single quotes', `{'count': '5'}`, '{"count": 5}'],
    ['under an escaped key', '{"c\\u006funt":"5"}', '{"c\\u006funt":5}'],
    ['under a bare key', '{count:"5"}', '{"count":5}'],
  ])('%s', (_title, text, json) => {
    for (const cuts of [[], everyCut(text)]) {
      const reading = read(text, schema, cuts);
      expect(reading).toMatchObject({ json, state: 'done' });
      expect(reading.warnings.filter((code) => code === 'value-coerced')).toEqual(['value-coerced']);
    }
  });

  test.each(['{"count":"many","list":"1,2"}', '{"count":"\\u0037x"}', '{"count":""}', '{"point":"\\"{}\\""}'])(
    '%s does not fit and stays as written',
    (text) => {
      expect(read(text, schema)).toMatchObject({ json: text, state: 'done', warnings: ['value-kept'] });
    },
  );

  test.each([
    '{"name":"{\\"x\\":1}","note":"null"}',
    '{"name":5,"count":true,"other":"5"}',
    '{"note":null,"count":1.5}',
  ])('E-053 %s is left alone', (text) => {
    expect(read(text, schema)).toMatchObject({ json: text, state: 'done', warnings: [] });
  });

  test('a held string has a limit, wherever the text is cut', () => {
    const text = `{"count":"${'x'.repeat(1 << 20)}"}`;
    const whole = read(text, schema);
    expect(whole).toMatchObject({ json: '{"count":', state: 'broken' });
    expect(read(text, schema, [50, 5000, 1 << 20, (1 << 20) + 9])).toMatchObject({
      json: whole.json,
      taken: whole.taken,
    });
    expect(read(`{"count":"${'x'.repeat(1000)}"}`, schema).state).toBe('done');
  });
});

describe('hostile text', () => {
  const pieces = [
    ...['{', '}', '[', ']', ',', ':', '"', "'", '\\', '\n', ' ', 'u12', 'd', 'a', 'true', 'None', '0', '-1.5', 'e3'],
    ...['"a":', '{"n":"5"}', '\\"', '\ud83d', '<'],
  ];
  const text = fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((parts) => parts.join(''));
  const schema = { properties: { a: { type: 'integer' }, n: { type: 'integer' } }, items: { type: 'array' } };

  test('cuts do not matter, and only a done reading parses', () => {
    fc.assert(
      fc.property(text, cutsOf, fc.boolean(), (input, cuts, typed) => {
        const { pieces: _, ...whole } = read(input, typed ? schema : {});
        expect(read(input, typed ? schema : {}, cuts)).toMatchObject(whole);
        expect(read(input, typed ? schema : {}, everyCut(input))).toMatchObject(whole);
        expect(parses(whole.json)).toBe(whole.state === 'done');
      }),
      { numRuns: runs(2000) },
    );
  });

  test('B-194 an object that is cut off stays open, and no prefix of what it emits is valid', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 }), (value) => {
        const input = JSON.stringify(value);
        for (let length = 0; length < input.length; length += 1) {
          const { state, json } = read(input.slice(0, length));
          expect(state).toBe('open');
          expect(parses(json)).toBe(false);
        }
      }),
      { numRuns: runs(100) },
    );
  });

  test('512 levels are read, one more is broken', () => {
    expect(read('['.repeat(512) + ']'.repeat(512)).state).toBe('done');
    expect(read('['.repeat(513))).toMatchObject({ state: 'broken', taken: 512 });
    expect(read('{"a":'.repeat(100_000)).state).toBe('broken');
  });

  test('numbers and white space after a comma have a limit', () => {
    expect(read(`[${'1'.repeat((1 << 20) + 1)}]`).state).toBe('broken');
    expect(read(`[1,${' '.repeat((1 << 20) + 1)}]`).state).toBe('broken');
  });
});

describe('work', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test.each<[string, (size: number) => string]>([
    ['one long string', (size) => `{"a":"${'x\\n"'.replace('"', '').repeat(size)}"}`],
    ['many members', (size) => `{"a":[${'{"b":1},'.repeat(size)}]}`],
    ['stringified values', (size) => `{"n":[${'"12",'.repeat(size)}]}`],
    ['brackets only', (size) => `[${'[],'.repeat(size)}]`],
  ])('each character of %s is looked at a constant number of times', (_title, make) => {
    const schema = { properties: { n: { type: 'array', items: { type: 'integer' } } } };
    const looks = (size: number): number => {
      const text = make(size);
      const reader = new JsonReader({ schema: SchemaView.of(schema), emit: () => {}, warning: () => {} });
      const spy = vi.spyOn(String.prototype, 'charCodeAt');
      for (let at = 0; at < text.length; at += 4) reader.read(text.slice(at, at + 4), 0);
      const count = spy.mock.calls.length;
      spy.mockRestore();
      return count / text.length;
    };
    expect(looks(4000)).toBeGreaterThan(0.9);
    expect(looks(4000)).toBeLessThan(8);
    expect(looks(4000)).toBeLessThan(looks(400) * 1.05);
  });
});

describe('keys that come twice', () => {
  test.each<[string, string]>([
    ['{"a":1,"a":2}', '{"a":1}'],
    ['{"a":1,"a":2,"b":3}', '{"a":1,"b":3}'],
    ['{"a":1, "b":3, "a" : {"a":[1,{"x":"}"}],"a":0,}, "c":4}', '{"a":1, "b":3, "c":4}'],
    ['{"a":1,"\\u0061":2}', '{"a":1}'],
    ["{'a':1,a:2,'b':\"}\"}", '{"a":1,"b":"}"}'],
    ['{"o":{"a":1,"a":2},"p":{"a":1}}', '{"o":{"a":1},"p":{"a":1}}'],
    ['[{"a":1},{"a":2,"b":[],"b":[]}]', '[{"a":1},{"a":2,"b":[]}]'],
    ['{"":1,"":2}', '{"":1}'],
    ['{"a":1,"a":2,}', '{"a":1}'],
  ])('of %j the first one counts, whatever the cuts', (text, json) => {
    for (const cuts of [[], everyCut(text)]) {
      for (const schema of [{}, { type: 'object', properties: { a: {}, b: {} } }]) {
        const found = read(text, schema, cuts);
        expect(found).toMatchObject({ json, state: 'done', taken: text.length });
        expect(found.warnings.filter((code) => code === 'parameter-repeated')).toHaveLength(1);
      }
    }
  });

  test('nothing is told of what is left out, and nothing in it is brought to a type', () => {
    const schema = { properties: { a: { type: 'integer' } } };
    expect(read('{"a":1,"a":"2"}', schema)).toMatchObject({ json: '{"a":1}', warnings: ['parameter-repeated'] });
    expect(read('{"a":1,"a":\'2\',"b":True}', schema).warnings).toEqual(['parameter-repeated', 'json-repaired']);
  });

  test('many keys are told apart, and many objects one after the other', () => {
    const members = Array.from({ length: 40 }, (_, index) => `"k${index}":{"x":${index}}`);
    expect(read(`{${members.join(',')}}`)).toMatchObject({ json: `{${members.join(',')}}`, warnings: [] });
    for (const index of [0, 5, 9, 39]) {
      const found = read(`{${members.join(',')},"k${index}":0,"end":1}`);
      expect(found).toMatchObject({ json: `{${members.join(',')},"end":1}`, warnings: ['parameter-repeated'] });
    }
  });

  test('brackets that are missing inside the member are not put in its place', () => {
    const pieces: string[] = [];
    const warning = vi.fn();
    const reader = new JsonReader({ schema: SchemaView.any, emit: (json) => pieces.push(json), warning });
    reader.read('{"o":{"a":1,"a":[{"b":2</end>', 0);
    expect(reader.closeContainers()).toBe(true);
    expect(pieces.join('')).toBe('{"o":{"a":1}}');
  });

  test('any JSON with repeated keys becomes what a reader of first keys makes of it (property)', () => {
    type Node = string | readonly Node[] | { readonly members: readonly (readonly [string, Node])[] };
    const { node } = fc.letrec<{ node: Node }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom<Node>('1', '"a"', 'null', '"}"', '"\\""'),
        fc.array(tie('node'), { maxLength: 3 }),
        fc
          .array(fc.tuple(fc.constantFrom('"a"', '"\\u0061"', '"b"', '"c d"'), tie('node')), { maxLength: 5 })
          .map((members) => ({ members })),
      ),
    }));
    const write = (value: Node, all: boolean): string => {
      if (typeof value === 'string') return value;
      if (!('members' in value)) return `[${value.map((item) => write(item, all)).join(',')}]`;
      const seen = new Set<unknown>();
      const kept = value.members.filter(([key]) => {
        const isNew = !seen.has(JSON.parse(key));
        seen.add(JSON.parse(key));
        return all || isNew;
      });
      return `{${kept.map(([key, item]) => `${key}:${write(item, all)}`).join(',')}}`;
    };
    fc.assert(
      fc.property(node, cutsOf, (value, cuts) => {
        const text = write(value, true);
        const json = write(value, false);
        const warnings = text === json ? [] : ['parameter-repeated'];
        expect(read(text, {}, cuts)).toMatchObject({ json, warnings, taken: text.length });
      }),
      { numRuns: runs(500) },
    );
  });
});

describe('comments', () => {
  test.each([
    ['behind a value', '{"a": 1 // one\n}', '{"a": 1 \n}'],
    ['behind a comma', '{"a": 1, // one\r\n "b": 2}', '{"a": 1, \r\n "b": 2}'],
    ['behind a last comma', '[1, /* no more */ ]', '[1  ]'],
    ['in front of a key, a colon and a value', '{/* k */"a"/* c */:/* v */1}', '{"a":1}'],
    ['behind a number and a word', '[1/**/,true//\n,2]', '[1,true\n,2]'],
    ['with stars, quotation marks and braces', '{"a": 1 /***"}*/}', '{"a": 1 }'],
    ['in a member that comes twice', '{"a": 1, /* again */ "a": 2 /* no */}', '{"a": 1 }'],
  ])('%s are left out', (_, text, json) => {
    const found = read(text);
    expect(found).toMatchObject({ json, state: 'done' });
    expect(found.warnings).toContain('json-repaired');
    expect(parses(found.json)).toBe(true);
    expect(read(text, {}, everyCut(text))).toMatchObject({ json, warnings: found.warnings, taken: found.taken });
  });

  test('inside strings they are text, and outside of objects and lists they are none', () => {
    const text = '{"a": "http://b /* c */"}';
    expect(read(text)).toMatchObject({ json: text, state: 'done', warnings: [] });
    expect(read('// a\n{}')).toMatchObject({ state: 'broken', taken: 0 });
  });

  test('a lone slash breaks the value at one place, whatever the cuts', () => {
    for (const text of ['[1 / 2]', '{"a": /x/}', '{"a": 1 / /']) {
      const found = read(text);
      expect(found.state).toBe('broken');
      expect(read(text, {}, everyCut(text))).toMatchObject({ json: found.json, taken: found.taken, warnings: [] });
    }
  });

  test('anywhere between the parts of a value, in any pieces: the value is the same, and told once (property)', () => {
    const comment = fc.constantFrom('//\n', '// a } " , \n', '/**/', '/* ] " // */', '/***/ //x\r', '\n');
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.array(comment, { minLength: 1, maxLength: 30 }),
        cutsOf,
        (value, comments, cuts) => {
          fc.pre(typeof value === 'object' && value !== null);
          // After each mark of structure that is in no string.
          let next = 0;
          let inString = false;
          let text = '';
          for (const [at, sign] of [...JSON.stringify(value)].entries()) {
            if (sign === '"' && !JSON.stringify(value).slice(0, at).endsWith('\\')) inString = !inString;
            text += sign;
            if (!inString && '[{,:'.includes(sign)) text += comments[next++ % comments.length];
          }
          fc.pre(!JSON.stringify(value).includes('\\'));
          const found = read(text, {}, cuts);
          expect(found.state).toBe('done');
          expect(JSON.stringify(JSON.parse(found.json))).toBe(JSON.stringify(value));
          expect(found.warnings.length).toBeLessThan(2);
          expect(read(text)).toMatchObject({ json: found.json, warnings: found.warnings });
        },
      ),
      { numRuns: runs(300) },
    );
  });
});
