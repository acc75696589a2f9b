import type { EventWriter } from '../../chat/event-writer.ts';
import { nestsTooDeeply } from '../../json/json-depth.ts';
import { parsedJson } from '../../json/parsed-json.ts';
import { ArgumentsGate } from '../arguments-gate.ts';
import { saysSame } from '../frame-reader.ts';
import { isObject, type JsonObject } from '../read-values.ts';
import { ReplyCalls } from '../reply-calls.ts';
import { wireId } from './types.ts';

/** A text or a thinking that is being read. */
interface ProseBlock {
  readonly index: number;
  readonly kind: 'text' | 'reasoning';
  readonly waiting: string[];
  /** What its end tells, such as a signature; or the whole of a block that is neither. */
  closing: JsonObject;
  /** The places that a text quotes. */
  readonly citations: unknown[];
  /** The pieces of an input that belongs to a block of another kind. */
  readonly input: string[];
  /** The upstream closed it, or began another one after it. */
  ended: boolean;
}

interface CallBlock {
  readonly index: number;
  readonly kind: 'call';
  readonly id: string;
  readonly name: string;
  readonly gate: ArgumentsGate;
  readonly waiting: string[];
  /** Arguments that came with the opening, for upstreams that send no pieces. Empty when there were none. */
  readonly opened: string;
  /** The pieces after such an opening, which have to say the same. */
  readonly repeated: string[];
  started: boolean;
  ended: boolean;
}

type Block = ProseBlock | CallBlock;

/**
 * Puts the blocks of a reply in order: one after the other, whatever the upstream interleaved. Blocks are in the order
 * in which they began; the first unfinished one streams, those after it wait (a limit on replies bounds their memory).
 *
 * A block ends when the upstream says so. A text also ends when something else begins, a call then only if its object has
 * closed: some servers forget the word.
 */
export class BlockQueue {
  readonly #writer: EventWriter;
  readonly #blocks = new Map<number, Block>();
  readonly calls: ReplyCalls;
  /** Blocks that have not left, in order. */
  #queue: Block[] = [];
  /** A block has been opened. */
  begun = false;
  /** A call's arguments came twice, and differ. */
  contradicted = false;

  constructor(writer: EventWriter) {
    this.#writer = writer;
    this.calls = new ReplyCalls(writer);
  }

  /** Of a call that has not left, neither the block nor the object has closed. */
  get inCall(): boolean {
    return this.#queue.some((block) => block.kind === 'call' && !block.ended && !block.gate.closed);
  }

  openProse(index: number, kind: ProseBlock['kind']): void {
    this.#open({ index, kind, closing: {}, ...emptyProse() });
  }

  /** A block that only this wire knows: it rides on a text without a word. */
  openOther(index: number, block: JsonObject): void {
    this.#open({ index, kind: 'text', closing: { block }, ...emptyProse() });
  }

  citation(index: number, citation: unknown): void {
    const block = this.#blocks.get(index);
    if (block?.kind === 'text') block.citations.push(citation);
  }

  openCall(index: number, call: Pick<CallBlock, 'id' | 'name' | 'opened'>): void {
    const state = { gate: new ArgumentsGate(), waiting: [], repeated: [], started: false, ended: false };
    this.#open({ index, kind: 'call', ...call, ...state });
  }

  /** More of a text or thinking; opens it where the upstream forgot to. */
  prose(index: number, piece: { readonly kind: ProseBlock['kind']; readonly text: string }): void {
    if (piece.text === '') return;
    if (this.#blocks.get(index)?.kind !== piece.kind) this.openProse(index, piece.kind);
    this.#blocks.get(index)?.waiting.push(piece.text);
    this.#advance();
  }

  /** A piece of a thinking's signature, or what stands for a thinking that is kept secret. */
  signature(index: number, field: 'signature' | 'redacted', text: string): void {
    const block = this.#blocks.get(index);
    if (block?.kind !== 'reasoning' || text === '') return;
    const before = block.closing[field];
    block.closing = { ...block.closing, [field]: (typeof before === 'string' ? before : '') + text };
  }

  arguments(index: number, text: string): void {
    const held = this.#blocks.get(index);
    if (held?.kind === 'text' && held.closing.block !== undefined) held.input.push(text);
    else this.#callArguments(index, text);
  }

  #callArguments(index: number, text: string): void {
    const isOpen = this.#blocks.get(index)?.kind === 'call';
    if (text === '' || (!isOpen && text.trim() === '')) return;
    if (!isOpen) this.openCall(index, { id: '', name: '', opened: '' });
    const block = this.#blocks.get(index);
    if (block?.kind !== 'call') return;
    if (block.opened !== '') block.repeated.push(text);
    const open = block.gate.push(text);
    if (open !== '') block.waiting.push(open);
    this.#advance();
  }

  close(index: number): void {
    const block = this.#blocks.get(index);
    if (block === undefined) return;
    block.ended = true;
    this.#advance();
  }

  /** The reply ended well: every call is judged, and what waited leaves. */
  finish(): void {
    for (const block of this.#queue) block.ended = true;
    this.#advance();
  }

  /** The reply ended badly: text still leaves, calls that had not ended don't. */
  cut(): void {
    for (const block of this.#queue) {
      if (block.kind !== 'call') this.#endProse(block);
      else if (block.ended) this.#endCall(block);
      else this.calls.drop(block, 'the reply broke off');
    }
    this.#queue = [];
  }

  #open(block: Block): void {
    this.begun = true;
    this.#blocks.set(block.index, block);
    this.#queue.push(block);
    this.#advance();
  }

  /** Lets out what the first block has, and goes on to the next while blocks are finished. */
  #advance(): void {
    let left = 0;
    for (const block of this.#queue) {
      const isLast = left === this.#queue.length - 1;
      if (block.kind === 'call') this.#stream(block);
      else this.#release(block);
      const isOver = block.ended || (!isLast && (block.kind !== 'call' || block.gate.closed));
      if (!isOver) break;
      if (block.kind === 'call') this.#endCall(block);
      else this.#endProse(block);
      // What comes late for this place is a block of its own.
      if (this.#blocks.get(block.index) === block) this.#blocks.delete(block.index);
      left += 1;
    }
    if (left > 0) this.#queue = this.#queue.slice(left);
  }

  #release(block: ProseBlock): void {
    for (const text of block.waiting) {
      if (block.kind === 'text') this.#writer.text(text);
      else this.#writer.reasoning(text);
    }
    block.waiting.length = 0;
  }

  #endProse(block: ProseBlock): void {
    this.#release(block);
    const extra = closingOf(block);
    if (Object.keys(extra).length === 0) this.#writer.closeBlock();
    else if (block.kind === 'reasoning') this.#writer.reasoningEnd({ [wireId]: extra });
    else this.#writer.textEnd({ [wireId]: extra });
  }

  #stream(call: CallBlock): void {
    if (call.name === '') return;
    if (!call.started) this.calls.start(call, call.id);
    this.calls.stream(call);
  }

  #endCall(call: CallBlock): void {
    if (!call.gate.begun && call.opened !== '') call.waiting.push(call.gate.push(call.opened));
    if (contradictsItself(call)) {
      this.contradicted = true;
      this.calls.drop(call, 'its arguments came twice and differ');
    } else this.calls.end(call, call.id);
  }
}

/** Whether a call is whole, and its pieces say something else than its opening. */
function contradictsItself({ name, gate, opened, repeated }: CallBlock): boolean {
  if (repeated.length === 0 || name === '' || gate.end().kind === 'broken') return false;
  return !saysSame(opened, repeated.join(''), { json: true });
}

function emptyProse(): Pick<ProseBlock, 'waiting' | 'citations' | 'input' | 'ended'> {
  return { waiting: [], citations: [], input: [], ended: false };
}

/** What the end of a text or thinking tells those who speak this wire. */
function closingOf({ closing, citations, input }: ProseBlock): JsonObject {
  if (citations.length > 0) return { ...closing, citations };
  const json = input.join('');
  // No pieces, or empty ones: the block began with its whole input.
  if (json.trim() === '' || !isObject(closing.block)) return closing;
  // What was cut stays text.
  return { block: { ...closing.block, input: (nestsTooDeeply(json) ? undefined : parsedJson(json)) ?? json } };
}
