import { readFileSync } from 'node:fs';
import { type Dialect, type DialectTable, defineTable, dialects, type PastCall, runStage } from '@dragoman/core';
import { bareTables, exampleTables, runs, sample } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deriveFromSource } from './derive-from-source.ts';
import { type Derivation, deriveTable } from './derive-table.ts';
import { type Conversation, sampleTools } from './samples.ts';

const folder = new URL('../../test/chat-templates/', import.meta.url);

function deriveFile(name: string): Promise<Derivation> {
  const source = readFileSync(new URL(`${name}.jinja`, folder), 'utf8');
  return deriveFromSource({ source, variables: {}, eos: '<|im_end|>', hasResponseTemplate: false });
}

const thinking = { opener: '<think>\n', closer: '</think>' };
const result = { opener: '<tool_response>\n', closer: '\n</tool_response>' };
const around = { reasoning: thinking, result, turnEnds: ['<|im_end|>'] };

const headed: DialectTable = {
  call: { form: 'header', opener: '<|call|>', separator: '<|args|>', closer: '<|/call|>', between: '' },
  section: { opener: '<|section|>', closer: '<|/section|>' },
  ...around,
};

/** Numbered by the template itself, or by the index of a call's id. */
const headedIndex: DialectTable = {
  call: {
    form: 'header',
    opener: '<|call|>',
    header: 'functions.{name}:{index}',
    separator: '<|args|>',
    closer: '<|/call|>',
    between: '',
  },
  section: { opener: '<|section|>', closer: '<|/section|>' },
  ...around,
  result: { opener: '## Result of {id}\n', closer: '' },
};

/** What each template of the folder writes, as a table. */
const written: Readonly<Record<string, DialectTable>> = {
  'json-each': { call: { form: 'json', opener: '<do>\n', closer: '\n</do>', between: '\n' }, ...around },
  'json-next': { call: { form: 'json', opener: '<do>\n', closer: '\n</do>', between: '\n' }, ...around },
  'json-text': { call: { form: 'json', opener: '<do>', closer: '</do>', between: '\n' }, ...around },
  'json-list': {
    call: {
      form: 'json',
      opener: '[[CALLS]] ',
      closer: ' [[/CALLS]]',
      grouping: 'list',
      between: ', ',
      keys: { name: 'tool', arguments: 'input', id: 'id' },
    },
    ...around,
  },
  'json-sequence': {
    call: { form: 'json', opener: '<calls>\n', closer: '\n</calls>', grouping: 'sequence', between: '\n' },
    ...around,
  },
  'json-keyed': {
    call: { form: 'json', opener: '<|prefix|>', closer: '<|suffix|>', grouping: 'list', between: ', ', keyed: true },
    ...around,
  },
  'json-bare': { call: { form: 'json', opener: '', closer: '', keys: { arguments: 'parameters' } }, ...around },
  headed,
  // What a message says comes after its calls, in a turn of its own.
  'headed-apart': headed,
  'headed-id': {
    call: { form: 'header', opener: '[USE]', header: '{name}[ID]{id}', separator: '[WITH]', closer: '', between: '' },
    ...around,
    result: { opener: '[RESULT]', closer: '[/RESULT]' },
  },
  'headed-index': headedIndex,
  'headed-numbered': headedIndex,
  'headed-fence': {
    call: { form: 'header', opener: '<｜call｜>', separator: '\n', closer: '<｜/call｜>', fenced: true, between: '' },
    section: { opener: '<｜calls｜>', closer: '<｜/calls｜>' },
    ...around,
  },
  tagged: {
    call: {
      form: 'tags',
      block: { opener: '<do>\n', closer: '\n</do>' },
      opener: '<tool=',
      end: '>\n',
      closer: '</tool>',
      between: '\n',
      parameter: { opener: '<with=', end: '>\n', closer: '\n</with>\n' },
    },
    ...around,
  },
  'tagged-typed': {
    call: {
      form: 'tags',
      opener: '<x:invoke name="',
      end: '">\n',
      closer: '</x:invoke>',
      between: '\n',
      parameter: {
        opener: '<x:with name="',
        end: '">',
        closer: '</x:with>\n',
        typed: { attribute: 'text', text: 'yes', json: 'no' },
      },
    },
    section: { opener: '<x:calls>\n', closer: '\n</x:calls>' },
    ...around,
  },
  'tagged-pairs': {
    call: {
      form: 'tags',
      opener: '<do>',
      end: '\n',
      closer: '</do>',
      between: '\n',
      parameter: { opener: '<key>', end: '</key>\n', value: '<value>', closer: '</value>\n' },
    },
    ...around,
  },
  python: {
    call: { form: 'python', opener: '<|py|>', closer: '<|/py|>', grouping: 'list', between: ', ' },
    ...around,
  },
  ...Object.fromEntries(
    ['turn-tokens', 'turn-tokens-of-roles'].map((name) => [
      name,
      {
        call: { form: 'json', opener: '<do>\n', closer: '\n</do>', between: '\n' },
        reasoning: thinking,
        result: { opener: '<|obs|>', closer: '' },
        turnEnds: ['<|eot|>', '<|im_end|>'],
      } as const,
    ]),
  ),
  gemma: { call: { form: 'gemma', opener: '<|do>', closer: '<do|>', quote: '<|q|>', between: '' }, ...around },
};

describe('a chat template derives to the table of what it writes', () => {
  it.each(sample(Object.entries(written), 4))('%s', async (name, table) => {
    const derivation = await deriveFile(name);
    expect(derivation.table).toEqual(table);
    expect(derivation.builtIn).toEqual({ alsoRead: [] });
    expect(derivation.confidence).toBe(name === 'json-bare' ? 'medium' : 'high');
  });

  it('and says what it could not see', async () => {
    expect((await deriveFile('json-bare')).assumed).toEqual([
      'the template writes one call only; several are assumed to follow each other',
    ]);
    expect((await deriveFile('headed-index')).assumed).toEqual([
      'an id holds the name and the place of its call: the template writes only the id',
    ]);
    expect((await deriveFile('headed-numbered')).assumed).toEqual([]);
  });
});

it('takes no longer for a template that writes endless calls', () => {
  const flood = '{"'.repeat(100_000);
  const derivation = deriveTable(({ messages }) =>
    messages
      .map(({ content, tool_calls }) => `<|x|>${content}${tool_calls ? JSON.stringify(tool_calls) + flood : ''}`)
      .join(''),
  );
  expect(derivation.table).toBeUndefined();
  expect(derivation.confidence).toBe('none');
});

/** A template that writes turns as many models do, and calls and results as a dialect does. */
function templateOf(dialect: Dialect): (conversation: Conversation) => string {
  const turn = (role: string, text: string) => `<|im_start|>${role}\n${text}<|im_end|>\n`;
  return ({ messages, add_generation_prompt }) => {
    const calls: PastCall[] = [];
    const texts = messages.map(({ role, content, tool_calls, tool_call_id }) => {
      const said = typeof content === 'string' ? content : '';
      if (role === 'tool') {
        const call = calls.find(({ callId }) => callId === tool_call_id);
        return call === undefined ? '' : turn('user', dialect.renderResults([{ call, status: 'ok', text: said }]));
      }
      const round = readCalls(tool_calls, calls.length);
      calls.push(...round);
      const written = round.length === 0 ? '' : `\n${dialect.renderCalls(round, sampleTools)}`;
      return turn(String(role), said === '' ? written.trimStart() : said + written);
    });
    return texts.join('') + (add_generation_prompt ? '<|im_start|>assistant\n' : '');
  };
}

function readCalls(given: unknown, before: number): readonly PastCall[] {
  const calls: readonly unknown[] = Array.isArray(given) ? given : [];
  return calls.map((each, index) => {
    const { id, function: call } = Object(each);
    const values: unknown = call.arguments;
    const text = typeof values === 'string' ? values : JSON.stringify(values);
    return { callId: id, nativeId: id, name: call.name, arguments: text, ordinal: before + index };
  });
}

/** What a dialect finds in a reply, its arguments as values. */
function callsIn(dialect: Dialect, reply: string): readonly unknown[] {
  const found: { name: string; json: string }[] = [];
  for (const span of runStage(dialect.createParser({ tools: sampleTools }), [reply])) {
    if (span.kind === 'call') found.push({ name: span.name, json: '' });
    const last = found.at(-1);
    if (span.kind === 'arguments' && last !== undefined) last.json += span.text;
  }
  return found.map(({ name, json }) => ({ name, values: JSON.parse(json) }));
}

const values = fc.record(
  {
    zqkey_a: fc.string(),
    zqkey_b: fc.constantFrom('', 'a\nb', ' a ', '"quoted"', '{"a": 1}', '5', '😀'),
    zqnumber: fc.integer(),
    zqflag: fc.boolean(),
    zqlist: fc.array(fc.oneof(fc.string(), fc.integer()), { maxLength: 3 }),
  },
  { requiredKeys: [] },
);
const round = fc.array(fc.record({ name: fc.constantFrom('zqtool_a', 'zqtool_b'), values }), {
  minLength: 1,
  maxLength: 3,
});

/** The derived table reads whatever the dialect writes. */
function expectReadBack(dialect: Dialect, table: DialectTable): void {
  const derived = defineTable('derived', table);
  fc.assert(
    fc.property(round, (calls) => {
      const past = calls.map((call, ordinal) => ({
        callId: `c${ordinal}`,
        nativeId: `functions.${call.name}:${ordinal}`,
        name: call.name,
        arguments: JSON.stringify(call.values),
        ordinal,
      }));
      const reply = dialect.renderCalls(past, sampleTools);
      const expected = calls.map((call) => ({ ...call, values: JSON.parse(JSON.stringify(call.values)) }));
      expect(callsIn(derived, reply), reply).toEqual(expected);
    }),
    { numRuns: runs(60) },
  );
}

describe('a template that writes as a table says derives to a table that reads it', () => {
  it.each(sample(Object.entries({ ...exampleTables, ...bareTables }), 3))('like %s', (name, table) => {
    const dialect = defineTable(name, table);
    const derivation = deriveTable(templateOf(dialect));
    if (derivation.table === undefined) throw new Error(derivation.contradicted.join());
    expectReadBack(dialect, derivation.table);
  });
});

describe('a template that writes as a built-in dialect does', () => {
  const sure: string[] = [];

  const some = sample([...dialects.keys()], 5);

  it.each(some)('%s is known, and a table that is sure of itself reads it', (id) => {
    const dialect = dialects.get(id);
    if (dialect === undefined) throw new Error(id);
    const derivation = deriveTable(templateOf(dialect));
    expect(derivation.builtIn.same === undefined ? derivation.builtIn.alsoRead : [id]).toContain(id);
    if (derivation.table === undefined || derivation.confidence !== 'high') return;
    expectReadBack(dialect, derivation.table);
    sure.push(id);
  });

  // Not those with tags that are names, tags in tags, fences, channels, numbers of calls, or no marker at all.
  it('most are sure', () => {
    if (some.length === dialects.size) expect(sure.length).toBeGreaterThanOrEqual(36);
    const always = ['hermes', 'kimi-k2', 'deepseek-v3', 'qwen3-coder', 'glm', 'gemma4'];
    expect(sure).toEqual(expect.arrayContaining(always.filter((id) => some.includes(id))));
  });
});
