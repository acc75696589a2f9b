import { quoteName, type WarningCode } from '../chat/warning.ts';
import { AnswerSeeker } from './answer-seeker.ts';
import { isSpace, skipSpace } from './json-characters.ts';
import { JsonReader } from './json-reader.ts';
import type { ReaderOptions, ReaderState } from './reader-options.ts';
import type { SchemaView } from './schema.ts';
import { startsAnswer } from './value-start.ts';

/**
 * - `seeking`: no value is being read.
 * - `trying`: one is that may not be the answer; it is kept.
 * - `tried`: it is whole and fits; what follows on its line shows whether prose speaks of it.
 * - `value`: the answer is being read; it leaves as it comes.
 * - `behind`: the answer is whole, and what follows is left out.
 * - `plain`: there is no value to be had; everything leaves as it was written.
 */
type State = 'seeking' | 'trying' | 'tried' | 'value' | 'after' | 'plain';

/** The longest text that is kept until the answer is known, in UTF-16 units. */
const longestKept = 1 << 20;

/** So many values are tried at most; then the best so far is the answer. */
const mostTried = 16;

/** The longest text before a value that may be nothing but the opening of a fence, in UTF-16 units. */
const longestFence = 256;

/** So many backticks end a fence. */
const fenceTicks = 3;

/** So much of what follows the value is kept, in UTF-16 units, to be told of. */
const longestTold = 128;

/** What is sought, and how what is found is told. */
export interface AnswerReaderOptions {
  /** What the answer has to be. */
  readonly schema: SchemaView;
  /** Whether a whole object or list is what was asked for. */
  readonly fits: (json: string) => boolean;
  /** Whoever reads it gets the answer at its end, so that none has to be taken by its beginning. Default false. */
  readonly waits?: boolean;
  /** Told when what it speaks of leaves, or at the end. */
  readonly warning: (code: WarningCode, message: string) => void;
}

/**
 * Finds the one JSON value in the text of an answer and reads it as arguments are read: repaired where only one reading
 * is possible, its values brought to the types of the schema. A code fence and prose around it are left out
 * (`text-dropped`). What the model drafts while it thinks, in `<think>` at the very beginning, is no answer. A number, a
 * word or a string is the value only as the whole text. What has left cannot be taken back; so the answer is
 *
 * - what the reply begins with, but for a fence, if its first key is one that the schema names: it leaves as it comes. With
 *   `waits` only if it fits, or no other does;
 * - or else the last object or list that fits: after words in front a model quotes, shows the form and drafts before it
 *   answers. All is kept until the end. A remark, after which prose goes on in its line, and an empty value are the answer
 *   only when no other fits;
 * - or the last that does not fit; or the first that is no JSON. After such a one only values in the first column of a line
 *   are tried: what is nested in it is not there.
 *
 * Beyond the bounds it is the value that is being read, or the best so far.
 *
 * What is no JSON after all leaves as it was written, from the place where that shows. Nothing that is missing is made up:
 * an answer that breaks off stays broken. The joined result does not depend on cuts; work is linear, memory bounded.
 */
export class AnswerReader {
  readonly #options: AnswerReaderOptions;
  readonly #seeker: AnswerSeeker;
  #state: State = 'seeking';
  /** All that has been passed until the answer was known. */
  readonly #kept: string[] = [];
  #keptLength = 0;
  #tried = 0;
  /** The value that is being read, or was read last; then the answer. */
  #value: AnswerCandidate | undefined;
  /** The reply begins with it, and it is of the kind that was asked for. */
  #isOpening = false;
  /** So many backticks come after a value that was tried. */
  #ticks = 0;
  /** The best of those that are not the answer for certain. */
  #best: { readonly rank: Rank; readonly value: AnswerCandidate } | undefined;
  #after = '';
  #out = '';

  constructor(options: AnswerReaderOptions) {
    this.#options = options;
    this.#seeker = new AnswerSeeker(options.schema);
  }

  /** Reads all of `text` and returns what of the answer is certain now. */
  read(text: string): string {
    this.#out = '';
    let rest = text;
    while (rest !== '') {
      // No step reads across the bound, so that it lies at the same character whatever the cuts.
      const room = longestKept + 1 - this.#keptLength - this.#seeker.held;
      const end = this.#isKnown ? rest.length : Math.max(1, room);
      rest = this.#step(rest.slice(0, end)) + rest.slice(end);
    }
    return this.#out;
  }

  /** Something else comes, so the text was no answer: what is held back leaves as it was written. */
  release(): string {
    if (this.#isKnown) return this.#leave();
    this.#state = 'plain';
    return this.#takeKept(0);
  }

  /** The text is over. `cut`: it stopped short. */
  end({ cut = false }: { readonly cut?: boolean } = {}): string {
    this.#out = '';
    const value = this.#value;
    if (this.#state === 'tried') this.#rank('fit');
    else if (this.#state === 'trying' && value !== undefined && cut) this.#commit(value);
    else if (this.#state === 'trying') this.#rank('broken');
    if (!this.#isKnown) this.#takeBest();
    if (this.#isKnown) return this.#out + this.#leave();
    this.#state = 'plain';
    const text = this.#takeKept(0);
    return (cut ? undefined : readWholeValue(text, this.#options)) ?? text;
  }

  /** What the answer is, is known. */
  get #isKnown(): boolean {
    return this.#state === 'value' || this.#state === 'after' || this.#state === 'plain';
  }

  /** What of the answer has not left. What was around it is told. */
  #leave(): string {
    const held = this.#state === 'value' ? (this.#value?.held ?? '') : '';
    if (this.#value !== undefined) this.#reportAround(this.#value);
    this.#value = undefined;
    this.#state = 'plain';
    return held;
  }

  /** Reads as far as one state goes and returns the rest. */
  #step(text: string): string {
    switch (this.#state) {
      case 'seeking':
        return this.#seek(text);
      case 'trying':
        return this.#try(text);
      case 'tried':
        return this.#lookBehind(text);
      case 'value':
        return this.#readValue(text);
      case 'after':
        this.#keepAfter(text);
        return '';
      case 'plain':
        this.#out += text;
        return '';
    }
  }

  #seek(text: string): string {
    const { passed, value } = this.#seeker.seek(text);
    this.#keep(passed);
    if (value !== '') this.#open(value);
    else if (this.#keptLength > longestKept) this.#giveUp();
    return value;
  }

  #open(text: string): void {
    const { schema, waits = false } = this.#options;
    this.#value = new AnswerCandidate(this.#keptLength, { opens: text.charAt(0), schema });
    this.#isOpening = this.#standsFirst() && startsAnswer(text, schema);
    this.#state = this.#isOpening && !waits ? 'value' : 'trying';
  }

  /** Whether nothing but the opening of a fence has been said. */
  #standsFirst(): boolean {
    const { begin } = this.#seeker;
    if (this.#tried > 0 || this.#keptLength - begin > longestFence) return false;
    return splitAround(this.#kept.join('').slice(begin), '').text.length === 0;
  }

  #try(text: string): string {
    const value = this.#value;
    const end = value?.read(text) ?? 0;
    this.#keep(text.slice(0, end));
    if (value === undefined || value.state === 'open') {
      if (value !== undefined && this.#keptLength > longestKept) this.#cutShort(value);
      return text.slice(end);
    }
    this.#tried += 1;
    if (value.state === 'broken') this.#rank('broken');
    else if (!this.#options.fits(value.json)) this.#rank(this.#isOpening ? 'opening' : 'misfit');
    else if (this.#isOpening) this.#commit(value);
    else if (isEmpty(value.json)) this.#rank('remark');
    else {
      this.#state = 'tried';
      this.#ticks = 0;
    }
    return text.slice(end);
  }

  /**
   * Whether prose goes on after a value that fits: the end of a fence or of a code span is none, and neither is another
   * value.
   */
  #lookBehind(text: string): string {
    let at = 0;
    for (; at < text.length && this.#ticks < fenceTicks; at += 1) {
      if (text[at] === '`') this.#ticks += 1;
      else if (text[at] === '\n' || !isSpace(text.charCodeAt(at))) break;
    }
    this.#keep(text.slice(0, at));
    const rest = text.slice(at);
    if (this.#ticks === fenceTicks || this.#keptLength > longestKept) this.#rank('fit');
    else if (rest !== '') this.#rank('\n{['.includes(rest.charAt(0)) ? 'fit' : 'remark');
    return rest;
  }

  /** The value is not the answer for certain: it is sought after it. */
  #rank(rank: Rank): void {
    const value = this.#value;
    this.#value = undefined;
    this.#state = 'seeking';
    this.#seeker.resume({ endsLine: this.#kept.at(-1)?.endsWith('\n') === true, isBroken: rank === 'broken' });
    const isBetter = this.#best === undefined || outranks(rank, this.#best.rank);
    if (value !== undefined && isBetter) this.#best = { rank, value };
    if (this.#tried >= mostTried) this.#takeBest();
  }

  #takeBest(): void {
    if (this.#best !== undefined) this.#commit(this.#best.value);
  }

  /** No more text is kept, and this value is not whole: better than one that fits it cannot become. */
  #cutShort(value: AnswerCandidate): void {
    if (this.#best?.rank === 'fit') this.#takeBest();
    else this.#commit(value);
  }

  /** No more text is kept. */
  #giveUp(): void {
    this.#takeBest();
    if (this.#isKnown) return;
    this.#options.warning('limit-reached', `No JSON began within ${longestKept} characters; all of it stayed text.`);
    this.#out += this.release();
  }

  /** This value is the answer, as far as it has come. */
  #commit(value: AnswerCandidate): void {
    this.#value = value;
    this.#state = 'value';
    this.#out += value.drain(this.#options.warning);
    const after = this.#takeKept(value.to);
    if (value.state === 'done') {
      this.#state = 'after';
      this.#keepAfter(after);
    } else if (value.state === 'broken') this.#out += this.#leave() + after;
  }

  #readValue(text: string): string {
    const value = this.#value;
    if (value === undefined) return text;
    const end = value.read(text);
    this.#out += value.drain(this.#options.warning);
    if (value.state === 'done') this.#state = 'after';
    else if (value.state === 'broken') this.#out += this.#leave();
    return text.slice(end);
  }

  #keep(text: string): void {
    if (text !== '') this.#kept.push(text);
    this.#keptLength += text.length;
  }

  /** What was kept from there on, with what was not decided. */
  #takeKept(from: number): string {
    return this.#kept.join('').slice(from) + this.#seeker.release();
  }

  #keepAfter(text: string): void {
    const more = this.#after === '' ? text.trimStart() : text;
    this.#after += more.slice(0, longestTold - this.#after.length);
  }

  #reportAround({ from }: AnswerCandidate): void {
    const { fenced, text } = splitAround(this.#kept.join('').slice(0, from), this.#after);
    if (fenced) this.#options.warning('text-dropped', 'The code fence around the JSON was left out.');
    if (text.length === 0) return;
    this.#options.warning('text-dropped', `Text around the JSON was left out: ${text.map(quoteName).join(' and ')}.`);
  }
}

/**
 * Reads a text that is one JSON value of any kind, in a code fence or not. Returns the value, and tells what was repaired;
 * undefined, and nothing told, where the text is something else.
 */
function readWholeValue(text: string, { schema, warning }: Omit<ReaderOptions, 'emit'>): string | undefined {
  const inside = unfenced(text);
  const warnings: [code: WarningCode, message: string][] = [];
  let json = '';
  const reader = new JsonReader({
    schema,
    emit: (piece) => {
      json += piece;
    },
    warning: (code, message) => warnings.push([code, message]),
  });
  const end = reader.read(inside, 0);
  reader.end();
  if (reader.state !== 'done' || end < inside.length) return undefined;
  for (const [code, message] of warnings) warning(code, message);
  if (inside !== text.trim()) warning('text-dropped', 'The code fence around the JSON was left out.');
  return json;
}

/** How much speaks for a value that is not the answer for certain; the most comes last. */
const ranks = ['broken', 'misfit', 'opening', 'remark', 'fit'] as const;

/**
 * - `broken`: no JSON.
 * - `misfit`: not what was asked for.
 * - `opening`: neither, but the reply begins with it, so that a stream would have shown it.
 * - `remark`: it fits, but is empty, or prose goes on after it.
 * - `fit`: it fits and ends its line.
 */
type Rank = (typeof ranks)[number];

/** Whether a value of a rank is rather the answer than an earlier one. What is broken is delivered with all after it. */
function outranks(rank: Rank, earlier: Rank): boolean {
  const lead = ranks.indexOf(rank) - ranks.indexOf(earlier);
  return lead > 0 || (lead === 0 && rank !== 'broken');
}

/** An object or a list in the text of an answer, read as arguments are. What it has become waits until it is drained. */
class AnswerCandidate {
  /** Where it begins in the text, in UTF-16 units. */
  readonly from: number;
  /** Where it ends; up to there it has been read. */
  to: number;
  readonly #reader: JsonReader;
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
    this.#reader = new JsonReader({ ...options, onlyObject: opens === '{' });
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
function isEmpty(json: string): boolean {
  return skipSpace(json, 1) === json.length - 1;
}

const ticks = '```';

/** The word after the ticks that open a fence is at most this long. */
const longestWord = 16;

/** What was around a value: a code fence or not, and the text beside it. */
interface Around {
  readonly fenced: boolean;
  readonly text: readonly string[];
}

/** Tells the code fence around a value from other text before it and after it. */
function splitAround(front: string, after: string): Around {
  const before = front.trimEnd();
  const opening = openingFence(before);
  const rest = after.trimStart();
  const closes = rest.startsWith(ticks);
  const text = [before.slice(0, opening), closes ? rest.slice(ticks.length) : rest];
  return {
    fenced: opening < before.length || closes,
    text: text.map((part) => part.trim()).filter((part) => part !== ''),
  };
}

/** Where the opening of a fence begins that ends the text; the text's length without one. */
function openingFence(text: string): number {
  const at = text.lastIndexOf(ticks);
  return at >= 0 && isWord(text.slice(at + ticks.length)) ? at : text.length;
}

/** The inside of a text that is one code fence, or the text itself; white space around it does not count. */
function unfenced(text: string): string {
  const trimmed = text.trim();
  const lineEnd = trimmed.indexOf('\n');
  if (!trimmed.startsWith(ticks) || lineEnd < 0 || !isWord(trimmed.slice(ticks.length, lineEnd))) return trimmed;
  const end = trimmed.endsWith(ticks) && trimmed.length - ticks.length > lineEnd ? -ticks.length : undefined;
  return trimmed.slice(lineEnd + 1, end).trim();
}

/** What may come after the ticks that open a fence: nothing, or the name of a language on the same line. */
function isWord(text: string): boolean {
  const word = text.trim();
  const isOneLine = !text.trimEnd().includes('\n');
  return isOneLine && word.length <= longestWord && !word.includes(' ') && !word.includes('`');
}
