import { isSpace } from './json-characters.ts';
import type { Repair } from './json-reports.ts';
import type { SourceSlices } from './source-slices.ts';

/**
 * `slash`: the next character shows whether it is a comment; `line`: up to the end of the line; `block`: up to its closer;
 * `star`: that may be the closer; `wrong`: it is none.
 */
type State = 'closed' | 'slash' | 'line' | 'block' | 'star' | 'wrong';

const slash = 0x2f;
const star = 0x2a;

/** Whether a comment can start with this character, where no value is being read. */
export function startsComment(code: number): boolean {
  return code === slash;
}

/** Leaves out the comments that models write between the parts of a value, one after the other. */
export class JsonComment {
  readonly #slices: SourceSlices;
  readonly #repaired: (repair: Repair) => void;
  #state: State = 'closed';
  #hasLine = false;

  constructor(slices: SourceSlices, repaired: (repair: Repair) => void) {
    this.#slices = slices;
    this.#repaired = repaired;
  }

  get state(): State {
    return this.#state;
  }

  /** One has gone to the end of its line: who writes all on one line may have meant it to end before. */
  get hasLine(): boolean {
    return this.#hasLine;
  }

  /** What was read and is not known to be a comment. */
  get held(): string {
    return this.#state === 'slash' || this.#state === 'wrong' ? '/' : '';
  }

  /** Starts with the character at `at`, which `startsComment` allows, and returns the index after it. */
  open(at: number): number {
    this.#slices.skip(at, at + 1);
    this.#state = 'slash';
    return at + 1;
  }

  /** Reads until it is closed or wrong; returns the index after its last character. */
  read(text: string, at: number): number {
    let index = at;
    while (index < text.length && this.#state !== 'wrong') {
      // The end of the line is white space, which stays.
      if (this.#state === 'line' && isLineEnd(text.charCodeAt(index))) this.#state = 'closed';
      if (this.#state === 'closed') break;
      index = this.#step(text.charCodeAt(index), index);
    }
    this.#slices.skip(at, index);
    return index;
  }

  #step(code: number, at: number): number {
    switch (this.#state) {
      case 'slash':
        return this.#begin(code, at);
      case 'block':
      case 'star':
        if (this.#state === 'star' && code === slash) this.#state = 'closed';
        else this.#state = code === star ? 'star' : 'block';
        return at + 1;
      default:
        return at + 1;
    }
  }

  #begin(code: number, at: number): number {
    if (code !== slash && code !== star) {
      this.#state = 'wrong';
      return at;
    }
    this.#repaired('comment');
    this.#state = code === slash ? 'line' : 'block';
    this.#hasLine ||= this.#state === 'line';
    return at + 1;
  }
}

function isLineEnd(code: number): boolean {
  return code === 0x0a || code === 0x0d;
}

/**
 * Index of the first character in [from, to) that belongs neither to white space nor to a comment; `to` where there is none,
 * as while a comment is open, or where only what follows can tell.
 */
export function skipComments(text: string, from: number, to: number): number {
  let state: State = 'closed';
  for (let index = from; index < to; index += 1) {
    const code = text.charCodeAt(index);
    if (state === 'line' && isLineEnd(code)) state = 'closed';
    else if (state === 'slash') {
      if (code !== slash && code !== star) return index - 1;
      state = code === slash ? 'line' : 'block';
    } else if (state === 'closed' && code === slash) state = 'slash';
    else if (state === 'closed' && !isSpace(code)) return index;
    else if (state === 'star' && code === slash) state = 'closed';
    else if (state === 'block' || state === 'star') state = code === star ? 'star' : 'block';
  }
  return to;
}
