import type { EventWriter, MarkedText } from '../chat/event-writer.ts';
import { quoteName } from '../chat/warning.ts';
import type { ArgumentsGate } from './arguments-gate.ts';

/** A call of a reply while it is read. */
interface ReadCall {
  /** Empty where the upstream gave none. */
  readonly name: string;
  readonly gate: ArgumentsGate;
  /** What may leave and has not. */
  readonly waiting: (string | MarkedText)[];
  /** It has left under its id. */
  started: boolean;
  /** Nothing more can be added to it. */
  ended: boolean;
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

  /** `id`: empty where the upstream gave none. */
  start(call: ReadCall, id: string): void {
    call.started = true;
    this.#writer.callStart(this.idFor(id, call.name), call.name);
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

  /** Lets out what waits of a call that has started. */
  stream({ waiting }: ReadCall): void {
    for (const text of waiting) if (typeof text === 'string') this.#writer.callDelta(text);
    waiting.length = 0;
  }

  end(call: ReadCall, id: string): void {
    const outcome = call.gate.end();
    if (call.name === '') this.drop(call, 'it has no name', call.waiting.join(''));
    else if (outcome.kind === 'broken') this.drop(call, outcome.reason, outcome.raw);
    else {
      if (!call.started) this.start(call, id);
      if (outcome.repaired !== undefined) {
        const message = `The call of ${quoteName(call.name)}: ${outcome.repaired}.`;
        this.#writer.warning({ code: 'json-repaired', message });
      }
      this.stream(call);
      this.#writer.callDelta(outcome.rest);
      this.#writer.callEnd();
      call.ended = true;
      this.whole += 1;
    }
  }

  /** `raw`: what is known of it, for the warning. */
  drop(call: ReadCall, reason: string, raw = ''): void {
    if (call.started) this.#writer.callCut();
    call.ended = true;
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
