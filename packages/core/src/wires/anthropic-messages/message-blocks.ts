import { nestsTooDeeply } from '../../json/json-depth.ts';
import { parsedJson } from '../../json/parsed-json.ts';
import { BlockQueue, ReplyBlock } from '../block-queue.ts';
import { saysSame } from '../frame-reader.ts';
import { isObject, type JsonObject, textIn } from '../read-values.ts';
import { wireId } from './types.ts';

/** A block of this wire. */
class MessageBlock extends ReplyBlock {
  /** What the end of a text or thinking tells, such as a signature; or the whole of a block that is neither. */
  closing: JsonObject = {};
  /** The places that a text quotes. */
  readonly citations: unknown[] = [];
  /** Arguments that came with the opening, for upstreams that send no pieces. Empty when there were none. */
  opened = '';
  /** The pieces after such an opening, which have to say the same; or of the input of a block that is neither text nor call. */
  readonly pieces: string[] = [];
}

/** Puts the blocks of a message in order, and tells the end of each what has come for it. */
export class MessageBlocks extends BlockQueue<MessageBlock> {
  readonly #blocks = new Map<number, MessageBlock>();
  /** A block has been opened. */
  begun = false;
  /** A call's arguments came twice, and differ. */
  contradicted = false;

  /** `closing` with a `block`: one that only this wire knows rides on a text without a word. */
  open(
    index: number,
    kind: ReplyBlock['kind'],
    about: Partial<Pick<MessageBlock, 'callId' | 'name' | 'opened' | 'closing'>> = {},
  ): MessageBlock {
    const block = this.add(Object.assign(new MessageBlock(kind), about));
    this.begun = true;
    this.#blocks.set(index, block);
    this.advance();
    return block;
  }

  citation(index: number, citation: unknown): void {
    const block = this.#at(index);
    if (block?.kind === 'text') block.citations.push(citation);
  }

  /** More of a text or thinking; opens it where the upstream forgot to. */
  prose(index: number, kind: 'text' | 'reasoning', text: string): void {
    if (text === '') return;
    const found = this.#at(index);
    const block = found?.kind === kind ? found : this.open(index, kind);
    block.waiting.push(text);
    this.advance();
  }

  /** A piece of a thinking's signature, or what stands for a thinking that is kept secret. */
  signature(index: number, field: 'signature' | 'redacted', text: string): void {
    const block = this.#at(index);
    if (block?.kind !== 'reasoning' || text === '') return;
    block.closing = { ...block.closing, [field]: textIn(block.closing[field]) + text };
  }

  arguments(index: number, text: string): void {
    const found = this.#at(index);
    if (found?.kind === 'text' && found.closing.block !== undefined) {
      found.pieces.push(text);
      return;
    }
    const isOpen = found?.kind === 'call';
    if (text === '' || (!isOpen && text.trim() === '')) return;
    const block = isOpen ? found : this.open(index, 'call');
    if (block.opened !== '') block.pieces.push(text);
    const open = block.gate.push(text);
    if (open !== '') block.waiting.push(open);
    this.advance();
  }

  close(index: number): void {
    const block = this.#at(index);
    if (block === undefined) return;
    block.over = true;
    this.advance();
  }

  protected override endProse(block: MessageBlock): void {
    const closing = closingOf(block);
    if (Object.keys(closing).length > 0) block.extra = { [wireId]: closing };
    super.endProse(block);
  }

  protected override endCall(call: MessageBlock): void {
    if (!call.gate.begun && call.opened !== '') call.waiting.push(call.gate.push(call.opened));
    if (contradictsItself(call)) {
      this.contradicted = true;
      this.calls.drop(call, 'its arguments came twice and differ');
    } else super.endCall(call);
  }

  /** What comes late for a place is a block of its own. */
  #at(index: number): MessageBlock | undefined {
    const block = this.#blocks.get(index);
    return block?.ended === true ? undefined : block;
  }
}

/** Whether a call is whole, and its pieces say something else than its opening. */
function contradictsItself({ name, gate, opened, pieces }: MessageBlock): boolean {
  if (pieces.length === 0 || name === '' || gate.end().kind === 'broken') return false;
  return !saysSame(opened, pieces.join(''), { json: true });
}

/** What the end of a text or thinking tells those who speak this wire. */
function closingOf({ closing, citations, pieces }: MessageBlock): JsonObject {
  if (citations.length > 0) return { ...closing, citations };
  const json = pieces.join('');
  // No pieces, or empty ones: the block began with its whole input.
  if (json.trim() === '' || !isObject(closing.block)) return closing;
  // What was cut stays text.
  return { block: { ...closing.block, input: (nestsTooDeeply(json) ? undefined : parsedJson(json)) ?? json } };
}
