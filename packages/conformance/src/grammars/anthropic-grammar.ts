import { type Departure, Departures, textsOf } from '../departures.ts';
import { isPlainId } from '../plain-id.ts';
import { type Fields, isFields, isObjectText, isWellFormed, readJson } from '../read-json.ts';
import { sseBlocks } from '../sse-blocks.ts';
import { checkCallHead } from './common-checks.ts';

/** What a Messages stream may hold besides the strict form. */
export interface AnthropicGrammarOptions {
  /** The ids of calls that came earlier in the conversation; none may come again. */
  readonly usedIds?: readonly string[];
}

/**
 * Checks a recorded Messages stream against every rule that real clients need together and the form that Dragoman gives
 * it, and says in words what breaks one. Knows nothing of who wrote the stream.
 */
export function anthropicViolations(stream: string, options: AnthropicGrammarOptions = {}): string[] {
  return textsOf(checkAnthropic(stream, options), 'frame');
}

/** The same, with the weight of each departure. */
export function checkAnthropic(stream: string, options: AnthropicGrammarOptions = {}): readonly Departure[] {
  const departures = new Departures();
  const checker = new Checker(options, departures);
  for (const { event, data } of sseBlocks(stream, departures)) {
    if (event === undefined && data === undefined) continue;
    if (event === undefined || data === undefined) {
      departures.violate('is not one "event: " line and one "data: " line');
    }
    if (data !== undefined) checker.frame(data, event);
  }
  checker.end();
  return departures.all();
}

type State = 'before' | 'open' | 'told' | 'over';

/** Why a message may have ended. */
const stopReasons: readonly unknown[] = [
  'end_turn',
  'max_tokens',
  'stop_sequence',
  'tool_use',
  'pause_turn',
  'refusal',
  'model_context_window_exceeded',
];

class Checker {
  readonly #out: Departures;
  readonly #ids: Set<string>;
  #state: State = 'before';
  #failed = false;
  #blocks = 0;
  #block: OpenBlock | undefined;
  #calls = 0;
  #reason: unknown;

  constructor({ usedIds = [] }: AnthropicGrammarOptions, out: Departures) {
    this.#ids = new Set(usedIds);
    this.#out = out;
  }

  frame(data: string, name: string | undefined): void {
    const event = readJson(data);
    if (!isFields(event)) {
      this.#out.violate('its data is not a JSON object');
      return;
    }
    if (JSON.stringify(event) !== data) this.#out.form('is not compact JSON');
    if (name !== undefined && event.type !== name) this.#out.violate('type and event line differ');
    if (this.#failed) this.#out.violate('comes after an error');
    if (this.#state === 'over') this.#out.violate('comes after message_stop');
    this.#event(event);
  }

  end(): void {
    if (this.#failed) return;
    if (this.#state !== 'over') this.#out.violate('message_stop is missing');
    if (this.#reason === 'tool_use' && this.#calls === 0) this.#out.violate('tool_use without a whole call');
    if (this.#reason === 'end_turn' && this.#calls > 0) this.#out.violate('end_turn in spite of calls');
  }

  #event(event: Fields): void {
    if (event.type === 'ping') return;
    if (event.type !== 'message_start' && event.type !== 'error' && this.#state === 'before')
      this.#out.violate('comes before message_start');
    switch (event.type) {
      case 'message_start':
        this.#start(event.message);
        break;
      case 'content_block_start':
        this.#openBlock(event);
        break;
      case 'content_block_delta':
        this.#delta(event);
        break;
      case 'content_block_stop':
        this.#closeBlock(event);
        break;
      case 'message_delta':
        this.#report(event);
        break;
      case 'message_stop':
        if (this.#state !== 'told') this.#out.violate('message_stop comes without message_delta');
        this.#state = 'over';
        break;
      case 'error':
        this.#fail(event.error);
        break;
      default:
        this.#out.note('its type is not known');
    }
  }

  #start(message: unknown): void {
    const out = this.#out;
    if (this.#state !== 'before') out.violate('message_start comes again');
    this.#state = 'open';
    if (!isFields(message)) {
      out.violate('message_start has no message');
      return;
    }
    if (typeof message.id !== 'string' || message.id === '') out.violate('message.id is missing');
    else if (!message.id.startsWith('msg_')) out.note('message.id is not msg_…');
    if (message.type !== 'message' || message.role !== 'assistant') out.violate('type or role is wrong');
    if (typeof message.model !== 'string' || message.model === '') out.violate('message.model is missing');
    if (!Array.isArray(message.content) || message.content.length > 0) out.violate('message.content is not []');
    for (const field of ['stop_reason', 'stop_sequence']) {
      if (message[field] === undefined) out.note(`message.${field} is missing`);
      else if (message[field] !== null) out.violate('it has ended when it starts');
    }
    this.#usage(message.usage, ['input_tokens', 'output_tokens']);
  }

  #openBlock(event: Fields): void {
    const out = this.#out;
    if (this.#state !== 'open') out.violate('a block opens outside of the message');
    if (this.#block !== undefined) out.violate('a block opens while another is open');
    if (event.index !== this.#blocks) out.violate(`a block opens with index ${event.index}`);
    const { content_block: block } = event;
    if (!isFields(block) || typeof block.type !== 'string') out.violate('a block has no type');
    else this.#block = new OpenBlock(block, { kind: block.type, ids: this.#ids, out });
  }

  #delta(event: Fields): void {
    if (this.#block === undefined || event.index !== this.#blocks)
      this.#out.violate('a delta is not of the open block');
    else this.#block.delta(event.delta);
  }

  #closeBlock(event: Fields): void {
    if (this.#block === undefined || event.index !== this.#blocks) {
      this.#out.violate('a stop is not of the open block');
    }
    if (this.#block?.close() === 'call') this.#calls += 1;
    this.#block = undefined;
    this.#blocks += 1;
  }

  #report({ delta, usage }: Fields): void {
    const out = this.#out;
    if (this.#state === 'told') out.note('message_delta comes again');
    else if (this.#state !== 'open') out.violate('message_delta is late');
    if (this.#block !== undefined) out.violate('message_delta comes while a block is open');
    this.#state = 'told';
    this.#usage(usage, ['output_tokens']);
    if (!isFields(delta)) {
      out.violate('message_delta has no delta');
      return;
    }
    this.#reason = delta.stop_reason;
    if (!stopReasons.includes(delta.stop_reason)) out.violate('the stop reason is not known');
    const { stop_sequence: sequence } = delta;
    if (sequence === undefined) out.form('stop_sequence is neither null nor a string');
    else if (sequence !== null && typeof sequence !== 'string')
      out.violate('stop_sequence is neither null nor a string');
  }

  #usage(usage: unknown, needed: readonly string[]): void {
    if (!isFields(usage)) this.#out.violate('usage is missing');
    else
      for (const field of needed) {
        if (typeof usage[field] !== 'number') this.#out.violate(`usage.${field} is not a number`);
      }
  }

  #fail(error: unknown): void {
    this.#failed = true;
    if (!isFields(error) || typeof error.type !== 'string' || typeof error.message !== 'string') {
      this.#out.violate('an error has no type or no message');
    }
  }
}

/** Which deltas a block of each kind takes, with the field that holds their text. */
const deltasOf: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  text: { text_delta: 'text' },
  thinking: { thinking_delta: 'thinking', signature_delta: 'signature' },
  tool_use: { input_json_delta: 'partial_json' },
  redacted_thinking: {},
};

interface Around {
  readonly kind: string;
  /** The ids of calls so far; grows. */
  readonly ids: Set<string>;
  readonly out: Departures;
}

/** A block of a Messages stream from its start to its stop. */
class OpenBlock {
  readonly #kind: string;
  readonly #out: Departures;
  #isEmpty = true;
  #isSigned = false;
  #hasInput = false;
  #json = '';

  constructor(block: Fields, { kind, ids, out }: Around) {
    this.#kind = kind;
    this.#out = out;
    if (deltasOf[kind] === undefined) out.note('a block has no known type');
    if (kind === 'text' && typeof block.text !== 'string') out.violate('a text opens without its field');
    else if (kind === 'text' && block.text !== '') out.note('a text opens with text');
    if (kind === 'thinking' && block.thinking !== '') out.note('thinking opens with text');
    if (kind === 'redacted_thinking' && typeof block.data !== 'string') out.violate('data is missing');
    if (kind === 'tool_use') this.#openCall(block, ids);
  }

  delta(delta: unknown): void {
    const out = this.#out;
    const type = isFields(delta) ? String(delta.type) : '';
    const field = deltasOf[this.#kind]?.[type];
    const text = isFields(delta) && field !== undefined ? delta[field] : undefined;
    if (typeof text !== 'string') {
      // Kinds of deltas, as kinds of blocks, may be added at any time; known ones have their place.
      const isKnown = Object.values(deltasOf).some((each) => each[type] !== undefined);
      const isWrong = isKnown && deltasOf[this.#kind] !== undefined;
      out.report(isWrong ? 'violation' : 'note', `the delta is not one of ${this.#kind}`);
      return;
    }
    if (text === '') out.form('a delta is empty');
    else this.#isEmpty = false;
    if (!isWellFormed(text)) out.violate('a delta cuts a character');
    if (this.#isSigned) out.violate('a delta comes after the signature');
    this.#isSigned = field === 'signature';
    this.#json += text;
  }

  /** The block is over: was it a whole call? One that was taken back is no object, and does not count. */
  close(): 'call' | 'other' {
    if (deltasOf[this.#kind] === undefined) return 'other';
    if (this.#isEmpty && this.#kind !== 'redacted_thinking') this.#out.form('a block is empty');
    if (this.#kind !== 'tool_use') return 'other';
    if (this.#hasInput && this.#json !== '') this.#out.violate('a call has its input twice');
    // Without deltas the input is what it opened with.
    return this.#json === '' || isObjectText(this.#json) ? 'call' : 'other';
  }

  #openCall(block: Fields, ids: Set<string>): void {
    const out = this.#out;
    const { id, input } = block;
    if (typeof id === 'string' && id !== '' && !isPlainId(id, 200)) out.note('the id of a call is long or odd');
    checkCallHead(id, block.name, ids, out);
    if (!isFields(input)) out.violate('a call opens without an object as its input');
    else if (Object.keys(input).length > 0) {
      this.#hasInput = true;
      out.note('a call opens with input');
    }
  }
}

/** Checks a whole answer of the Messages API. */
export function checkAnthropicMessage(body: unknown): readonly Departure[] {
  const out = new Departures();
  if (!isFields(body)) {
    out.violate('the body is not an object');
    return out.all();
  }
  if (typeof body.id !== 'string' || body.id === '') out.violate('the message has no id');
  else if (!body.id.startsWith('msg_')) out.note('the id is not msg_…');
  if (body.type !== 'message' || body.role !== 'assistant') out.violate('type or role is wrong');
  if (typeof body.model !== 'string' || body.model === '') out.violate('model is missing');
  if (!stopReasons.includes(body.stop_reason)) out.violate('the stop reason is not known');
  if (body.stop_sequence === undefined) out.note('stop_sequence is missing');
  for (const field of ['input_tokens', 'output_tokens']) {
    const count = isFields(body.usage) ? body.usage[field] : undefined;
    if (typeof count !== 'number') out.violate(`usage.${field} is not a number`);
  }
  if (!Array.isArray(body.content)) out.violate('content is not a list');
  const blocks: readonly unknown[] = Array.isArray(body.content) ? body.content : [];
  const ids = new Set<string>();
  for (const block of blocks) {
    if (isFields(block)) checkBlock(block, ids, out);
    else out.violate('a block is not an object');
  }
  const hasCall = blocks.some((block) => isFields(block) && block.type === 'tool_use');
  if (body.stop_reason === 'tool_use' && !hasCall) out.violate('tool_use without a call');
  if (body.stop_reason === 'end_turn' && hasCall) out.violate('end_turn in spite of calls');
  return out.all();
}

function checkBlock(block: Fields, ids: Set<string>, out: Departures): void {
  if (block.type === 'text' && typeof block.text !== 'string') out.violate('a text has no text');
  if (block.type !== 'tool_use') return;
  checkCallHead(block.id, block.name, ids, out);
  if (!isFields(block.input)) out.violate('the input of a call is not an object');
}
