import { type Departure, Departures, textsOf } from '../departures.ts';
import { type Fields, isFields, isWellFormed, readJson } from '../read-json.ts';

/** What an Ollama stream is held to besides the rules of every one. */
export interface OllamaChatGrammarOptions {
  /** Default `chat`: lines have a `message`; those of `/api/generate` have a `response` instead. */
  readonly surface?: 'chat' | 'generate';
  /** The last line may lack counts and durations. Default: it must have all of them. */
  readonly uncounted?: boolean;
  /** It is a whole answer: its one line shows the reply and is done. */
  readonly whole?: boolean;
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
 * Checks a recorded stream of `/api/chat` or `/api/generate` against what its clients need and the form that Dragoman
 * gives it, and says in words what breaks it. Knows nothing of who wrote the stream.
 */
export function ollamaChatViolations(stream: string, options: OllamaChatGrammarOptions = {}): string[] {
  return textsOf(checkOllamaChat(stream, options), 'line');
}

/** The same, with the weight of each departure. */
export function checkOllamaChat(stream: string, options: OllamaChatGrammarOptions = {}): readonly Departure[] {
  const departures = new Departures();
  const checker = new Checker(options, departures);
  if (stream.includes('\r')) departures.note('a line ends in CR');
  if (!stream.endsWith('\n')) departures.note('the last line has no end');
  const lines = stream.split('\n');
  if (lines.at(-1) === '') lines.pop();
  for (const line of lines) {
    departures.next(line);
    checker.line(line);
  }
  checker.end();
  return departures.all();
}

class Checker {
  readonly #surface: 'chat' | 'generate';
  readonly #uncounted: boolean;
  readonly #whole: boolean;
  readonly #out: Departures;
  readonly #ids = new Set<string>();
  #identity: string | undefined;
  #calls = 0;
  #over: 'done' | 'error' | undefined;

  constructor(options: OllamaChatGrammarOptions, out: Departures) {
    this.#surface = options.surface ?? 'chat';
    this.#uncounted = options.uncounted ?? false;
    this.#whole = options.whole ?? false;
    this.#out = out;
  }

  line(text: string): void {
    if (text.trim() === '') {
      this.#out.note('is blank');
      return;
    }
    if (this.#over !== undefined) this.#out.violate('comes after the last line');
    const value = readJson(text);
    if (value === undefined) this.#out.violate('is not JSON');
    else if (!isFields(value)) this.#out.violate('is not an object');
    else if ('error' in value) this.#error(value);
    else this.#part(value);
  }

  end(): void {
    if (this.#over === undefined) this.#out.violate('the stream says neither done nor error');
  }

  #error(value: Fields): void {
    this.#over = 'error';
    if (typeof value.error !== 'string' || value.error === '')
      this.#out.violate('error is not a string that says something');
    if (value.done === true) this.#out.violate('is an error and done at once');
  }

  #part(value: Fields): void {
    if (typeof value.model !== 'string' || value.model === '') this.#out.violate('model is not a string');
    const { created_at: created } = value;
    const isTime = typeof created === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(created);
    if (!isTime || Number.isNaN(Date.parse(String(created)))) this.#out.violate('created_at is not a time');
    this.#identity ??= String(value.model);
    if (value.model !== this.#identity) this.#out.note('model differs from the lines before');
    if (typeof value.done !== 'boolean') this.#out.violate('done is neither true nor false');
    this.#content(value);
    if (value.done === true) this.#ending(value);
    else if (endingFields.some((field) => field in value)) this.#out.note('tells an ending and is not done');
  }

  #content(value: Fields): void {
    const [own, other] = this.#surface === 'chat' ? ['message', 'response'] : ['response', 'message'];
    if (other in value) this.#out.note(`has ${other}, which belongs to the other endpoint`);
    const message = this.#surface === 'chat' ? value[own] : { ...value, role: 'assistant', content: value[own] };
    if (!isFields(message)) {
      this.#out.violate(`${own} is not an object`);
      return;
    }
    if (message.role !== 'assistant') this.#out.violate('the role is not assistant');
    this.#wellFormed(message.content, 'content');
    if ('thinking' in message) {
      this.#wellFormed(message.thinking, 'thinking');
      if (message.thinking === '') this.#out.form('thinking is empty');
    }
    if ('tool_calls' in message) this.#toolCalls(message.tool_calls);
    const shows = message.content !== '' || 'thinking' in message || 'tool_calls' in message;
    if (value.done === true && shows && !this.#whole) this.#out.note('the last line shows something of the reply');
  }

  #toolCalls(calls: unknown): void {
    if (!Array.isArray(calls) || calls.length === 0) {
      this.#out.report(isNothing(calls) ? 'form' : 'violation', 'tool_calls is not a list with calls');
      return;
    }
    for (const call of calls) {
      const about: unknown = isFields(call) ? call.function : undefined;
      if (!isFields(call) || !isFields(about)) {
        this.#out.violate('a call has no function');
        continue;
      }
      if (typeof about.name !== 'string' || about.name === '') this.#out.violate('a call has no name');
      if (!isFields(about.arguments)) this.#out.violate('the arguments of a call are not an object');
      if ('index' in about && about.index !== this.#calls) this.#out.note(`a call has index ${about.index}`);
      if ('id' in call) this.#id(call.id);
      this.#calls += 1;
    }
  }

  #id(id: unknown): void {
    if (typeof id !== 'string' || id === '') this.#out.violate('the id of a call is empty or no string');
    else if (this.#ids.has(id)) this.#out.violate('the id of a call was used before');
    else this.#ids.add(id);
  }

  #ending(value: Fields): void {
    this.#over = 'done';
    if (!doneReasons.includes(value.done_reason)) this.#out.note('the done reason is not known');
    for (const field of counters) {
      const number = value[field];
      if (number === undefined && this.#uncounted) continue;
      const isCount = typeof number === 'number' && Number.isInteger(number) && number >= 0;
      if (!isCount) this.#out.report(number === undefined ? 'note' : 'violation', `${field} is not a count`);
    }
    if (value.eval_duration === 0) this.#out.note('eval_duration is zero, and clients divide by it');
  }

  #wellFormed(text: unknown, what: string): void {
    if (typeof text !== 'string') {
      this.#out.violate(`${what} is not a string`);
      return;
    }
    if (!isWellFormed(text)) this.#out.violate(`${what} holds half a character`);
  }
}

/** How some write that there are no calls. */
function isNothing(calls: unknown): boolean {
  return calls === null || (Array.isArray(calls) && calls.length === 0);
}
