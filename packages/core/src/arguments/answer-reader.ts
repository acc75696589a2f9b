import { type IssueCode, quoteName } from '../chat/issue.ts';
import { splitAround, unfenced } from './fence-around.ts';
import { isSpace } from './json-characters.ts';
import { JsonReader } from './json-reader.ts';
import { ObjectReader } from './object-reader.ts';
import type { SchemaView } from './schema.ts';
import { startsValue } from './value-start.ts';

/**
 * - `seeking`: no value has begun for certain; everything is held back.
 * - `value`: an object or a list is being read; it leaves as it comes.
 * - `behind`: the value is whole, and what follows is left out.
 * - `plain`: there is no value to be had; everything leaves as it was written.
 */
type State = 'seeking' | 'value' | 'behind' | 'plain';

/** The longest text in front of a value, in UTF-16 units; beyond it all is plain. */
const longestFront = 1 << 20;

const thoughtOpener = '<think>';
const thoughtCloser = '</think>';

/** So much of what follows the value is kept, in UTF-16 units, to be told of. */
const longestTold = 128;

export interface AnswerReaderOptions {
  /** What the answer has to be. */
  readonly schema: SchemaView;
  /** Told at the end. */
  readonly issue: (code: IssueCode, message: string) => void;
}

/**
 * Finds the one JSON value in the text of an answer and reads it as arguments are read: repaired where only one reading
 * is possible, its values brought to the types of the schema. A code fence and prose around it are left out
 * (`text-dropped`), in front of the first object or list that begins for certain, and behind it. What the model drafts
 * while it thinks, in `<think>` at the very beginning, is no answer. A number, a word or a string is the value only as the
 * whole text.
 *
 * What is no JSON after all leaves as it was written, from the place where that shows. Nothing that is missing is made up:
 * an answer that breaks off stays broken. The joined result does not depend on cuts; work is linear, memory bounded.
 */
export class AnswerReader {
  readonly #options: AnswerReaderOptions;
  #state: State = 'seeking';
  /** What stands in front of the value. */
  readonly #front: string[] = [];
  #frontLength = 0;
  /** What may be the beginning of the value. */
  #window = '';
  /** Whether thinking stands in front: known once the text has begun. */
  #thought: 'unknown' | 'open' | 'none' = 'unknown';
  /** Nothing but white space has come on this line in front of the window. */
  #lineStart = true;
  #value: ObjectReader | JsonReader | undefined;
  #behind = '';
  #out = '';

  constructor(options: AnswerReaderOptions) {
    this.#options = options;
  }

  /** Reads all of `text` and returns what of the answer is certain now. */
  read(text: string): string {
    this.#out = '';
    let rest = text;
    if (this.#state === 'seeking') rest = this.#seek(rest);
    if (this.#state === 'value') rest = this.#readValue(rest);
    if (this.#state === 'plain') this.#out += rest;
    else if (this.#state === 'behind') this.#keepBehind(rest);
    return this.#out;
  }

  /** The text stops short, or was no answer: what is held back leaves as it was written. */
  release(): string {
    const held = this.#state === 'seeking' ? this.#unread() : (this.#value?.held ?? '');
    if (this.#value !== undefined) this.#tellAround();
    this.#value = undefined;
    this.#state = 'plain';
    return held;
  }

  /** The text is over, and nothing is missing. */
  end(): string {
    return this.#state === 'seeking' ? this.#readWhole(this.#unread()) : this.release();
  }

  #unread(): string {
    return this.#front.join('') + this.#window;
  }

  #seek(text: string): string {
    const window = this.#window + text;
    let at = this.#skipThought(window);
    for (; this.#thought === 'none' && at < window.length; at += 1) {
      const character = window.charAt(at);
      if (character === '{' || character === '[') {
        const look = startsValue(window, at, { schema: this.#options.schema, lineStart: this.#lineStart });
        if (look === 'yes') return this.#begin(window, at);
        if (look === 'more') break;
      }
      if (character === '\n') this.#lineStart = true;
      else if (!isSpace(window.charCodeAt(at))) this.#lineStart = false;
    }
    this.#keepFront(window.slice(0, at));
    this.#window = window.slice(at);
    if (this.#frontLength <= longestFront) return '';
    this.#options.issue('limit-reached', `No JSON began within ${longestFront} characters; all of it stayed text.`);
    this.#out = this.release();
    return '';
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
    return end + thoughtCloser.length;
  }

  #keepFront(text: string): void {
    if (text !== '') this.#front.push(text);
    this.#frontLength += text.length;
  }

  #begin(window: string, at: number): string {
    this.#keepFront(window.slice(0, at));
    this.#window = '';
    this.#state = 'value';
    const emit = (json: string) => {
      this.#out += json;
    };
    const options = { ...this.#options, emit };
    this.#value = window[at] === '{' ? new ObjectReader({ ...options, emptyAllowed: false }) : new JsonReader(options);
    return window.slice(at);
  }

  #readValue(text: string): string {
    const value = this.#value;
    const end = value?.read(text, 0) ?? 0;
    if (value?.state === 'open') return '';
    if (value?.state === 'done') this.#state = 'behind';
    else this.#out += this.release();
    return text.slice(end);
  }

  #keepBehind(text: string): void {
    const more = this.#behind === '' ? text.trimStart() : text;
    this.#behind += more.slice(0, longestTold - this.#behind.length);
  }

  #tellAround(): void {
    const { fenced, text } = splitAround(this.#front.join(''), this.#behind);
    if (fenced) this.#options.issue('text-dropped', 'The code fence around the JSON was left out.');
    if (text.length === 0) return;
    this.#options.issue('text-dropped', `Text around the JSON was left out: ${text.map(quoteName).join(' and ')}.`);
  }

  /** A value that was not certain before its end: a number, a word, a string, which may hold the JSON, or a long key. */
  #readWhole(text: string): string {
    const inside = unfenced(text);
    const issues: [code: IssueCode, message: string][] = [];
    let json = '';
    const reader = new JsonReader({
      schema: this.#options.schema,
      emit: (piece) => {
        json += piece;
      },
      issue: (code, message) => issues.push([code, message]),
    });
    const end = reader.read(inside, 0);
    reader.end();
    this.#state = 'plain';
    if (reader.state !== 'done' || end < inside.length) return text;
    for (const [code, message] of issues) this.#options.issue(code, message);
    if (inside !== text.trim()) this.#options.issue('text-dropped', 'The code fence around the JSON was left out.');
    return json;
  }
}
