import { isSpace } from './json-characters.ts';
import type { SchemaView } from './schema.ts';
import { startsValue } from './value-start.ts';

const thoughtOpener = '<think>';
const thoughtCloser = '</think>';

/** How far a seeker has come. */
export interface Sought {
  /** Text before every value. */
  readonly passed: string;
  /** What begins with a value; empty where none begins yet. */
  readonly value: string;
}

/** Looks for where a value may begin in the text of an answer. What is not decided it holds; that is bounded. */
export class AnswerSeeker {
  readonly #schema: SchemaView;
  /** What may be the beginning of a value. */
  #window = '';
  #passed = 0;
  #begin = 0;
  /** Whether thinking is in front: known once the text has begun. */
  #thought: 'unknown' | 'open' | 'none' = 'unknown';
  /** Nothing but white space has come on this line before the window. */
  #lineStart = true;
  /** Nothing at all has. */
  #firstColumn = true;
  #onlyFirstColumn = false;

  constructor(schema: SchemaView) {
    this.#schema = schema;
  }

  /** Where an answer may begin, after the thinking. Counts for the first value. */
  get begin(): number {
    return this.#begin;
  }

  /** How much is held, in UTF-16 units. */
  get held(): number {
    return this.#window.length;
  }

  seek(text: string): Sought {
    const window = this.#window + text;
    let at = this.#skipThought(window);
    for (; this.#thought === 'none' && at < window.length; at += 1) {
      const look = this.#look(window, at);
      if (look === 'yes') return this.#pass(window, at, window.slice(at));
      if (look === 'more') break;
      this.#readOn(window.charCodeAt(at));
    }
    return this.#pass(window, at, '');
  }

  /** What is held; nothing is from now on. */
  release(): string {
    const held = this.#window;
    this.#window = '';
    return held;
  }

  /** Goes on after a value that ends like this. A broken one shows only its first column to be its own. */
  resume({ endsLine, isBroken }: { readonly endsLine: boolean; readonly isBroken: boolean }): void {
    this.#lineStart = endsLine;
    this.#firstColumn = endsLine;
    this.#onlyFirstColumn ||= isBroken;
  }

  #pass(window: string, at: number, value: string): Sought {
    this.#window = value === '' ? window.slice(at) : '';
    this.#passed += at;
    return { passed: window.slice(0, at), value };
  }

  #look(window: string, at: number): ReturnType<typeof startsValue> {
    const character = window[at];
    if (character !== '{' && character !== '[') return 'no';
    if (this.#onlyFirstColumn && !this.#firstColumn) return 'no';
    return startsValue(window, at, { schema: this.#schema, lineStart: this.#lineStart });
  }

  #readOn(code: number): void {
    this.#firstColumn = code === 10;
    if (code === 10) this.#lineStart = true;
    else if (!isSpace(code)) this.#lineStart = false;
  }

  /** Where an answer may begin; while that is open, up to where the text can be no marker of thinking any more. */
  #skipThought(window: string): number {
    if (this.#thought === 'unknown') {
      const from = window.length - window.trimStart().length;
      const begin = window.slice(from, from + thoughtOpener.length);
      if (begin !== thoughtOpener && thoughtOpener.startsWith(begin)) return from;
      this.#thought = begin === thoughtOpener ? 'open' : 'none';
    }
    if (this.#thought === 'none') return 0;
    const end = window.indexOf(thoughtCloser);
    if (end < 0) return Math.max(0, window.length - thoughtCloser.length + 1);
    this.#thought = 'none';
    this.#lineStart = true;
    this.#begin = this.#passed + end + thoughtCloser.length;
    return end + thoughtCloser.length;
  }
}
