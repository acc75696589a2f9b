import type { ClientStyle } from './client-style.ts';
import type { Answered, Asked, Entry, HistoryCall, Returned } from './history.ts';

/** What a body holds beside its history. */
export interface BodyOptions {
  readonly model: string;
  /** System text; empty: none. */
  readonly rules: string;
  readonly style: ClientStyle;
  /** How many requests the client has sent: what it numbers anew hangs on it. */
  readonly turn: number;
}

const parameters = {
  type: 'object',
  properties: { path: { type: 'string' }, lines: { type: 'array', items: { type: 'integer' } } },
  required: ['path'],
};

/** What the model writes as the arguments of a call. */
export const argumentsOf = (path: string): string => JSON.stringify({ path, lines: [1, 20] });

/** A history in the JSON of the client's API, written as clients of that style write it. */
export function historyBody(history: readonly Entry[], options: BodyOptions): object {
  const writer = new HistoryWriter(options);
  const entries = options.style.swaps ? swapped(history) : history;
  switch (options.style.wire) {
    case 'openai-chat':
    case 'ollama-chat':
      return writer.chat(entries);
    case 'openai-responses':
      return writer.responses(entries);
    case 'anthropic-messages':
      return writer.messages(entries);
    default:
      return options.style.wire satisfies never;
  }
}

class HistoryWriter {
  readonly #options: BodyOptions;
  /** Ids as this request writes them, by those that came. */
  readonly #ids = new Map<string, string>();

  constructor(options: BodyOptions) {
    this.#options = options;
  }

  chat(history: readonly Entry[]): object {
    const { model, rules, style } = this.#options;
    const isOllama = style.wire === 'ollama-chat';
    const call = (each: HistoryCall) => ({
      id: this.#id(each.id),
      type: 'function',
      function: { name: 'read', arguments: isOllama ? JSON.parse(this.#arguments(each)) : this.#arguments(each) },
    });
    const messages = history.flatMap((entry): object[] => {
      if (entry.kind === 'asked') {
        const texts = [...entry.front, entry.text, ...entry.after];
        const content = isOllama || style.oneString ? texts.join('\n') : texts.map((text) => ({ type: 'text', text }));
        return [{ role: 'user', content }];
      }
      if (entry.kind === 'returned') {
        return [
          {
            role: 'tool',
            tool_call_id: this.#id(entry.id),
            content: entry.text,
            ...(isOllama ? { tool_name: 'read' } : {}),
          },
        ];
      }
      const { text, calls } = this.#answer(entry);
      const said = calls.length === 0 ? [] : [{ role: 'assistant', content: '', tool_calls: calls.map(call) }];
      if (calls.length === 0) return [{ role: 'assistant', content: text }];
      return style.splits && text !== ''
        ? [{ role: 'assistant', content: text }, ...said]
        : said.map((message) => ({ ...message, content: text }));
    });
    const tools = [{ type: 'function', function: { name: 'read', description: 'Reads a file.', parameters } }];
    return {
      model,
      stream: true,
      tools,
      messages: [...(rules === '' ? [] : [{ role: 'system', content: rules }]), ...messages],
    };
  }

  responses(history: readonly Entry[]): object {
    const { model, rules } = this.#options;
    const input = history.flatMap((entry): object[] => {
      if (entry.kind === 'asked') return [{ type: 'message', role: 'user', content: this.#parts(entry, 'input_text') }];
      if (entry.kind === 'returned') {
        return [{ type: 'function_call_output', call_id: this.#id(entry.id), output: entry.text }];
      }
      const { text, calls } = this.#answer(entry);
      const message = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text, annotations: [] }] };
      return [
        ...(text === '' ? [] : [message]),
        ...calls.map((call) => ({
          type: 'function_call',
          call_id: this.#id(call.id),
          name: 'read',
          arguments: this.#arguments(call),
        })),
      ];
    });
    const tools = [{ type: 'function', name: 'read', description: 'Reads a file.', parameters, strict: false }];
    return { model, stream: true, store: false, tools, input, ...(rules === '' ? {} : { instructions: rules }) };
  }

  messages(history: readonly Entry[]): object {
    const { model, rules } = this.#options;
    const messages: { readonly role: string; readonly content: object[] }[] = [];
    const put = (role: string, ...content: object[]) => {
      const last = messages.at(-1);
      if (last?.role === role) last.content.push(...content);
      else messages.push({ role, content });
    };
    for (const entry of history) {
      if (entry.kind === 'asked') put('user', ...this.#parts(entry, 'text'));
      else if (entry.kind === 'returned') {
        put('user', { type: 'tool_result', tool_use_id: this.#id(entry.id), content: entry.text });
      } else {
        const { text, calls } = this.#answer(entry);
        const uses = calls.map((call) => ({
          type: 'tool_use',
          id: this.#id(call.id),
          name: 'read',
          input: JSON.parse(this.#arguments(call)),
        }));
        put('assistant', ...(text === '' ? [] : [{ type: 'text', text }]), ...uses);
      }
    }
    const tools = [{ name: 'read', description: 'Reads a file.', input_schema: parameters }];
    return { model, stream: true, max_tokens: 1000, tools, messages, ...(rules === '' ? {} : { system: rules }) };
  }

  #parts({ text, front, after }: Asked, type: string): object[] {
    const texts = [...front, text, ...after];
    const whole = this.#options.style.oneString ? [texts.join('\n')] : texts;
    return whole.map((each) => ({ type, text: each }));
  }

  #answer({ text, calls }: Answered): Pick<Answered, 'text' | 'calls'> {
    const { trims, dropsText } = this.#options.style;
    const shown = dropsText && calls.length > 0 ? '' : text;
    return { text: trims ? shown.trim() : shown, calls };
  }

  #id(id: string): string {
    const { style, turn } = this.#options;
    const known = this.#ids.get(id);
    if (known !== undefined) return known;
    const forms = { kept: id, prefixed: `toolu_${id.slice(5)}`, numbered: `call-${turn}-${this.#ids.size}` };
    const written = forms[style.ids];
    this.#ids.set(id, written);
    return written;
  }

  #arguments({ path }: HistoryCall): string {
    if (this.#options.style.arguments === 'kept') return argumentsOf(path);
    return JSON.stringify({ lines: [1, 20], path }, undefined, 2);
  }
}

/** The results of each round in reverse. */
function swapped(history: readonly Entry[]): readonly Entry[] {
  const entries: Entry[] = [];
  let results: Returned[] = [];
  for (const entry of history) {
    if (entry.kind === 'returned') {
      results.unshift(entry);
      continue;
    }
    entries.push(...results, entry);
    results = [];
  }
  return [...entries, ...results];
}
