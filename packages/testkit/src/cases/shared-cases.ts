import type { PastCall, TableDialect, ToolDefinition } from '@dragoman/core';
import { turnOpeners } from '@dragoman/core/dialects/parser/markers/form-markers';
import { anySuffix } from '@dragoman/core/dialects/parser/scanner';
import type { CallTable, DialectTable, Literals } from '@dragoman/core/dialects/table';
import { fill, listOf, readTexts, writtenText } from '@dragoman/core/dialects/table/literals';
import { fixedFront, plainResult } from '@dragoman/core/dialects/table/table-grammar';
import { runStage } from '@dragoman/core/stream/stage';
import { findingsOf } from './finding.ts';
import { type CasePage, readCasePage } from './read-case-page.ts';
import { writeFinding } from './read-finding.ts';
import { readTools } from './read-tools.ts';

/**
 * Pages of cases that hold for every dialect, as this one writes them. In outputs and texts
 *
 * - `⟦read {"path": "a"}⟧` is the call as the dialect writes it, `⟦list {} + list {}⟧` two of them in one round;
 * - `⟦read {"path": "a"} | to a⟧` is the same up to its last `a`; `| a as b` with one text for the other, where `arguments` is the
 *   arguments as they were given, and `\n` a newline; `| from a` from its first `a` on, and
 *   `| alone` from its opener to its closer, without the section around it; `| in CRLF` with a carriage return before each newline, `| in one line` without newlines;
 * - `⟦result⟧` is a result of `list` as the dialect writes one;
 * - `‹opener›` and `‹closer›` are around a call, `‹also›` and `‹/also›` where they are written otherwise, `‹OPENER›` and `‹CLOSER›` in capitals, `‹section›` and `‹/section›` around all of them, or around each outside of these,
 *   `‹list›` and `‹/list›` around a list of them, `‹value›` and `‹/value›` around a parameter in tags; `‹call›` is a whole call;
 * - `‹think›` and `‹/think›` are around reasoning, `‹end›` ends a turn, `‹foreign›` opens a result or a turn of another side, and
 *   `‹turn›` does so in the template of some model. There is a page for each such literal, and none where the dialect has none.
 *
 * `call ⟦list {}⟧` in `spans` is what it finds in this call where nothing is around it, whose name and arguments have to be
 * those. Throws where they are not. After the words `For the forms` there is no page for a dialect of another form.
 */
export function sharedPages(markdown: string, dialect: TableDialect): readonly CasePage[] {
  return fillings(markdown, dialect).map((filled) => sharedPage(markdown, dialect, filled));
}

/** Whether there is a page for this dialect. */
export function isAbout(markdown: string, dialect: TableDialect): boolean {
  return fillings(markdown, dialect).length > 0;
}

/** What is between `‹` and `›` on each page. */
function fillings(markdown: string, dialect: TableDialect): readonly ReadonlyMap<string, string>[] {
  const forms = namedAfter('For the forms', markdown);
  if (forms.length > 0 && !forms.includes(dialect.table.call.form)) return [];
  const said = Object.entries(literals)
    .filter(([name]) => markdown.includes(`‹${name}›`))
    .map(([name, textsOf]) => [name, textsOf(dialect.table, dialect)] as const);
  const counts = said.map(([, texts]) => texts.length);
  const count = counts.includes(0) ? 0 : Math.max(1, ...counts);
  return Array.from(
    { length: count },
    (_, at) => new Map(said.map(([name, texts]) => [name, texts[at % texts.length] ?? ''])),
  );
}

function sharedPage(markdown: string, dialect: TableDialect, filled: ReadonlyMap<string, string>): CasePage {
  const tools = toolsOf(markdown);
  let fence: { readonly word: string; readonly marks: string } | undefined;
  const lines = markdown.split('\n').map((line) => {
    if (fence === undefined) {
      const marks = line.startsWith('~~~') ? '~~~' : line.startsWith('```') ? '```' : undefined;
      if (marks !== undefined) fence = { marks, word: line.slice(marks.length).trim() };
      return line;
    }
    const { word, marks } = fence;
    if (line === marks) {
      fence = undefined;
      return line;
    }
    const literalsIn = (text: string, how: (written: string) => string) =>
      text.replaceAll(/‹([^›]*)›/g, (_, name: string) => how(filled.get(name) ?? ''));
    if (word === 'spans' && line.startsWith('call ⟦')) {
      return foundAlone(literalsIn(line.slice(6, -1), escaped), dialect, tools);
    }
    const write = (text: string) => (word === 'output' ? text : escaped(text));
    const calls = line.replaceAll(/⟦([^⟧]*)⟧/g, (_, token: string) =>
      write(writtenAs(literalsIn(token, String), dialect, tools)),
    );
    return literalsIn(calls, write);
  });
  return readCasePage(lines.join('\n'));
}

/** Each case of a page as a page of its own. */
export function singleCases(markdown: string): readonly string[] {
  const [head = '', ...cases] = markdown.split(/^(?=## )/m);
  return cases.map((each) => head + each);
}

/** The dialects for which a case on a page says that it does not hold: on the line after its words `Not in`, each in backticks. */
export function exceptedIn(page: string): readonly string[] {
  return namedAfter('Not in ', page);
}

/** What is in backticks between these words and the end of the line or sentence. */
function namedAfter(words: string, page: string): readonly string[] {
  const [, list = ''] = page.split(words);
  return [...(list.split(/\n|\. /)[0] ?? '').matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '');
}

/** What a literal in brackets is, in each way in which a table has it. */
const literals: Readonly<Record<string, (table: DialectTable, dialect: TableDialect) => readonly string[]>> = {
  think: (table) => [reasoningOf(table)[0]],
  '/think': (table) => [reasoningOf(table)[1]],
  turn: () => turnOpeners,
  call: (table, dialect) => [alone(dialect.renderCalls(callsIn('read {"path": "x"}'), []), table)],
  opener: ({ call }) => written(call.opener),
  closer: ({ call }) => written(call.closer),
  OPENER: ({ call }) => capitals(call.opener),
  CLOSER: ({ call }) => capitals(call.closer),
  also: ({ call }) => others(call.opener),
  '/also': ({ call }) => others(call.closer),
  section: ({ call, section = call.block }) => written(section?.opener),
  '/section': ({ call, section = call.block }) => written(section?.closer),
  list: ({ call }) => (isList(call) ? ['['] : []),
  '/list': ({ call }) => (isList(call) ? [']'] : []),
  // With the space before the key, where there is one.
  value: ({ call }) => (call.form === 'tags' ? [writtenText(call.parameter.opener).trimStart()] : []),
  '/value': ({ call }) => (call.form === 'tags' ? written(call.parameter.closer) : []),
  end: ({ turnEnds }) => readTexts(turnEnds).map(anySuffixed),
  foreign: ({ result = plainResult, otherTurns }) => {
    const results = result.read ?? [fixedFront(result.around?.opener ?? result.opener)];
    return [results, otherTurns]
      .flatMap((each) => readTexts(each, () => [{ name: 'list', inputSchema: {} }]))
      .map(anySuffixed);
  },
};

/** The literal that is written of several, of a parameter that of `path`; none where that is nothing. */
function written(literals: Literals | undefined): readonly string[] {
  const text = fill(writtenText(literals).trim(), { key: 'path' });
  return text === '' ? [] : [text];
}

/** None where it is written so. */
function capitals(literals: Literals | undefined): readonly string[] {
  return written(literals).flatMap((text) => (text === text.toUpperCase() ? [] : [text.toUpperCase()]));
}

/** The other texts that are no repairs. */
function others(literals: Literals | undefined): readonly string[] {
  const texts = listOf(literals).flatMap((literal) => (typeof literal === 'string' ? [literal.trim()] : []));
  return texts.filter((text) => text !== writtenText(literals).trim());
}

function isList(call: CallTable): boolean {
  return 'grouping' in call && call.grouping === 'list';
}

/** Some suffix where a literal takes any. */
function anySuffixed(literal: string): string {
  return literal.replaceAll(anySuffix, '1');
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function toolsOf(markdown: string): ToolDefinition[] {
  const lines = markdown.split('\n');
  const start = lines.indexOf('```tools');
  return readTools(lines.slice(start + 1, lines.indexOf('```', start + 1)).join('\n'));
}

function callsIn(token: string): readonly PastCall[] {
  return token.split(/(?<=\}) \+ (?=\w+ \{)/).map((call, ordinal) => {
    const space = call.indexOf(' ');
    return { callId: `call_${ordinal}`, ordinal, name: call.slice(0, space), arguments: call.slice(space + 1) };
  });
}

function writtenAs(token: string, dialect: TableDialect, tools: readonly ToolDefinition[]): string {
  if (token === 'result') {
    const [call] = callsIn('list {}');
    return call === undefined ? '' : dialect.renderResults([{ call, status: 'ok', text: 'a.md' }]);
  }
  const [said = '', ...changes] = token.split(' | ');
  const calls = callsIn(said);
  return changes.reduce(
    (text, change) => {
      if (change === 'alone') return alone(text, dialect.table);
      if (change === 'in CRLF') return text.replaceAll('\n', '\r\n');
      if (change === 'in one line') return text.replaceAll('\n', '');
      const changed = changedAs(text, change, calls);
      if (changed === undefined)
        throw new Error(`a shared case cannot do ⟦${token}⟧ with what ${dialect.id} writes: ${text}`);
      return changed;
    },
    dialect.renderCalls(calls, tools),
  );
}

function changedAs(text: string, change: string, [call]: readonly PastCall[]): string | undefined {
  const meant = (said = '') => (said === 'arguments' ? (call?.arguments ?? '') : said.replaceAll('\\n', '\n'));
  if (change.startsWith('from ')) {
    const at = text.indexOf(meant(change.slice(5)));
    return at < 0 ? undefined : text.slice(at);
  }
  if (change.startsWith('to ')) {
    const end = meant(change.slice(3));
    const at = text.lastIndexOf(end);
    return at < 0 ? undefined : text.slice(0, at) + end;
  }
  const [from, to] = change.split(' as ').map(meant);
  return from === undefined || to === undefined || !text.includes(from) ? undefined : text.replace(from, () => to);
}

/** The call from its opener to its closer, where these are there. */
function alone(text: string, { call }: DialectTable): string {
  const [opener, closer] = [writtenText(call.opener).trim(), writtenText(call.closer).trim()];
  const start = Math.max(0, text.indexOf(opener));
  const end = closer === '' ? -1 : text.lastIndexOf(closer);
  return end < start ? text.slice(start) : text.slice(start, end + closer.length);
}

/** The first pair of the table that is no words of prose; else what every dialect knows. */
function reasoningOf({ reasoning = [] }: DialectTable): readonly [opener: string, closer: string] {
  const pairs = 'opener' in reasoning ? [reasoning] : reasoning;
  const pair = pairs.find(({ atStart }) => !atStart);
  return pair === undefined ? ['<think>', '</think>'] : [writtenText(pair.opener), pair.closer];
}

function foundAlone(token: string, dialect: TableDialect, tools: readonly ToolDefinition[]): string {
  const calls = callsIn(token);
  const found = findingsOf(runStage(dialect.createParser({ tools }), [dialect.renderCalls(calls, tools)]));
  const whole = found.flatMap((finding) => (finding.kind === 'call' ? [finding] : []));
  const said = whole.map((call) => [call.name, JSON.parse(call.arguments)]);
  const wanted = calls.map((call) => [call.name, JSON.parse(call.arguments)]);
  if (JSON.stringify(said) !== JSON.stringify(wanted)) {
    throw new Error(`${dialect.id} reads its own ${token} as ${JSON.stringify(said)}`);
  }
  return whole.map(writeFinding).join('\n');
}
