import type { Warning } from '../../chat/warning.ts';
import type { ArgumentsGate } from '../arguments-gate.ts';

/** One entry of a `tool_calls` delta. Absent strings are empty. */
export interface CallFragment {
  readonly index: number | undefined;
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** A call that fragments are being collected for. */
export interface OpenCall {
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
export class CallFinder {
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
