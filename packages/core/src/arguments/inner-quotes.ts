import { closeBrace, closeBracket, comma, isSpace } from './json-characters.ts';
import { startsComment } from './json-comment.ts';

/** The quotes that a string holds without escaping them: none, half a pair, or whole pairs. */
export type InnerQuotes = 'none' | 'opened' | 'closed';

/** What stands around a quote. */
interface Beside {
  /** The character in front; 0 at the start of the string. */
  readonly before: number;
  /** The next character that is no white space. */
  readonly behind: number;
  /** It stands directly behind the quote. */
  readonly tight: boolean;
}

/**
 * Whether a quote in a string is part of it, as one of a pair that nobody escaped: `"He said "hi" to me"`. A pair opens
 * behind white space or a sign and in front of a word, and closes behind a word; between pairs, a quote closes the string
 * where a comma or a bracket follows. Returns what the string holds with it; undefined where the quote closes the string, or
 * is neither: then what follows cannot stand there, and the value is broken instead of being another one.
 */
export function innerQuote(inner: InnerQuotes, { before, behind, tight }: Beside): InnerQuotes | undefined {
  if (inner === 'opened') return isSpace(before) || (tight && isWord(behind)) ? undefined : 'closed';
  if (behind === comma || behind === closeBrace || behind === closeBracket || startsComment(behind)) return undefined;
  return tight && isWord(behind) && !isWord(before) ? 'opened' : undefined;
}

/** Letters and digits. */
function isWord(code: number): boolean {
  return code > 127 || (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}
