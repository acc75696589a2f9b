import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ToolDefinition } from '../chat/tool.ts';
import { runStage } from '../stream/stage.ts';
import type { Dialect } from './dialect.ts';
import { dialects } from './registry.ts';

/** Each kind of place that a value may be at. */
const properties = {
  text: { type: 'string' },
  textOrNothing: { type: 'string', default: null },
  whole: { type: 'integer' },
  number: { type: 'number' },
  flag: { type: 'boolean' },
  nothing: { type: 'null' },
  object: { type: 'object', properties: { n: { type: 'integer' }, any: {} } },
  list: { type: 'array', items: { type: 'integer' } },
  textOrNumber: { type: ['string', 'number'] },
  textOrNull: { anyOf: [{ type: 'string' }, { type: 'null' }] },
  textOrList: { oneOf: [{ type: 'string' }, { type: 'array' }] },
  free: {},
  referred: { $ref: '#/$defs/list' },
  listed: { enum: ['5', 'null', 'a'] },
  mixed: { enum: ['5', 5, null, true] },
};
const inputSchema = { type: 'object', properties, $defs: { list: { type: 'array', items: { type: 'string' } } } };
const tools: readonly ToolDefinition[] = [{ name: 'put', inputSchema }];

/** What models write where they mean a number, a constant, JSON, code, or do not know. */
const written: readonly string[] = [
  ...['5', '-0', '1e400', '1.10', '007', '+5', '.5', '5.', '1_000', '0x1F', '1E5', 'NaN', '-9223372036854775808'],
  ...['18446744073709551615', '0.1000000000000000055511151231257827', ' 5 ', '\u00a05', '\ufeff5', '5\u0000', '5\n'],
  ...['True', 'False', 'None', 'none', 'NULL', 'nil', 'undefined', 'true', 'null', '"5"', '"\\"5\\""', '"[1]"'],
  ...['[1,2]', '[1,"2"]', "[1,'2']", '(1,2)', '[1,2,]', '[01]', '[1]\n', '{"n":"5"}', '{"n":5,"n":6}', "{'n': True}"],
  ...['{n:1}', '{"n":5', '{"any":"{\\"n\\":1}"}', '{{"n":1}}', '{"n":1}//x', '{"any":{"b":1,"b":2}}', '// c\n5'],
  ...['&lt;a&gt;', '&amp;&amp;', 'a\r\nb', '\ud800', '\udc00x', 'a\u2028b', '\\d', '\\', '"', "'", '', ' ', '\ufeff'],
];

const probe = 'where the value stands';

/** What comes out of a call whose one value was replaced by `value`; undefined where that is no whole call. */
function readWith(dialect: Dialect, key: string, place: { readonly of: string; readonly value: string }) {
  const past = { callId: 'a', ordinal: 0, name: 'put', arguments: JSON.stringify({ [key]: probe }) };
  const reply = dialect.renderCalls([past], tools).replace(place.of, () => place.value);
  const spans = runStage(dialect.createParser({ tools }), [reply]);
  const isWhole = spans.some(({ kind }) => kind === 'call') && spans.every(({ kind }) => kind !== 'call-cut');
  const json = spans.map((span) => (span.kind === 'arguments' ? span.text : '')).join('');
  const reported = spans.some(({ kind }) => kind === 'warning');
  return isWhole ? { reply, json, reported, value: Object.values<unknown>(JSON.parse(json))[0] } : undefined;
}

const space = ' \t\r\n';

function trimmed(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && space.includes(text.charAt(from))) from += 1;
  while (to > from && space.includes(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

const key = fc.constantFrom(...Object.keys(properties));
const raw = fc.constantFrom(...written);

/** The text of the one value. */
function valueText(json: string): string {
  return trimmed(json.slice(json.indexOf(':') + 1, -1));
}

const rendered = (dialect: Dialect, text: string) =>
  dialect.renderCalls([{ callId: 'a', ordinal: 0, name: 'put', arguments: JSON.stringify({ text }) }], tools);
const form = (dialect: Dialect) => {
  if (['"text":"z"', '"text": "z"'].some((member) => rendered(dialect, 'z').includes(member))) return 'json';
  return rendered(dialect, '"').includes('>"<') || rendered(dialect, '"').includes('>\n"\n<') ? 'tagged' : 'other';
};
const ofForm = (wanted: string) => [...dialects.values()].filter((dialect) => form(dialect) === wanted);

it.each(ofForm('tagged').map((dialect) => [dialect.id, dialect] as const))(
  '%s hands out the text of a tag, or what it says as JSON, or reports what it read (property)',
  (_id, dialect) => {
    fc.assert(
      fc.property(key, raw, (at, value) => {
        const found = readWith(dialect, at, { of: probe, value });
        if (found === undefined || found.reported) return;
        // Line ends around a value may belong to the markup.
        if (typeof found.value === 'string') expect(trimmed(found.value), found.reply).toBe(trimmed(value));
        else expect(valueText(found.json), found.reply).toBe(trimmed(value));
      }),
    );
  },
);

it.each(ofForm('json').map((dialect) => [dialect.id, dialect] as const))(
  '%s hands out JSON values as they were written, or reports what it read (property)',
  (_id, dialect) => {
    fc.assert(
      fc.property(key, raw, fc.boolean(), (at, text, inQuotes) => {
        const value = inQuotes ? JSON.stringify(text) : text;
        const found = readWith(dialect, at, { of: JSON.stringify(probe), value });
        if (found !== undefined && !found.reported) expect(valueText(found.json), found.reply).toBe(trimmed(value));
      }),
    );
  },
);

it.each(ofForm('tagged').map((dialect) => [dialect.id, dialect] as const))(
  '%s reads null as null, but where only a string may stand',
  (_id, dialect) => {
    // Where the markup itself says that the value is text, it is text; a string that stands for a number is reported.
    const quoted = readWith(dialect, 'whole', { of: probe, value: '5' })?.reported === true;
    const says = quoted || rendered(dialect, probe).includes('string');
    for (const at of [
      'whole',
      'number',
      'flag',
      'object',
      'list',
      ...(says ? [] : ['textOrNothing', 'textOrNumber', 'free']),
    ]) {
      const found = readWith(dialect, at, { of: probe, value: 'null' });
      expect(found?.value, found?.reply).toBe(null);
      expect(found?.reported, found?.reply).toBe(quoted);
    }
    for (const at of ['text', 'listed']) {
      expect(readWith(dialect, at, { of: probe, value: 'null' })?.value).toBe('null');
    }
  },
);

it('most dialects are of one of these forms', () => {
  expect(ofForm('tagged').length).toBeGreaterThan(12);
  expect(ofForm('json').length).toBeGreaterThan(25);
});
