import type { MarkedText } from '../../chat/event-writer.ts';
import { ArgumentsGate } from '../arguments-gate.ts';
import { ReplyBlock } from '../block-queue.ts';
import { saysSame } from '../frame-reader.ts';
import { annotationsExtra, annotationsIn, shiftAnnotation } from './annotations.ts';

/** What is special about a piece of text. */
export type TextMark = Omit<MarkedText, 'text'>;

/** What is known of an item when it is first heard of. Absent strings are empty. */
export interface ItemKey {
  readonly kind: ReplyBlock['kind'];
  readonly index: number | undefined;
  readonly id: string;
  readonly callId: string;
}

/** One item of a reply while it is being read. */
export class ReplyItem extends ReplyBlock {
  readonly index: number | undefined;
  readonly id: string;
  /** What has left is not what the item says as a whole. */
  contradicted = false;
  /** All that came of each part, so that a part that comes whole later adds only what is new. */
  readonly #parts = new Map<string, string>();
  /** Parts that came with probabilities of their tokens. */
  readonly #likely = new Set<string>();
  /** Parts whose annotations have come. */
  readonly #annotated = new Set<string>();
  /** Its deltas are over, but the item may still come whole. */
  quiet = false;

  constructor({ kind, index, id, callId }: ItemKey) {
    super(kind);
    this.index = index;
    this.id = id;
    this.callId = callId;
  }

  override get yields(): boolean {
    return this.quiet && this.kind !== 'reasoning';
  }

  /** A piece of one part. Parts of reasoning are paragraphs. */
  add(part: string, text: string, mark?: TextMark): void {
    const isLikely = mark?.extra !== undefined;
    if (text === '' && !isLikely) return;
    if (isLikely) this.#likely.add(part);
    const before = this.#parts.get(part);
    if (before === undefined && this.#parts.size > 0 && this.kind === 'reasoning') this.waiting.push('\n\n');
    this.#parts.set(part, (before ?? '') + text);
    const open = this.kind === 'call' ? this.gate.push(text) : text;
    if (open !== '' || isLikely) this.waiting.push(mark === undefined ? open : { text: open, ...mark });
  }

  /**
   * One part as a whole: adds what its pieces lacked. Where it says something else, it counts as long as nothing has left;
   * returns false when it is too late for that.
   */
  complete(part: string, whole: string, mark?: TextMark): boolean {
    const before = this.#parts.get(part) ?? '';
    if (whole === '') return true;
    // The probabilities of a whole part are those of its pieces once more, unless none of them had any.
    const rest = this.#likely.has(part) ? undefined : mark;
    if (whole.startsWith(before) && !this.ended) this.add(part, whole.slice(before.length), rest);
    else if (saysSame(before, whole, { json: this.kind === 'call' })) return true;
    else if (!this.left && !this.ended) this.#replace(part, whole);
    else this.contradicted = true;
    return !this.contradicted;
  }

  /** Nothing has left: all parts wait again, one of them in other words. */
  #replace(part: string, whole: string): void {
    const parts = [...this.#parts].map(([name, text]): [string, string] => [name, name === part ? whole : text]);
    this.#parts.clear();
    this.waiting = [];
    this.gate = new ArgumentsGate();
    for (const [name, text] of parts) this.add(name, text);
  }

  /** What a part cites. A part that comes whole repeats what came before. */
  annotate(part: string, annotations: readonly unknown[], { whole }: { readonly whole: boolean }): void {
    if (annotations.length === 0 || (whole && this.#annotated.has(part))) return;
    this.#annotated.add(part);
    const before = this.#lengthBefore(part);
    const moved = annotations.map((each) => shiftAnnotation(each, before));
    this.extra = annotationsExtra([...annotationsIn(this.extra), ...moved]);
  }

  #lengthBefore(part: string): number {
    let length = 0;
    for (const [name, text] of this.#parts) {
      if (name === part) break;
      length += text.length;
    }
    return length;
  }

  /** All that came. */
  get text(): string {
    return [...this.#parts.values()].join('');
  }
}
