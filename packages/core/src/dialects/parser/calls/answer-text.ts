import { doubleQuote, isSpace } from '../../../json/json-characters.ts';
import { StringDecoder } from '../../../json/string-decoder.ts';
import { endsInHalf } from '../scanner.ts';

/** How far the arguments of an answer have been read. */
type State =
  /** Not far enough to know whether their first value is the answer. */
  | 'head'
  /** It is none that is known. */
  | 'other'
  /** Inside the answer. */
  | 'answer'
  /** After it. */
  | 'tail';

/** What comes before the answer, apart from white space. */
const head = '{"answer":"';

/** White space before the answer is looked over so far. */
const longestHead = 128;

/**
 * Lets an answer that was written as a call, `{"answer": "…"}`, out as text while it is read. Takes the arguments' JSON
 * text in slices, cut anywhere; a surrogate pair leaves in one piece.
 */
export class AnswerText {
  readonly #emit: (text: string) => void;
  readonly #decoder = new StringDecoder(doubleQuote);
  #state: State = 'head';
  /** All of the arguments, as long as none of the answer has left. */
  #parts: string[] | undefined = [];
  #read = '';
  #high = '';
  #tail = '';

  constructor(emit: (text: string) => void) {
    this.#emit = emit;
  }

  /** The answer is known and leaves as text. */
  get found(): boolean {
    return this.#state === 'answer' || this.#state === 'tail';
  }

  /** Something comes after the answer that is no part of it. */
  get hasMore(): boolean {
    const tail = this.#tail.trim();
    return tail !== '' && tail !== '}';
  }

  /** What all of the arguments say, if that is one string alone, none of which has left. */
  get only(): string | undefined {
    return this.#parts && onlyString(this.#parts.join(''));
  }

  push(json: string): void {
    this.#parts?.push(json);
    if (this.#state === 'head') this.#readHead(json);
    else if (this.#state === 'answer') this.#readAnswer(json);
    else if (this.#state === 'tail') this.#readTail(json);
  }

  #readHead(json: string): void {
    this.#read += json;
    let matched = 0;
    for (let at = 0; at < this.#read.length; at += 1) {
      // The only white space in the head is outside of its strings: a key with a space is another key.
      const isGap = isSpace(this.#read.charCodeAt(at)) && !(matched > 2 && matched < 8);
      if (isGap && at < longestHead) continue;
      if (this.#read[at] !== head[matched]) {
        this.#state = 'other';
        return;
      }
      matched += 1;
      if (matched < head.length) continue;
      const rest = this.#read.slice(at + 1);
      this.#state = 'answer';
      this.#read = '';
      this.#readAnswer(rest);
      return;
    }
  }

  #readAnswer(json: string): void {
    let text = this.#high;
    let at = 0;
    while (at < json.length && !this.#decoder.closed) {
      at = this.#decoder.read(json, at);
      text += this.#decoder.piece;
    }
    const holds = !this.#decoder.closed && endsInHalf(text);
    this.#high = holds ? text.slice(-1) : '';
    const leaves = holds ? text.slice(0, -1) : text;
    if (leaves !== '') {
      this.#parts = undefined;
      this.#emit(leaves);
    }
    if (!this.#decoder.closed) return;
    this.#state = 'tail';
    this.#readTail(json.slice(at));
  }

  /** Enough of it to tell whether it is more than a brace. */
  #readTail(json: string): void {
    if (!this.hasMore) this.#tail += json;
  }
}

/** The one value of an object, if it is a string. */
function onlyString(json: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  const values: unknown[] = typeof value === 'object' && value !== null ? Object.values(value) : [];
  const [only] = values;
  return values.length === 1 && typeof only === 'string' ? only : undefined;
}
