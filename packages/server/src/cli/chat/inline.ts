import type { Span } from './prose.ts';
import type { Look } from './screen.ts';

/** What an unfinished piece of a line comes to: what can be shown, and what waits for its end. */
export interface InlineReading {
  readonly spans: readonly Span[];
  readonly rest: string;
}

/** A mark without its end is text once so much comes after it, in UTF-16 units. */
const longestMarked = 1_000;

const looks: readonly (readonly [mark: string, look: Look])[] = [
  ['**', 'bold'],
  ['__', 'bold'],
  ['~~', 'strikethrough'],
  ['*', 'italic'],
  ['_', 'italic'],
];

/**
 * Reads the marks of Markdown within a line. A mark whose end has not come waits in `rest`; one that has none, because the line
 * is whole, is text as it stands. `before` is the letter in front.
 */
export function readInline(
  text: string,
  { isWhole, before = '' }: { readonly isWhole: boolean; readonly before?: string },
): InlineReading {
  const spans: Span[] = [];
  let plain = '';
  let at = 0;
  const take = (found: readonly Span[], end: number) => {
    if (plain !== '') spans.push({ text: plain });
    plain = '';
    spans.push(...found);
    at = end;
  };
  while (at < text.length) {
    const previous = at === 0 ? before : text.charAt(at - 1);
    // No mark reaches further, so that a line of any length is read once.
    const near = text.slice(at, at + longestMarked);
    const found = isMark(near.charAt(0))
      ? markAt(near, { isWhole: isWhole || near.length === longestMarked, previous })
      : undefined;
    if (found === 'waits') break;
    if (found === undefined) {
      plain += text.charAt(at);
      at += 1;
    } else take(found.spans, at + found.end);
  }
  take([], at);
  return { spans, rest: text.slice(at) };
}

interface Found {
  readonly spans: readonly Span[];
  readonly end: number;
}

interface Place {
  readonly isWhole: boolean;
  readonly previous: string;
}

/** What a text begins with; `waits` where more has to come to know it, undefined where it is text. */
function markAt(text: string, place: Place): Found | 'waits' | undefined {
  const unknown = place.isWhole ? undefined : 'waits';
  switch (text.charAt(0)) {
    case '\\': {
      const next = text.charAt(1);
      if (next === '') return unknown;
      return isMark(next) ? { spans: [{ text: next }], end: 2 } : undefined;
    }
    case '`': {
      const length = runAt(text, 0);
      const end = length === text.length ? undefined : endOfCode(text, length);
      // A run at the end may go on.
      if (end !== undefined && end + length === text.length && unknown === 'waits') return 'waits';
      if (end === undefined) return unknown ?? literal(text, length);
      const code = text.slice(length, end);
      const isPadded = code.startsWith(' ') && code.endsWith(' ') && code.trim() !== '';
      return { spans: [{ text: isPadded ? code.slice(1, -1) : code, look: 'cyan' }], end: end + length };
    }
    case '[':
      return linkAt(text, unknown);
    case '*':
    case '_':
    case '~':
      return emphasisAt(text, { ...place, unknown });
    default:
      return undefined;
  }
}

/** A run that opens nothing is text as a whole: half of it must not open something. */
function literal(text: string, length: number): Found {
  return { spans: [{ text: text.slice(0, length) }], end: length };
}

type Unknown = 'waits' | undefined;

function emphasisAt(
  text: string,
  { previous, unknown }: Place & { readonly unknown: Unknown },
): Found | 'waits' | undefined {
  const length = runAt(text, 0);
  if (length === text.length) return unknown;
  const [mark, look] = looks.find(([each]) => text.startsWith(each)) ?? [];
  const opens = text.charAt(length).trim() !== '' && !(text.startsWith('_') && isWord(previous));
  if (mark === undefined || look === undefined || !opens) return literal(text, length);
  for (let at = text.indexOf(mark, length); at !== -1; at = text.indexOf(mark, at + runAt(text, at))) {
    const run = runAt(text, at);
    // A run may go on; one star within two is another's; after a space nothing closes.
    if (at + run === text.length && unknown === 'waits') return 'waits';
    if (text.charAt(at - 1).trim() === '' || (mark.length === 1 && run === 2)) continue;
    // Of three stars after bold text the last two close it.
    const close = at + run - mark.length;
    if (mark.startsWith('_') && isWord(text.charAt(close + mark.length))) continue;
    const { spans } = readInline(text.slice(mark.length, close), { isWhole: true });
    return { spans: spans.map((span) => withLook(span, look)), end: close + mark.length };
  }
  return unknown ?? literal(text, length);
}

/** `[words](address)`: the words, and the address where it says more. */
function linkAt(text: string, unknown: Unknown): Found | 'waits' | undefined {
  const middle = text.indexOf(']');
  if (middle === -1 || middle === text.length - 1) return unknown;
  if (text.charAt(middle + 1) !== '(') return undefined;
  const end = text.indexOf(')', middle);
  if (end === -1) return unknown;
  const [words, address] = [text.slice(1, middle), text.slice(middle + 2, end)];
  if (words === '' || address === '') return undefined;
  const { spans } = readInline(words, { isWhole: true });
  const told: readonly Span[] = address === words ? [] : [{ text: ` (${address})`, look: 'dim' }];
  return { spans: [...spans.map((span) => withLook(span, 'underline')), ...told], end: end + 1 };
}

function endOfCode(text: string, length: number): number | undefined {
  for (let end = text.indexOf('`', length); end !== -1; end = text.indexOf('`', end)) {
    const run = runAt(text, end);
    if (run === length) return end;
    end += run;
  }
  return undefined;
}

function runAt(text: string, at: number): number {
  const letter = text.charAt(at);
  let end = at;
  while (end < text.length && text.charAt(end) === letter) end += 1;
  return end - at;
}

function withLook({ text, look: own }: Span, look: Look): Span {
  return { text, look: own === undefined ? look : [own, look].flat() };
}

function isMark(letter: string): boolean {
  return '\\`*_~[]()#+-.!|<>'.includes(letter);
}

function isWord(letter: string): boolean {
  return letter !== '' && letter.trim() !== '' && !isMark(letter) && !',;:?"\'{}/'.includes(letter);
}
