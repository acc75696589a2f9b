import { type Fields, isFields, isObjectText, isWellFormed } from '../read-json.ts';

/** What a Responses stream may hold besides the strict form. */
export interface OpenresponsesGrammarOptions {
  /** `data: [DONE]` has to come last. Default: it must not come. */
  readonly done?: boolean;
}

/**
 * Checks a recorded stream for what a schema cannot say: order, identity, and that pieces add up. Says in words
 * what breaks a rule. Knows nothing of who wrote the stream.
 *
 * An item that was added and never done is no violation: a call that broke off is not taken back in any other way. It
 * must not stand in the final output.
 */
export function openresponsesViolations(stream: string, options: OpenresponsesGrammarOptions = {}): string[] {
  const checker = new Checker();
  if (stream.includes('\r')) checker.violate('a line ends in CR');
  if (!stream.endsWith('\n\n')) checker.violate('the stream does not end with a blank line');
  const blocks = stream.split('\n\n').slice(0, -1);
  const last = blocks.at(-1) === 'data: [DONE]';
  if (last) blocks.pop();
  if (last !== (options.done === true)) checker.violate(last ? '[DONE] was not asked for' : '[DONE] is missing');
  for (const block of blocks) checker.block(block);
  return checker.end();
}

interface OpenItem {
  readonly index: number;
  readonly id: string;
  readonly added: Fields;
  /** Pieces by part. */
  readonly pieces: Map<string, string>;
  /** Parts that were added and are not done. */
  readonly parts: Set<string>;
  readonly doneParts: Set<string>;
  readonly doneTexts: Map<string, string>;
}

const terminal = ['response.completed', 'response.failed', 'response.incomplete'];

/** Events about one part of an item, with the field that holds their text. */
const partEvents: Readonly<
  Record<string, readonly [part: 'content' | 'summary' | 'call', text: string, whole: boolean]>
> = {
  'response.output_text.delta': ['content', 'delta', false],
  'response.output_text.done': ['content', 'text', true],
  'response.refusal.delta': ['content', 'delta', false],
  'response.refusal.done': ['content', 'refusal', true],
  'response.reasoning.delta': ['content', 'delta', false],
  'response.reasoning.done': ['content', 'text', true],
  'response.reasoning_summary_text.delta': ['summary', 'delta', false],
  'response.reasoning_summary_text.done': ['summary', 'text', true],
  'response.function_call_arguments.delta': ['call', 'delta', false],
  'response.function_call_arguments.done': ['call', 'arguments', true],
  'response.custom_tool_call_input.delta': ['call', 'delta', false],
  'response.custom_tool_call_input.done': ['call', 'input', true],
};

class Checker {
  readonly #violations: string[] = [];
  readonly #done: Fields[] = [];
  readonly #ids = new Set<string>();
  #place = -1;
  #events = 0;
  #identity: string | undefined;
  #index = -1;
  #open: OpenItem | undefined;
  #end: string | undefined;

  violate(what: string): void {
    this.#violations.push(`event ${this.#place}: ${what}`);
  }

  block(block: string): void {
    if (block.startsWith(':') && !block.includes('\n')) return;
    this.#place += 1;
    const [head = '', body = '', ...more] = block.split('\n');
    if (!head.startsWith('event: ') || !body.startsWith('data: ') || more.length > 0) {
      this.violate('is not an "event: " line and a "data: " line');
      return;
    }
    let event: unknown;
    try {
      event = JSON.parse(body.slice(6));
    } catch {
      this.violate('is not JSON');
      return;
    }
    if (!isFields(event)) this.violate('is not an object');
    else if (event.type !== head.slice(7)) this.violate(`is named ${head.slice(7)} and has the type ${event.type}`);
    else this.#event(event, String(event.type));
  }

  end(): string[] {
    if (this.#end === undefined) this.violate('no terminal event came');
    return this.#violations;
  }

  #event(event: Fields, type: string): void {
    if (event.sequence_number !== this.#events) this.violate(`has number ${event.sequence_number}`);
    if (this.#end !== undefined) this.violate('comes after the terminal event');
    this.#events += 1;
    const expected = ['response.created', 'response.in_progress'][this.#events - 1];
    if (expected !== undefined && type !== expected) this.violate(`is ${type} instead of ${expected}`);
    if (isFields(event.response)) this.#response(event.response, type);
    else if (type === 'response.output_item.added') this.#added(event);
    else if (type === 'response.output_item.done') this.#itemDone(event);
    else if (type.includes('part.')) this.#part(event, type);
    else if (partEvents[type] !== undefined) this.#text(event, partEvents[type]);
    else this.violate(`the type ${type} is not known`);
  }

  #response(response: Fields, type: string): void {
    const identity = JSON.stringify([response.id, response.created_at, response.model]);
    this.#identity ??= identity;
    if (identity !== this.#identity) this.violate('id, created_at or model differ from the events before');
    if (typeof response.id !== 'string' || !response.id.startsWith('resp_')) this.violate('the id is not resp_…');
    const isEnd = terminal.includes(type);
    const status = isEnd ? type.slice('response.'.length) : 'in_progress';
    if (response.status !== status) this.violate(`the status is ${response.status} in ${type}`);
    if (!isEnd) {
      if (!Array.isArray(response.output) || response.output.length > 0) this.violate('output is not empty yet');
      return;
    }
    this.#end = type;
    if (this.#open !== undefined && this.#open.added.type === 'message') this.violate('a message was never done');
    this.#terminal(response, type);
  }

  #terminal(response: Fields, type: string): void {
    if (JSON.stringify(response.output) !== JSON.stringify(this.#done)) {
      this.violate('the output is not what the done items were');
    }
    if ((type === 'response.failed') !== isFields(response.error)) this.violate('error does not fit the end');
    if ((type === 'response.incomplete') !== isFields(response.incomplete_details)) {
      this.violate('incomplete_details does not fit the end');
    }
    if ((type === 'response.completed') !== (typeof response.completed_at === 'number')) {
      this.violate('completed_at does not fit the end');
    }
    this.#done.forEach((item, at) => {
      const isLast = at === this.#done.length - 1;
      if (item.status === 'incomplete' && (!isLast || type === 'response.completed')) {
        this.violate('an item is incomplete in spite of what follows');
      }
    });
    this.#usage(response.usage);
  }

  #usage(usage: unknown): void {
    if (usage === null) return;
    if (!isFields(usage)) {
      this.violate('usage is neither null nor an object');
      return;
    }
    const { input_tokens: input, output_tokens: output, total_tokens: total } = usage;
    if (typeof input !== 'number' || typeof output !== 'number' || input + output !== total) {
      this.violate('usage does not add up');
    }
  }

  #added(event: Fields): void {
    if (this.#open !== undefined && this.#open.added.type === 'message') this.violate('a message is still open');
    this.#index += 1;
    const { item, output_index: index } = event;
    if (index !== this.#index) this.violate(`an item is added at ${index} instead of ${this.#index}`);
    if (!isFields(item) || typeof item.id !== 'string' || item.id === '') {
      this.violate('an item has no id');
      return;
    }
    for (const id of [item.id, item.call_id]) {
      if (id !== undefined && this.#ids.has(String(id))) this.violate(`the id ${id} was used before`);
      this.#ids.add(String(id));
    }
    if (item.status !== undefined && item.status !== 'in_progress') this.violate(`an item begins as ${item.status}`);
    for (const field of ['arguments', 'input']) {
      if (item[field] !== undefined && item[field] !== '') this.violate(`an item begins with ${field}`);
    }
    for (const field of ['content', 'summary']) {
      if (Array.isArray(item[field]) && item[field].length > 0) this.violate(`an item begins with ${field}`);
    }
    this.#open = {
      index: this.#index,
      id: item.id,
      added: item,
      pieces: new Map(),
      parts: new Set(),
      doneParts: new Set(),
      doneTexts: new Map(),
    };
  }

  /** The open item, if the event is about it. */
  #about(event: Fields): OpenItem | undefined {
    const open = this.#open;
    if (open === undefined) this.violate('no item is open');
    else if (event.item_id !== open.id || event.output_index !== open.index) this.violate('is about another item');
    else return open;
    return undefined;
  }

  #part(event: Fields, type: string): void {
    const open = this.#about(event);
    if (open === undefined || !isFields(event.part)) return;
    const kind = type.includes('summary') ? 'summary' : 'content';
    const key = `${kind} ${event[`${kind}_index`]}`;
    const text = event.part.text ?? event.part.refusal;
    if (type.endsWith('.added')) {
      if (open.parts.size > 0) this.violate('a part is still open');
      if (event[`${kind}_index`] !== open.doneParts.size) this.violate('a part has the wrong number');
      if (text !== '') this.violate('a part begins with text');
      open.parts.add(key);
      open.pieces.set(key, '');
      return;
    }
    if (!open.parts.delete(key)) this.violate('a part is done that was not added');
    if (open.doneTexts.get(key) !== text) this.violate('a part differs from its text');
    open.doneParts.add(key);
  }

  #text(event: Fields, [kind, field, whole]: readonly [string, string, boolean]): void {
    const open = this.#about(event);
    if (open === undefined) return;
    const key = kind === 'call' ? kind : `${kind} ${event[`${kind}_index`]}`;
    const text = event[field];
    if (typeof text !== 'string') {
      this.violate(`${field} is not a string`);
      return;
    }
    if (kind !== 'call' && !open.parts.has(key)) this.violate('a text comes without its part');
    if (open.doneTexts.has(key)) this.violate('a text goes on after it was done');
    if (whole) {
      if ((open.pieces.get(key) ?? '') !== text) this.violate('the pieces do not add up to the whole');
      open.doneTexts.set(key, text);
      return;
    }
    if (text === '') this.violate('a piece is empty');
    if (!isWellFormed(text)) this.violate('a piece holds half a character');
    open.pieces.set(key, (open.pieces.get(key) ?? '') + text);
  }

  #itemDone(event: Fields): void {
    const open = this.#open;
    this.#open = undefined;
    const { item } = event;
    if (open === undefined || !isFields(item)) {
      this.violate('an item is done that is not open');
      return;
    }
    if (event.output_index !== open.index || item.id !== open.id) this.violate('another item is done than was added');
    if (open.parts.size > 0) this.violate('an item is done before its part');
    for (const field of ['type', 'call_id', 'name', 'role', 'namespace']) {
      if (item[field] !== open.added[field]) this.violate(`${field} differs from when the item was added`);
    }
    if (item.status === 'in_progress') this.violate('an item is done in progress');
    this.#whole(item, open);
    this.#done.push(item);
  }

  #whole(item: Fields, open: OpenItem): void {
    const said = (field: 'content' | 'summary') => {
      const parts: unknown = item[field] ?? [];
      const texts = Array.isArray(parts)
        ? parts.map((part) => (isFields(part) ? (part.text ?? part.refusal) : ''))
        : [];
      const streamed = [...open.doneTexts].filter(([key]) => key.startsWith(field)).map(([, text]) => text);
      if (JSON.stringify(texts) !== JSON.stringify(streamed)) this.violate(`${field} differs from what was streamed`);
    };
    if (item.type === 'message' || item.type === 'reasoning') {
      said('content');
      said('summary');
      return;
    }
    const whole = item.arguments ?? item.input;
    if (open.doneTexts.get('call') !== whole) this.violate('a call differs from what was streamed');
    if (item.type === 'function_call' && !isObjectText(String(whole)))
      this.violate('a call is done without a JSON object');
  }
}
