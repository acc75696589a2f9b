import { type Fields, isFields, isObjectText, isWellFormed } from '../read-json.ts';

/** What a Chat Completions stream may hold besides the strict form. */
export interface OpenaiChatGrammarOptions {
  /** The client asked for usage: one usage chunk has to come. Without it none may. */
  readonly includeUsage?: boolean;
  /** Content after the first call is no violation. */
  readonly textAfterCalls?: boolean;
  /** One `beginToolCalls` delta before the first call is no violation. */
  readonly beginToolCalls?: boolean;
}

/**
 * Checks a recorded stream against every rule that real clients need together, and says in words what breaks one. Knows
 * nothing of who wrote the stream.
 */
export function openaiChatViolations(stream: string, options: OpenaiChatGrammarOptions = {}): string[] {
  const checker = new Checker(options);
  if (stream.includes('\r')) checker.violate('a line ends in CR');
  if (!stream.endsWith('\n\n')) checker.violate('the stream does not end with a blank line');
  const blocks = stream.split('\n\n');
  if (blocks.at(-1) === '') blocks.pop();
  blocks.forEach((block, place) => {
    checker.block(block, place === blocks.length - 1);
  });
  return checker.end();
}

interface SeenCall {
  readonly id: string;
  arguments: string;
}

const deltaFields = ['role', 'content', 'reasoning_content', 'reasoning_text', 'tool_calls', 'beginToolCalls'];
const finishReasons: readonly unknown[] = ['stop', 'tool_calls', 'length', 'content_filter'];

class Checker {
  readonly #options: OpenaiChatGrammarOptions;
  readonly #violations: string[] = [];
  readonly #calls: SeenCall[] = [];
  #place = -1;
  #identity: string | undefined;
  #roles = 0;
  #choices = 0;
  #begins = 0;
  #usages = 0;
  #errors = 0;
  #finish: string | undefined;
  #done = false;

  constructor(options: OpenaiChatGrammarOptions) {
    this.#options = options;
  }

  violate(what: string): void {
    this.#violations.push(`frame ${this.#place}: ${what}`);
  }

  block(block: string, isLast: boolean): void {
    this.#place += 1;
    if (block.startsWith(':') && !block.includes('\n')) {
      if (block.startsWith(': ping')) this.violate('a comment starts with ": ping"');
      return;
    }
    if (!block.startsWith('data: ') || block.includes('\n')) {
      this.violate('is not one "data: " line');
      return;
    }
    const data = block.slice(6);
    if (data === '[DONE]') {
      this.#done = true;
      if (!isLast) this.violate('[DONE] is not the last frame');
      return;
    }
    let value: unknown;
    try {
      value = JSON.parse(data);
    } catch {
      this.violate('is not JSON');
      return;
    }
    if (JSON.stringify(value) !== data) this.violate('is not compact JSON');
    if (!isFields(value)) this.violate('is not an object');
    else if (value.choices === undefined) this.#errorFrame(value);
    else this.#chunk(value);
  }

  end(): string[] {
    if (!this.#done) this.violate('[DONE] is missing');
    if (this.#finish === undefined) this.violate('no finish reason came');
    if (this.#options.includeUsage === true && this.#usages === 0 && this.#errors === 0)
      this.violate('usage is missing');
    if (this.#errors > 0 && this.#finish === 'stop') this.violate('a failed reply finished with stop');
    const ended = this.#finish === 'tool_calls' || this.#finish === 'stop';
    if (ended)
      for (const call of this.#calls) if (!isObjectText(call.arguments)) this.violate(`call ${call.id} is broken`);
    if (this.#finish === 'tool_calls' && this.#calls.length === 0) this.violate('tool_calls without calls');
    if (this.#finish === 'stop' && this.#calls.length > 0) this.violate('stop in spite of calls');
    return this.#violations;
  }

  #errorFrame(value: Fields): void {
    this.#errors += 1;
    if (Object.keys(value).join() !== 'error' || !isFields(value.error)) {
      this.violate('has neither choices nor only an error object');
      return;
    }
    for (const field of ['message', 'type', 'param', 'code']) {
      if (typeof value.error[field] !== 'string') this.violate(`error.${field} is not a string`);
    }
    if (value.error.message === '') this.violate('error.message is empty');
  }

  #chunk(chunk: Fields): void {
    if (typeof chunk.id !== 'string' || !chunk.id.startsWith('chatcmpl-')) this.violate('id is not chatcmpl-…');
    if (chunk.object !== 'chat.completion.chunk') this.violate('object is not chat.completion.chunk');
    if (!Number.isInteger(chunk.created)) this.violate('created is not whole seconds');
    if (typeof chunk.model !== 'string') this.violate('model is not a string');
    if (chunk.system_fingerprint !== null) this.violate('system_fingerprint is not null');
    if ('error' in chunk) this.violate('has error beside choices');
    const identity = JSON.stringify([chunk.id, chunk.created, chunk.model]);
    this.#identity ??= identity;
    if (identity !== this.#identity) this.violate('id, created or model differ from the chunks before');
    if (!Array.isArray(chunk.choices)) this.violate('choices is not a list');
    else if (chunk.choices.length === 0) this.#usageChunk(chunk);
    else {
      if ('usage' in chunk) this.violate('usage stands on a chunk with choices');
      if (chunk.choices.length > 1) this.violate('has more than one choice');
      const choice: unknown = chunk.choices[0];
      if (isFields(choice)) this.#choice(choice);
      else this.violate('the choice is not an object');
    }
  }

  #usageChunk(chunk: Fields): void {
    this.#usages += 1;
    if (this.#options.includeUsage !== true) this.violate('usage was not asked for');
    if (this.#usages > 1) this.violate('usage comes twice');
    if (this.#finish === undefined) this.violate('usage comes before the final chunk');
    if (!isFields(chunk.usage)) {
      this.violate('choices are empty without usage');
      return;
    }
    const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = chunk.usage;
    if (typeof prompt !== 'number' || typeof completion !== 'number' || prompt + completion !== total) {
      this.violate('usage does not have all three numbers');
    }
  }

  #choice(choice: Fields): void {
    this.#choices += 1;
    if (this.#finish !== undefined) this.violate('a choice comes after the final chunk');
    if (choice.index !== 0) this.violate('the index of the choice is not 0');
    if (choice.logprobs !== null) this.violate('logprobs is not null');
    if (!isFields(choice.delta)) {
      this.violate('delta is not an object');
      return;
    }
    if (choice.finish_reason === null) this.#delta(choice.delta);
    else {
      if (!finishReasons.includes(choice.finish_reason)) this.violate('the finish reason is not known');
      if (Object.keys(choice.delta).length > 0) this.violate('the final chunk has more than its finish reason');
      this.#finish = String(choice.finish_reason);
    }
  }

  #delta(delta: Fields): void {
    const fields = Object.keys(delta);
    for (const field of fields) {
      if (!deltaFields.includes(field)) this.violate(`delta.${field} is not known`);
      if (delta[field] === null) this.violate(`delta.${field} is null`);
    }
    if (fields.length === 0) this.violate('delta is empty');
    if ('role' in delta) this.#role(delta);
    else if (this.#choices === 1) this.violate('the first delta has no role');
    if ('content' in delta && !('role' in delta)) this.#content(delta);
    if ('reasoning_content' in delta || 'reasoning_text' in delta) {
      if (delta.reasoning_content !== delta.reasoning_text) this.violate('the reasoning fields differ');
      this.#wellFormed(delta.reasoning_content);
    }
    if ('beginToolCalls' in delta) this.#begin();
    if ('tool_calls' in delta) this.#toolCalls(delta.tool_calls);
  }

  #role(delta: Fields): void {
    this.#roles += 1;
    if (delta.role !== 'assistant') this.violate('the role is not assistant');
    if (this.#roles > 1) this.violate('the role comes again');
    if (this.#choices > 1) this.violate('the role is not in the first delta');
    if (delta.content !== '') this.violate('the role comes without empty content');
  }

  #content(delta: Fields): void {
    this.#wellFormed(delta.content);
    if (delta.content === '') this.violate('content is empty');
    if ('tool_calls' in delta) this.violate('content stands beside tool_calls');
    if (this.#calls.length > 0 && this.#options.textAfterCalls !== true) this.violate('text comes after a call');
  }

  #begin(): void {
    this.#begins += 1;
    if (this.#options.beginToolCalls !== true) this.violate('beginToolCalls was not asked for');
    if (this.#begins > 1 || this.#calls.length > 0) this.violate('beginToolCalls is late or repeated');
  }

  #toolCalls(calls: unknown): void {
    const call: unknown = Array.isArray(calls) && calls.length === 1 ? calls[0] : undefined;
    if (!isFields(call) || !isFields(call.function)) {
      this.violate('tool_calls is not a list of one call');
      return;
    }
    const keys = Object.keys(call).sort().join();
    const functionKeys = Object.keys(call.function).sort().join();
    if (keys === 'function,id,index,type' && functionKeys === 'arguments,name') this.#open(call, call.function);
    else if (keys === 'function,index' && functionKeys === 'arguments') this.#continue(call, call.function.arguments);
    else this.violate(`a fragment has the fields ${keys} and function.${functionKeys}`);
  }

  #open(call: Fields, about: Fields): void {
    if (call.index !== this.#calls.length) this.violate(`a call opens with index ${call.index}`);
    if (typeof call.id !== 'string' || !isGoodId(call.id)) this.violate('the id of a call is empty, long or odd');
    if (this.#calls.some((seen) => seen.id === call.id)) this.violate('the id of a call was used before');
    if (call.type !== 'function') this.violate('the type of a call is not function');
    if (typeof about.name !== 'string' || about.name === '') this.violate('a call has no name');
    if (about.arguments !== '') this.violate('a call opens with arguments');
    this.#calls.push({ id: String(call.id), arguments: '' });
  }

  #continue(call: Fields, text: unknown): void {
    const open = this.#calls.at(-1);
    if (open === undefined || call.index !== this.#calls.length - 1) {
      this.violate(`a fragment has index ${call.index}, which is not the open call`);
      return;
    }
    this.#wellFormed(text);
    if (text === '') this.violate('a fragment is empty');
    if (open.arguments.endsWith('}') && isObjectText(open.arguments))
      this.violate('a prefix of the arguments is whole');
    open.arguments += String(text);
  }

  #wellFormed(text: unknown): void {
    if (typeof text !== 'string') {
      this.violate('a text is not a string');
      return;
    }
    if (!isWellFormed(text)) this.violate('a text holds half a character');
  }
}

function isGoodId(id: string): boolean {
  return id !== '' && id.length <= 64 && [...id].every((letter) => /[A-Za-z0-9_-]/.test(letter));
}
