import type { WarningCode } from '../chat/warning.ts';
import { isSpace } from './json-characters.ts';
import { JsonReader } from './json-reader.ts';
import { ObjectReader } from './object-reader.ts';
import type { ReaderState } from './reader-options.ts';
import type { SchemaView } from './schema.ts';

/** How much speaks for a value that is not the answer for certain; the most comes last. */
const ranks = ['broken', 'misfit', 'opening', 'remark', 'fit'] as const;

/**
 * - `broken`: no JSON.
 * - `misfit`: not what was asked for.
 * - `opening`: neither, but the reply begins with it, so that a stream would have shown it.
 * - `remark`: it fits, but is empty, or prose goes on after it.
 * - `fit`: it fits and ends its line.
 */
export type Rank = (typeof ranks)[number];

/** Whether a value of a rank is rather the answer than an earlier one. What is broken is delivered with all after it. */
export function outranks(rank: Rank, earlier: Rank): boolean {
  const lead = ranks.indexOf(rank) - ranks.indexOf(earlier);
  return lead > 0 || (lead === 0 && rank !== 'broken');
}

/** An object or a list in the text of an answer, read as arguments are. What it has become waits until it is drained. */
export class AnswerCandidate {
  /** Where it begins in the text, in UTF-16 units. */
  readonly from: number;
  /** Where it ends; up to there it has been read. */
  to: number;
  readonly #reader: ObjectReader | JsonReader;
  #json: string[] = [];
  #warnings: (readonly [code: WarningCode, message: string])[] = [];

  constructor(from: number, { opens, schema }: { readonly opens: string; readonly schema: SchemaView }) {
    this.from = from;
    this.to = from;
    const options = {
      schema,
      emit: (json: string) => this.#json.push(json),
      warning: (code: WarningCode, message: string) => this.#warnings.push([code, message]),
    };
    this.#reader = opens === '{' ? new ObjectReader({ ...options, emptyAllowed: false }) : new JsonReader(options);
  }

  get state(): ReaderState {
    return this.#reader.state;
  }

  /** What was read and is not certain. */
  get held(): string {
    return this.#reader.held;
  }

  /** What is certain and has not been drained. */
  get json(): string {
    return this.#json.join('');
  }

  /** Reads on from the beginning of `text` and returns the index after what it took. */
  read(text: string): number {
    const end = this.#reader.read(text, 0);
    this.to += end;
    return end;
  }

  /** Hands over what is certain, and tells what had to be repaired for it. */
  drain(report: (code: WarningCode, message: string) => void): string {
    const { json } = this;
    for (const [code, message] of this.#warnings) report(code, message);
    this.#json = [];
    this.#warnings = [];
    return json;
  }
}

/** Whether a whole object or list has nothing in it. */
export function isEmpty(json: string): boolean {
  let at = 1;
  while (isSpace(json.charCodeAt(at))) at += 1;
  return at === json.length - 1;
}
