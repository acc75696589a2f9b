// What literals of a table are made of: whether prose could hold one, and whether it ends a name.

/** Tells words of any script from signs. Made when it is needed: it takes Node eight milliseconds to look for its locales. */
let segmenter: Intl.Segmenter | undefined;

/** Signs that prose and Markdown are made of. */
const proseSigns = '.,;:!?\'"()*~+=#>_-';
/** Signs that names of tools and parameters may hold. */
const nameSigns = '.,:;()$@{}\'"<_-';

/** What a text is made of, white space left out. */
interface Makeup {
  readonly words: readonly string[];
  readonly signs: readonly string[];
}

function makeupOf(text: string): Makeup {
  const words: string[] = [];
  const signs: string[] = [];
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' });
  for (const { segment, isWordLike } of segmenter.segment(text)) {
    if (isWordLike === true) words.push(segment);
    else signs.push(...[...segment].filter((sign) => sign.trim() !== ''));
  }
  return { words, signs };
}

/**
 * What people write themselves is none: words, single signs, brackets of JSON, fences, rows of one sign, signs of prose. A
 * word with a sign is one, such as `Observation:`.
 */
export function isMarker(literal: string): boolean {
  if (literal.length < 3 || literal.startsWith('```') || new Set(literal).size === 1) return false;
  const { words, signs } = makeupOf(literal);
  if (signs.some((sign) => !proseSigns.includes(sign))) return true;
  return words.some(hasLetter) && signs.some((sign) => sign !== '_' && sign !== '-');
}

/** The opener of a fence whose word says that it is no code to be shown: ```tool_code. */
export function ownFence(literal: string): boolean {
  return literal.startsWith('```') && literal.includes('_');
}

/** A marker that no prose holds, so that it may be left out of a reply wherever it stands. */
export function isUnmistakable(literal: string): boolean {
  return isMarker(literal) && makeupOf(literal).signs.some((sign) => !proseSigns.includes(sign));
}

/** What no name of a tool or parameter holds, so that it may end one. White space alone is none. */
export function endsName(text: string): boolean {
  return makeupOf(text).signs.some((sign) => !nameSigns.includes(sign)) || isUnmistakable(text.trim());
}

/** A single letter, digit or underscore. */
export function isWordSign(sign: string): boolean {
  return sign === '_' || makeupOf(sign).words.length > 0;
}

function hasLetter(word: string): boolean {
  return [...word].some((sign) => !(sign >= '0' && sign <= '9'));
}
