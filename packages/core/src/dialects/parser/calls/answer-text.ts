import { doubleQuote, skipSpace } from '../../../json/json-characters.ts';
import { parsedJson } from '../../../json/parsed-json.ts';
import { isKeywords } from '../../../json/schema-document.ts';
import { StringDecoder } from '../../../json/string-decoder.ts';
import { afterLiteral } from '../scanner.ts';

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

/** The key under which an answer stands. */
export const answerKey = 'answer';

/** What comes before the answer, with white space between. */
const head: readonly string[] = ['{', `"${answerKey}"`, ':'];

/** The beginning of the answer is looked for so far. */
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
  #json: string | undefined = '';
  #tail = '';

  constructor(emit: (text: string) => void) {
    this.#emit = emit;
  }

  /** Something comes after the answer that is no part of it. */
  get hasMore(): boolean {
    const tail = this.#tail.trim();
    return tail !== '' && tail !== '}';
  }

  /** What all of the arguments say, if that is one string alone, none of which has left. */
  get only(): string | undefined {
    return this.#json === undefined ? undefined : onlyString(this.#json);
  }

  push(json: string): void {
    if (this.#json !== undefined) this.#json += json;
    if (this.#state === 'head') this.#readHead(this.#json ?? '');
    else if (this.#state === 'answer') this.#readAnswer(json);
    else if (this.#state === 'tail') this.#readTail(json);
  }

  /** `json`: all that has come. */
  #readHead(json: string): void {
    const value = afterAnswerKey(json.slice(0, longestHead));
    if (value === 'more' && json.length < longestHead) return;
    this.#state = 'other';
    if (typeof value !== 'number' || json.charCodeAt(value) !== doubleQuote) return;
    this.#state = 'answer';
    this.#readAnswer(json.slice(value + 1));
  }

  #readAnswer(json: string): void {
    const at = this.#decoder.readOn(json);
    const { piece, closed } = this.#decoder;
    if (piece !== '') {
      this.#json = undefined;
      this.#emit(piece);
    }
    if (!closed) return;
    this.#state = 'tail';
    this.#readTail(json.slice(at));
  }

  /** Enough of it to tell whether it is more than a brace. */
  #readTail(json: string): void {
    if (!this.hasMore) this.#tail += json;
  }
}

/** Index of the answer's value: after `{"answer":`, and white space. */
export function afterAnswerKey(json: string): number | 'no' | 'more' {
  let at = 0;
  for (const literal of head) {
    const end = afterLiteral(json, skipSpace(json, at), literal);
    if (typeof end === 'string') return end;
    at = skipSpace(json, end);
  }
  return at < json.length ? at : 'more';
}

/** The one value of an object, if it is a string. */
function onlyString(json: string): string | undefined {
  const value = parsedJson(json);
  const values = isKeywords(value) ? Object.values(value) : [];
  const [only] = values;
  return values.length === 1 && typeof only === 'string' ? only : undefined;
}
