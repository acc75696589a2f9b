import { type Look, lookFor, type Scanner } from '../scanner.ts';
import { type Closer, closes } from './positional-closer.ts';

/** So much of a value's end is looked at for a tag. */
export const longestTail = 64;
/** So far behind the end of a call the closer of its last value is looked for. */
const farthest = 2048;
/** So often it is looked for in one value. */
const mostSearches = 8;

/**
 * The closer of a call's last value seems to be missing: it is where the value's own closer comes nowhere behind the
 * call. Files about tool calls hold such ends, too.
 */
export class LostCloser {
  readonly #closer: Closer;
  /** Where in the reply the call seems to end, and where the search goes on. */
  #from = -1;
  #searchedTo = 0;
  #searches = 0;
  /** Closers of the calls that the search is inside of. */
  #nested: (readonly string[])[] = [];

  constructor(closer: Closer) {
    this.#closer = closer;
  }

  /** The value ends with a tag that seems to be meant as its closer: then nobody knows what it is. */
  endsOtherwise(tail: string): boolean {
    const trimmed = tail.trimEnd();
    const tag = trimmed.slice(trimmed.lastIndexOf('</') + 2);
    if (!trimmed.endsWith('>') || !trimmed.includes('</') || tag.indexOf('>') < tag.length - 1) return false;
    return this.#closer.literals.some((literal) => {
      const name = literal.slice(literal.lastIndexOf('/') + 1, -1);
      return name.slice(0, likeness).toLowerCase() === tag.slice(0, likeness).toLowerCase();
    });
  }

  /** Does the value's own closer stand behind `index`, outside of the calls that follow there? */
  closesLater(scanner: Scanner, index: number): Look {
    const from = scanner.position(index);
    if (from !== this.#from) {
      if (this.#searches === mostSearches) return 'yes';
      this.#searches += 1;
      [this.#from, this.#searchedTo, this.#nested] = [from, from + 1, []];
    }
    const offset = from - index;
    const end = index + farthest;
    let at = this.#searchedTo - offset;
    for (; at < Math.min(end, scanner.text.length); at += 1) {
      if (!this.#closer.starts.includes(scanner.text.charCodeAt(at))) continue;
      const found = this.#lookAt(scanner, at);
      if (found === 'yes') return 'yes';
      if (found === 'more') break;
    }
    this.#searchedTo = at + offset;
    if (at >= end) return 'yes';
    return scanner.ended ? (scanner.cut ? 'yes' : 'no') : 'more';
  }

  #lookAt(scanner: Scanner, at: number): Look {
    const [inner] = this.#nested.slice(-1);
    const over = inner === undefined ? 'no' : lookFor(scanner, at, inner);
    if (over === 'more') return 'more';
    if (over !== 'no') {
      this.#nested.pop();
      return 'no';
    }
    const nested = this.#closer.nestedCall(scanner, at);
    if (nested === 'more') return 'more';
    if (nested !== 'no') this.#nested.push(nested);
    else if (inner === undefined) {
      const closed = closes(scanner, at, this.#closer);
      return typeof closed === 'number' ? 'yes' : closed;
    }
    return 'no';
  }
}

/** Tags whose names begin with so many equal letters are taken for one another. */
const likeness = 3;
