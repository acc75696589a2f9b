import type { EventWriter } from '../../chat/event-writer.ts';
import type { Warning } from '../../chat/warning.ts';
import { brief } from '../brief.ts';
import { type ItemKey, ReplyItem } from './reply-item.ts';

export interface AssemblerOptions {
  readonly mintId: () => string;
}

/**
 * Puts the items of a reply in order: one block after the other, whatever the upstream interleaved.
 *
 * Items are in the order in which they began. The first that is not over streams, those after it wait (their memory
 * is bounded by the limit on a reply). An item is over when the upstream says so; one whose deltas are over also when
 * another has begun, for servers that leave out the last word.
 *
 * A call starts as soon as its name and id are known. One that repeats the id of another waits for its end: the same
 * call once more is left out, another one gets a new id. A call without a name, or whose arguments are no object at its
 * end, is reported as `call-cut`.
 */
export class Assembler {
  readonly #writer: EventWriter;
  readonly #warn: (warning: Warning) => void;
  readonly #options: AssemblerOptions;
  readonly #items: ReplyItem[] = [];
  readonly #callsById = new Map<string, ReplyItem>();
  #head = 0;
  #wholeCalls = 0;

  constructor(writer: EventWriter, warn: (warning: Warning) => void, options: AssemblerOptions) {
    this.#writer = writer;
    this.#warn = warn;
    this.#options = options;
  }

  get wholeCalls(): number {
    return this.#wholeCalls;
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
      if (item.kind === 'call') this.#cutCall(item, { reason: 'the reply broke off', raw: '' });
      else {
        this.#stream(item);
        this.#end(item);
      }
    }
  }

  #stream(item: ReplyItem): void {
    if (item.kind === 'call') {
      const isKnown = item.name !== '' && item.callId !== '';
      if (!item.started && isKnown && !this.#callsById.has(item.callId)) this.#start(item, item.callId);
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

  /** The item keeps the id that its server knows it by, whatever it leaves under. */
  #start(item: ReplyItem, callId: string): void {
    item.started = true;
    this.#callsById.set(callId, item);
    this.#writer.callStart(callId, item.name);
  }

  #end(item: ReplyItem): void {
    if (item.kind === 'call') this.#endCall(item);
    else if (item.extra === undefined) this.#writer.closeBlock();
    else if (item.kind === 'reasoning') this.#writer.reasoningEnd(item.extra);
    else this.#writer.textEnd(item.extra);
    item.ended = true;
  }

  #endCall(item: ReplyItem): void {
    const outcome = item.gate.end();
    if (item.name === '') {
      this.#cutCall(item, { reason: 'it has no name', raw: item.text });
      return;
    }
    if (item.contradicted) {
      this.#cutCall(item, { reason: 'its arguments came twice and differ', raw: '' });
      return;
    }
    if (outcome.kind === 'broken') {
      this.#cutCall(item, outcome);
      return;
    }
    if (!item.started && !this.#startLate(item)) return;
    if (outcome.repaired !== undefined) {
      this.#warn({ code: 'json-repaired', message: `The call of ${brief(item.name)}: ${outcome.repaired}.` });
    }
    this.#stream(item);
    this.#writer.callDelta(outcome.rest);
    this.#writer.callEnd();
    this.#wholeCalls += 1;
  }

  /** A call without an id of its own. Returns false when it is one that has left already. */
  #startLate(item: ReplyItem): boolean {
    const other = this.#callsById.get(item.callId);
    if (other !== undefined && other.name === item.name && other.text === item.text) {
      this.#warn({ code: 'id-repaired', message: `The call of ${brief(item.name)} came twice; one of them counts.` });
      return false;
    }
    const problem = item.callId === '' ? 'without an id' : 'with the id of another call';
    this.#warn({ code: 'id-repaired', message: `The call of ${brief(item.name)} came ${problem} and got a new one.` });
    this.#start(item, this.#options.mintId());
    return true;
  }

  #cutCall(item: ReplyItem, { reason, raw }: { readonly reason: string; readonly raw: string }): void {
    if (item.started) this.#writer.callCut();
    item.ended = true;
    const name = item.name === '' ? '' : ` of ${brief(item.name)}`;
    const text = raw === '' ? '' : ` It began with ${brief(raw)}.`;
    this.#warn({ code: 'call-cut', message: `A call${name} was not delivered: ${reason}.${text}` });
  }
}
