/**
 * A model of how the AI SDK's OpenAI-compatible provider reads a Chat Completions stream, as documented: calls grouped
 * by index, a call over as soon as its arguments parse, checked chunks. It throws where the SDK gives up on the turn.
 */
import { type Fields, isFields } from '../read-json.ts';

export interface AiSdkTurn {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
  readonly finishReason: string;
  readonly usage?: { readonly prompt: number; readonly completion: number };
  /** Messages of error objects inside the stream. */
  readonly errors: readonly string[];
  /** Argument text that came after its call had parsed. */
  readonly lost: readonly string[];
}

interface IndexedCall {
  readonly id: string;
  readonly name: string;
  arguments: string;
  finished: boolean;
}

/** Reads a whole stream. Throws on what the SDK's validation refuses, and when there is no finish reason. */
export function collectAsAiSdk(stream: string): AiSdkTurn {
  const reader = new AiSdkReader();
  for (const block of stream.split('\n\n')) {
    const data = block
      .split('\n')
      .filter((line) => line.startsWith('data:'))
      .map((line) => (line.startsWith('data: ') ? line.slice(6) : line.slice(5)));
    if (data.length > 0 && data.join('\n') !== '[DONE]') reader.frame(data.join('\n'));
  }
  return reader.turn();
}

class AiSdkReader {
  #text = '';
  #reasoning = '';
  #finishReason: string | undefined;
  #usage: AiSdkTurn['usage'];
  readonly #calls = new Map<number, IndexedCall>();
  readonly #errors: string[] = [];
  readonly #lost: string[] = [];

  frame(data: string): void {
    const value = record(JSON.parse(data), 'a chunk');
    if (value.error !== undefined) {
      const error = record(value.error, 'error');
      if (typeof error.message !== 'string') throw new Error("Expected 'error.message' to be a string.");
      this.#errors.push(error.message);
      return;
    }
    if (!Array.isArray(value.choices)) throw new Error("Expected 'choices' to be a list.");
    if (value.usage !== undefined && value.usage !== null) this.#readUsage(record(value.usage, 'usage'));
    const choice: unknown = value.choices[0];
    if (choice !== undefined) this.#readChoice(record(choice, 'a choice'));
  }

  turn(): AiSdkTurn {
    if (this.#finishReason === undefined) throw new Error('The stream ended without a finish reason.');
    return {
      text: this.#text,
      reasoning: this.#reasoning,
      calls: [...this.#calls.values()].map(({ id, name, arguments: text }) => ({ id, name, arguments: text })),
      finishReason: this.#finishReason,
      ...(this.#usage === undefined ? {} : { usage: this.#usage }),
      errors: this.#errors,
      lost: this.#lost,
    };
  }

  #readUsage(usage: Fields): void {
    const { prompt_tokens: prompt, completion_tokens: completion } = usage;
    if (typeof prompt === 'number' && typeof completion === 'number') this.#usage = { prompt, completion };
  }

  #readChoice(choice: Fields): void {
    const reason = optionalString(choice.finish_reason, 'finish_reason');
    if (reason !== undefined) this.#finishReason = reason;
    if (choice.delta === undefined || choice.delta === null) return;
    const delta = record(choice.delta, 'delta');
    if (delta.role !== undefined && delta.role !== null && delta.role !== 'assistant' && delta.role !== '') {
      throw new Error("Expected 'role' to be assistant.");
    }
    this.#reasoning += optionalString(delta.reasoning_content ?? delta.reasoning, 'reasoning') ?? '';
    this.#text += optionalString(delta.content, 'content') ?? '';
    if (delta.tool_calls === undefined || delta.tool_calls === null) return;
    if (!Array.isArray(delta.tool_calls)) throw new Error("Expected 'tool_calls' to be a list.");
    for (const call of delta.tool_calls) this.#readFragment(record(call, 'a tool call'));
  }

  #readFragment(fragment: Fields): void {
    const about = record(fragment.function, 'function');
    const index = typeof fragment.index === 'number' ? fragment.index : this.#calls.size;
    const text = about.arguments === undefined ? '' : string(about.arguments, 'function.arguments');
    let call = this.#calls.get(index);
    if (call === undefined) {
      const id = string(fragment.id, 'id');
      call = { id, name: string(about.name, 'function.name'), arguments: '', finished: false };
      this.#calls.set(index, call);
    } else {
      for (const [field, value] of Object.entries({ id: fragment.id, type: fragment.type, name: about.name })) {
        if (value === null) throw new Error(`Expected '${field}' to be left out instead of null.`);
      }
    }
    if (call.finished) {
      if (text !== '') this.#lost.push(text);
      return;
    }
    call.arguments += text;
    call.finished = parses(call.arguments);
  }
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function record(value: unknown, what: string): Fields {
  if (isFields(value)) return value;
  throw new Error(`Expected '${what}' to be an object.`);
}

function string(value: unknown, what: string): string {
  if (typeof value !== 'string') throw new Error(`Expected '${what}' to be a string.`);
  return value;
}

function optionalString(value: unknown, what: string): string | undefined {
  return value === undefined || value === null ? undefined : string(value, what);
}
