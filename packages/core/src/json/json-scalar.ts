import { type NumberState, numberMayEnd, numberStep } from './json-number.ts';
import type { Repair } from './json-reports.ts';
import type { SourceSlices } from './source-slices.ts';

/** `wrong`: a character came that cannot continue it. */
type State = 'number' | 'word' | 'complete' | 'wrong';

/** A longer number is wrong. */
const maxLength = 1 << 20;

interface Word {
  readonly word: string;
  readonly json: string;
}

const none: Word = { word: '', json: '' };

const words: ReadonlyMap<number, Word> = new Map(
  [
    { word: 'true', json: 'true' },
    { word: 'false', json: 'false' },
    { word: 'null', json: 'null' },
    { word: 'True', json: 'true' },
    { word: 'False', json: 'false' },
    { word: 'None', json: 'null' },
  ].map((entry) => [entry.word.charCodeAt(0), entry]),
);

/** Whether a number or one of the words can start with this character. */
export function startsScalar(code: number): boolean {
  return words.has(code) || numberStep('start', code) !== 'stop';
}

/** Reads numbers, `true`, `false`, `null` and their Python spellings, one after the other; holds each until complete. */
export class JsonScalar {
  readonly #slices: SourceSlices;
  readonly #repaired: (repair: Repair) => void;
  #state: State = 'complete';
  #number: NumberState = 'stop';
  #word = none;
  #matched = 0;

  constructor(slices: SourceSlices, repaired: (repair: Repair) => void) {
    this.#slices = slices;
    this.#repaired = repaired;
  }

  get state(): State {
    return this.#state;
  }

  /** Starts with the character at `at`, which `startsScalar` allows, and returns the index after it. */
  open(code: number, at: number): number {
    this.#slices.openToken(at);
    this.#word = words.get(code) ?? none;
    this.#matched = 1;
    this.#number = numberStep('start', code);
    this.#state = this.#word === none ? 'number' : 'word';
    return at + 1;
  }

  /** Reads until it is complete or wrong; returns the index after the last character that belongs to it. */
  read(text: string, at: number): number {
    return this.#state === 'number' ? this.#readNumber(text, at) : this.#readWord(text, at);
  }

  /** The input is over, which may complete a number. */
  end(): void {
    if (this.#state === 'number' && numberMayEnd(this.#number)) this.#complete();
  }

  #readNumber(text: string, at: number): number {
    for (let index = at; index < text.length; index += 1) {
      const next = numberStep(this.#number, text.charCodeAt(index));
      if (next === 'stop' || this.#slices.tokenLength(index) >= maxLength) {
        if (next === 'stop' && numberMayEnd(this.#number)) this.#complete();
        else this.#state = 'wrong';
        return index;
      }
      this.#number = next;
    }
    return text.length;
  }

  #readWord(text: string, at: number): number {
    const { word, json } = this.#word;
    for (let index = at; index < text.length; index += 1) {
      if (text.charCodeAt(index) !== word.charCodeAt(this.#matched)) {
        this.#state = 'wrong';
        return index;
      }
      this.#matched += 1;
      if (this.#matched < word.length) continue;
      if (word !== json) {
        this.#repaired('word');
        this.#slices.replaceToken(index + 1, json);
        this.#state = 'complete';
      } else this.#complete();
      return index + 1;
    }
    return text.length;
  }

  #complete(): void {
    this.#slices.keepToken();
    this.#state = 'complete';
  }
}
