import { anySample, chatRequest, Grammar, runs, sample, seededRandom } from '@dragoman/testkit';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collect } from '../chat/collect.ts';
import type { ChatEvent } from '../chat/event.ts';
import type { ToolChoice, ToolDefinition } from '../chat/tool.ts';
import { dialects } from '../dialects/registry.ts';
import { askTextModel } from '../library/text-model.ts';
import { defaultModelRule } from '../plan/rules.ts';
import { constrainCalls } from '../prepare/constrain-calls.ts';
import { runStage } from '../stream/stage.ts';
import { callForms } from './call-forms.ts';
import { finish } from './steps.ts';
import { writeGbnf } from './write-gbnf.ts';

const tools: readonly ToolDefinition[] = [
  { name: 'list', inputSchema: { type: 'object', properties: {} } },
  {
    name: 'read_file',
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string' }, limit: { type: 'integer', minimum: 1 }, raw: { type: 'boolean' } },
      required: ['path'],
      additionalProperties: false,
    },
  },
  {
    name: 'plan',
    inputSchema: {
      type: 'object',
      properties: {
        mode: { enum: ['fast', 'say "no"', 'a\\b\n]}'] },
        steps: { type: 'array', items: { $ref: '#/$defs/step' }, minItems: 1 },
        rate: { anyOf: [{ type: 'number' }, { type: 'null' }] },
      },
      required: ['mode', 'steps'],
      additionalProperties: false,
      $defs: {
        step: {
          type: 'object',
          properties: {
            title: { type: 'string', maxLength: 20 },
            after: { type: 'array', items: { $ref: '#/$defs/step' } },
          },
          required: ['title'],
          additionalProperties: false,
        },
      },
    },
  },
];

const ofSeveralTypes = /"(anyOf|oneOf|allOf|enum|const)":|"type":\[|\{\}/;

const all = [...dialects.values()];
const asWritten = all.filter((dialect) => finish(callForms(dialect, { tools, choice: 'required' })) !== undefined);
const ajv = new Ajv2020({ strict: false });
const fits = new Map(tools.map(({ name, inputSchema }) => [name, ajv.compile(inputSchema)]));

function grammarOf(dialect: (typeof all)[number], choice: ToolChoice, parallel = true, maxCalls?: number): Grammar {
  const request = chatRequest({ tools, toolChoice: choice, parallelToolCalls: parallel });
  const policy = { ...defaultModelRule.policy, ...(maxCalls === undefined ? {} : { maxCalls }) };
  const rule = { constrainCalls: choice === 'auto' ? 'free' : 'auto', outputFormat: 'auto', policy } as const;
  const { asked } = constrainCalls(request, { dialect, rule, wire: {}, takes: 'grammar' });
  return new Grammar(asked.grammar ?? '');
}

const callOf = (values: object) => {
  return { callId: 'call_1', name: 'list', arguments: JSON.stringify(values), ordinal: 0 };
};

function read(text: string, dialect: (typeof all)[number], choice: ToolChoice, given = tools) {
  const request = chatRequest({ tools: given, toolChoice: choice });
  const events: ChatEvent[] = [
    { type: 'message-start', id: 'x', model: 'm' },
    { type: 'text-start', block: 0 },
    { type: 'text-delta', block: 0, text },
    { type: 'text-end', block: 0 },
    { type: 'message-end', finishReason: 'stop' },
  ];
  const { content } = collect(runStage(askTextModel(request, { dialect }).read, events));
  return {
    said: content
      .flatMap((part) => (part.type === 'text' ? [part.text] : []))
      .join('')
      .trim(),
    calls: content.flatMap((part) => (part.type === 'tool-call' ? [part] : [])),
  };
}

it('can be said of every dialect', () => {
  expect(all.filter((dialect) => !asWritten.includes(dialect)).map(({ id }) => id)).toEqual([]);
});

it('as many calls as a model likes, and a few where it has to begin with one', () => {
  const [dialect] = all.filter(({ id }) => id === 'hermes');
  if (dialect === undefined) throw new Error('There is no hermes.');
  const many = Array.from({ length: 20 }, (_, ordinal) => ({ ...callOf({}), callId: `call_${ordinal}`, ordinal }));
  const text = dialect.renderCalls(many, tools);
  expect(grammarOf(dialect, 'auto').accepts(text)).toBe(true);
  expect(grammarOf(dialect, 'required').accepts(text)).toBe(false);
  expect(grammarOf(dialect, 'required', true, 30).accepts(text)).toBe(true);
});

describe.each(sample(all, 5).map((dialect) => [dialect.id, dialect] as const))('%s', (_, dialect) => {
  it.each<[string, ToolChoice]>([
    ['whatever is written where a call is required, is calls that fit', 'required'],
    ['and of a named tool, one call of it', { name: 'plan' }],
  ])('%s', (_, choice) => {
    const grammar = grammarOf(dialect, choice);
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const text = grammar.draw(seededRandom(seed));
        expect(grammar.accepts(text), text).toBe(true);
        const { said, calls } = read(text, dialect, choice);
        expect(said, text).toBe('');
        expect(calls.length, text).toBeGreaterThan(0);
        if (typeof choice === 'object') expect(calls.map(({ name }) => name)).toEqual([choice.name]);
        for (const call of calls) {
          const check = fits.get(call.name);
          expect(check?.(JSON.parse(call.arguments)), `${text}\n${JSON.stringify(check?.errors)}`).toBe(true);
        }
      }),
      { numRuns: runs(20) },
    );
  });
});

describe.each(sample(asWritten, 5).map((dialect) => [dialect.id, dialect] as const))('%s', (_, dialect) => {
  const rendered = (name: string, values: object) =>
    dialect.renderCalls([{ callId: 'call_1', name, arguments: JSON.stringify(values), ordinal: 0 }], tools);
  const grammar = grammarOf(dialect, 'required');

  it('what the dialect writes for calls that fit, may be written', () => {
    expect(grammar.accepts(rendered('list', {}))).toBe(true);
    expect(grammar.accepts(rendered('read_file', { path: 'a "b" \\ → 𝄞\n', limit: 3 }))).toBe(true);
    const steps = [{ title: 'one', after: [{ title: 'two', after: [] }] }];
    expect(grammar.accepts(rendered('plan', { mode: 'say "no"', steps, rate: -1.5e3 }))).toBe(true);
  });

  it('also for any schemas that agents write, and nothing else of them', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = seededRandom(seed);
        const samples = [anySample(random, 1), anySample(random, 2)];
        const some = samples.map(({ schema }, at): ToolDefinition => {
          const inputSchema = {
            type: 'object',
            properties: { value: schema },
            required: ['value'],
            additionalProperties: false,
          };
          return { name: `tool_${at}`, inputSchema };
        });
        const forms = finish(callForms(dialect, { tools: some, choice: 'required' }));
        // Where the marks of a dialect depend on the type of a value, and a schema does not tell it, there is none.
        fc.pre(forms !== undefined);
        const any = new Grammar(finish(writeGbnf(forms?.calls ?? '')).grammar);
        for (const [at, { value }] of samples.entries()) {
          const call = { callId: 'c', name: `tool_${at}`, arguments: JSON.stringify({ value }), ordinal: 0 };
          // Tags inside of tags are said of values of one type; all others are JSON in the grammar, which is read as well.
          const isSaid = !('nested' in dialect.table.call) || !JSON.stringify(some[at]).match(ofSeveralTypes);
          if (isSaid)
            expect(any.accepts(dialect.renderCalls([call], some)), JSON.stringify({ some, value })).toBe(true);
          expect(any.accepts(dialect.renderCalls([{ ...call, arguments: '{}' }], some))).toBe(false);
          expect(any.accepts(dialect.renderCalls([{ ...call, name: 'tool_2' }], some))).toBe(false);
        }
      }),
      { numRuns: runs(2) },
    );
  });

  // Where a parameter is called again after its value, a grammar cannot say that both are the same.
  const isNamedTwice = dialect.renderCalls([callOf({ dragomanKey: 'x' })], []).split('dragomanKey').length > 2;

  it('arguments that a schema does not name may be there, whatever they are called', () => {
    const open = [{ name: 'run', inputSchema: { type: 'object', properties: { command: { type: 'string' } } } }];
    const forms = finish(callForms(dialect, { tools: open, choice: 'required' }));
    const any = new Grammar(finish(writeGbnf(forms?.calls ?? '')).grammar);
    const values = { command: 'ls', other: 1, 'dry-run': true, 'a.b c': ['x'], schlüssel: 'y' };
    for (const some of [values, { command: 'ls', $ref: { a: null } }, { 'dry-run': 'x' }, { other: 'x' }, {}]) {
      const text = dialect.renderCalls([{ ...callOf(some), name: 'run' }], open);
      const isNamed = Object.keys(some).every((key) => key === 'command');
      expect(any.accepts(text), text).toBe(isNamed || !isNamedTwice);
    }
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const text = any.draw(seededRandom(seed));
        const { said, calls } = read(text, dialect, 'required', open);
        expect(said, text).toBe('');
        expect(calls.length, text).toBeGreaterThan(0);
        for (const call of calls) expect(JSON.parse(call.arguments), text).toBeTypeOf('object');
      }),
      { numRuns: runs(20) },
    );
  });

  it('arguments are an object, also where their schema does not say so', () => {
    for (const inputSchema of [{}, { properties: { a: { type: 'number' } } }, { required: ['a'] }]) {
      const open = [{ name: 'run', inputSchema }];
      const forms = finish(callForms(dialect, { tools: open, choice: 'required' }));
      const any = new Grammar(finish(writeGbnf(forms?.calls ?? '')).grammar);
      expect(any.accepts(dialect.renderCalls([{ ...callOf({ a: 1 }), name: 'run' }], open))).toBe(
        !isNamedTwice || JSON.stringify(inputSchema) !== '{}',
      );
      for (const seed of [1, 2, 3]) {
        const text = any.draw(seededRandom(seed));
        for (const { arguments: values } of read(text, dialect, 'required', open).calls)
          expect(JSON.parse(values), text).toBeTypeOf('object');
      }
    }
  });

  it('what does not fit, may not', () => {
    for (const [name, values] of [
      ['delete', {}],
      ['read_file', {}],
      ['read_file', { path: 1 }],
      ['read_file', { path: 'a', other: 1 }],
      ['plan', { mode: 'slow', steps: [{ title: 'x' }] }],
      ['plan', { mode: 'fast', steps: [] }],
      ['plan', { mode: 'fast', steps: [{ title: 'x'.repeat(21) }] }],
    ] as const) {
      // Between tags, a number is the text of its digits as well.
      if (name === 'read_file' && rendered(name, values) === rendered(name, { path: '1' })) continue;
      // Between tokens and tags, characters cannot be counted.
      if (
        (dialect.table.call.form === 'gemma' || 'nested' in dialect.table.call) &&
        JSON.stringify(values).includes('xxx')
      )
        continue;
      expect(grammar.accepts(rendered(name, values)), `${name} ${JSON.stringify(values)}`).toBe(false);
    }
    expect(grammar.accepts('I look.')).toBe(false);
  });

  it('thinks first where it likes, and calls or says something where nothing is required', () => {
    const call = rendered('read_file', { path: 'a' });
    expect(grammar.accepts(`<think>Which < file?</think>\n\n${call}`)).toBe(true);
    const free = grammarOf(dialect, 'auto');
    expect(free.accepts('A < b, and that is all.')).toBe(true);
    expect(free.accepts(`I look.\n${call}`)).toBe(true);
    // Where each call begins with the name of a tool, what begins with another one is text.
    const byName = (finish(callForms(dialect, { tools, choice: 'auto' }))?.openers() ?? []).length > 1;
    expect(free.accepts(`I look.\n${rendered('delete', {})}`)).toBe(byName);
  });

  it('writes several calls, or one where only one is wanted', () => {
    const calls = ['list', 'read_file', 'list'].map((name, ordinal) => {
      return { callId: `call_${ordinal}`, name, arguments: name === 'list' ? '{}' : '{"path":"a"}', ordinal };
    });
    const several = dialect.renderCalls(calls, tools);
    expect(grammar.accepts(several), several).toBe(true);
    const one = grammarOf(dialect, 'required', false);
    expect(one.accepts(rendered('list', {}))).toBe(true);
    expect(one.accepts(several)).toBe(false);
  });

  it('says little of each parameter: a few rules of a few characters', () => {
    const sizeOf = (count: number) => {
      const of = { type: 'string', description: 'What it is for. '.repeat(9) };
      const properties = Object.fromEntries(Array.from({ length: count }, (_, at) => [`key_${at + 100}`, of]));
      const inputSchema = { type: 'object', properties, required: ['key_100'], additionalProperties: false };
      const forms = finish(callForms(dialect, { tools: [{ name: 'one', inputSchema }], choice: 'required' }));
      const { grammar } = finish(writeGbnf(forms?.calls ?? ''));
      return { characters: grammar.length, rules: grammar.split('\n').length };
    };
    const [some, more] = [sizeOf(20), sizeOf(60)];
    expect((more.rules - some.rules) / 40).toBeLessThanOrEqual(5);
    expect((more.characters - some.characters) / 40).toBeLessThanOrEqual(400);
  });

  it('is made of as many renderings for a hundred tools as for one', () => {
    const renderings = (count: number) => {
      let found = 0;
      const counting = {
        ...dialect,
        renderCalls: (...given: Parameters<typeof dialect.renderCalls>) => {
          found += 1;
          return dialect.renderCalls(...given);
        },
      };
      const [, one] = tools;
      const many = Array.from({ length: count }, (_, at) => ({
        name: `tool_${at}`,
        inputSchema: one?.inputSchema ?? {},
      }));
      finish(callForms(counting, { tools: many, choice: 'required' }));
      return found;
    };
    expect(renderings(100)).toBe(renderings(1));
  });
});
