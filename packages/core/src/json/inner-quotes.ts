import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  continuesName,
  openBrace,
  skipSpace,
  startsName,
} from './json-characters.ts';
import { skipComments } from './json-comment.ts';
import type { JsonPlace } from './json-place.ts';
import { isQuote, startsLeaf } from './json-token.ts';
import type { AfterValue, QuoteEnd } from './reader-options.ts';

/** A quotation mark in a string of a value. */
export interface InnerQuote {
  readonly text: string;
  /** Index after it. */
  readonly at: number;
  readonly place: JsonPlace;
  /** How many quotation marks the string holds before it that nobody escaped. */
  readonly held: number;
  /** Whether the text of the object or list that is open reads as JSON from `at` to its end: index after that end. */
  readonly readRest: (
    at: number,
    limits: { readonly containers: string; readonly last: number },
  ) => number | 'no' | 'more';
}

/** So far behind a quotation mark is looked at most, in a string without others and in one with some: memory is bounded. */
const longestLook = { plain: 2048, repaired: 1 << 15 };

/** So often at most is the rest of a call read ahead, so that work stays linear. Beyond it nobody can tell. */
const mostLooks = 64;

/** What follows the comma after a string. */
interface Next {
  /** Index behind the key and its colon, or of the list's next element. */
  readonly at: number;
  readonly key?: string;
}

/**
 * Tells where strings end whose quotation marks nobody escaped. A quotation mark ends a string only where the rest of the
 * value may follow it. In a string that holds others only the rest of the whole call may, up to its closer, as JSON without any
 * repair; or a parameter that has to come, and comes nowhere else.
 */
export class InnerQuotes {
  readonly #after: AfterValue;
  #looks = 0;
  /** The rest of the call was read for the quotation mark that is looked at. */
  #looked = false;

  constructor(after: AfterValue) {
    this.#after = after;
  }

  /** A member that nobody has declared may be a part of the string before it: its own string holds no quotation mark. */
  end(quote: InnerQuote): QuoteEnd {
    const { text, at, held, place } = quote;
    this.#looked = false;
    const found = this.#find(quote);
    // What more text is needed for is looked at again, however often it came: it counts once.
    if (this.#looked && found !== 'more') this.#looks += 1;
    if (found === 'more') {
      const { plain, repaired } = longestLook;
      if (text.length - at <= (held > 0 ? repaired : plain)) return found;
      return held > 0 ? 'unclear' : 'yes';
    }
    const isPlain = found === 'unclear' || (found === 'yes' && held === 0);
    return isPlain || (place.expected && this.#after.mayHold(at - 1)) ? found : 'unclear';
  }

  #find(quote: InnerQuote): QuoteEnd {
    const { text, place, held } = quote;
    const repaired = held > 0;
    let { containers } = place;
    let index = quote.at;
    while (containers !== '') {
      const next = this.#afterSpace(text, index, repaired);
      if (typeof next === 'string') return next;
      if (next === text.length) return 'yes';
      const code = text.charCodeAt(next);
      if (code === closerOf(containers)) containers = containers.slice(0, -1);
      else if (code === comma) {
        const after = this.#afterComma(text, next + 1, { containers, repaired });
        if (typeof after === 'string') return after;
        if (after !== undefined)
          return repaired ? this.#beside(quote, { containers, comma: next, next: after }) : 'yes';
      } else return this.#after.closes(next);
      index = next + 1;
    }
    return this.#after.ends(index, { brackets: closersOf(place.containers), repaired });
  }

  /** Is what comes after a repaired string and a comma a parameter or an element beside it, or part of the string? */
  #beside(
    quote: InnerQuote,
    at: { readonly containers: string; readonly comma: number; readonly next: Next },
  ): QuoteEnd {
    const { containers, next } = at;
    if (this.#looks >= mostLooks) return 'unclear';
    this.#looked = true;
    const isPaired = quote.held % 2 === 0;
    const last = quote.at + longestLook.repaired;
    const read = quote.readRest(at.comma, { containers, last });
    if (read === 'more' && (!this.#after.ended() || quote.text.length > last)) return 'more';
    const rest = read === 'more' ? 'no' : read;
    const whole = rest === 'no' ? 'no' : this.#after.ends(rest, { brackets: '', repaired: true });
    if (whole === 'more') return 'more';
    const takes = next.key === undefined ? 'may' : quote.place.takes(next.key, containers.length);
    if (whole === 'yes') return isPaired && takes !== 'no' ? 'yes' : 'unclear';
    if (isPaired) return takes === 'must' ? this.#lookFurther(quote, at) : 'unclear';
    return takes === 'no' || next.key === undefined ? 'no' : 'unclear';
  }

  /** A parameter has to come: does it come only here, up to the end of the call? */
  #lookFurther(
    { text }: InnerQuote,
    { containers, next: { key, at } }: { readonly containers: string; readonly next: Next },
  ): QuoteEnd {
    const brackets = closersOf(containers);
    for (let index = text.indexOf('"', at); index >= 0; index = text.indexOf('"', index + 1)) {
      if (index > at + longestLook.repaired) return 'more';
      const end = afterAll(text, index + 1, brackets);
      if (end !== undefined) {
        const ends = this.#after.ends(end, { brackets: '', repaired: true });
        if (ends === 'more' || ends === 'yes') return ends;
      }
      const sign = skipSpace(text, index + 1);
      if (text.charCodeAt(sign) !== comma) continue;
      const again = this.#afterComma(text, sign + 1, { containers: '{', repaired: true });
      if (again === 'more') return 'more';
      if (typeof again === 'object' && again.key === key) return 'unclear';
    }
    return this.#after.ended() ? 'unclear' : 'more';
  }

  /** What comes after a comma; undefined before a closing bracket. */
  #afterComma(
    text: string,
    from: number,
    { containers, repaired }: { readonly containers: string; readonly repaired: boolean },
  ): Next | undefined | 'no' | 'more' {
    const at = this.#afterSpace(text, from, repaired);
    if (typeof at === 'string') return at;
    const code = text.charCodeAt(at);
    if (code === closerOf(containers)) return repaired ? 'no' : undefined;
    if (!containers.endsWith('{')) return startsLeaf(code) || opens(code) ? { at } : 'no';
    const key = keyAt(text, at);
    if (typeof key === 'string') return this.#after.ended() ? 'no' : key;
    const sign = this.#afterSpace(text, key.end, repaired);
    if (typeof sign === 'string') return sign;
    return text.charCodeAt(sign) === colon ? { at: sign + 1, key: key.text } : 'no';
  }

  /** Index after white space, and comments where these may stand: not where they hold a quotation mark. */
  #afterSpace(text: string, from: number, repaired: boolean): number | 'no' | 'more' {
    const index = skipComments(text, from, text.length);
    const between = text.slice(from, index);
    if (between.includes('"') || (repaired && between.includes('/'))) return 'no';
    return index < text.length || this.#after.ended() ? index : 'more';
  }
}

/** What closes the innermost of these containers. */
function closerOf(containers: string): number {
  return containers.endsWith('[') ? closeBracket : closeBrace;
}

/** What closes all of these containers, the innermost first. */
export function closersOf(containers: string): string {
  return [...containers].reverse().join('').replaceAll('{', '}').replaceAll('[', ']');
}

/** Index after these brackets, with white space before each; undefined where they are not there. */
export function afterAll(text: string, from: number, brackets: string): number | undefined {
  let index = from;
  for (const bracket of brackets) {
    index = skipSpace(text, index);
    if (text[index] !== bracket) return undefined;
    index += 1;
  }
  return index;
}

function opens(code: number): boolean {
  return code === openBrace || code === 0x5b;
}

/** The key at `at`, as it is written between its quotation marks, and the index behind it. */
function keyAt(text: string, at: number): { readonly text: string; readonly end: number } | 'no' | 'more' {
  const quote = text.charCodeAt(at);
  const quoted = isQuote(quote);
  if (!quoted && !startsName(quote)) return 'no';
  for (let index = at + 1; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (!quoted && !continuesName(code)) return { text: text.slice(at, index), end: index };
    if (quoted && code === quote) return { text: text.slice(at + 1, index), end: index + 1 };
    if (quoted && code === backslash) index += 1;
  }
  return 'more';
}
