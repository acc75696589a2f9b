import { KnownTexts } from '../chat/known-texts.ts';
import { createMarkerSearch, type MarkerSearch } from '../chat/marker-search.ts';
import type { Message } from '../chat/message.ts';
import { leakMarkers } from '../dialects/together/read-any.ts';

/** What is escaped in an escape is read as well, so many times. */
const deepest = 3;

/** So long are the longest references and escapes that are read, without what they begin with. */
const longestReference = 12;

/** The signs of markers by the names that HTML has for them, in lower case. */
const named: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['apos', "'"],
  ['equals', '='],
  ['gt', '>'],
  ['lbrack', '['],
  ['lowbar', '_'],
  ['lsqb', '['],
  ['lt', '<'],
  ['nbsp', ' '],
  ['quot', '"'],
  ['rbrack', ']'],
  ['rsqb', ']'],
  ['sol', '/'],
  ['underbar', '_'],
  ['verbar', '|'],
  ['vert', '|'],
  ['verticalline', '|'],
]);

/** What makes no difference between two markers: blanks, signs of no width, and signs that look alike. */
const alike: readonly (readonly [string, string])[] = [
  ...[' ', '\n', '\r', '\t', '\u00a0', '\u00ad', '\u200b', '\u200c', '\u200d', '\u2060', '\ufeff'].map(
    (blank) => [blank, ''] as const,
  ),
  ['\uff5c', '|'],
  ['\u2581', '_'],
  ['\uff1c', '<'],
  ['\uff1e', '>'],
];

/**
 * A text as it is compared with markers: in small letters, without blanks, its escapes read, whichever of HTML, Markdown,
 * JSON, scripts and addresses they are of. Two texts that a model may take for the same become the same. Linear in the text.
 */
export function plainSigns(text: string): string {
  let plain = text;
  for (let depth = 0; depth < deepest; depth += 1) {
    const read = withoutEscapes(plain);
    if (read === plain) break;
    plain = read;
  }
  return alike.reduce((folded, [sign, same]) => folded.replaceAll(sign, same), plain.toLowerCase());
}

/** What an escape says, and the index after it. */
interface Escape {
  readonly sign: string;
  readonly end: number;
}

const readers: Readonly<Record<string, (text: string, at: number) => Escape | undefined>> = {
  '&': readReference,
  '%': readPercents,
  '\\': readBackslash,
};

function withoutEscapes(text: string): string {
  const pieces: string[] = [];
  const next = new Map(Object.keys(readers).map((sign) => [sign, -1]));
  let done = 0;
  for (let at = 0; ; ) {
    for (const [sign, index] of next) if (index < at) next.set(sign, indexFrom(text, sign, at));
    at = Math.min(...next.values());
    if (at === text.length) break;
    const found = readers[text.charAt(at)]?.(text, at + 1);
    if (found !== undefined) {
      pieces.push(text.slice(done, at), found.sign);
      done = found.end;
    }
    at = found?.end ?? at + 1;
  }
  return done === 0 ? text : pieces.join('') + text.slice(done);
}

function indexFrom(text: string, sign: string, at: number): number {
  const index = text.indexOf(sign, at);
  return index === -1 ? text.length : index;
}

/** `&lt;`, `&#60;`, `&#x3c;`, also without the semicolon. */
function readReference(text: string, at: number): Escape | undefined {
  const isHex = text[at] === '#' && text.charAt(at + 1).toLowerCase() === 'x';
  if (text[at] === '#') {
    const from = at + (isHex ? 2 : 1);
    const end = afterDigits(text, from, isHex ? 16 : 10);
    return escapeOf(codePoint(text.slice(from, end), isHex ? 16 : 10), afterSemicolon(text, end));
  }
  let end = at;
  while (end < at + longestReference && digitOf(text.charCodeAt(end)) < 36) end += 1;
  const name = text.slice(at, end).toLowerCase();
  const whole = named.get(name);
  if (whole !== undefined) return escapeOf(whole, afterSemicolon(text, end));
  // Without its semicolon, a reference is followed by whatever comes next: `&lttool_call&gt`.
  const bare = ['lt', 'gt'].find((each) => name.startsWith(each));
  return bare === undefined ? undefined : escapeOf(named.get(bare), at + bare.length);
}

function afterSemicolon(text: string, at: number): number {
  return text[at] === ';' ? at + 1 : at;
}

const utf8 = new TextDecoder();

/** `%3C`, and further ones after it, since a sign may be several bytes. */
function readPercents(text: string, at: number): Escape | undefined {
  const bytes: number[] = [];
  let end = at - 1;
  while (text[end] === '%' && afterDigits(text, end + 1, 16, 2) === end + 3) {
    bytes.push(Number.parseInt(text.slice(end + 1, end + 3), 16));
    end += 3;
  }
  return bytes.length === 0 ? undefined : { sign: utf8.decode(new Uint8Array(bytes)), end };
}

/** `\u003c`, `\u{3c}`, `\x3c`, and any sign that is no letter or digit after a backslash. */
function readBackslash(text: string, at: number): Escape | undefined {
  switch (text[at]) {
    case 'u':
      return text[at + 1] === '{' ? readBraced(text, at + 2) : readHex(text, at + 1, 4);
    case 'x':
      return readHex(text, at + 1, 2);
    case 'n':
    case 'r':
    case 't':
      return { sign: ' ', end: at + 1 };
    default:
      return at < text.length && digitOf(text.charCodeAt(at)) === none
        ? { sign: text.charAt(at), end: at + 1 }
        : undefined;
  }
}

function readHex(text: string, at: number, length: number): Escape | undefined {
  const end = afterDigits(text, at, 16, length);
  return end === at + length ? escapeOf(codePoint(text.slice(at, end), 16), end) : undefined;
}

function readBraced(text: string, at: number): Escape | undefined {
  const end = afterDigits(text, at, 16);
  return text[end] === '}' ? escapeOf(codePoint(text.slice(at, end), 16), end + 1) : undefined;
}

function escapeOf(sign: string | undefined, end: number): Escape | undefined {
  return sign === undefined ? undefined : { sign, end };
}

function codePoint(digits: string, base: number): string | undefined {
  const code = Number.parseInt(digits, base);
  return code >= 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

function afterDigits(text: string, at: number, base: number, most: number = longestReference): number {
  let end = at;
  while (end < at + most && digitOf(text.charCodeAt(end)) < base) end += 1;
  return end;
}

const none = 99;

/** What an ASCII digit or letter counts in a base that has it; `none` of anything else. */
function digitOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const small = code | 0x20;
  return small >= 0x61 && small <= 0x7a ? small - 0x57 : none;
}

/** Of what a marker opens so many characters are compared. */
const compared = 256;

let search: MarkerSearch | undefined;

/** By a text what of it looks like markers, with what follows. Of all requests of the process. */
const known = new KnownTexts<string>((shown) => shown.length);

/** How many UTF-16 units are kept in memory of texts, to know which markers they hold. */
export function searchedCharacters(): number {
  return known.units;
}

/**
 * What users and tools have written in a conversation that looks like markers: very little, where the whole history is most of what a
 * request weighs.
 */
export class QuotedSigns {
  readonly #shown: readonly string[];
  readonly #found = new Map<string, boolean>();

  constructor(messages: readonly Message[]) {
    this.#shown = [...new Set(messages.flatMap(foreignTexts).map(markersIn))];
  }

  /** Whether somebody has written the same as what a call begins with, escaped or not. */
  has(literal: string): boolean {
    const sought = plainSigns(literal).slice(0, compared);
    const found = this.#found.get(sought) ?? this.#shown.some((text) => text.includes(sought));
    this.#found.set(sought, found);
    return found;
  }
}

function foreignTexts({ role, content }: Message): readonly string[] {
  if (role !== 'user' && role !== 'tool') return [];
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
}

function markersIn(text: string): string {
  return known.of(text, () => showMarkers(plainSigns(text)));
}

/** Each place at which a marker begins, with what follows; what lies between is left out. */
function showMarkers(plain: string): string {
  search ??= createMarkerSearch([...new Set(leakMarkers().map(plainSigns))]);
  const pieces: string[] = [];
  let from = 0;
  let to = 0;
  for (const at of search(plain, plain.length)) {
    if (at > to) {
      pieces.push(plain.slice(from, to));
      from = at;
    }
    to = Math.min(at + compared, plain.length);
  }
  // Joined it is a text of its own, and keeps nothing of the one that it was cut out of. Plain texts hold no line breaks.
  return to === 0 ? '' : ['', ...pieces, plain.slice(from, to)].join('\n');
}
