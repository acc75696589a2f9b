import type { Vocabulary } from './vocabulary.ts';

/** What a character is to the pattern that cuts texts into words. */
export const kind = { other: 0, lower: 1, upper: 2, letter: 3, mark: 4, number: 5, line: 6, space: 7 } as const;

/** The kinds of characters, of which a vocabulary tells. */
export type Kinds = Pick<Vocabulary, 'pageNumbers' | 'pages'>;

/**
 * Where the word ends that begins at `from`, as the pattern of o200k_base cuts texts:
 *
 * ```text
 * [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+('s|'t|'re|'ve|'m|'ll|'d)?
 * [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*('s|'t|'re|'ve|'m|'ll|'d)?
 * \p{N}{1,3}
 *  ?[^\s\p{L}\p{N}]+[\r\n/]*
 * \s*[\r\n]+
 * \s+(?!\S)
 * \s+
 * ```
 *
 * By hand, as Node takes more than ten milliseconds at once to compile that, and runs it three times as slowly.
 */
export function endOfWord(text: string, from: number, kinds: Kinds): number {
  const first = kindAt(text, from, kinds);
  if (first >= kind.lower && first <= kind.mark) return endOfContraction(text, endOfLetters(text, from, kinds));
  const second = after(text, from);
  if (first === kind.number) return endOfNumber(text, second, kinds);
  if (first === kind.line) return endOfSpace(text, from, kinds);
  // Whatever is neither a letter nor a number may lead a word.
  const end = endOfLetters(text, second, kinds);
  if (end > second) return endOfContraction(text, end);
  if (first === kind.other) return endOfSigns(text, second, kinds);
  const leads = text.charCodeAt(from) === 0x20 && second < text.length && kindAt(text, second, kinds) === kind.other;
  return leads ? endOfSigns(text, second, kinds) : endOfSpace(text, from, kinds);
}

/**
 * Where capitals with small letters after them end; letters of no case, and marks, are both. Where no small letter follows, what comes
 * after the last that is both begins another word; where there is none of these either, capitals are a word.
 */
function endOfLetters(text: string, from: number, kinds: Kinds): number {
  let at = from;
  let both = 0;
  for (; at < text.length; at = after(text, at)) {
    const found = kindAt(text, at, kinds);
    if (found === kind.lower) return endOfSmall(text, at, kinds);
    if (found !== kind.upper && found !== kind.letter && found !== kind.mark) break;
    if (found !== kind.upper) both = after(text, at);
  }
  return both > 0 ? both : at;
}

function endOfSmall(text: string, from: number, kinds: Kinds): number {
  let at = from;
  while (at < text.length) {
    const found = kindAt(text, at, kinds);
    if (found !== kind.lower && found !== kind.letter && found !== kind.mark) return at;
    at = after(text, at);
  }
  return at;
}

function endOfContraction(text: string, at: number): number {
  if (text.charCodeAt(at) !== 0x27) return at;
  const first = text.slice(at + 1, at + 2).toLowerCase();
  if (first === 's' || first === 't' || first === 'm' || first === 'd') return at + 2;
  const both = text.slice(at + 1, at + 3).toLowerCase();
  return both === 're' || both === 've' || both === 'll' ? at + 3 : at;
}

function endOfNumber(text: string, second: number, kinds: Kinds): number {
  let at = second;
  for (let digits = 1; digits < 3 && at < text.length && kindAt(text, at, kinds) === kind.number; digits += 1) {
    at = after(text, at);
  }
  return at;
}

function endOfSigns(text: string, from: number, kinds: Kinds): number {
  let at = from;
  while (at < text.length) {
    const found = kindAt(text, at, kinds);
    if (found !== kind.other && found !== kind.mark) break;
    at = after(text, at);
  }
  while (at < text.length && '\r\n/'.includes(text.charAt(at))) at += 1;
  return at;
}

/** Up to the last end of a line; without one, all but the last space, which leads what follows. */
function endOfSpace(text: string, from: number, kinds: Kinds): number {
  let line = 0;
  let at = from;
  for (; at < text.length; at += 1) {
    const found = kindAt(text, at, kinds);
    if (found === kind.line) line = at + 1;
    else if (found !== kind.space) break;
  }
  if (line > 0) return line;
  return at === text.length || at === from + 1 ? at : at - 1;
}

function kindAt(text: string, at: number, { pageNumbers, pages }: Kinds): number {
  const unit = text.charCodeAt(at);
  const character = isHigh(unit) ? (text.codePointAt(at) ?? unit) : unit;
  return pages[((pageNumbers[character >> 8] ?? 0) << 8) | (character & 0xff)] ?? 0;
}

function after(text: string, at: number): number {
  if (!isHigh(text.charCodeAt(at))) return at + 1;
  return (text.codePointAt(at) ?? 0) > 0xffff ? at + 2 : at + 1;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}
