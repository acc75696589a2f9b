import type { ToolDefinition } from '../../chat/tool.ts';
import { isPlainCharacter } from '../../json/json-characters.ts';
import { SchemaView } from '../../json/schema.ts';
import { type CallHeader, headedCalls } from '../forms/header/headed-json-call.ts';
import { ObjectWriter } from '../forms/tags/object-writer.ts';
import { bareName, type HeaderReader, impliedName } from '../forms/tags/tag-header.ts';
import { taggedCalls } from '../forms/tags/tagged-call.ts';
import type { CallWriter } from '../parser/calls/call-writer.ts';
import { ToolTable } from '../parser/calls/tool-table.ts';
import type { CallReader, CallsForm, Open } from '../parser/grammar.ts';
import type { Closer } from '../parser/markers/closers.ts';
import { MarkerTrie } from '../parser/markers/marker-trie.ts';
import { spellings } from '../parser/markers/repaired-literals.ts';
import { lookBehindSpace, lookFor, type Scanner } from '../parser/scanner.ts';
import type { TableReader } from '../table/parts.ts';

const openers = ['[TOOL_REQUEST]'];
const closers = ['[END_TOOL_REQUEST]', '[TOOL_REQUEST_END]'];

/** What models put before a call that they say in words. */
const spokenOpeners: readonly string[] = spellings(['✦', '✨', '🔧', '🛠️', '⚙️'], ['', ' '], ['tool_call:']);

/** The forms that models without training fall into beside JSON between two marks. */
export const toolRequestForms: TableReader = {
  grammar: (form, { tools, policy }) => {
    const declared = new ToolTable(tools, policy.names ?? 'normalised');
    return {
      ...form,
      calls: [
        ...form.calls,
        headedCalls({ openers, closers, separators: [], fenced: true }),
        ...tools.map(({ name }) => nameMarked(name)),
        genericTag(tools, declared),
        ...attributeCalls(tools, useTags),
        spokenCalls(tools, spokenOpeners),
        headedCalls({ openers: spokenOpeners, separators: [], closers: [], readHeader: declaredName(declared) }),
        reasonedActions(declared),
      ],
    };
  },
  markers: (tools) => [
    ...tools.flatMap(({ name }) => [`[${name}]`, ...useTags(name)]),
    ...['<name>', '</arguments>', ...spokenOpeners],
  ],
};

/** The tags whose attributes are the parameters of a tool. */
function useTags(name: string): readonly string[] {
  return [`<use ${name}`, `<use_${name}`];
}

/**
 * `Action:` with the name and `Action Input:` with the arguments, as prompts of the ReAct kind ask for them. Both are words of
 * prose (`Action: none`), so the tool has to be declared.
 */
function reasonedActions(tools: ToolTable): CallsForm {
  return headedCalls({
    openers: ['Action:'],
    separators: ['Action Input:'],
    closers: [],
    fenced: true,
    guarded: true,
    readHeader: declaredName(tools),
  });
}

/** Where words or common tags open a call, its tool has to be declared: prose and XML hold them, too. */
function declaredName(tools: ToolTable): (name: string) => CallHeader | undefined {
  return (name) => (tools.find(name) === undefined ? undefined : { name });
}

/** The name between brackets in place of the opener. */
function nameMarked(name: string): CallsForm {
  return headedCalls({
    openers: [{ literal: `[${name}]`, place: 'line-start' }],
    separators: [],
    closers,
    readHeader: (header) => (header === '' ? { name } : undefined),
  });
}

/** `<tool>` with a name and arguments, which are JSON or a tag each. */
function genericTag(tools: readonly ToolDefinition[], declared: ToolTable): CallsForm {
  const read = bareName({ ends: ['</name>'], after: ['<arguments>'], afterNeeded: true });
  const header: HeaderReader = (scanner, index) => {
    const found = read(scanner, index);
    return typeof found === 'object' && declared.find(found.name) === undefined ? 'no' : found;
  };
  const keys = new Set(tools.flatMap(({ inputSchema }) => SchemaView.of(inputSchema).propertyNames));
  return taggedCalls({
    calls: [{ literal: '<name>', header }],
    callClosers: ['</arguments>'],
    parameters: [...keys].map((key) => ({ literal: `<${key}>`, header: impliedName(key) })),
    parameterClosers: (key) => [`</${key}>`],
    // Both are asked for in prompts: a tag for each argument, and JSON.
    jsonParameters: [],
  });
}

/** A parameter with its value as text. */
interface Pair {
  readonly key: string;
  readonly value: string;
}

/** A call that was read as a whole. */
interface PairedCall {
  readonly name: string;
  readonly pairs: readonly Pair[];
  /** Index after it. */
  readonly end: number;
}

/** Reads a whole call after its opener, at `index`. Consumes nothing and looks at no more than `longestPairs` characters. */
type ReadPairs = (scanner: Scanner, index: number) => PairedCall | 'no' | 'more';

/** A call of this kind that is longer is text: its values do not leave before its end, so that it is held back until then. */
const longestPairs = 2048;

/** Calls that are one short piece of text, which is read as a whole or not at all: nothing of them can break off. */
function pairCalls({ openers, read }: { readonly openers: readonly string[]; readonly read: ReadPairs }): CallsForm {
  const open: Open = (scanner, index, length) => {
    const call = read(scanner, index + length);
    if (typeof call === 'string') return call;
    return { end: call.end, read: (writer) => writing(writer, call) };
  };
  return () => ({
    openers: openers.map((literal) => ({ literal, open, place: 'line-start' })),
    closers: [],
  });
}

const none: Closer = { literals: [], stops: new MarkerTrie(), followers: new MarkerTrie(), nestedCall: () => 'no' };

/** All of the call is read by now: what is left is to write it. */
function writing(writer: CallWriter, { name, pairs }: PairedCall): CallReader {
  const object = new ObjectWriter(writer, writer.named(name));
  for (const { key, value } of pairs) object.parameter(key, { closer: none, padded: false }).finishWhole(value);
  object.finish();
  return { read: () => 'done' };
}

const quotes = ['"', "'"];
/** What ends a tag. */
const ends = ['/>', '>'];

/** Calls that are one tag, whose attributes are the parameters. `tagsOf` says what opens the call of a tool, up to its name. */
export function attributeCalls(
  tools: readonly ToolDefinition[],
  tagsOf: (name: string) => readonly string[],
): readonly CallsForm[] {
  return tools.map(({ name }) => {
    const tags = tagsOf(name);
    const closers = tags.map((tag) => `</${tag.slice(1).split(' ')[0]}>`);
    return pairCalls({
      openers: tags,
      read: (scanner, index) => {
        const found = readAttributes(scanner, index);
        if (typeof found === 'string') return found;
        const closer = lookBehindSpace(scanner, closers, found.end);
        return closer === 'more' ? 'more' : { name, pairs: found.pairs, end: closer === 'no' ? found.end : closer };
      },
    });
  });
}

interface Attributes {
  readonly pairs: readonly Pair[];
  readonly end: number;
}

/** The attributes up to the end of the tag. Anything else in it, and a tag that is too long, makes it none of ours. */
function readAttributes(scanner: Scanner, index: number): Attributes | 'no' | 'more' {
  const { text } = scanner;
  const limit = index + longestPairs;
  const pairs: Pair[] = [];
  let at = index;
  while (at <= limit) {
    const next = scanner.skipSpace(at);
    if (next > limit) return 'no';
    if (scanner.wantsMore(next)) return 'more';
    const end = lookFor(scanner, next, ends);
    if (end === 'more') return 'more';
    if (end !== 'no') return { pairs, end };
    const equals = keyEnd(text, next, limit);
    if (next === at || equals === next || equals > limit) return 'no';
    if (scanner.wantsMore(equals)) return 'more';
    if (text[equals] !== '=') return 'no';
    const key = text.slice(next, equals);
    const value = readQuoted(scanner, equals + 1, limit);
    if (typeof value === 'string') return value;
    pairs.push({ key, value: value.text });
    at = value.end;
  }
  return 'no';
}

/** A value in quotation marks, which it may hold itself: the mark before another attribute or the tag's end closes it. */
function readQuoted(
  scanner: Scanner,
  start: number,
  limit: number,
): { readonly text: string; readonly end: number } | 'no' | 'more' {
  const { text } = scanner;
  const quote = text.charAt(start);
  if (quote === '') return scanner.wantsMore(start) ? 'more' : 'no';
  if (!quotes.includes(quote)) return 'no';
  for (let close = text.indexOf(quote, start + 1); close >= 0; close = text.indexOf(quote, close + 1)) {
    if (close > limit) return 'no';
    const closing = closesValue(scanner, close + 1, limit);
    if (closing === 'more') return 'more';
    if (closing === 'yes') return { text: text.slice(start + 1, close), end: close + 1 };
  }
  return scanner.ended || text.length > limit ? 'no' : 'more';
}

/** After a quotation mark: does the tag end, or another attribute follow? */
function closesValue(scanner: Scanner, index: number, limit: number): 'yes' | 'no' | 'more' {
  const next = scanner.afterSpace(index);
  if (typeof next === 'string') return next;
  const { text } = scanner;
  const end = lookFor(scanner, next, ends);
  if (end === 'more') return 'more';
  if (end === 'no') return next === index ? 'no' : followsKey(scanner, next, limit);
  if (text.charAt(end - 2) === '/') return 'yes';
  // Markup inside the value ends so, too; after our own tag stands nothing, another tag or the end of the line.
  if (scanner.wantsMore(end)) return 'more';
  return end === text.length || '\n<'.includes(text.charAt(end)) ? 'yes' : 'no';
}

function followsKey(scanner: Scanner, start: number, limit: number): 'yes' | 'no' | 'more' {
  const { text } = scanner;
  const end = keyEnd(text, start, limit);
  if (end > limit) return 'no';
  if (scanner.wantsMore(end) || scanner.wantsMore(end + 1)) return 'more';
  return end > start && text[end] === '=' && quotes.includes(text.charAt(end + 1)) ? 'yes' : 'no';
}

/** Index after the key that is at `index`; looks no farther than `limit`. */
function keyEnd(text: string, index: number, limit: number): number {
  let end = index;
  while (end <= limit && end < text.length && isKeyCharacter(text.charCodeAt(end))) end += 1;
  return end;
}

/** Letters, digits, `_`, `-` and whatever is no sign of ASCII. */
function isKeyCharacter(code: number): boolean {
  return isPlainCharacter(code) || code > 127;
}

/** Between the name and the first parameter. */
const preposition = 'for';

/**
 * Calls that are a line of words: `NAME for KEY value KEY value`. A word that is the key of a parameter begins one, and
 * its value goes on up to the next. What names no declared tool, or does not begin with a key, is prose.
 */
function spokenCalls(tools: readonly ToolDefinition[], openers: readonly string[]): CallsForm {
  return pairCalls({
    openers,
    read: (scanner, index) => {
      const line = readLine(scanner, index);
      return typeof line === 'string' ? line : (readWords(tools, line.text, line.end) ?? 'no');
    },
  });
}

/** The rest of the line, without its end. A line that the input has cut may be longer. */
function readLine(scanner: Scanner, index: number): { readonly text: string; readonly end: number } | 'no' | 'more' {
  const { text } = scanner;
  const newline = text.indexOf('\n', index);
  const end = newline < 0 ? text.length : newline;
  if (end - index > longestPairs) return 'no';
  if (newline < 0 && !scanner.ended) return 'more';
  return newline < 0 && scanner.cut ? 'no' : { text: text.slice(index, end), end };
}

function readWords(tools: readonly ToolDefinition[], line: string, end: number): PairedCall | undefined {
  const [written, word, ...rest] = wordsOf(line);
  const tool = tools.find(({ name }) => name === written?.text);
  if (tool === undefined) return undefined;
  if (word === undefined) return { name: tool.name, pairs: [], end };
  if (word.text !== preposition) return undefined;
  const schema = SchemaView.of(tool.inputSchema);
  const keys = rest.filter(({ text }, index) => {
    return schema.known(text) && rest.findIndex((earlier) => earlier.text === text) === index;
  });
  if (keys.length === 0 || keys[0] !== rest[0]) return undefined;
  const pairs = keys.map((key, index): Pair => {
    const value = line.slice(key.at + key.text.length, keys[index + 1]?.at ?? line.length);
    return { key: key.text, value: withoutQuotes(value.trim()) };
  });
  return { name: tool.name, pairs, end };
}

interface Word {
  readonly text: string;
  /** Index in the line. */
  readonly at: number;
}

/** The words of a line, between spaces. */
function wordsOf(line: string): readonly Word[] {
  const words: Word[] = [];
  let at = 0;
  for (const text of line.split(' ')) {
    if (text !== '') words.push({ text, at });
    at += text.length + 1;
  }
  return words;
}

function withoutQuotes(text: string): string {
  const quote = text.charAt(0);
  const quoted = text.length > 1 && (quote === '"' || quote === "'") && text.endsWith(quote);
  return quoted ? text.slice(1, -1) : text;
}
