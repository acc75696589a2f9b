import { type Departure, Departures, textsOf } from '../departures.ts';
import { type Fields, isFields, readJson } from '../read-json.ts';
import { sseBlocks } from '../sse-blocks.ts';
import { OpenBlock } from './anthropic-block.ts';

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
export const stopReasons: readonly unknown[] = [
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
