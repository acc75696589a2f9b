import { madeOnce } from '../../chat/made-once.ts';
import type { ToolDefinition, ToolResult } from '../../chat/tool.ts';
import { turnMarkers } from '../../chat/turn-markers.ts';
import type { Dialect, PastCall, PastResult, ToolPrompt } from '../dialect.ts';
import { callSpellings } from '../forms/json/call-keys.ts';
import { bareOpener } from '../forms/literals/literal-syntax.ts';
import { placeholders } from '../parser/calls/tool-table.ts';
import { backticks } from '../parser/documentation/fenced-code.ts';
import { literalStart } from '../parser/scanner.ts';
import { fill, fixedPart, leftOut, listOf, readTexts, writtenText } from '../table/literals.ts';
import { partsOf, readerOf, type TableParts } from '../table/parts.ts';
import type { TableDialect, TableParser } from '../table/table-dialect.ts';
import { fixedFront, plainResult } from '../table/table-grammar.ts';
import type { AlsoTable, CallTable, DialectTable, Grouping, Literals, ResultTable, ToolsTable } from '../table.ts';
import { escapeJsonMarkers } from './escape-json-markers.ts';
import { functionFields, functionJson, renderLesson } from './lesson.ts';
import { pastArguments } from './past-calls.ts';
import { idInHeader, tagWriter, valuesIn, writeCall, writesWhole } from './write-call.ts';

/**
 * The dialect of a parser that was made of a table: with what teaches the tools, and past calls and results as the table says.
 * The same again for the same parser.
 */
export const withRenderer = madeOnce((parser: TableParser): TableDialect => {
  const { table, parts } = parser;
  const [writeLesson] = partsOf(table, parts, 'lesson');
  return {
    // Only people read it.
    get summary() {
      return table.summary ?? summaryOf(table, parts);
    },
    markers: (tools) => markersOf(table, parts, tools),
    renderTools: writeLesson ?? ((tools, prompt) => renderTools(table, parts, { tools, prompt })),
    renderCalls: (calls, tools) => renderTableCalls(table, parts, { calls, tools }),
    renderResults: (results) => renderResults(table, parts, results),
    // Last: spread first, each dialect would have a shape of its own.
    ...parser,
  };
});

/** The whole of a dialect, of which the parser of a table is one half. */
export function asDialect(dialect: Dialect | TableParser): Dialect {
  return 'renderTools' in dialect || !('table' in dialect) ? dialect : withRenderer(dialect);
}

/** The form of a call on one line. */
function summaryOf(table: DialectTable, parts: TableParts): string {
  const call = { callId: 'example', name: 'NAME', arguments: '{"KEY": "VALUE"}', ordinal: 0 };
  return `\`${renderTableCalls(table, parts, { calls: [call], tools: [] }).replaceAll('\n', ' ')}\``;
}

/** One round of calls as the table says that the model writes them. None of its markers is in a value. */
function renderTableCalls(
  table: DialectTable,
  parts: TableParts,
  { calls, tools }: { readonly calls: readonly PastCall[]; readonly tools: readonly ToolDefinition[] },
): string {
  if (calls.length === 0) return '';
  const { call: form, section } = table;
  const [writeOwn] = partsOf(table, parts, 'writeCall');
  const literals = escapedInCalls(table);
  const bodies = calls.map((call, at): Body => {
    const writing = { call, at, tools, literals, id: idOf(table, parts, call), parts };
    if (writeOwn !== undefined) return { call, id: writing.id, body: writeOwn(writing), isWhole: true };
    return { call, id: writing.id, body: writeCall(form, writing), isWhole: writesWhole(form) };
  });
  const round = group(form, bodies, literals);
  const [front, back] = section && !section.optional ? [section.opener, section.closer].map(writtenText) : ['', ''];
  return `${front}${round}${back}`.trim();
}

/** A call as its form writes it. `isWhole`: with opener and closer. */
interface Body {
  readonly call: PastCall;
  readonly id: string;
  readonly body: string;
  readonly isWhole: boolean;
}

function group(form: CallTable, bodies: readonly Body[], literals: readonly string[]): string {
  const grouping: Grouping = 'grouping' in form ? (form.grouping ?? 'each') : 'each';
  const { between = grouping === 'each' ? '\n' : ', ', written } = form;
  const [opener, closer] = [writtenText(form.opener ?? ''), writtenText(form.closer ?? '')];
  if (grouping !== 'each') {
    const joined = bodies.map(({ body }) => body).join(between);
    const { opener: open, closer: close } = ('brackets' in form ? form.brackets : undefined) ?? {
      opener: '[',
      closer: ']',
    };
    const body = grouping === 'list' ? open + joined + close : joined;
    const call = `${opener}${body}${closer}`;
    return written === undefined ? call : fill(written, { call, body });
  }
  const [front, back] = [writtenText(form.block?.opener ?? ''), writtenText(form.block?.closer ?? '')];
  const texts = bodies.map(({ call: { name, ordinal }, call, id, body, isWhole }) => {
    const whole = isWhole ? body : opener + body + closer;
    if (written === undefined) return front + whole + back;
    return fill(written, {
      call: whole,
      body,
      name,
      id,
      index: String(ordinal),
      arguments: pastArguments(call, literals),
    });
  });
  return texts.join(between);
}

/** The id of a past call: the model's own, or else its place in the conversation, in the header where it is in one. */
function idOf({ ids, call: form }: DialectTable, parts: TableParts, call: PastCall): string {
  const own = ids === undefined ? undefined : readerOf(parts, ids).id;
  if (own !== undefined) return own(call);
  return idInHeader(form, call) ?? call.nativeId ?? String(call.ordinal);
}

function renderResults(table: DialectTable, parts: TableParts, results: readonly PastResult[]): string {
  if (results.length === 0) return '';
  const form = table.result ?? plainResult;
  const { around, between = '\n' } = form;
  const [writeText] = partsOf(table, parts, 'resultText');
  const texts = results.map((result, at) => {
    const { call } = result;
    const id = idOf(table, parts, call);
    const slots = { name: call.name, quoted: JSON.stringify(call.name), id, number: String(at + 1) };
    const failed = form.error !== undefined && result.status !== 'ok';
    const { opener, closer = '' } = failed ? form.error : form;
    const text = form.error === undefined ? resultLine(result) : result.text;
    const written = writeText?.(result, fixedMarkers(table), table) ?? resultText(form, result, { ...slots, text });
    return `${fill(opener, slots)}${written}${fill(closer, slots)}`;
  });
  return around === undefined ? texts.join(between) : `${around.opener}${texts.join(between)}${around.closer ?? ''}`;
}

function resultText({ json }: ResultTable, { status }: PastResult, slots: Readonly<Record<string, string>>): string {
  if (json === undefined) return slots.text ?? '';
  const filled = (value: unknown): unknown => {
    if (value === '{failed}') return status === 'ok' ? null : true;
    if (typeof value === 'string') return fill(value, slots);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, filled(each)]));
  };
  return JSON.stringify(filled(json));
}

/** The example that a prompt shows. */
const exampleCall: PastCall = {
  callId: 'example',
  name: placeholders.tool,
  arguments: '{"PARAMETER": "VALUE"}',
  ordinal: 0,
};

function renderTools(
  table: DialectTable,
  parts: TableParts,
  { tools, prompt }: { readonly tools: readonly ToolDefinition[]; readonly prompt: ToolPrompt },
): string {
  if (tools.length === 0 || prompt.choice === 'none') return '';
  const { lesson = {}, call } = table;
  const {
    rules = ['{values}'],
    form = 'To call a tool, write its name and its arguments in exactly this form:\n\n{example}',
  } = lesson;
  // Values that are as text are no words of JSON.
  const one = writesWhole(call) ? { ...exampleCall, arguments: '{"PARAMETER":"value"}' } : exampleCall;
  const example = (calls: readonly PastCall[]) => renderTableCalls(table, parts, { calls, tools: [] });
  const showSeveral = lesson.rules === undefined && prompt.parallel;
  const two = () => example([one, { ...one, name: placeholders.otherTool, ordinal: 1 }]);
  const several = showSeveral ? [`Several calls are together like this:\n${two()}`] : [];
  return renderLesson(prompt, {
    intro: lesson.intro ?? introOf(lesson.tools ?? plainTools),
    tools: describeTools(table, parts, tools),
    form: form.includes('{example}') ? fill(form, { example: example([one]) }) : form,
    rules: [
      ...several,
      ...rules.map((rule) => (rule.includes('{values}') ? fill(rule, { values: valuesIn(call) }) : rule)),
    ],
  });
}

const plainTools: ToolsTable = { opener: '<tools>\n', closer: '\n</tools>' };

function introOf({ opener, closer, tool = 'function' }: ToolsTable): string {
  const [front, back] = [opener.trim(), closer.trim()];
  if (tool !== 'function' && tool !== 'fields') {
    return front === '' || back === ''
      ? 'You can call the tools below.'
      : `You can call the tools between ${front} and ${back}.`;
  }
  return opener.trim() === '['
    ? 'You can call the tools in this JSON list, which describes each with the JSON Schema of its parameters:'
    : `You can call the tools below. Each line between ${opener.trim()} and ${closer.trim()} describes one tool as JSON, with the JSON Schema of its parameters.`;
}

function describeTools(table: DialectTable, parts: TableParts, tools: readonly ToolDefinition[]): string {
  const { opener, closer, between = '\n', each, tool: how = 'function' } = table.lesson?.tools ?? plainTools;
  const named = partsOf(table, parts, 'markers').flatMap((markers) => markers(tools));
  const literals = [...fixedMarkers(table), ...toolTags(table), ...named];
  const described = tools.map((tool) => {
    const text = describe(tool, { how, literals, parts, table });
    return each === undefined ? text : each.opener + text + (each.closer ?? '');
  });
  return opener + described.join(between) + closer;
}

interface Describing {
  readonly how: string;
  readonly literals: readonly string[];
  readonly parts: TableParts;
  readonly table: DialectTable;
}

function describe(tool: ToolDefinition, { how, literals, parts, table }: Describing): string {
  const json = (value: unknown) => escapeJsonMarkers(JSON.stringify(value), literals);
  if (how === 'function') return escapeJsonMarkers(functionJson(tool), literals);
  if (how === 'fields') return json(functionFields(tool));
  if (!how.includes('{name}')) return readerOf(parts, how).describe?.(tool, literals, table) ?? '';
  const { name, description, inputSchema } = tool;
  const lines = how
    .split('\n')
    .filter((line) => description !== undefined || !line.includes('{description}') || line.includes('{name}'));
  return fill(lines.join('\n'), {
    name,
    parameters: json(inputSchema),
    description: description === undefined ? '' : json(description),
  });
}

/** What could open a call, forge a result or end a turn, for all tools alike. */
const fixedMarkers = madeOnce((table: DialectTable): readonly string[] => {
  const {
    call,
    also = [],
    section,
    reasoning = [],
    result = plainResult,
    strays,
    otherTurns,
    turnEnds,
    silent,
    markers = [],
  } = table;
  const thinking = ('opener' in reasoning ? [reasoning] : reasoning).filter(({ atStart }) => !atStart);
  const { around: block } = result;
  const results = [
    ...texts(result.read),
    ...[fixedFront(block?.opener ?? result.opener), result.closer ?? '', block?.closer ?? ''].filter(hasSign),
  ];
  const marked = [...[call, ...also].flatMap(callMarkers), ...texts(section?.opener), ...texts(section?.closer)];
  const around = [...thinking.flatMap(({ opener, closer }) => [...texts(opener), closer]), ...results];
  const ends = [strays, otherTurns, turnEnds, silent].flatMap(texts);
  const taught = [...toolTags(table)];
  const known = [...marked, ...around, ...ends, ...taught].map((literal) => literalStart(literal).trim());
  const all = [...new Set([...markers, ...turnMarkers, ...known.filter(isOwn)])];
  const given = new Set([...markers, ...turnMarkers]);
  // What holds another marker is broken where that is.
  const kept = all.filter((one) => given.has(one) || !all.some((other) => other !== one && one.includes(other)));
  // Whoever looks for one after the other finds the longer one first.
  return kept.sort((one, other) => other.length - one.length);
});

/** Markers for these tools: where calls have no opener, or an opener holds a name, the names of the tools make them. */
function markersOf(table: DialectTable, parts: TableParts, tools: readonly ToolDefinition[]): readonly string[] {
  const calls = [table.call, ...(table.also ?? [])];
  const named = [...calls.map(({ opener }) => opener), table.result?.read, table.otherTurns]
    .flatMap((literals) => listOf(literals))
    .filter((literal) => namesTool(typeof literal === 'string' ? literal : literal.text));
  return [
    ...fixedMarkers(table),
    ...readTexts(named, () => tools),
    ...calls.flatMap((call) => bareMarkers(call, parts, tools)),
    ...partsOf(table, parts, 'markers').flatMap((markers) => markers(tools)),
  ];
}

/** What JSON in prompts may not hold: with `plainMarkup` only what the model's template is made of. */
const escapedInCalls = madeOnce((table: DialectTable): readonly string[] => {
  if (!table.plainMarkup) return fixedMarkers(table);
  return [...(table.markers ?? []), ...texts(table.turnEnds), ...turnMarkers];
});

/** The tags around tools in a lesson. */
function toolTags({ lesson }: DialectTable): readonly string[] {
  if (lesson?.tools === undefined) return lesson === undefined ? ['<tools>', '</tools>'] : [];
  return [...aroundTexts(lesson.tools), ...aroundTexts(lesson.tools.each)].map((text) => text.trim()).filter(isTag);
}

function callMarkers({ opener, closer, block }: CallTable | AlsoTable): readonly string[] {
  const openers = texts(opener).map(fixedPart);
  return [...openers, ...texts(closer), ...texts(block?.opener), ...texts(block?.closer)];
}

function bareMarkers(call: CallTable, parts: TableParts, tools: readonly ToolDefinition[]): readonly string[] {
  if (call.form === 'named-tags') {
    if (call.opener !== undefined) return [];
    const tags = tools.map(({ name }) => tagWriter(call, parts)(name));
    return tags.flatMap((tag) => [`<${tag}>`, `</${tag}>`, `<${tag}/>`, `<${tag} />`]);
  }
  if (call.form === 'python') return leftOut(call.opener) === undefined ? [] : bareLiteralMarkers(tools);
  if (call.form !== 'json' || (leftOut(call.opener) === undefined && !call.guarded)) return [];
  return bareJsonMarkers(tools, call.keys?.name);
}

/** What counts only at one place begins as prose does. */
function texts(literals: Literals | undefined): readonly string[] {
  return listOf(literals).flatMap((literal) => {
    if (typeof literal === 'string') return [literal];
    return literal.place === undefined ? [literal.text] : [];
  });
}

function aroundTexts(around: Pick<ResultTable, 'opener' | 'closer'> | undefined): readonly string[] {
  return around === undefined ? [] : [around.opener, around.closer ?? ''];
}

/** Fences, words and rows of one sign are part of what users and tools write, and what names a tool is none without tools. */
function isOwn(literal: string): boolean {
  const isWord = [...literal].every((sign) => sign === '_' || sign.toLowerCase() !== sign.toUpperCase());
  const isRow = new Set(literal).size === 1;
  return literal.length > 2 && !isWord && !isRow && !literal.startsWith(backticks) && !namesTool(literal);
}

function namesTool(text: string): boolean {
  return text.includes('{name}') || text.includes('{quoted}');
}

/** `<tag>`, `[TAG]`, or `<tag attribute=`. */
function isTag(text: string): boolean {
  const literal = text.trim();
  return literal.length > 2 && ['<', '[', '##'].some((begin) => literal.startsWith(begin));
}

/** Words alone, such as `Result of`, are part of what users write. */
function hasSign(text: string): boolean {
  return [...text].some(
    (sign) => sign.trim() !== '' && !'_-0123456789'.includes(sign) && sign.toLowerCase() === sign.toUpperCase(),
  );
}

/** By key. Many dialects ask for the same, and all of them where calls are read in whatever form they come. */
const spelled = madeOnce((_: readonly ToolDefinition[]) => new Map<string, readonly string[]>());

/** What makes an object a call where calls have no marker: the name of a tool behind its key. */
function bareJsonMarkers(tools: readonly ToolDefinition[], key = 'name'): readonly string[] {
  const known = spelled(tools);
  const spellings = known.get(key) ?? tools.flatMap(({ name }) => callSpellings(key, name));
  known.set(key, spellings);
  return spellings;
}

/** What opens a list of calls where it has no marker: a bracket, the name of a tool, and another bracket. */
function bareLiteralMarkers(tools: readonly ToolDefinition[]): readonly string[] {
  return tools.map(({ name }) => bareOpener(name));
}

/** A result's text for dialects that have no mark for failure: anything but a success starts with `Error:`. */
export function resultLine({ status, text }: ToolResult): string {
  if (status === 'ok' || text.slice(0, 6).toLowerCase() === 'error:') return text;
  return `Error: ${text}`;
}
