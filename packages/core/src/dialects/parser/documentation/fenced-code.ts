import { look, type Scanner } from '../scanner.ts';

/** What opens and closes a Markdown fence. */
export const backticks = '```';
/** The word after the ticks that open a fence is at most this long. */
const longestInfo = 16;

/** A Markdown fence around what is meant. */
export interface Fence {
  /** Index after a fence's opening line that is at `index`, or `index` itself where none is. */
  readonly afterOpener: typeof afterFenceOpener;
  /** Index after a fence's closer that is at `index` after white space, or `index` itself where none is. */
  readonly afterCloser: typeof afterFenceCloser;
}

/**
 * Index after a Markdown fence's opening line that is at `index`, or `index` itself where none is. An object may
 * stand on that line.
 */
export function afterFenceOpener(scanner: Scanner, index: number): number | 'no' | 'more' {
  const fence = look(scanner, backticks, index);
  if (fence !== 'yes') return fence === 'more' ? 'more' : index;
  const start = index + backticks.length;
  for (let at = start; at - start <= longestInfo; at += 1) {
    if (scanner.wantsMore(at)) return 'more';
    if (scanner.text[at] === '\n' || scanner.text[at] === '\r') return scanner.afterSpace(at);
    if (scanner.text[at] === '{') return at;
  }
  return 'no';
}

/** Index after a fence's closer that is at `index` after white space, or `index` itself where none is. */
export function afterFenceCloser(scanner: Scanner, index: number): number | 'more' {
  const next = scanner.afterSpace(index);
  if (next === 'no') return index;
  const fence = next === 'more' ? next : look(scanner, backticks, next);
  if (fence === 'more') return 'more';
  return fence === 'yes' && typeof next === 'number' ? next + backticks.length : index;
}

export const fence: Fence = { afterOpener: afterFenceOpener, afterCloser: afterFenceCloser };

const tick = 96;

/** A run of back-ticks or tildes in a Markdown text. */
export interface FenceRun {
  readonly code: number;
  length: number;
  /** Only white space and marks of lists and quotations stand before it on its line. */
  readonly startsLine: boolean;
  /** A letter, a digit or `_` stands directly before it. */
  readonly afterWord: boolean;
}

/** What has been seen of a fence. */
type State =
  | 'none'
  /** On the line that opens it; a back-tick here shows that it was a code span. */
  | 'info'
  | 'open'
  /** After a run that closes it if only white space follows on its line. */
  | 'closing';

/** What opens the fence that a broken call has left open. */
const runOfCall: FenceRun = { code: tick, length: backticks.length, startsLine: true, afterWord: false };

/**
 * The fences of a Markdown text, as CommonMark has them, but at any indentation, since models put them into lists. One
 * that is not closed lasts to the end of the reply.
 */
export class FencedCode {
  #state: State = 'none';
  #opener = runOfCall;
  /** A broken call has opened it: its ticks may come after JSON, and a marker directly after them. */
  #ofCall = false;

  get isOpen(): boolean {
    return this.#state !== 'none';
  }

  /** What follows decides whether it is closed. */
  get isClosing(): boolean {
    return this.#state === 'closing';
  }

  /** The run that has opened it. */
  get opener(): FenceRun {
    return this.#opener;
  }

  /** This run opens a fence. */
  open(run: FenceRun): void {
    this.#state = 'info';
    this.#opener = run;
    this.#ofCall = false;
  }

  /** A broken call has opened a fence that is still open. */
  openByCall(): void {
    this.#state = 'open';
    this.#opener = runOfCall;
    this.#ofCall = true;
  }

  close(): void {
    this.#state = 'none';
  }

  /** Does this run show that what looked like a fence is a code span? */
  isSpanWith({ code }: FenceRun): boolean {
    return this.#state === 'info' && code === tick && this.#opener.code === tick;
  }

  readRun({ code, length, startsLine }: FenceRun): void {
    this.readOther();
    const closes = code === this.#opener.code && length >= this.#opener.length;
    if (this.#state === 'open' && closes && (startsLine || this.#ofCall)) this.#state = 'closing';
  }

  /** Something else than white space is here. */
  readOther(): void {
    if (this.#state === 'closing') this.#state = 'open';
  }

  endLine(): void {
    if (this.#state === 'info') this.#state = 'open';
    else if (this.#state === 'closing') this.#state = 'none';
  }

  /** A marker is here: is it part of a fence? */
  holdsMarker(): boolean {
    if (this.#state === 'closing' && this.#ofCall) this.#state = 'none';
    return this.isOpen;
  }
}
