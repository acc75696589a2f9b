import type { Warning } from '../chat/warning.ts';
import { brief } from './brief.ts';

/** The ids that the calls of one reply go by. A call without an id, or with that of an earlier one, gets a new one, and a warning. */
export class ReplyCallIds {
  readonly #mintId: () => string;
  readonly #warn: (warning: Warning) => void;
  readonly #used = new Set<string>();

  constructor(mintId: () => string, warn: (warning: Warning) => void) {
    this.#mintId = mintId;
    this.#warn = warn;
  }

  /** `given`: empty where the upstream gave none. */
  of(given: string, name: string): string {
    let id = given;
    if (id === '' || this.#used.has(id)) {
      const problem = id === '' ? 'without an id' : 'with the id of another call';
      this.#warn({ code: 'id-repaired', message: `The call of ${brief(name)} came ${problem} and got a new one.` });
      id = this.#mintId();
    }
    this.#used.add(id);
    return id;
  }
}

/** A new call id, `call_` and 24 random hexadecimal digits: unique over any conversation. */
export function mintCallId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `call_${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
