import type { EventWriter, MarkedText } from '../chat/event-writer.ts';
import { quoteName } from '../chat/warning.ts';
import type { ArgumentsGate } from './arguments-gate.ts';

/** What has to be known of a call of a reply to let it out. */
interface ReadCall {
  /** Empty where the upstream gave none, as its name is. */
  readonly callId: string;
  readonly name: string;
  readonly gate: ArgumentsGate;
  /** What may leave and has not. */
  readonly waiting: (string | MarkedText)[];
  /** It has left under its id. */
  started: boolean;
}

/**
 * Lets the calls of one reply out, whatever its API, and judges each at its end. A call without an id, or with that of an
 * earlier one, gets a new one, and a warning. A call without a name, or whose arguments are no object, is reported as
 * `call-cut`. An object counts by its braces: whether it is JSON is judged by whoever knows the tool's schema.
 */
export class ReplyCalls {
  readonly #writer: EventWriter;
  readonly #ids = new Set<string>();
  /** How many have come whole. */
  whole = 0;
  /** How many have come and were none at their end. */
  cut = 0;

  constructor(writer: EventWriter) {
    this.#writer = writer;
  }

  start(call: ReadCall): void {
    call.started = true;
    this.#writer.callStart(this.idFor(call.callId, call.name), call.name);
  }

  /** The id that a call leaves under. */
  idFor(given: string, name: string): string {
    let id = given;
    if (id === '' || this.#ids.has(id)) {
      const problem = id === '' ? 'without an id' : 'with the id of another call';
      const message = `The call of ${quoteName(name)} came ${problem} and got a new one.`;
      this.#writer.warning({ code: 'id-repaired', message });
      id = mintCallId();
    }
    this.#ids.add(id);
    return id;
  }

  end(call: ReadCall): void {
    const outcome = call.gate.end();
    if (call.name === '') this.drop(call, 'it has no name', call.waiting.join(''));
    else if (outcome.kind === 'broken') this.drop(call, outcome.reason, outcome.raw);
    else {
      if (!call.started) this.start(call);
      if (outcome.repaired !== undefined) {
        const message = `The call of ${quoteName(call.name)}: ${outcome.repaired}.`;
        this.#writer.warning({ code: 'json-repaired', message });
      }
      for (const text of call.waiting) if (typeof text === 'string') this.#writer.callDelta(text);
      this.#writer.callDelta(outcome.rest);
      this.#writer.callEnd();
      this.whole += 1;
    }
  }

  /** `raw`: what is known of it, for the warning. */
  drop(call: ReadCall, reason: string, raw = ''): void {
    if (call.started) this.#writer.callCut();
    this.cut += 1;
    const name = call.name === '' ? '' : ` of ${quoteName(call.name)}`;
    const text = raw === '' ? '' : ` It began with ${quoteName(raw)}.`;
    this.#writer.warning({ code: 'call-cut', message: `A call${name} was not delivered: ${reason}.${text}` });
  }
}

/** A new call id, `call_` and 24 random hexadecimal digits: unique over any conversation. */
export function mintCallId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `call_${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
