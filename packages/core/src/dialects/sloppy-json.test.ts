import { cutText, runs, sample } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ToolDefinition } from '../chat/tool.ts';
import { DragomanError } from '../errors.ts';
import { runStage } from '../stream/stage.ts';
import type { Dialect, PastCall, Span } from './dialect.ts';
import { dialects } from './registry.ts';

const text = { type: 'string' };
const change = { type: 'object', properties: { from: text, to: text }, required: ['from', 'to'] };

const tools: readonly ToolDefinition[] = [
  {
    name: 'bash',
    inputSchema: {
      type: 'object',
      properties: { command: text, why: text, limit: { type: 'integer' }, words: { type: 'array', items: text } },
      required: ['command'],
    },
  },
  {
    name: 'edit',
    inputSchema: {
      type: 'object',
      properties: { path: text, from: text, to: text, all: { type: 'boolean' } },
      required: ['path', 'from', 'to'],
    },
  },
  { name: 'edits', inputSchema: { type: 'object', properties: { list: { type: 'array', items: change } } } },
  { name: 'list', inputSchema: { type: 'object', properties: {} } },
];

/** A call with values that a model writes without escaping their quotation marks. */
interface Place {
  readonly name: string;
  readonly arguments: (first: string, second: string) => object;
}

const plain: Place = { name: 'bash', arguments: (a) => ({ command: a }) };
const places: readonly Place[] = [
  plain,
  { name: 'bash', arguments: (a) => ({ why: 'It helps.', command: a }) },
  { name: 'bash', arguments: (a) => ({ command: a, why: 'It helps.' }) },
  { name: 'bash', arguments: (a, b) => ({ command: a, why: b }) },
  { name: 'bash', arguments: (a) => ({ limit: 3, command: a }) },
  { name: 'bash', arguments: (a) => ({ command: a, limit: 3 }) },
  { name: 'bash', arguments: (a) => ({ command: a, unknown: 'x' }) },
  { name: 'bash', arguments: (a) => ({ command: 'ls', words: [a] }) },
  { name: 'bash', arguments: (a) => ({ words: ['-c', a], command: 'ls' }) },
  { name: 'edit', arguments: (a, b) => ({ path: 'a.html', from: a, to: b }) },
  { name: 'edit', arguments: (a, b) => ({ path: 'a.html', from: a, to: b, all: true }) },
  { name: 'edits', arguments: (a, b) => ({ list: [{ from: a, to: b }] }) },
  {
    name: 'edits',
    arguments: (a, b) => ({
      list: [
        { from: 'x', to: a },
        { from: b, to: 'y' },
      ],
    }),
  },
];

const placeholders = ['FIRST', 'SECOND'] as const;

/** A dialect, and how a call with JSON is written in it. */
interface Row {
  readonly dialect: Dialect;
  readonly write: (call: PastCall) => string;
}

/** `pretty`: its JSON stands on several lines. */
function written(
  { write }: Row,
  {
    place,
    values,
    pretty = false,
  }: { readonly place: Place; readonly values: readonly string[]; readonly pretty?: boolean },
): string {
  const given = place.arguments(...placeholders);
  const reply = write({ callId: 'a', ordinal: 0, name: place.name, arguments: JSON.stringify(given) });
  const spaced = pretty ? reply.replaceAll('","', '",\n  "').replaceAll('"}', '"\n}').replaceAll('{"', '{\n "') : reply;
  return placeholders.reduce((all, each, index) => all.replace(each, () => values[index] ?? ''), spaced);
}

const all = [...dialects.values()];

/** Dialects whose arguments are JSON. */
const rows = all
  .map((dialect): Row => ({ dialect, write: (call) => dialect.renderCalls([call], tools) }))
  .filter((row) => /"command": ?"FIRST"/.test(written(row, { place: plain, values: ['FIRST'] })))
  .map((row) => [row.dialect.id, row] as const);

/** Dialects with a parameter in each tag, in which some models write all of them as JSON. */
const tagged = all
  .map((dialect): Row => ({ dialect, write: (call) => inTags(dialect, call) }))
  .filter(({ dialect: { id } }) => !rows.some(([json]) => json === id))
  .filter((row) => {
    const [call] = read(row.dialect, written(row, { place: plain, values: ['ls'] }));
    return JSON.stringify(call?.arguments) === '{"command":"ls"}';
  })
  .map((row) => [row.dialect.id, row] as const);

/** The arguments as JSON where the tags of parameters would stand. */
function inTags(dialect: Dialect, call: PastCall): string {
  const full = dialect.renderCalls([call], tools);
  const empty = dialect.renderCalls([{ ...call, arguments: '{}' }], tools);
  let at = 0;
  while (at < empty.length && full[at] === empty[at]) at += 1;
  // Both go on with a tag there.
  const head = empty.slice(0, empty.slice(0, at).lastIndexOf('<'));
  return head + call.arguments + empty.slice(head.length);
}

interface Call {
  readonly name: string;
  readonly arguments: unknown;
  readonly reported: boolean;
}

/** The calls of a reply, in every place cut the same. */
function read(dialect: Dialect, reply: string, cut = false): readonly Call[] {
  const parser = dialect.createParser({ tools });
  const error = cut ? new DragomanError('upstream-cut', 'It stopped.') : undefined;
  const whole = callsIn(runStage(parser, [reply], error));
  expect(callsIn(runStage(parser, cutText(reply, 'chars'), error)), reply).toEqual(whole);
  return whole;
}

function callsIn(spans: readonly Span[]): readonly Call[] {
  const found: { name: string; json: string }[] = [];
  const reported = spans.some((span) => span.kind === 'warning' && span.warning.code === 'json-repaired');
  for (const span of spans) {
    if (span.kind === 'call') found.push({ name: span.name, json: '' });
    const last = found.at(-1);
    if (span.kind === 'arguments' && last !== undefined) last.json += span.text;
    if (span.kind === 'call-cut') found.pop();
  }
  return found.map(({ name, json }) => ({ name, arguments: JSON.parse(json), reported }));
}

it('finds the dialects', () => {
  expect(rows.length).toBeGreaterThan(25);
  expect(tagged.length).toBeGreaterThan(12);
});

const inner = [
  'He said "hello" to me',
  '"Yes", he said.',
  'It says "no"',
  'print("a", "b")',
  '<a href="x" class="y">z</a>',
  'echo "hi"',
  'git commit -m "It works" && echo "done, {really}"',
  'def f():\n    """Says "hi"."""\n    return ["a", "b"]',
  '{"a": "b", "c": ["d", {"e": "f"}]}',
  '"',
];

describe.each(sample([...rows, ...tagged], 5))('%s', (_, row) => {
  it.each(inner)('reads a string whose quotation marks nobody escaped: %s', (value) => {
    for (const pretty of [false, true]) {
      const reply = written(row, { place: plain, values: [value], pretty });
      expect(read(row.dialect, reply)).toEqual([{ name: 'bash', arguments: { command: value }, reported: true }]);
    }
  });
});

const piece = fc.oneof(
  { arbitrary: fc.constantFrom('"', '"', '"', '[', ']', '{', '}', ',', "'"), weight: 6 },
  {
    arbitrary: fc.constantFrom(' ', '\n', '.', ';', ':', '"}', '"}}', '}}', '"]', '", "', '": "', '{"', '//'),
    weight: 3,
  },
  {
    arbitrary: fc.constantFrom('a', 'rm -rf ', '3', 'it', '"name": ', '"x":', 'null', '{"a": "b", "c": "d"}'),
    weight: 3,
  },
);
const value = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''));
const example = fc.record({
  row: fc.constantFrom(...rows, ...tagged),
  place: fc.constantFrom(...places),
  values: fc.tuple(value, value),
  pretty: fc.boolean(),
  after: fc.constantFrom('', '', '\n', '\nThat is all.', '\n\nThen "this" (or that), [x].', ' And done.'),
  ends: fc.constantFrom<'whole' | 'cut'>('whole', 'whole', 'cut'),
  at: fc.nat(),
});

const known = 'command|why|limit|words|path|from|to|all|list|name|id|type|arguments|parameters';

const key = '("[^"]*"|\'[^\']*\'|\\w+)\\s*:';

/** A known parameter, or a key of calls, after a quotation mark that would end the value; or any after the first one. */
const member = new RegExp(`"[\\s}\\]]*[,;][\\s{[]*["']?(${known})["']?\\s*:|^[^"]*"[\\s}\\]]*[,;][\\s{[]*${key}`);
const call = new RegExp(`"[\\s}\\]]*[}\\]]\\s*\\{\\s*${key}`);
const element = /"\s*,\s*["'{[\dntf]/;

/**
 * Whether the value could be meant. Not where it holds, after a quotation mark that would end it, what is the call's own
 * syntax: a further parameter, element, field or call, which nobody can tell from one that was meant.
 */
function isValue(text: string, place: Place): boolean {
  const inList = 'words' in place.arguments('', '');
  return !member.test(text) && !call.test(text) && !(inList && element.test(text));
}

it('a string whose quotation marks nobody escaped comes back exactly, or its call is text (property)', () => {
  fc.assert(
    fc.property(example, ({ row: [id, row], place, values, pretty, after, ends, at }) => {
      fc.pre(values.every((each) => isValue(each, place)));
      const full = written(row, { place, values, pretty }) + after;
      const isCut = ends === 'cut';
      const reply = isCut ? full.slice(0, (at % full.length) + 1) : full;
      for (const found of read(row.dialect, reply, isCut)) {
        // What has come of a reply that was cut may be a whole call of another value.
        if (isCut && !JSON.stringify(found.arguments).includes('\\"')) continue;
        const wanted = { name: place.name, arguments: place.arguments(...values) };
        if (JSON.stringify({ ...found, reported: undefined }) !== JSON.stringify(wanted))
          expect(found, `${id}: ${reply}`).toEqual(wanted);
        if (JSON.stringify(wanted.arguments).includes('\\"')) expect(found.reported, `${id}: ${reply}`).toBe(true);
      }
    }),
    { numRuns: runs(3000) },
  );
});
