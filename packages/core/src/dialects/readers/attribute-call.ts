import type { ToolDefinition } from '../../chat/tool.ts';
import type { CallsForm } from '../parser/create-grammar.ts';
import { isSpace, lookBehindSpace, lookFor, type Scanner } from '../parser/scanner.ts';
import { longestPairs, type Pair, pairCalls } from './pair-call.ts';

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

/** A value in quotation marks, which it may hold itself: the mark in front of another attribute or the tag's end closes it. */
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

/** Behind a quotation mark: does the tag end, or another attribute follow? */
function closesValue(scanner: Scanner, index: number, limit: number): 'yes' | 'no' | 'more' {
  const next = scanner.behindSpace(index);
  if (typeof next === 'string') return next;
  const { text } = scanner;
  const end = lookFor(scanner, next, ends);
  if (end === 'more') return 'more';
  if (end === 'no') return next === index ? 'no' : followsKey(scanner, next, limit);
  if (text.charAt(end - 2) === '/') return 'yes';
  // Markup inside the value ends so, too; behind our own tag stands nothing, another tag or the end of the line.
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

/** Index behind the key that stands at `index`; looks no farther than behind `limit`. */
function keyEnd(text: string, index: number, limit: number): number {
  let end = index;
  while (end <= limit && end < text.length && isKeyCharacter(text.charCodeAt(end))) end += 1;
  return end;
}

/** Letters, digits, `_`, `-` and whatever is no sign of ASCII. */
function isKeyCharacter(code: number): boolean {
  if (code === 45 || code === 95 || code > 127) return true;
  return !isSpace(code) && ((code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122));
}
