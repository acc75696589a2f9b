import { type Fields, isFields, isWellFormed } from '../read-json.ts';

/** What an Ollama stream is held to besides the rules of every one. */
export interface OllamaChatGrammarOptions {
  /** Default `chat`: lines have a `message`; those of `/api/generate` have a `response` instead. */
  readonly surface?: 'chat' | 'generate';
  /** The last line may lack counts and durations. Default: it must have all of them. */
  readonly uncounted?: boolean;
}

const counters = [
  'total_duration',
  'load_duration',
  'prompt_eval_count',
  'prompt_eval_duration',
  'eval_count',
  'eval_duration',
];
const endingFields = ['done_reason', ...counters];
const doneReasons: readonly unknown[] = ['stop', 'length', 'content_filter', 'load', 'unload'];

/**
 * Checks a recorded stream of `/api/chat` or `/api/generate` against what its clients need, and says in words what breaks
 * it. Knows nothing of who wrote the stream.
 */
export function ollamaChatViolations(stream: string, options: OllamaChatGrammarOptions = {}): string[] {
  const checker = new Checker(options);
  if (stream.includes('\r')) checker.violate('a line ends in CR');
  if (!stream.endsWith('\n')) checker.violate('the last line has no end');
  const lines = stream.split('\n');
  if (lines.at(-1) === '') lines.pop();
  for (const line of lines) checker.line(line);
  return checker.end();
}

class Checker {
  readonly #surface: 'chat' | 'generate';
  readonly #uncounted: boolean;
  readonly #violations: string[] = [];
  readonly #ids = new Set<string>();
  #place = -1;
  #identity: string | undefined;
  #calls = 0;
  #over: 'done' | 'error' | undefined;

  constructor(options: OllamaChatGrammarOptions) {
    this.#surface = options.surface ?? 'chat';
    this.#uncounted = options.uncounted ?? false;
  }

  violate(what: string): void {
    this.#violations.push(`line ${this.#place}: ${what}`);
  }

  line(text: string): void {
    this.#place += 1;
    if (this.#over !== undefined) this.violate('comes after the last line');
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      this.violate(text.trim() === '' ? 'is blank' : 'is not JSON');
      return;
    }
    if (!isFields(value)) this.violate('is not an object');
    else if ('error' in value) this.#error(value);
    else this.#part(value);
  }

  end(): string[] {
    if (this.#over === undefined) this.violate('the stream says neither done nor error');
    return this.#violations;
  }

  #error(value: Fields): void {
    this.#over = 'error';
    if (typeof value.error !== 'string' || value.error === '')
      this.violate('error is not a string that says something');
    if (value.done === true) this.violate('is an error and done at once');
  }

  #part(value: Fields): void {
    if (typeof value.model !== 'string' || value.model === '') this.violate('model is not a string');
    const { created_at: created } = value;
    const isTime = typeof created === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(created);
    if (!isTime || Number.isNaN(Date.parse(String(created)))) this.violate('created_at is not a time');
    this.#identity ??= String(value.model);
    if (value.model !== this.#identity) this.violate('model differs from the lines before');
    if (typeof value.done !== 'boolean') this.violate('done is neither true nor false');
    this.#content(value);
    if (value.done === true) this.#ending(value);
    else if (endingFields.some((field) => field in value)) this.violate('tells an ending and is not done');
  }

  #content(value: Fields): void {
    const [own, other] = this.#surface === 'chat' ? ['message', 'response'] : ['response', 'message'];
    if (other in value) this.violate(`has ${other}, which belongs to the other endpoint`);
    const message = this.#surface === 'chat' ? value[own] : { ...value, role: 'assistant', content: value[own] };
    if (!isFields(message)) {
      this.violate(`${own} is not an object`);
      return;
    }
    if (message.role !== 'assistant') this.violate('the role is not assistant');
    this.#wellFormed(message.content, 'content');
    if ('thinking' in message) {
      this.#wellFormed(message.thinking, 'thinking');
      if (message.thinking === '') this.violate('thinking is empty');
    }
    if ('tool_calls' in message) this.#toolCalls(message.tool_calls);
    const shows = message.content !== '' || 'thinking' in message || 'tool_calls' in message;
    if (value.done === true && shows) this.violate('the last line shows something of the reply');
  }

  #toolCalls(calls: unknown): void {
    if (!Array.isArray(calls) || calls.length === 0) {
      this.violate('tool_calls is not a list with calls');
      return;
    }
    for (const call of calls) {
      const about: unknown = isFields(call) ? call.function : undefined;
      if (!isFields(call) || !isFields(about)) {
        this.violate('a call has no function');
        continue;
      }
      if (typeof about.name !== 'string' || about.name === '') this.violate('a call has no name');
      if (!isFields(about.arguments)) this.violate('the arguments of a call are not an object');
      if ('index' in about && about.index !== this.#calls) this.violate(`a call has index ${about.index}`);
      if ('id' in call) this.#id(call.id);
      this.#calls += 1;
    }
  }

  #id(id: unknown): void {
    if (typeof id !== 'string' || id === '') this.violate('the id of a call is empty or no string');
    else if (this.#ids.has(id)) this.violate('the id of a call was used before');
    else this.#ids.add(id);
  }

  #ending(value: Fields): void {
    this.#over = 'done';
    if (!doneReasons.includes(value.done_reason)) this.violate('the done reason is not known');
    for (const field of counters) {
      const number = value[field];
      if (number === undefined && this.#uncounted) continue;
      if (typeof number !== 'number' || !Number.isInteger(number) || number < 0) this.violate(`${field} is no count`);
    }
    if (value.eval_duration === 0) this.violate('eval_duration is zero, and clients divide by it');
  }

  #wellFormed(text: unknown, what: string): void {
    if (typeof text !== 'string') {
      this.violate(`${what} is not a string`);
      return;
    }
    if (!isWellFormed(text)) this.violate(`${what} holds half a character`);
  }
}
