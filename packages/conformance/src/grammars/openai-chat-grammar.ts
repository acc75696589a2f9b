import { type Departure, Departures, textsOf } from '../departures.ts';
import { type Fields, isFields, isWellFormed, readJson } from '../read-json.ts';
import { sseBlocks } from '../sse-blocks.ts';
import { OpenaiChatCalls } from './openai-chat-calls.ts';

/** What a Chat Completions stream may hold besides the strict form. */
export interface OpenaiChatGrammarOptions {
  /** The client asked for usage: one usage chunk has to come. Without it none may. */
  readonly includeUsage?: boolean;
  /** Content after the first call is no departure. */
  readonly textAfterCalls?: boolean;
  /** One `beginToolCalls` delta before the first call is no departure. */
  readonly beginToolCalls?: boolean;
  /** The client named the tool to call. OpenAI itself then finishes with `stop`. */
  readonly namedTool?: boolean;
}

/**
 * Checks a recorded stream against every rule that real clients need together and the form that Dragoman gives it, and
 * says in words what breaks one. Knows nothing of who wrote the stream.
 */
export function openaiChatViolations(stream: string, options: OpenaiChatGrammarOptions = {}): string[] {
  return textsOf(checkOpenaiChat(stream, options), 'frame');
}

/** The same, with the weight of each departure. */
export function checkOpenaiChat(stream: string, options: OpenaiChatGrammarOptions = {}): readonly Departure[] {
  const departures = new Departures();
  const checker = new Checker(options, departures);
  for (const { event, data, comments } of sseBlocks(stream, departures)) {
    if (comments.some((comment) => comment.startsWith('ping'))) departures.note('a comment starts with ": ping"');
    if (event !== undefined) departures.note('is not one "data: " line');
    if (data !== undefined) checker.data(data);
  }
  checker.end();
  return departures.all();
}

const deltaFields = ['role', 'content', 'reasoning_content', 'reasoning_text', 'tool_calls', 'beginToolCalls'];
const finishReasons: readonly unknown[] = ['stop', 'tool_calls', 'length', 'content_filter', 'function_call'];

class Checker {
  readonly #options: OpenaiChatGrammarOptions;
  readonly #out: Departures;
  readonly #calls: OpenaiChatCalls;
  #identity: Fields | undefined;
  #roles = 0;
  #choices = 0;
  #begins = 0;
  #usages = 0;
  #errors = 0;
  #finish: string | undefined;
  #done = false;

  constructor(options: OpenaiChatGrammarOptions, out: Departures) {
    this.#options = options;
    this.#out = out;
    this.#calls = new OpenaiChatCalls(out);
  }

  data(data: string): void {
    if (this.#done) this.#out.violate('[DONE] is not the last frame');
    if (data === '[DONE]') {
      this.#done = true;
      return;
    }
    const value = readJson(data);
    if (value === undefined) this.#out.violate('is not JSON');
    else if (!isFields(value)) this.#out.violate('is not an object');
    else {
      if (JSON.stringify(value) !== data) this.#out.form('is not compact JSON');
      if (value.choices === undefined) this.#errorFrame(value);
      else this.#chunk(value);
    }
  }

  end(): void {
    const out = this.#out;
    if (!this.#done) out.tell(this.#errors > 0 ? 'form' : 'violation', '[DONE] is missing');
    if (this.#finish === undefined) out.tell(this.#errors > 0 ? 'form' : 'violation', 'no finish reason came');
    const { includeUsage, namedTool } = this.#options;
    if (includeUsage === true && this.#usages === 0 && this.#errors === 0) out.violate('usage is missing');
    if (this.#errors > 0 && this.#finish === 'stop') out.violate('a failed reply finished with stop');
    if (this.#finish === 'tool_calls' || this.#finish === 'stop') this.#calls.end();
    if (this.#finish === 'tool_calls' && this.#calls.count === 0) out.violate('tool_calls without calls');
    if (this.#finish === 'stop' && this.#calls.count > 0)
      out.tell(namedTool === true ? 'form' : 'violation', 'stop in spite of calls');
  }

  #errorFrame(value: Fields): void {
    this.#errors += 1;
    if (!isFields(value.error)) {
      this.#out.violate('has neither choices nor only an error object');
      return;
    }
    if (Object.keys(value).join() !== 'error') this.#out.note('has more than an error object');
    const { message } = value.error;
    if (typeof message !== 'string') this.#out.violate('error.message is not a string');
    if (message === '') this.#out.note('error.message is empty');
    for (const field of ['type', 'param', 'code']) {
      if (typeof value.error[field] !== 'string') this.#out.form(`error.${field} is not a string`);
    }
  }

  #chunk(chunk: Fields): void {
    const out = this.#out;
    if (typeof chunk.id !== 'string') out.violate('id is not a string');
    else if (!chunk.id.startsWith('chatcmpl-')) out.form('id is not chatcmpl-…');
    if (chunk.object !== 'chat.completion.chunk') out.violate('object is not chat.completion.chunk');
    if (!Number.isInteger(chunk.created)) out.violate('created is not whole seconds');
    if (typeof chunk.model !== 'string') out.violate('model is not a string');
    if (chunk.system_fingerprint !== null) out.form('system_fingerprint is not null');
    if ('error' in chunk) out.note('has error beside choices');
    this.#identify(chunk);
    if (!Array.isArray(chunk.choices)) {
      out.violate('choices is not a list');
      return;
    }
    if ('usage' in chunk || chunk.choices.length === 0) this.#usage(chunk.usage, chunk.choices.length === 0);
    if (chunk.choices.length > 1) out.violate('has more than one choice');
    const choice: unknown = chunk.choices[0];
    if (isFields(choice)) this.#choice(choice);
    else if (chunk.choices.length > 0) out.violate('the choice is not an object');
  }

  #identify({ id, created, model }: Fields): void {
    this.#identity ??= { id, created, model };
    const first = this.#identity;
    if (id === first.id && created === first.created && model === first.model) return;
    const level = id === first.id ? 'note' : 'violation';
    this.#out.tell(level, 'id, created or model differ from the chunks before');
  }

  #usage(usage: unknown, alone: boolean): void {
    const out = this.#out;
    if (usage === undefined || usage === null) {
      out.form(alone ? 'choices are empty without usage' : 'usage stands on a chunk with choices');
      return;
    }
    this.#usages += 1;
    if (!alone) out.note('usage stands on a chunk with choices');
    else if (this.#finish === undefined) out.note('usage comes before the final chunk');
    if (this.#options.includeUsage !== true) out.note('usage was not asked for');
    if (this.#usages > 1) out.note('usage comes twice');
    const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = isFields(usage) ? usage : {};
    const numbers = [prompt, completion, total].every((count) => typeof count === 'number');
    if (!numbers) out.violate('usage does not have all three numbers');
    else if (Number(prompt) + Number(completion) !== total) out.note('usage does not add up');
  }

  #choice(choice: Fields): void {
    const out = this.#out;
    this.#choices += 1;
    if (this.#finish !== undefined) out.violate('a choice comes after the final chunk');
    if (choice.index !== 0) out.violate('the index of the choice is not 0');
    if (choice.logprobs !== null) out.form('logprobs is not null');
    const reason = choice.finish_reason ?? null;
    const isFinal = reason !== null;
    if (isFields(choice.delta)) this.#delta(choice.delta, isFinal);
    else out.tell(isFinal ? 'note' : 'violation', 'delta is not an object');
    if (!isFinal) return;
    if (!finishReasons.includes(reason)) out.violate('the finish reason is not known');
    this.#finish = String(reason);
  }

  #delta(delta: Fields, isFinal: boolean): void {
    const out = this.#out;
    const fields = Object.keys(delta);
    for (const field of fields) {
      if (!deltaFields.includes(field)) out.form(`delta.${field} is not known`);
      if (delta[field] === null) out.form(`delta.${field} is null`);
    }
    if (isFinal && fields.length > 0) out.form('the final chunk has more than its finish reason');
    if (!isFinal && fields.length === 0) out.form('delta is empty');
    const has = (field: string) => delta[field] !== undefined && delta[field] !== null;
    if (has('role')) this.#role(delta);
    else if (this.#choices === 1 && this.#errors === 0) out.note('the first delta has no role');
    if (has('content') && !(has('role') && delta.content === '')) this.#content(delta, has('tool_calls'));
    if (has('reasoning_content') || has('reasoning_text')) {
      if (delta.reasoning_content !== delta.reasoning_text) out.form('the reasoning fields differ');
      this.#wellFormed(delta.reasoning_content ?? delta.reasoning_text);
    }
    if (has('beginToolCalls')) this.#begin();
    if (has('tool_calls')) this.#calls.read(delta.tool_calls);
  }

  #role(delta: Fields): void {
    this.#roles += 1;
    if (delta.role !== 'assistant') this.#out.violate('the role is not assistant');
    if (this.#roles > 1) this.#out.form('the role comes again');
    else if (this.#choices > 1) this.#out.note('the role is not in the first delta');
    if (delta.content !== '') this.#out.form('the role comes without empty content');
  }

  #content({ content }: Fields, withCalls: boolean): void {
    this.#wellFormed(content);
    if (content === '') {
      this.#out.form('content is empty');
      return;
    }
    if (withCalls) this.#out.note('content stands beside tool_calls');
    if (this.#calls.count > 0 && this.#options.textAfterCalls !== true) this.#out.note('text comes after a call');
  }

  #begin(): void {
    this.#begins += 1;
    if (this.#options.beginToolCalls !== true) this.#out.form('beginToolCalls was not asked for');
    if (this.#begins > 1 || this.#calls.count > 0) this.#out.form('beginToolCalls is late or repeated');
  }

  #wellFormed(text: unknown): void {
    if (typeof text !== 'string') this.#out.violate('a text is not a string');
    else if (!isWellFormed(text)) this.#out.violate('a text holds half a character');
  }
}
