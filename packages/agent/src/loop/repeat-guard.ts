import { signatureOf } from '@dragoman/core';
import type { ChatCall } from '../chat/message.ts';
import type { CallResult } from './run-call.ts';

/** What is known of a call that was made before. */
interface Known {
  readonly result: Promise<CallResult>;
  /** How many changes had been made when it was over. */
  changes: number;
  repeats: number;
}

/**
 * The calls of one task. One that comes again with the same arguments is answered from what is known, with a note; a second
 * time, and the loop is over. A change that was made in between makes every call another one, except itself.
 */
export class RepeatGuard {
  readonly #known = new Map<string, Known>();
  #changes = 0;
  #isOver = false;

  /** Whether the model has made the same call a third time. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Something was changed. */
  changed(): void {
    this.#changes += 1;
  }

  /** Runs a call, or answers it from what is known. */
  async answer({ name, arguments: values }: ChatCall, run: () => Promise<CallResult>): Promise<CallResult> {
    const signature = signatureOf(name, JSON.stringify(values));
    const known = this.#known.get(signature);
    if (known !== undefined && known.changes === this.#changes) {
      known.repeats += 1;
      if (known.repeats > 1) this.#isOver = true;
      const { status, content } = await known.result;
      return { status, content: `${repeated}\n${content}` };
    }
    const entry: Known = { result: run(), changes: this.#changes, repeats: 0 };
    this.#known.set(signature, entry);
    const result = await entry.result;
    entry.changes = this.#changes;
    return result;
  }
}

const repeated =
  '[You have made this very call before, and nothing has changed since. This is its result again; go on with it.]';
