import { isRecord } from '../transports/scripted/is-record.ts';

export interface NativeCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** What a client has after one streamed answer. */
export interface NativeAnswer {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly NativeCall[];
  readonly finishReason: string;
  /** Every delta as it came, in JSON. */
  readonly deltas: readonly string[];
}

/** Collects the frames of a streamed chat completion as strict clients do. Throws an Error that says what is wrong with them. */
export class DeltaReader {
  #text = '';
  #reasoning = '';
  #finishReason = '';
  readonly #calls: { id: string; name: string; arguments: string }[] = [];
  readonly #deltas: string[] = [];

  /** Reads the data of one frame; `[DONE]` is passed over. */
  read(data: string): void {
    if (data === '[DONE]') return;
    const chunk: unknown = JSON.parse(data);
    if (!isRecord(chunk)) throw new Error('The gateway sent a frame that is no object.');
    if (isRecord(chunk.error)) throw new Error(`The gateway reported: ${String(chunk.error.message)}`);
    const choice: unknown = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
    if (!isRecord(choice)) return;
    if (typeof choice.finish_reason === 'string') this.#finishReason = choice.finish_reason;
    if (isRecord(choice.delta)) this.#readDelta(choice.delta);
  }

  answer(): NativeAnswer {
    if (this.#finishReason === '') throw new Error('The stream ended without a finish reason.');
    return {
      text: this.#text,
      reasoning: this.#reasoning,
      calls: this.#calls,
      finishReason: this.#finishReason,
      deltas: this.#deltas,
    };
  }

  #readDelta(delta: Readonly<Record<string, unknown>>): void {
    if (Object.keys(delta).length > 0) this.#deltas.push(JSON.stringify(delta));
    if (typeof delta.content === 'string') this.#text += delta.content;
    if (typeof delta.reasoning_content === 'string') this.#reasoning += delta.reasoning_content;
    const fragments: readonly unknown[] = Array.isArray(delta.tool_calls) ? delta.tool_calls : [];
    for (const fragment of fragments) if (isRecord(fragment)) this.#readFragment(fragment);
  }

  #readFragment(fragment: Readonly<Record<string, unknown>>): void {
    const given = isRecord(fragment.function) ? fragment.function : {};
    const piece = typeof given.arguments === 'string' ? given.arguments : '';
    const open = typeof fragment.index === 'number' ? this.#calls[fragment.index] : undefined;
    if (open !== undefined) {
      open.arguments += piece;
      return;
    }
    if (typeof fragment.id !== 'string' || typeof given.name !== 'string') {
      throw new Error('The first fragment of a call has no id or no name.');
    }
    this.#calls.push({ id: fragment.id, name: given.name, arguments: piece });
  }
}
