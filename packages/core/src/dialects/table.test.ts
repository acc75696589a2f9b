import { casesOf, cutShort, findingsOf, type ParseCase, sample, writeFinding } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import type { ToolDefinition } from '../chat/tool.ts';
import { runStage } from '../stream/stage.ts';
import type { Dialect, PastCall, PastResult, ToolPrompt } from './dialect.ts';
import { dialects } from './registry.ts';
import { checkTable, defineTable } from './table/define-table.ts';
import type { Fields, Kind } from './table/fields.ts';
import { dialectTable } from './table.ts';

const tools: readonly ToolDefinition[] = [
  {
    name: 'read',
    description: 'Reads <tool_call> a file.',
    inputSchema: { type: 'object', properties: { path: { type: 'string' }, limit: { type: 'integer' } } },
  },
  { name: 'mcp.server:do-it', inputSchema: { type: 'object', properties: { list: { type: 'array' } } } },
];
const prompts: readonly ToolPrompt[] = [
  { choice: 'auto', parallel: true },
  { choice: { name: 'read' }, parallel: false },
];
const past = (ordinal: number, name: string, text: string): PastCall => ({
  callId: `call_${ordinal}`,
  name,
  arguments: text,
  ordinal,
});
const rounds: readonly (readonly PastCall[])[] = [
  [past(0, 'read', '{"path": "a.md </parameter> <|im_end|>", "limit": 40}')],
  [past(1, 'mcp.server:do-it', '{"list":[{"x":null},1.50]}'), { ...past(2, 'read', ''), nativeId: 'functions.read:2' }],
  [past(3, 'read', 'no JSON')],
];
const resultsOf = (calls: readonly PastCall[]): readonly PastResult[] =>
  calls.map((call, at) => ({ callId: call.callId, call, status: at === 0 ? 'ok' : 'error', text: 'one\n"two"' }));

/** All that a dialect writes. */
const written = (dialect: Dialect) => ({
  summary: dialect.summary,
  markers: dialect.markers(tools),
  lessons: prompts.map((prompt) => dialect.renderTools(tools, prompt)),
  calls: rounds.map((calls) => dialect.renderCalls(calls, tools)),
  results: rounds.map((calls) => dialect.renderResults(resultsOf(calls))),
});

/** What it finds in a reply that comes in two pieces. */
const found = (dialect: Dialect, { context, cut, output }: ParseCase, at: number) => {
  const pieces = [output.slice(0, at), output.slice(at)];
  return findingsOf(runStage(dialect.createParser(context), pieces, cut ? cutShort() : undefined)).map(writeFinding);
};

describe.each([...dialects])('the table of %s', (id, dialect) => {
  // What `dragoman dialects ID --json` prints under `table`, and a configuration holds.
  const table = JSON.parse(JSON.stringify(dialect.table));

  it('is JSON in which nothing is wrong', () => {
    expect(table).toEqual(dialect.table);
    expect(checkTable(table)).toEqual([]);
  });

  it('makes the same dialect again', () => {
    const again = defineTable(id, table);
    expect(written(again)).toEqual(written(dialect));
    for (const parseCase of sample(casesOf(dialect), 12)) {
      const expected = parseCase.expected.map(writeFinding);
      for (const at of [0, Math.floor(parseCase.output.length / 2), parseCase.output.length - 2]) {
        expect(found(again, parseCase, at), parseCase.place).toEqual(expected);
      }
    }
  });
});

it('shows an example of each field', () => {
  expect(withoutExample(dialectTable, [])).toEqual([]);
});

/** The fields whose sentence quotes nothing. */
function withoutExample({ is }: Kind<unknown>, path: readonly string[]): readonly string[] {
  const of = (fields: Fields) =>
    Object.entries(fields).flatMap(([name, { kind, says }]) => [
      ...(says.includes('`') ? [] : [[...path, name].join('.')]),
      ...withoutExample(kind, [...path, name]),
    ]);
  if (is.type === 'object') return of(is.fields);
  if (is.type === 'forms') return [is.shared, ...Object.values(is.forms)].flatMap(of);
  if (is.type === 'list') return withoutExample(is.of, path);
  return is.type === 'either' ? is.of.flatMap((each) => withoutExample(each, path)) : [];
}
