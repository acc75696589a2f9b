import { isPlainCharacter } from '../../../json/json-characters.ts';
import { type Repair, repairs } from '../../parser/call-warnings.ts';
import { MarkerTrie } from '../../parser/markers/marker-trie.ts';
import { type Look, longestGap, look, lookFor, type Scanner } from '../../parser/scanner.ts';

/** What opens and closes a string. */
export interface Quote {
  readonly literal: string;
  /** A backslash escapes what is after it. */
  readonly escapes: boolean;
}

/** How a language writes calls and literals. */
export interface LiteralSyntax {
  readonly quotes: MarkerTrie<Quote>;
  /** Before a name, if anything; may be missing. */
  readonly prefix: string;
  /** What is wrong where it is missing. Default: nothing. */
  readonly prefixMissing?: Repair;
  /** What a name has to end with, if anything. */
  readonly suffix: string;
  /** What opens and closes the arguments: the language's own brackets, then what else models write. */
  readonly brackets: readonly (readonly [open: string, close: string])[];
  /** The signs that may be between a parameter and its value. */
  readonly assign: string;
  /** Arguments without a name take the schema's properties in their order. */
  readonly positional: boolean;
  /** A word that is no number and no constant is a string. */
  readonly bareStrings: boolean;
}

const quotes = (literals: readonly string[], escapes: boolean) =>
  literals.map((literal) => [literal, { literal, escapes }] as const);

/** Python: `name(key="value", n=1)`. JSON's constants count beside Python's. */
export const python: LiteralSyntax = {
  quotes: new MarkerTrie(quotes(['"""', "'''", '"', "'"], true)),
  prefix: '',
  suffix: '',
  brackets: [['(', ')']],
  assign: '=',
  positional: true,
  bareStrings: false,
};

/**
 * Gemma: `call:name{key:QvalueQ,n:1}`, where Q is a token. Quotation marks count beside it. Under a long prompt its models
 * fall into the brackets of Python, with either sign.
 */
export function gemma(quote: string): LiteralSyntax {
  return {
    quotes: new MarkerTrie([...quotes([quote], false), ...quotes(['"', "'"], true)]),
    prefix: 'call:',
    prefixMissing: repairs.header,
    suffix: '',
    brackets: [
      ['{', '}'],
      ['(', ')'],
    ],
    assign: ':=',
    positional: false,
    bareStrings: true,
  };
}

/** The beginning of a call: `name(`. */
export interface CallHead {
  readonly name: string;
  /** The bracket that will close the arguments. */
  readonly close: string;
  /** Index after the bracket that opens the arguments. */
  readonly end: number;
  /** What is wrong with it. */
  readonly repair?: Repair | undefined;
}

/** A name longer than this is none. */
export const longestName = 192;

/** Reads a name and the bracket after it, from the first character that is not white space. Consumes nothing. */
export function readCallHead(
  scanner: Scanner,
  index: number,
  { prefix, prefixMissing, suffix, brackets }: LiteralSyntax,
): CallHead | 'no' | 'more' {
  const first = scanner.afterSpace(index);
  if (typeof first === 'string') return first;
  const prefixed = prefix === '' ? 'no' : look(scanner, prefix, first);
  if (prefixed === 'more') return 'more';
  const start = prefixed === 'yes' ? first + prefix.length : first;
  const end = nameEnd(scanner, start, ':/');
  if (end === 'more' || end === 'no') return end;
  const bracket = scanner.afterSpace(end);
  if (typeof bracket === 'string') return bracket;
  const close = brackets.find(([open]) => open === scanner.text[bracket])?.[1];
  if (close === undefined) return 'no';
  const written = scanner.text.slice(start, end);
  if (!written.endsWith(suffix)) return 'no';
  return {
    name: written.slice(0, written.length - suffix.length),
    close,
    end: bracket + 1,
    repair: prefixed === 'yes' ? undefined : prefixMissing,
  };
}

/** Is here what only arguments are: a parameter with its sign, an unpacked dict, or nothing? */
export function opensArguments(scanner: Scanner, { end: index, close }: CallHead, { assign }: LiteralSyntax): Look {
  const first = scanner.afterSpace(index);
  if (typeof first === 'string') return first;
  if (scanner.text[first] === close) return isNoLink(scanner, first + 1);
  const unpacked = look(scanner, '**', first);
  if (unpacked !== 'no') return unpacked;
  const end = nameEnd(scanner, first);
  if (typeof end === 'string') return end;
  const sign = scanner.afterSpace(end);
  if (typeof sign === 'string') return sign;
  if (!isSign(scanner, sign, assign)) return 'no';
  if (scanner.wantsMore(sign + 1)) return 'more';
  return scanner.text[sign + 1] === scanner.text[sign] ? 'no' : 'yes';
}

/** One of these signs is at `index`. */
export function isSign(scanner: Scanner, index: number, signs: string): boolean {
  return index < scanner.text.length && signs.includes(scanner.text.charAt(index));
}

/** Not the text of a Markdown link: after a call without arguments stands `](`, and so no list of calls. */
function isNoLink(scanner: Scanner, index: number): Look {
  const link = look(scanner, '](', index);
  return link === 'more' ? 'more' : link === 'yes' ? 'no' : 'yes';
}

/** Index after the name at `index`, which may hold these `signs`, too. */
export function nameEnd(scanner: Scanner, index: number, signs = ''): number | 'no' | 'more' {
  let end = index;
  const { text } = scanner;
  while (end < text.length && end - index <= longestName) {
    if (!isNameCharacter(text.charCodeAt(end)) && !signs.includes(text.charAt(end))) break;
    end += 1;
  }
  if (end - index > longestName) return 'no';
  if (scanner.wantsMore(end)) return 'more';
  return end === index ? 'no' : end;
}

/** Letters, digits and `_ . -`, and what is beyond ASCII. */
function isNameCharacter(code: number): boolean {
  return isPlainCharacter(code) || code === 46 || code > 127;
}

/**
 * Whether a literal ends where a sign that may end it stands. `perhaps`: it does unless a later sign does, too; `unclear`:
 * both readings are whole, and nobody can tell which one was meant.
 */
export type Ending = 'yes' | 'perhaps' | 'unclear' | 'no' | 'more';

/**
 * The quotation marks of its own kind that a string holds without escaping them. After an odd number of them the next one
 * may be the other half of a pair inside the string.
 */
export type Passed = 'none' | 'pairs' | 'odd';

/** What may come after a literal, after white space. */
export interface After {
  /** A comma, and what closes that in which the literal stands. */
  readonly signs: string;
  /** What closes the whole call: the brackets before it may be missing. */
  readonly ends: readonly string[];
  /** Does the literal end before this sign, by what comes after it at `index`? Default: it does. */
  readonly next?: (scanner: Scanner, index: number, sign: Sign) => Ending;
}

/** The sign after a literal, and what the literal holds. */
export interface Sign {
  readonly sign: string;
  readonly passed: Passed;
}

/** Does a literal end before the white space at `from`? At the end of the input it does. */
export function lookBehind(
  scanner: Scanner,
  from: number,
  { after, passed }: { readonly after: After; readonly passed: Passed },
): Ending {
  const index = scanner.afterSpace(from);
  if (typeof index === 'string') return index;
  if (index === scanner.text.length) return 'yes';
  const sign = scanner.text.charAt(index);
  if (after.signs.includes(sign)) return after.next?.(scanner, index + 1, { sign, passed }) ?? 'yes';
  const end = lookFor(scanner, index, after.ends);
  return typeof end === 'number' ? 'yes' : end;
}

/**
 * Does an element of containers end before this sign, by what comes after that at `index`? What closes the
 * containers, of which the innermost is the last, comes after one another, and then what may come after the whole.
 */
export function lookOut(
  scanner: Scanner,
  index: number,
  { sign, passed, closers, after }: Sign & { readonly closers: readonly string[]; readonly after: After },
): Ending {
  let [at, last, depth] = [index, sign, closers.length];
  for (;;) {
    if (last === closers[depth - 1]) depth -= 1;
    if (depth === 0) return lookBehind(scanner, at, { after, passed });
    const next = scanner.afterSpace(at);
    if (typeof next === 'string') return next;
    const character = scanner.text.charAt(next);
    const closes = character === closers[depth - 1];
    if (last === ',' && !closes) return passed === 'none' ? 'yes' : 'unclear';
    if (!closes && character !== ',') {
      // The brackets may be missing before the call's own closer.
      const end = next === scanner.text.length ? next : lookFor(scanner, next, after.ends);
      return typeof end === 'number' ? 'yes' : end;
    }
    [at, last] = [next + 1, character];
  }
}

/** A line break is in the white space at `from`. */
export function breaksLine(scanner: Scanner, from: number): boolean {
  const end = Math.min(scanner.skipSpace(from), from + longestGap);
  return scanner.text.slice(from, end).includes('\n');
}

/** What opens a list without a marker. It is escaped in foreign text, so it has one spelling. */
export function bareOpener(name: string): string {
  return `[${name}(`;
}
