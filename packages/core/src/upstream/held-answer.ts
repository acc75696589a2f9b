import { collect } from '../chat/collect.ts';
import type { ChatEvent, FinishReason } from '../chat/event.ts';
import type { Warning } from '../chat/warning.ts';
import { parsedJson } from '../json/parsed-json.ts';

/**
 * Holds the text of a reply back, with all that comes after it, until it is known whether it is the answer: what a client
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
  get missed(): Warning | undefined {
    return this.#events.flatMap((each) => (each.type === 'warning' ? [each.warning] : [])).find(isMiss);
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

/** The text of an answer that was held back. */
export function heldText(events: readonly ChatEvent[]): string {
  return collect(events).text;
}

/** What an answer is worth beside another one that does not fit either; the most comes last. */
const worths = ['nothing', 'words', 'json'] as const;

/** Whether one answer that is not what was asked for is worth more than another one. */
export function isWorthMore(one: EndedAnswer, other: EndedAnswer): boolean {
  return worths.indexOf(worthOf(one)) > worths.indexOf(worthOf(other));
}

/** An answer that was held back, and how its reply ended. */
export interface EndedAnswer {
  readonly events: readonly ChatEvent[];
  readonly end: { readonly finishReason: FinishReason };
}

/** JSON that does not fit is of more use than words, and words than nothing; what stopped short is no JSON. */
function worthOf({ events, end }: EndedAnswer): (typeof worths)[number] {
  const text = heldText(events);
  if (text.trim() === '') return 'nothing';
  if (end.finishReason !== 'stop') return 'words';
  return parsedJson(text) === undefined ? 'words' : 'json';
}

function isMiss({ code }: Warning): boolean {
  return code === 'format-missed';
}
