import { type Departure, Departures, textsOf } from '../departures.ts';
import { type Fields, isFields, isWellFormed } from '../read-json.ts';
import { ChunkStream } from './chunk-stream.ts';
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
  new Checker(options, departures).check(stream);
  return departures.all();
}

const deltaFields: readonly string[] = [
  'role',
  'content',
  'refusal',
  'reasoning_content',
  'reasoning_text',
  'tool_calls',
  'function_call',
  'beginToolCalls',
];
const finishReasons: readonly unknown[] = ['stop', 'tool_calls', 'length', 'content_filter', 'function_call'];

class Checker {
  readonly #options: OpenaiChatGrammarOptions;
  readonly #out: Departures;
  readonly #calls: OpenaiChatCalls;
  readonly #chunks: ChunkStream;
  #roles = 0;
  #choices = 0;
  #begins = 0;

  constructor(options: OpenaiChatGrammarOptions, out: Departures) {
    this.#options = options;
    this.#out = out;
    this.#calls = new OpenaiChatCalls(out);
    this.#chunks = new ChunkStream(out, {
      idPrefix: 'chatcmpl-',
      object: 'chat.completion.chunk',
      fixed: { system_fingerprint: null },
      finishReasons,
      includeUsage: options.includeUsage === true,
      choice: (choice, isFinal) => this.#choice(choice, isFinal),
    });
  }

  check(stream: string): void {
    const out = this.#out;
    this.#chunks.read(stream);
    const { finish } = this.#chunks;
    if (finish === 'tool_calls' || finish === 'stop') this.#calls.end();
    if (finish === 'tool_calls' && this.#calls.count === 0) out.violate('tool_calls without calls');
    if (finish === 'stop' && this.#calls.count > 0)
      out.report(this.#options.namedTool === true ? 'form' : 'violation', 'stop in spite of calls');
  }

  #choice(choice: Fields, isFinal: boolean): void {
    this.#choices += 1;
    if (isFields(choice.delta)) this.#delta(choice.delta, isFinal);
    else this.#out.report(isFinal ? 'note' : 'violation', 'delta is not an object');
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
    else if (this.#choices === 1 && this.#chunks.errors === 0) out.note('the first delta has no role');
    if (has('content') && !(has('role') && delta.content === '')) this.#content(delta, has('tool_calls'));
    if (has('refusal')) this.#wellFormed(delta.refusal);
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
    if (withCalls) this.#out.note('content is beside tool_calls');
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
