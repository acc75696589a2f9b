import type { EventWriter, MarkedText } from '../chat/event-writer.ts';
import type { Extra } from '../chat/message.ts';
import { ArgumentsGate } from './arguments-gate.ts';
import { ReplyCalls } from './reply-calls.ts';

/** A block of a reply while it is read. */
export class ReplyBlock {
  readonly kind: 'text' | 'reasoning' | 'call';
  /** Of a call. Empty where the upstream has given none so far, as its name is. */
  callId = '';
  name = '';
  gate = new ArgumentsGate();
  /** What may leave and has not. */
  waiting: (string | MarkedText)[] = [];
  /** A call that has left under its id. */
  started = false;
  /** Something of what it says has left. */
  left = false;
  /** The upstream says that it is over. */
  over = false;
  /** It has left, and nothing can be added to it. */
  ended = false;
  /** What the end of a text or of reasoning carries. */
  extra: Extra | undefined;

  constructor(kind: ReplyBlock['kind']) {
    this.kind = kind;
  }

  /** Whether it is over as soon as another block has begun, because servers leave out the word that says so. */
  get yields(): boolean {
    return this.kind !== 'call' || this.gate.closed;
  }
}

/**
 * Puts the blocks of a reply in order: one after the other, whatever the upstream interleaved.
 *
 * Blocks are in the order in which they began. The first that is not over streams, those after it wait (their memory is
 * bounded by the limit on a reply). A block is over when the upstream says so, when it yields to one that has begun after it, or
 * when the reply ends; never because its text happens to parse.
 */
export class BlockQueue<Block extends ReplyBlock = ReplyBlock> {
  protected readonly writer: EventWriter;
  readonly calls: ReplyCalls;
  /** Those that have not left. */
  #blocks: Block[] = [];

  constructor(writer: EventWriter) {
    this.writer = writer;
    this.calls = new ReplyCalls(writer);
  }

  /** Of a call that has not left, neither the block nor the object has closed. */
  get inCall(): boolean {
    return this.#blocks.some(({ kind, over, gate }) => kind === 'call' && !over && !gate.closed);
  }

  /** The one that began last, if it has not left. */
  protected get last(): Block | undefined {
    return this.#blocks.at(-1);
  }

  /** The block is last in line. */
  add(block: Block): Block {
    this.#blocks.push(block);
    return block;
  }

  /** Lets out what the first block has, and goes on to the next while blocks are over. */
  advance(): void {
    for (let block = this.#blocks[0]; block !== undefined; block = this.#blocks[0]) {
      this.#stream(block);
      if (!block.over && (this.#blocks.length === 1 || !block.yields)) return;
      this.#blocks.shift();
      this.#end(block);
    }
  }

  /** The reply ended well: every call is judged, and what waited leaves. */
  finish(): void {
    for (const block of this.#blocks.splice(0)) this.#end(block);
  }

  /** The reply ended badly: text still leaves, calls that are not over don't. */
  cut(): void {
    for (const block of this.#blocks.splice(0)) {
      if (block.kind === 'call' && !block.over) this.calls.drop(block, 'the reply broke off');
      else this.#end(block);
    }
  }

  /** Whether enough is known of a call to let it out before it is whole. */
  protected mayStart(call: Block): boolean {
    return call.name !== '';
  }

  protected endProse({ kind, extra }: Block): void {
    if (extra === undefined) this.writer.closeBlock();
    else if (kind === 'reasoning') this.writer.reasoningEnd(extra);
    else this.writer.textEnd(extra);
  }

  protected endCall(call: Block): void {
    this.calls.end(call);
  }

  #stream(block: Block): void {
    if (block.kind === 'call' && !block.started) {
      if (!this.mayStart(block)) return;
      this.calls.start(block);
    }
    if (block.waiting.length > 0) block.left = true;
    for (const text of block.waiting) {
      if (typeof text !== 'string') this.writer.marked(text);
      else if (block.kind === 'text') this.writer.text(text);
      else if (block.kind === 'reasoning') this.writer.reasoning(text);
      else this.writer.callDelta(text);
    }
    block.waiting.length = 0;
  }

  #end(block: Block): void {
    if (block.kind === 'call') this.endCall(block);
    else {
      this.#stream(block);
      this.endProse(block);
    }
    block.ended = true;
  }
}
