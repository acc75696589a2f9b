/**
 * A model of how VS Code's Copilot Chat reads a Chat Completions stream, written from the observations in its
 * documentation: lines instead of events, five characters cut off each, calls grouped by id, the last result wins.
 */
import { type Fields, isFields } from '../read-json.ts';

/** What the editor would have made of one reply. */
export interface CopilotTurn {
  /** All text, without the space that is shown before the first call. */
  readonly text: string;
  readonly reasoning: string;
  /** The marker that a call begins: the tool's name, and whether a space was shown before it. Absent without calls. */
  readonly begin?: { readonly name: string; readonly spaced: boolean };
  /** The calls that would run, in order. */
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
  readonly outcome: 'success' | 'too-long' | 'filtered' | 'error' | 'no-choices';
  /** What the user would read of an error. */
  readonly message?: string;
  readonly usage?: { readonly prompt: number; readonly completion: number; readonly total: number };
  /** What was silently lost or only logged. Empty for a stream in good order. */
  readonly problems: readonly string[];
}

type Result = Pick<CopilotTurn, 'outcome' | 'message'>;

interface PendingCall {
  id: string;
  name: string;
  arguments: string;
}

/** Reads a stream in any pieces. */
export function collectAsCopilot(pieces: Iterable<string>): CopilotTurn {
  const reader = new CopilotReader();
  let rest = '';
  for (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) reader.line(line);
  }
  reader.line(rest);
  return reader.turn();
}

class CopilotReader {
  #text = '';
  #reasoning = '';
  #begin: CopilotTurn['begin'];
  #usage: CopilotTurn['usage'];
  #done = false;
  #sawChoice = false;
  #finished = false;
  readonly #pending: PendingCall[] = [];
  readonly #delivered: PendingCall[] = [];
  readonly #results: Result[] = [];
  readonly #problems: string[] = [];

  line(line: string): void {
    if (this.#done || line === '' || line.startsWith(':')) return;
    const data = line.slice(5).trim();
    if (data === '[DONE]') {
      this.#done = true;
      return;
    }
    let value: unknown;
    try {
      value = JSON.parse(data);
    } catch {
      this.#problems.push(`a line is not JSON: ${line.slice(0, 60)}`);
      return;
    }
    if (isFields(value)) this.#object(value);
  }

  turn(): CopilotTurn {
    if (!this.#finished && (this.#sawChoice || this.#results.length === 0)) this.#results.push(noChoices);
    return {
      text: this.#text,
      reasoning: this.#reasoning,
      ...(this.#begin === undefined ? {} : { begin: this.#begin }),
      calls: this.#delivered,
      ...(this.#usage === undefined ? {} : { usage: this.#usage }),
      problems: this.#problems,
      ...(this.#results.at(-1) ?? noChoices),
    };
  }

  #object(value: Fields): void {
    if (value.choices === undefined) {
      const { error } = value;
      if (error === undefined) this.#problems.push('an object has neither choices nor error');
      else {
        const message = isFields(error) && typeof error.message === 'string' ? error.message : String(error);
        this.#results.push({ outcome: 'error', message });
      }
      return;
    }
    if (isFields(value.usage)) this.#readUsage(value.usage);
    if (!Array.isArray(value.choices)) return;
    for (const choice of value.choices) if (isFields(choice)) this.#readChoice(choice);
  }

  #readUsage(usage: Fields): void {
    const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = usage;
    if (typeof prompt === 'number' && typeof completion === 'number' && typeof total === 'number') {
      this.#usage = { prompt, completion, total };
    } else this.#results.push(noChoices);
  }

  #readChoice(choice: Fields): void {
    if (choice.index !== undefined && choice.index !== 0) {
      this.#results.push({ outcome: 'error', message: 'a second choice' });
      return;
    }
    if (this.#finished) {
      this.#problems.push('a choice came after the final one and was dropped');
      return;
    }
    this.#sawChoice = true;
    if (isFields(choice.delta)) this.#readDelta(choice.delta);
    if (typeof choice.finish_reason === 'string' && choice.finish_reason !== '') this.#finish(choice.finish_reason);
  }

  #readDelta(delta: Fields): void {
    const { content, tool_calls: calls } = delta;
    if (typeof delta.reasoning_text === 'string') this.#reasoning += delta.reasoning_text;
    if (Array.isArray(content)) throw new Error('content is a list');
    if (Array.isArray(calls)) {
      if (typeof content === 'string' && content !== '') this.#problems.push('text beside tool_calls was lost');
      for (const call of calls) if (isFields(call)) this.#readFragment(call);
    } else if (typeof content === 'string') this.#text += content;
  }

  #readFragment(fragment: Fields): void {
    const about = isFields(fragment.function) ? fragment.function : {};
    const id = typeof fragment.id === 'string' ? fragment.id : '';
    let call = id === '' ? this.#pending.at(-1) : this.#pending.find((one) => one.id === id);
    if (call === undefined) {
      call = { id, name: '', arguments: '' };
      this.#pending.push(call);
    }
    if (typeof about.name === 'string' && about.name !== '') {
      call.name = about.name;
      this.#begin ??= { name: about.name, spaced: this.#text !== '' };
    }
    if (typeof about.arguments === 'string') call.arguments += about.arguments;
    else if (about.arguments !== undefined) this.#problems.push('arguments are not a string and were lost');
  }

  #finish(reason: string): void {
    this.#finished = true;
    if (reason === 'tool_calls' || reason === 'stop') this.#deliver();
    if (reason === 'stop' || reason === 'tool_calls' || reason === 'function_call') {
      this.#results.push({ outcome: 'success' });
    } else if (reason === 'length') this.#results.push({ outcome: 'too-long', message: 'too long' });
    else if (reason === 'content_filter') this.#results.push({ outcome: 'filtered' });
    else this.#results.push(noChoices);
  }

  /** The first call that is not JSON takes all later ones with it. */
  #deliver(): void {
    for (const [place, call] of this.#pending.entries()) {
      try {
        JSON.parse(call.arguments === '' ? '{}' : call.arguments);
      } catch {
        this.#problems.push(`call ${place} and all later ones were dropped: its arguments are not JSON`);
        return;
      }
      this.#delivered.push(call.arguments === '' ? { ...call, arguments: '{}' } : call);
    }
  }
}

const noChoices: Result = { outcome: 'no-choices', message: 'Response contained no choices.' };
