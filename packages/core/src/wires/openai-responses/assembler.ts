import type { EventWriter } from '../../chat/event-writer.ts';
import { quoteName } from '../../chat/warning.ts';
import { ReplyCalls } from '../reply-calls.ts';
import { type ItemKey, ReplyItem } from './reply-item.ts';

/**
 * Puts the items of a reply in order: one block after the other, whatever the upstream interleaved.
 *
 * Items are in the order in which they began. The first that is not over streams, those after it wait (their memory
 * is bounded by the limit on a reply). An item is over when the upstream says so; one whose deltas are over also when
 * another has begun, for servers that leave out the last word.
 *
 * A call starts as soon as its name and id are known. One that repeats the id of another waits for its end: the same
 * call once more is left out, another one gets a new id.
 */
export class Assembler {
  readonly #writer: EventWriter;
  readonly calls: ReplyCalls;
  readonly #items: ReplyItem[] = [];
  readonly #callsById = new Map<string, ReplyItem>();
  #head = 0;

  constructor(writer: EventWriter) {
    this.#writer = writer;
    this.calls = new ReplyCalls(writer);
  }

  /** Of a call that has not left, the object has not closed. */
  get inCall(): boolean {
    return this.#items.slice(this.#head).some(({ kind, done, gate }) => kind === 'call' && !done && !gate.closed);
  }

  get items(): readonly ReplyItem[] {
    return this.#items;
  }

  /** The item is last in line. */
  open(key: ItemKey): ReplyItem {
    const item = new ReplyItem(key);
    this.#items.push(item);
    return item;
  }

  /** Lets out what the first item has, and goes on to the next while items are over. */
  advance(): void {
    for (let item = this.#items[this.#head]; item !== undefined; item = this.#items[this.#head]) {
      this.#stream(item);
      const isOver = item.done || (item.quiet && item.kind !== 'reasoning' && this.#head + 1 < this.#items.length);
      if (!isOver) return;
      this.#end(item);
      this.#head += 1;
    }
  }

  /** The reply ended well: every call is judged, and what waited leaves. */
  finish(): void {
    for (; this.#head < this.#items.length; this.#head += 1) {
      const item = this.#items[this.#head];
      if (item === undefined) continue;
      this.#stream(item);
      this.#end(item);
    }
  }

  /** The reply ended badly: text still leaves, calls that had not ended don't. */
  cut(): void {
    for (; this.#head < this.#items.length; this.#head += 1) {
      const item = this.#items[this.#head];
      if (item === undefined) continue;
      if (item.kind === 'call') this.calls.drop(item, 'the reply broke off');
      else {
        this.#stream(item);
        this.#end(item);
      }
    }
  }

  #stream(item: ReplyItem): void {
    if (item.kind === 'call') {
      const isKnown = item.name !== '' && item.callId !== '';
      if (!item.started && isKnown && !this.#callsById.has(item.callId)) {
        this.#callsById.set(item.callId, item);
        this.calls.start(item, item.callId);
      }
      if (!item.started) return;
    }
    for (const text of item.waiting) {
      item.left = true;
      if (typeof text !== 'string') this.#writer.marked(text);
      else if (item.kind === 'text') this.#writer.text(text);
      else if (item.kind === 'reasoning') this.#writer.reasoning(text);
      else this.#writer.callDelta(text);
    }
    item.waiting.length = 0;
  }

  #end(item: ReplyItem): void {
    if (item.kind === 'call') this.#endCall(item);
    else if (item.extra === undefined) this.#writer.closeBlock();
    else if (item.kind === 'reasoning') this.#writer.reasoningEnd(item.extra);
    else this.#writer.textEnd(item.extra);
    item.ended = true;
  }

  #endCall(item: ReplyItem): void {
    if (item.name !== '' && item.contradicted) this.calls.drop(item, 'its arguments came twice and differ');
    else if (item.started || !this.#cameBefore(item)) this.calls.end(item, item.callId);
  }

  /** Whether a call is one that has left already. */
  #cameBefore({ callId, name, text, gate }: ReplyItem): boolean {
    const other = this.#callsById.get(callId);
    if (other?.name !== name || other.text !== text || gate.end().kind === 'broken') return false;
    const message = `The call of ${quoteName(name)} came twice; one of them counts.`;
    this.#writer.warning({ code: 'id-repaired', message });
    return true;
  }
}
