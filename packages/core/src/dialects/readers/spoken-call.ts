import type { ToolDefinition } from '../../chat/tool.ts';
import { SchemaView } from '../../json/schema.ts';
import type { CallsForm } from '../parser/create-grammar.ts';
import type { Scanner } from '../parser/scanner.ts';
import { longestPairs, type Pair, type PairedCall, pairCalls } from './pair-call.ts';

/** Between the name and the first parameter. */
const preposition = 'for';

/**
 * Calls that are a line of words: `NAME for KEY value KEY value`. A word that is the key of a parameter begins one, and
 * its value goes on up to the next. What names no declared tool, or does not begin with a key, is prose.
 */
export function spokenCalls(tools: readonly ToolDefinition[], openers: readonly string[]): CallsForm {
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
