import { type Fields, isFields, isObjectText, isWellFormed, readJson } from '../read-json.ts';

/** What a Messages stream may hold besides the strict form. */
export interface AnthropicGrammarOptions {
  /** The ids of calls that came earlier in the conversation; none may come again. */
  readonly usedIds?: readonly string[];
}

/**
 * Checks a recorded Messages stream against every rule that real clients need together, and says in words what breaks
 * one. Knows nothing of who wrote the stream.
 */
export function anthropicViolations(stream: string, options: AnthropicGrammarOptions = {}): string[] {
  const checker = new Checker(options);
  if (stream.includes('\r')) checker.violate('a line ends in CR');
  if (!stream.endsWith('\n\n')) checker.violate('the stream does not end with a blank line');
  const frames = stream.split('\n\n');
  if (frames.at(-1) === '') frames.pop();
  for (const frame of frames) checker.frame(frame);
  return checker.end();
}

type State = 'before' | 'open' | 'told' | 'over';

const stopReasons: readonly unknown[] = [
  'end_turn',
  'max_tokens',
  'stop_sequence',
  'tool_use',
  'pause_turn',
  'refusal',
  'model_context_window_exceeded',
];

/** Which deltas a block of each kind takes. */
const deltasOf: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  text: { text_delta: 'text' },
  thinking: { thinking_delta: 'thinking', signature_delta: 'signature' },
  tool_use: { input_json_delta: 'partial_json' },
  redacted_thinking: {},
};

class Checker {
  readonly #violations: string[] = [];
  readonly #ids: Set<string>;
  #place = -1;
  #state: State = 'before';
  #failed = false;
  #blocks = 0;
  /** The open block's kind; empty when none is open. */
  #kind = '';
  #deltas = 0;
  #signed = false;
  #json = '';
  #calls = 0;
  #reason: unknown;

  constructor({ usedIds = [] }: AnthropicGrammarOptions) {
    this.#ids = new Set(usedIds);
  }

  violate(what: string): void {
    this.#violations.push(`frame ${this.#place}: ${what}`);
  }

  frame(frame: string): void {
    this.#place += 1;
    if (frame.startsWith(':') && !frame.includes('\n')) return;
    const [first = '', second = '', ...rest] = frame.split('\n');
    if (!first.startsWith('event: ') || !second.startsWith('data: ') || rest.length > 0) {
      this.violate('is not one "event: " line and one "data: " line');
      return;
    }
    const event = readJson(second.slice('data: '.length));
    if (!isFields(event)) {
      this.violate('its data is not a JSON object');
      return;
    }
    if (JSON.stringify(event) !== second.slice('data: '.length)) this.violate('is not compact JSON');
    if (event.type !== first.slice('event: '.length)) this.violate('type and event line differ');
    if (this.#failed) this.violate('comes after an error');
    if (this.#state === 'over') this.violate('comes after message_stop');
    this.#event(event);
  }

  end(): string[] {
    if (this.#failed) return this.#violations;
    if (this.#state !== 'over') this.violate('message_stop is missing');
    if (this.#reason === 'tool_use' && this.#calls === 0) this.violate('tool_use without a whole call');
    if (this.#reason === 'end_turn' && this.#calls > 0) this.violate('end_turn in spite of calls');
    return this.#violations;
  }

  #event(event: Fields): void {
    if (event.type === 'ping') return;
    if (event.type !== 'message_start' && this.#state === 'before') this.violate('comes before message_start');
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
        this.#tell(event);
        break;
      case 'message_stop':
        if (this.#state !== 'told') this.violate('message_stop comes without message_delta');
        this.#state = 'over';
        break;
      case 'error':
        this.#fail(event.error);
        break;
      default:
        this.violate('its type is not known');
    }
  }

  #start(message: unknown): void {
    if (this.#state !== 'before') this.violate('message_start comes again');
    this.#state = 'open';
    if (!isFields(message)) {
      this.violate('message_start has no message');
      return;
    }
    if (typeof message.id !== 'string' || !message.id.startsWith('msg_')) this.violate('message.id is not msg_…');
    if (message.type !== 'message' || message.role !== 'assistant') this.violate('type or role is wrong');
    if (typeof message.model !== 'string' || message.model === '') this.violate('message.model is missing');
    if (!Array.isArray(message.content) || message.content.length > 0) this.violate('message.content is not []');
    if (message.stop_reason !== null || message.stop_sequence !== null) this.violate('it has ended when it starts');
    this.#usage(message.usage, ['input_tokens', 'output_tokens']);
  }

  #openBlock(event: Fields): void {
    const block = event.content_block;
    if (this.#state !== 'open') this.violate('a block opens outside of the message');
    if (this.#kind !== '') this.violate('a block opens while another is open');
    if (event.index !== this.#blocks) this.violate(`a block opens with index ${event.index}`);
    if (!isFields(block) || typeof block.type !== 'string' || deltasOf[block.type] === undefined) {
      this.violate('a block has no known type');
      return;
    }
    this.#kind = block.type;
    this.#deltas = 0;
    this.#signed = false;
    this.#json = '';
    if (block.type === 'text' && block.text !== '') this.violate('a text opens with text');
    if (block.type === 'thinking' && block.thinking !== '') this.violate('thinking opens with text');
    if (block.type === 'redacted_thinking' && typeof block.data !== 'string') this.violate('data is missing');
    if (block.type === 'tool_use') this.#openCall(block);
  }

  #openCall(block: Fields): void {
    if (typeof block.id !== 'string' || !isGoodId(block.id)) this.violate('the id of a call is empty or odd');
    else if (this.#ids.has(block.id)) this.violate('the id of a call was used before');
    else this.#ids.add(block.id);
    if (typeof block.name !== 'string' || block.name === '') this.violate('a call has no name');
    if (JSON.stringify(block.input) !== '{}') this.violate('a call opens with input');
  }

  #delta(event: Fields): void {
    if (this.#kind === '' || event.index !== this.#blocks) {
      this.violate('a delta is not of the open block');
      return;
    }
    const { delta } = event;
    const field = isFields(delta) ? deltasOf[this.#kind]?.[String(delta.type)] : undefined;
    const text = isFields(delta) && field !== undefined ? delta[field] : undefined;
    if (typeof text !== 'string' || text === '') {
      this.violate(`the delta is not one of ${this.#kind}, or is empty`);
      return;
    }
    if (!isWellFormed(text)) this.violate('a delta cuts a character');
    if (this.#signed) this.violate('a delta comes after the signature');
    this.#signed = field === 'signature';
    this.#deltas += 1;
    this.#json += text;
  }

  #closeBlock(event: Fields): void {
    if (this.#kind === '' || event.index !== this.#blocks) this.violate('a stop is not of the open block');
    if (this.#deltas === 0 && this.#kind !== 'redacted_thinking') this.violate('a block is empty');
    // One that was taken back is no object, and does not count.
    if (this.#kind === 'tool_use' && isObjectText(this.#json)) this.#calls += 1;
    this.#kind = '';
    this.#blocks += 1;
  }

  #tell({ delta, usage }: Fields): void {
    if (this.#state !== 'open') this.violate('message_delta is late or comes again');
    if (this.#kind !== '') this.violate('message_delta comes while a block is open');
    this.#state = 'told';
    this.#usage(usage, ['output_tokens']);
    if (!isFields(delta)) {
      this.violate('message_delta has no delta');
      return;
    }
    this.#reason = delta.stop_reason;
    if (!stopReasons.includes(delta.stop_reason)) this.violate('the stop reason is not known');
    const sequence = delta.stop_sequence;
    if (sequence !== null && typeof sequence !== 'string') this.violate('stop_sequence is neither null nor a string');
  }

  #usage(usage: unknown, needed: readonly string[]): void {
    if (!isFields(usage)) {
      this.violate('usage is missing');
      return;
    }
    for (const field of needed) if (typeof usage[field] !== 'number') this.violate(`usage.${field} is not a number`);
  }

  #fail(error: unknown): void {
    this.#failed = true;
    if (!isFields(error) || typeof error.type !== 'string' || typeof error.message !== 'string') {
      this.violate('an error has no type or no message');
    }
  }
}

/** Letters, digits, `_` and `-`, as Anthropic wants them. */
function isGoodId(id: string): boolean {
  return /^[\w-]{1,200}$/.test(id);
}
