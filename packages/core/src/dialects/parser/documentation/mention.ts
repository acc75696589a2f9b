import { isDigits } from '../../../json/json-characters.ts';
import type { Scanner } from '../scanner.ts';

/** Where in a line of prose a call is mentioned and not meant, in the words of a warning. */
export type MentionPlace = 'quotation marks' | 'brackets' | 'emphasis' | 'a table' | 'a sentence' | 'an example';

/** So much of what comes before a marker says how the sentence goes there, in UTF-16 units. */
export const longestBefore = 64;

/** So much of what has left is kept at most. */
const mostKept = 16 * longestBefore;

/** Remembers the visible text before each marker, to find where calls are mentioned. */
export class Mentions {
  /** Where a call is mentioned that comes directly after this text. */
  readonly #placeAfter: (before: string) => MentionPlace | undefined;
  /** The last of what has left since the last marker. */
  #left = '';

  constructor(placeAfter: (before: string) => MentionPlace | undefined) {
    this.#placeAfter = placeAfter;
  }

  /** Something is here that is not visible text: what follows goes on with nothing. */
  part(): void {
    this.#left = '';
  }

  /** This text has left. Its end is cut off only now and then: a model writes a few characters at a time. */
  keep(text: string): void {
    this.#left += text.length > longestBefore ? text.slice(-longestBefore) : text;
    if (this.#left.length > mostKept) this.#left = this.#left.slice(-longestBefore);
  }

  /** Where the call at `index` is mentioned, by the visible text before it; its last part counts where it is long. */
  find({ text, at }: Scanner, index: number): MentionPlace | undefined {
    const near = text.slice(Math.max(at, index - longestBefore), index);
    return this.#placeAfter((this.#left + near).slice(-longestBefore));
  }
}

const blanks = ' \t\u00a0\u3000\u200b\ufeff';
const lineEnds = '\n\r';
const brackets = '([{（［｛【〔';
const closingBrackets = ')]}）］｝】〕';
/** Languages open with what others close with, so what comes before them tells. */
const quotes = '"\'“”„‘’‚«»‹›「」『』《》〈〉';
const emphasis = '*_~';
/** After the end of a sentence, or of its last word. */
const closing = `${closingBrackets}${quotes}${emphasis}${blanks}\``;
/** The colon announces what follows; `>` is the end of other markup. */
const sentenceEnds = '.!?:…。！？：．｡।؟۔>';
/** What a quotation mark closes directly behind, apart from letters and digits. */
const insideQuotes = `.!?…。！？,;>${closingBrackets}${emphasis}`;

/**
 * Where a marker is mentioned that comes directly after `before`, the last `longestBefore` characters of the visible text
 * before it, or fewer where a marker or the start of the reply stands before them. A call that is meant is at the
 * start of a line or after a whole sentence. Directly after a letter or a digit it is meant, too: a server that has lost
 * half of a marker leaves the call there, and nobody glues an example to a word. That takes a script that puts blanks
 * between its words.
 */
export function findMention(before: string): MentionPlace | undefined {
  const end = afterLast(before, before.length, blanks);
  if (end === 0 || lineEnds.includes(before.charAt(end - 1))) return undefined;
  const isGlued = end === before.length;
  if (!isGlued && isListMark(before, end)) return undefined;
  const last = before.charAt(end - 1);
  if (last === '|') return 'a table';
  const opened = openedBy(before, end);
  return opened ?? (goesOn(before, afterLast(before, end, closing), isGlued) ? 'a sentence' : undefined);
}

/** The example of a lesson that writes this line before it, where nothing else stands yet on the line that `before` ends on. */
export function findExample(before: string, line: string): MentionPlace | undefined {
  const end = afterLast(before, before.length, blanks + lineEnds);
  if (!lineEnds.includes(before.charAt(afterLast(before, before.length, blanks) - 1))) return undefined;
  return end > 0 && before.slice(startOfLine(before, end), end) === line ? 'an example' : undefined;
}

function startOfLine(text: string, end: number): number {
  let at = end;
  while (at > 0 && !lineEnds.includes(text.charAt(at - 1))) at -= 1;
  return at;
}

/** Index after the last character before `end` that is none of these. */
function afterLast(text: string, end: number, these: string): number {
  let at = end;
  while (at > 0 && these.includes(text.charAt(at - 1))) at -= 1;
  return at;
}

/** Nothing but the mark of a list item stands on this line: what it holds is no sentence that has begun. */
function isListMark(before: string, end: number): boolean {
  const start = startOfWord(before, end);
  const word = before.slice(start, end);
  const isMark =
    ['-', '*', '+', '•'].includes(word) || (isDigits(word.slice(0, -1)) && ['.', ')'].includes(word.slice(-1)));
  const line = afterLast(before, start, blanks);
  return isMark && (line === 0 || lineEnds.includes(before.charAt(line - 1)));
}

function startOfWord(text: string, end: number): number {
  let at = end;
  while (at > 0 && !blanks.includes(text.charAt(at - 1)) && !lineEnds.includes(text.charAt(at - 1))) at -= 1;
  return at;
}

/** What the mark that ends at `end` has opened, if it opens anything. */
function openedBy(before: string, end: number): MentionPlace | undefined {
  const last = before.charAt(end - 1);
  if (brackets.includes(last)) return 'brackets';
  const isQuote = quotes.includes(last);
  if (!isQuote && !emphasis.includes(last)) return undefined;
  const start = afterLast(before, end, quotes + emphasis);
  const front = before.charAt(start - 1);
  const isOpen = front === '' || isBlank(front) || brackets.includes(front) || front === '|';
  const opensQuote = isQuote && !isWordSign(front) && !insideQuotes.includes(front);
  if (!isOpen && !opensQuote) return undefined;
  return isQuote ? 'quotation marks' : 'emphasis';
}

/** Does a sentence that reaches up to `end` go on? */
function goesOn(before: string, end: number, isGlued: boolean): boolean {
  const last = before.charAt(end - 1);
  if (last === '' || isBlank(last) || sentenceEnds.includes(last)) return isAbbreviated(before, end);
  if (isSymbol(last.charCodeAt(0))) return false;
  return !isGlued || !isWordSign(last);
}

/** `e.g.`, `i.e.`, `z.B.`: a dot after one letter after a dot ends no sentence. */
function isAbbreviated(before: string, end: number): boolean {
  if (before.charAt(end - 1) !== '.' || before.charAt(end - 3) !== '.') return false;
  return isWordSign(before.charAt(end - 2));
}

function isBlank(sign: string): boolean {
  return blanks.includes(sign) || lineEnds.includes(sign);
}

/** A letter of a script that has cases, or a digit. */
function isWordSign(sign: string): boolean {
  return sign.toLowerCase() !== sign.toUpperCase() || (sign >= '0' && sign <= '9');
}

/** Emoji and other pictures, which end a sentence where they are in place of its dot. */
function isSymbol(code: number): boolean {
  return (code >= 0xd800 && code <= 0xdfff) || (code >= 0x2300 && code <= 0x2bff) || code === 0xfe0f;
}
