import { isSpace } from './json-characters.ts';
import type { JsonRepair } from './json-reports.ts';

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

function nextState(state: State, code: number): State {
  switch (state) {
    case 'slash':
      if (code === star) return 'block';
      return code === slash ? 'line' : 'wrong';
    case 'line':
      return code === 0x0a || code === 0x0d ? 'closed' : state;
    case 'star':
      if (code === slash) return 'closed';
      return code === star ? state : 'block';
    case 'block':
      return code === star ? 'star' : state;
    default:
      return startsComment(code) ? 'slash' : state;
  }
}

/** Finds the ends of the comments that models write between the parts of a value, one after the other. */
export class JsonComment {
  readonly #repaired: (repair: JsonRepair) => void;
  #state: State = 'closed';
  #unclear = false;

  constructor(repaired: (repair: JsonRepair) => void) {
    this.#repaired = repaired;
  }

  get state(): State {
    return this.#state;
  }

  /** One is none, or has gone to the end of its line: who writes all on one line may have meant it to end before. */
  get unclear(): boolean {
    return this.#unclear;
  }

  /** What was read and is not known to be a comment. */
  get held(): string {
    return this.#state === 'slash' || this.#state === 'wrong' ? '/' : '';
  }

  /** The character that `startsComment` allows was read. */
  open(): void {
    this.#state = 'slash';
  }

  /** Reads until it is closed or wrong; returns the index after its last character. */
  read(text: string, at: number): number {
    for (let index = at; index < text.length; index += 1) {
      const before = this.#state;
      this.#state = nextState(before, text.charCodeAt(index));
      if (before === 'slash') {
        this.#unclear ||= this.#state !== 'block';
        if (this.#state !== 'wrong') this.#repaired('comment');
      }
      // The end of the line is white space, which stays.
      if (this.#state === 'wrong' || (this.#state === 'closed' && before === 'line')) return index;
      if (this.#state === 'closed') return index + 1;
    }
    return text.length;
  }
}

/**
 * Index of the first character in [from, to) that belongs neither to white space nor to a comment; `to` where there is none,
 * as while a comment is open, or where only what follows can tell.
 */
export function skipComments(text: string, from: number, to: number): number {
  let state: State = 'closed';
  for (let index = from; index < to; index += 1) {
    const code = text.charCodeAt(index);
    const next = nextState(state, code);
    if (next === 'wrong') return index - 1;
    if (state === 'closed' && next === 'closed' && !isSpace(code)) return index;
    state = next;
  }
  return to;
}
