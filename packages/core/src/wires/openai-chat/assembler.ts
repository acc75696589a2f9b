import type { EventWriter, MarkedText } from '../../chat/event-writer.ts';
import type { Warning } from '../../chat/warning.ts';
import { quoteName } from '../../chat/warning.ts';
import { ArgumentsGate } from '../arguments-gate.ts';
import { ReplyCalls } from '../reply-calls.ts';

export interface AssemblerOptions {
  readonly splitNames: boolean;
  readonly cumulativeArguments: boolean;
}

type Segment =
  | { readonly kind: 'text'; readonly waiting: (string | MarkedText)[]; next?: Segment }
  | { readonly kind: 'reasoning'; readonly waiting: string[]; next?: Segment }
  | { readonly kind: 'call'; readonly call: OpenCall; next?: Segment };

/**
 * Puts the parts of a native reply in order: one block after the other, whatever the upstream interleaved.
 *
 * Parts are in the order in which they began. The first unfinished one streams, those after it wait (their memory is
 * bounded by the limit on a reply). A text ends when something else begins. A call ends when its argument object has
 * closed and something else has begun, or when the reply ends; never because its text happens to parse.
 *
 * A call starts as soon as its name and id are known, so a late id is still its id.
 */
export class Assembler {
  readonly #writer: EventWriter;
  readonly #options: AssemblerOptions;
  readonly #finder: CallFinder;
  readonly calls: ReplyCalls;
  #head: Segment | undefined;
  #last: Segment | undefined;

  constructor(writer: EventWriter, options: AssemblerOptions) {
    this.#writer = writer;
    this.#options = options;
    this.#finder = new CallFinder(options);
    this.calls = new ReplyCalls(writer);
  }

  /** Of a call that has not left, the object has not closed. */
  get inCall(): boolean {
    for (let segment = this.#head; segment !== undefined; segment = segment.next) {
      if (segment.kind === 'call' && !segment.call.gate.closed) return true;
    }
    return false;
  }

  text(text: string | MarkedText): void {
    if (text === '') return;
    if (this.#last?.kind === 'text') this.#last.waiting.push(text);
    else this.#append({ kind: 'text', waiting: [text] });
    this.#advance();
  }

  reasoning(text: string): void {
    if (text === '') return;
    if (this.#last?.kind === 'reasoning') this.#last.waiting.push(text);
    else this.#append({ kind: 'reasoning', waiting: [text] });
    this.#advance();
  }

  fragment(fragment: CallFragment): void {
    const found = this.#finder.find(fragment);
    if (found.note !== undefined) this.#writer.warning(found.note);
    const call = found.call ?? this.#open(fragment);
    this.#readName(call, fragment.name);
    this.#readArguments(call, fragment.arguments);
    this.#advance();
  }

  /** The reply ended well: every call is judged, and what waited leaves. */
  finish(): void {
    for (let segment = this.#head; segment !== undefined; segment = segment.next) {
      if (segment.kind === 'call') this.calls.end(segment.call, segment.call.id);
      else this.#release(segment);
    }
    this.#head = undefined;
    this.#last = undefined;
  }

  /** The reply ended badly: text still leaves, calls that had not ended don't. */
  cut(): void {
    for (let segment = this.#head; segment !== undefined; segment = segment.next) {
      if (segment.kind === 'call') this.calls.drop(segment.call, 'the reply broke off');
      else this.#release(segment);
    }
    this.#head = undefined;
    this.#last = undefined;
  }

  #open(fragment: CallFragment): OpenCall {
    const call: OpenCall = {
      index: fragment.index,
      id: fragment.id,
      name: '',
      gate: new ArgumentsGate(),
      waiting: [],
      started: false,
      ended: false,
      soFar: '',
    };
    this.#finder.add(call);
    this.#append({ kind: 'call', call });
    return call;
  }

  #append(segment: Segment): void {
    if (this.#last === undefined) this.#head = segment;
    else this.#last.next = segment;
    this.#last = segment;
  }

  #readName(call: OpenCall, name: string): void {
    if (name === '' || name === call.name) return;
    if (call.name === '') call.name = name;
    else if (this.#options.splitNames && !call.gate.begun) call.name += name;
    else
      this.#writer.warning({
        code: 'field-ignored',
        message: `The call of ${quoteName(call.name)} came with a second name.`,
      });
  }

  #readArguments(call: OpenCall, text: string): void {
    if (text === '') return;
    let fresh = text;
    if (this.#options.cumulativeArguments) {
      fresh = text.startsWith(call.soFar) ? text.slice(call.soFar.length) : text;
      call.soFar += fresh;
    }
    if (call.ended && fresh.trim() !== '') {
      this.#writer.warning({
        code: 'json-repaired',
        message: `Text after the end of the call of ${quoteName(call.name)} was dropped.`,
      });
    } else if (!call.ended) {
      const open = call.gate.push(fresh);
      if (open !== '') call.waiting.push(open);
    }
  }

  /** Lets out what the first segment has, and goes on to the next while segments are finished. */
  #advance(): void {
    while (this.#head !== undefined) {
      const head = this.#head;
      if (head.kind !== 'call') this.#release(head);
      else this.#stream(head.call);
      const isFinished = head.kind !== 'call' || head.call.gate.closed;
      if (head.next === undefined || !isFinished) return;
      if (head.kind === 'call') this.calls.end(head.call, head.call.id);
      this.#head = head.next;
    }
  }

  #release(segment: Segment & { kind: 'text' | 'reasoning' }): void {
    for (const text of segment.waiting) {
      if (typeof text !== 'string') this.#writer.marked(text);
      else if (segment.kind === 'text') this.#writer.text(text);
      else this.#writer.reasoning(text);
    }
    segment.waiting.length = 0;
  }

  #stream(call: OpenCall): void {
    const isNameOpen = this.#options.splitNames && !call.gate.begun;
    if (!call.started && call.name !== '' && call.id !== '' && !isNameOpen) this.calls.start(call, call.id);
    if (call.started) this.calls.stream(call);
  }
}

/** One entry of a `tool_calls` delta. Absent strings are empty. */
interface CallFragment {
  readonly index: number | undefined;
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** A call that fragments are being collected for. */
interface OpenCall {
  readonly index: number | undefined;
  id: string;
  name: string;
  readonly gate: ArgumentsGate;
  /** Argument text that may leave and has not. */
  readonly waiting: string[];
  started: boolean;
  ended: boolean;
  /** All argument text, for upstreams that repeat it. */
  soFar: string;
}

/** The call that a fragment belongs to; none means that it opens a new one. */
interface Found {
  readonly call?: OpenCall;
  readonly note?: Warning;
}

/**
 * Decides which call a fragment belongs to: by index, else by id, else to the last call. A second id on one index opens
 * a new call if the fragment also has a name (some upstreams number every call 0); without a name it is noise (some
 * mint an id for each fragment), and the first id stays.
 */
class CallFinder {
  readonly #splitNames: boolean;
  readonly #byIndex = new Map<number, OpenCall>();
  readonly #byId = new Map<string, OpenCall>();
  #last: OpenCall | undefined;

  /** `splitNames`: a name may come in pieces, so a second one goes on with the first. */
  constructor(options: { readonly splitNames: boolean }) {
    this.#splitNames = options.splitNames;
  }

  add(call: OpenCall): void {
    this.#last = call;
    if (call.index !== undefined) this.#byIndex.set(call.index, call);
    if (call.id !== '' && !this.#byId.has(call.id)) this.#byId.set(call.id, call);
  }

  find(fragment: CallFragment): Found {
    if (fragment.index === undefined) return this.#findWithoutIndex(fragment);
    const current = this.#byIndex.get(fragment.index);
    if (current === undefined) return {};
    const known = this.#byId.get(fragment.id);
    if (known !== undefined && known.index === fragment.index) return { call: known };
    return this.#continue(current, fragment);
  }

  #findWithoutIndex(fragment: CallFragment): Found {
    const known = this.#byId.get(fragment.id);
    if (known !== undefined) return { call: known };
    if (this.#last !== undefined) return this.#continue(this.#last, fragment);
    if (fragment.id !== '') return {};
    return { note: { code: 'id-repaired', message: 'A call came with neither index nor id.' } };
  }

  /** `current` is the call at the fragment's place; the fragment's id is not known there. */
  #continue(current: OpenCall, fragment: CallFragment): Found {
    if (fragment.id !== '' && current.id !== '') {
      if (fragment.name !== '') return {};
      return {
        call: current,
        note: { code: 'id-repaired', message: 'A call came with two ids; the first one counts.' },
      };
    }
    if (this.#beginsAnother(current, fragment)) return {};
    if (fragment.id !== '') {
      current.id = fragment.id;
      this.#byId.set(fragment.id, current);
    }
    return { call: current };
  }

  /** Without ids to tell: a name that can't be the current call's. */
  #beginsAnother(current: OpenCall, fragment: CallFragment): boolean {
    if (fragment.name === '' || current.name === '') return false;
    if (fragment.name === current.name) return current.gate.closed && fragment.arguments.trim() !== '';
    return current.gate.begun || (fragment.index === undefined && !this.#splitNames);
  }
}
