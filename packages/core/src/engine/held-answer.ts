import type { ChatEvent } from '../chat/event.ts';
import type { Issue } from '../chat/issue.ts';

/**
 * Holds the text of a reply back, with all that comes behind it, until it is known whether it is the answer: what a client
 * has been sent cannot be withdrawn. A call or a refusal is an answer at once; from then on everything passes.
 */
export class HeldAnswer {
  #events: ChatEvent[] = [];
  #passes: boolean;

  /** `holds` false: everything passes from the beginning. */
  constructor({ holds }: { readonly holds: boolean }) {
    this.#passes = !holds;
  }

  /** What is held back now. */
  get events(): readonly ChatEvent[] {
    return this.#events;
  }

  /** The text has left, or never waited. */
  get passes(): boolean {
    return this.#passes;
  }

  /** Why what is held back is no answer, if it is none. */
  get missed(): Issue | undefined {
    return this.#events.flatMap((each) => (each.type === 'warning' ? [each.issue] : [])).find(isMiss);
  }

  /** What may leave now that `event` has come. */
  take(event: ChatEvent): readonly ChatEvent[] {
    if (this.#passes) return [event];
    if (event.type === 'tool-call-start' || (event.type === 'text-start' && event.refusal === true)) {
      this.#passes = true;
      return [...this.release(), event];
    }
    if (event.type !== 'text-start' && this.#events.length === 0) return [event];
    this.#events.push(event);
    return [];
  }

  /** Hands over what was held back. */
  release(): readonly ChatEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }
}

function isMiss({ code }: Issue): boolean {
  return code === 'format-missed';
}
