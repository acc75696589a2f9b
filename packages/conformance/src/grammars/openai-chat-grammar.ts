import { type Departure, Departures, textsOf } from '../departures.ts';
import { isPlainId } from '../plain-id.ts';
import { type Fields, isFields, isObjectText, isWellFormed } from '../read-json.ts';
import { ChunkStream, checkWhole } from './chunk-stream.ts';
import { checkCallHead } from './common-checks.ts';

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

interface SeenCall {
  readonly id: string;
  arguments: string;
}

/** The calls of a Chat Completions stream: their indices, ids and arguments, fragment by fragment. */
class OpenaiChatCalls {
  readonly #out: Departures;
  readonly #used = new Set<string>();
  /** By their index. */
  readonly #calls = new Map<number, SeenCall>();

  constructor(out: Departures) {
    this.#out = out;
  }

  get count(): number {
    return this.#calls.size;
  }

  /** The value of `tool_calls` in a delta. */
  read(calls: unknown): void {
    if (!Array.isArray(calls)) {
      this.#out.violate('tool_calls is not a list');
      return;
    }
    if (calls.length !== 1) this.#out.form('tool_calls is not a list of one call');
    for (const call of calls) {
      if (isFields(call) && (call.function === undefined || isFields(call.function))) this.#fragment(call);
      else this.#out.violate('a fragment of tool_calls has no function');
    }
  }

  /** The reply is over and claims that its calls are whole. */
  end(): void {
    for (const { id, arguments: text } of this.#calls.values()) {
      if (text === '') this.#out.note(`call ${id} has no arguments, not even {}`);
      else if (!isObjectText(text)) this.#out.violate(`call ${id} is broken`);
    }
  }

  #fragment(call: Fields): void {
    const about = isFields(call.function) ? call.function : {};
    const keys = Object.keys(call).sort().join();
    const aboutKeys = Object.keys(about).sort().join();
    const opens = keys === 'function,id,index,type' && aboutKeys === 'arguments,name';
    const continues = keys === 'function,index' && aboutKeys === 'arguments';
    if (!opens && !continues) this.#out.form(`a fragment has the fields ${keys} and function.${aboutKeys}`);
    if (typeof call.index !== 'number') this.#out.violate('a fragment has no index');
    const index = typeof call.index === 'number' ? call.index : this.#guess(call, about);
    const open = this.#calls.get(index);
    if (open === undefined) this.#open(call, about, index);
    else this.#continue(call, about, { open, isLast: open === [...this.#calls.values()].at(-1) });
  }

  /** Which call a fragment without an index means: a new one when it names a tool. */
  #guess(call: Fields, about: Fields): number {
    const known = [...this.#calls].find(([, { id }]) => id === call.id)?.[0];
    const names = typeof about.name === 'string' && about.name !== '';
    return known ?? (names ? this.#calls.size : this.#calls.size - 1);
  }

  #open(call: Fields, about: Fields, index: number): void {
    const out = this.#out;
    if (index !== this.#calls.size) out.violate(`a call opens with index ${index}`);
    const { id } = call;
    if (typeof id !== 'string' || id === '') out.violate('the id of a call is empty or missing');
    else if (!isPlainId(id, 64)) out.note('the id of a call is long or odd');
    if (typeof id === 'string' && this.#used.has(id)) out.violate('the id of a call was used before');
    this.#used.add(String(id));
    if (call.type === undefined || call.type === null) out.note('a call has no type');
    else if (call.type !== 'function') out.violate('the type of a call is not function');
    if (typeof about.name !== 'string' || about.name === '') out.violate('a call has no name');
    const { arguments: text = '' } = about;
    if (text !== '') out.form('a call opens with arguments');
    this.#wellFormed(text);
    this.#calls.set(index, { id: String(id), arguments: String(text) });
  }

  #continue(call: Fields, about: Fields, { open, isLast }: { readonly open: SeenCall; readonly isLast: boolean }) {
    const out = this.#out;
    if (!isLast) out.note(`a fragment has index ${call.index}, which is not the open call`);
    for (const [field, value] of Object.entries({ id: call.id, type: call.type, 'function.name': about.name })) {
      if (value === null) out.note(`${field} is null in a later fragment`);
    }
    if (typeof call.id === 'string' && call.id !== '' && call.id !== open.id) out.violate('the id of a call changes');
    if (typeof about.name === 'string' && about.name !== '') out.note('the name of a call comes again');
    const { arguments: text } = about;
    if (text === undefined) return;
    this.#wellFormed(text);
    if (text === '') {
      out.form('a fragment is empty');
      return;
    }
    if (open.arguments.endsWith('}') && isObjectText(open.arguments)) out.note('a prefix of the arguments is whole');
    open.arguments += String(text);
  }

  #wellFormed(text: unknown): void {
    if (typeof text !== 'string') this.#out.violate('a text is not a string');
    else if (!isWellFormed(text)) this.#out.violate('a text holds half a character');
  }
}

/** Checks a whole answer of Chat Completions. */
export function checkChatCompletion(body: unknown): readonly Departure[] {
  return checkWhole(body, {
    object: 'chat.completion',
    finishReasons,
    choice: ({ message, finish_reason: reason }, out) => {
      if (isFields(message)) checkMessage(message, reason, out);
      else out.violate('message is not an object');
    },
  });
}

function checkMessage(message: Fields, reason: unknown, out: Departures): void {
  if (message.role !== 'assistant') out.violate('the role is not assistant');
  const { content, tool_calls: calls } = message;
  if (content === undefined) out.note('content is missing');
  else if (content !== null && typeof content !== 'string') out.violate('content is neither null nor a string');
  if (calls !== undefined && calls !== null && !Array.isArray(calls)) out.violate('tool_calls is not a list');
  const list: readonly unknown[] = Array.isArray(calls) ? calls : [];
  const used = new Set<string>();
  for (const call of list) checkCall(call, used, out);
  if (reason === 'tool_calls' && list.length === 0) out.violate('tool_calls without calls');
  if (reason === 'stop' && list.length > 0) out.violate('stop in spite of calls');
}

function checkCall(call: unknown, used: Set<string>, out: Departures): void {
  if (!isFields(call) || !isFields(call.function)) {
    out.violate('a call has no function');
    return;
  }
  const { id, type } = call;
  checkCallHead(id, call.function.name, used, out);
  if (type === undefined) out.note('a call has no type');
  else if (type !== 'function') out.violate('the type of a call is not function');
  const { arguments: text } = call.function;
  if (typeof text !== 'string') out.violate('arguments are not a string');
  else if (!isObjectText(text)) out.violate('arguments are not a JSON object');
}
