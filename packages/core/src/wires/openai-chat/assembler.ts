import type { EventWriter, MarkedText } from '../../chat/event-writer.ts';
import type { Warning } from '../../chat/warning.ts';
import { quoteName } from '../../chat/warning.ts';
import { BlockQueue, ReplyBlock } from '../block-queue.ts';

export interface AssemblerOptions {
  readonly splitNames: boolean;
  readonly cumulativeArguments: boolean;
}

/** A call that fragments are being collected for. */
class OpenCall extends ReplyBlock {
  readonly index: number | undefined;
  /** All argument text, for upstreams that repeat it. */
  soFar = '';

  constructor({ index, id }: CallFragment) {
    super('call');
    this.index = index;
    this.callId = id;
  }
}

/** Puts the parts of a native reply in order. A call starts as soon as its name and id are known, so a late id is still its id. */
export class Assembler extends BlockQueue {
  readonly #options: AssemblerOptions;
  readonly #finder: CallFinder;

  constructor(writer: EventWriter, options: AssemblerOptions) {
    super(writer);
    this.#options = options;
    this.#finder = new CallFinder(options);
  }

  /** More of what the model says; a piece of another kind begins another block. */
  prose(kind: 'text' | 'reasoning', text: string | MarkedText): void {
    if (text === '') return;
    const block = this.last?.kind === kind ? this.last : this.add(new ReplyBlock(kind));
    block.waiting.push(text);
    this.advance();
  }

  fragment(fragment: CallFragment): void {
    const found = this.#finder.find(fragment);
    if (found.note !== undefined) this.writer.warning(found.note);
    const call = found.call ?? this.#open(fragment);
    this.#readName(call, fragment.name);
    this.#readArguments(call, fragment.arguments);
    this.advance();
  }

  protected override mayStart({ name, callId, gate }: ReplyBlock): boolean {
    const isNameOpen = this.#options.splitNames && !gate.begun;
    return name !== '' && callId !== '' && !isNameOpen;
  }

  /** This API has no word for the end of a text: it goes on where nothing else has been said. */
  protected override endProse(): void {}

  #open(fragment: CallFragment): OpenCall {
    const call = new OpenCall(fragment);
    this.#finder.add(call);
    this.add(call);
    return call;
  }

  #readName(call: OpenCall, name: string): void {
    if (name === '' || name === call.name) return;
    if (call.name === '') call.name = name;
    else if (this.#options.splitNames && !call.gate.begun) call.name += name;
    else
      this.writer.warning({
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
      this.writer.warning({
        code: 'json-repaired',
        message: `Text after the end of the call of ${quoteName(call.name)} was dropped.`,
      });
    } else if (!call.ended) {
      const open = call.gate.push(fresh);
      if (open !== '') call.waiting.push(open);
    }
  }
}

/** One entry of a `tool_calls` delta. Absent strings are empty. */
interface CallFragment {
  readonly index: number | undefined;
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
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
    if (call.callId !== '' && !this.#byId.has(call.callId)) this.#byId.set(call.callId, call);
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
    if (fragment.id !== '' && current.callId !== '') {
      if (fragment.name !== '') return {};
      return {
        call: current,
        note: { code: 'id-repaired', message: 'A call came with two ids; the first one counts.' },
      };
    }
    if (this.#beginsAnother(current, fragment)) return {};
    if (fragment.id !== '') {
      current.callId = fragment.id;
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
