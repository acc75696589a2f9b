import { type Departure, Departures, textsOf } from '../departures.ts';
import { type Fields, isFields, isObjectText, isWellFormed, readJson } from '../read-json.ts';
import { sseBlocks } from '../sse-blocks.ts';
import { checkTotal } from './common-checks.ts';

/** What a Responses stream may hold besides the strict form. */
export interface OpenresponsesGrammarOptions {
  /** `data: [DONE]` has to come last. Default: it must not come. */
  readonly done?: boolean;
}

/**
 * Checks a recorded stream for what a schema cannot say: order, identity, and that pieces add up. Says in words
 * what breaks a rule. Knows nothing of who wrote the stream.
 *
 * An item that was added and never done is no departure: a call that broke off is not taken back in any other way. It
 * must not in the final output.
 */
export function openresponsesViolations(stream: string, options: OpenresponsesGrammarOptions = {}): string[] {
  return textsOf(checkOpenresponses(stream, options), 'event');
}

/** The same, with the weight of each departure. */
export function checkOpenresponses(stream: string, options: OpenresponsesGrammarOptions = {}): readonly Departure[] {
  const departures = new Departures();
  const checker = new Checker(departures);
  let last = false;
  for (const { event, data } of sseBlocks(stream, departures)) {
    if (data === undefined) continue;
    if (last) departures.violate('comes after [DONE]');
    last = data === '[DONE]';
    if (!last) checker.frame(data, event);
  }
  if (last !== (options.done === true)) departures.form(last ? '[DONE] was not asked for' : '[DONE] is missing');
  checker.end();
  return departures.all();
}

const terminal = ['response.completed', 'response.failed', 'response.incomplete'];
const opening = ['response.created', 'response.queued', 'response.in_progress'];

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
  'response.reasoning_text.delta': ['content', 'delta', false],
  'response.reasoning_text.done': ['content', 'text', true],
  'response.reasoning_summary_text.delta': ['summary', 'delta', false],
  'response.reasoning_summary_text.done': ['summary', 'text', true],
  'response.function_call_arguments.delta': ['call', 'delta', false],
  'response.function_call_arguments.done': ['call', 'arguments', true],
  'response.custom_tool_call_input.delta': ['call', 'delta', false],
  'response.custom_tool_call_input.done': ['call', 'input', true],
};

class Checker {
  readonly #out: Departures;
  readonly #done: { readonly index: number; readonly item: Fields }[] = [];
  readonly #ids = new Set<string>();
  readonly #open = new Map<number, OpenItem>();
  #events = 0;
  /** What the next event's number has to be. */
  #number = 0;
  #identity: Fields | undefined;
  #items = 0;
  #isBackground = false;
  #end: string | undefined;
  #failed = false;

  constructor(out: Departures) {
    this.#out = out;
  }

  frame(data: string, name: string | undefined): void {
    const event = readJson(data);
    if (!isFields(event)) {
      this.#out.violate(event === undefined ? 'is not JSON' : 'is not an object');
      return;
    }
    const type = String(event.type);
    if (name === undefined) this.#out.note('is not an "event: " line and a "data: " line');
    else if (event.type !== name) this.#out.violate(`is named ${name} and has the type ${type}`);
    this.#event(event, type);
  }

  end(): void {
    if (this.#end === undefined && !this.#failed) this.#out.violate('no terminal event came');
  }

  #event(event: Fields, type: string): void {
    const out = this.#out;
    const { sequence_number: number } = event;
    if (this.#events === 0 && number === 1) out.note('the first event has number 1');
    else if (number !== this.#number) out.violate(`has number ${number} instead of ${this.#number}`);
    this.#number = (typeof number === 'number' ? number : this.#number) + 1;
    if (this.#end !== undefined) out.violate('comes after the terminal event');
    if (this.#events === 0) this.#isBackground = isFields(event.response) && event.response.background === true;
    this.#order(type);
    this.#events += 1;
    if (type === 'error') this.#fail(event);
    else if (isFields(event.response)) this.#response(event.response, type);
    else if (type === 'response.output_item.added') this.#added(event);
    else if (type === 'response.output_item.done') this.#itemDone(event);
    else if (type === 'response.output_text.annotation.added') this.#about(event)?.annotation(event);
    else if (type.includes('_part.')) this.#about(event)?.part(event, type);
    else if (partEvents[type] !== undefined) this.#about(event)?.text(event, partEvents[type]);
    else out.note(`the type ${type} is not known`);
  }

  #order(type: string): void {
    const expected = opening.filter((each) => this.#isBackground || each !== 'response.queued')[this.#events];
    if (expected === undefined || type === expected) return;
    const level = this.#events === 0 && type !== 'error' ? 'violation' : 'note';
    this.#out.report(level, `is ${type} instead of ${expected}`);
  }

  #fail(event: Fields): void {
    this.#failed = true;
    const about = isFields(event.error) ? event.error : event;
    if (typeof about.message !== 'string') this.#out.violate('an error has no message');
  }

  #response(response: Fields, type: string): void {
    const out = this.#out;
    const { id, created_at: created, model } = response;
    this.#identity ??= { id, created, model };
    const first = this.#identity;
    if (id !== first.id || created !== first.created || model !== first.model) {
      out.report(id === first.id ? 'note' : 'violation', 'id, created_at or model differ from the events before');
    }
    if (typeof id !== 'string' || id === '') out.violate('the response has no id');
    else if (!id.startsWith('resp_')) out.form('the id is not resp_…');
    const isEnd = terminal.includes(type);
    if (!isEnd && !opening.includes(type)) out.note(`the type ${type} is not known`);
    const status = isEnd ? type.slice('response.'.length) : 'in_progress';
    const isQueued = !isEnd && response.status === 'queued';
    const isCancelled = type === 'response.failed' && response.status === 'cancelled' && this.#isBackground;
    if (response.status !== status && !isQueued && !isCancelled)
      out.violate(`the status is ${response.status} in ${type}`);
    if (isEnd) this.#terminal(response, type);
    else if (!Array.isArray(response.output) || response.output.length > 0) out.note('output is not empty yet');
  }

  #terminal(response: Fields, type: string): void {
    const out = this.#out;
    this.#end = type;
    const messages = [...this.#open.values()].filter(({ added }) => added.type === 'message');
    if (messages.length > 0) {
      out.report(type === 'response.completed' ? 'violation' : 'note', 'a message was never done');
    }
    const done = this.#done.sort((one, other) => one.index - other.index).map(({ item }) => item);
    if (JSON.stringify(response.output) !== JSON.stringify(done)) {
      const isSame = Array.isArray(response.output) && gistOf(response.output) === gistOf(done);
      out.report(isSame ? 'form' : 'violation', 'the output is not what the done items were');
    }
    if ((type === 'response.failed') !== isFields(response.error)) out.violate('error does not fit the end');
    if ((type === 'response.incomplete') !== isFields(response.incomplete_details)) {
      out.violate('incomplete_details does not fit the end');
    }
    if ((type === 'response.completed') !== (typeof response.completed_at === 'number')) {
      out.form('completed_at does not fit the end');
    }
    done.forEach((item, at) => {
      const isLast = at === done.length - 1;
      if (item.status === 'incomplete' && (!isLast || type === 'response.completed')) {
        out.violate('an item is incomplete in spite of what follows');
      }
    });
    this.#usage(response.usage);
  }

  #usage(usage: unknown): void {
    if (usage === null) return;
    if (!isFields(usage)) {
      this.#out.report(usage === undefined ? 'note' : 'violation', 'usage is neither null nor an object');
      return;
    }
    const { input_tokens: input, output_tokens: output, total_tokens: total } = usage;
    checkTotal([input, output], total, this.#out, 'violation');
  }

  #added(event: Fields): void {
    const out = this.#out;
    if ([...this.#open.values()].some(({ added }) => added.type === 'message')) out.note('a message is still open');
    const { item, output_index: index } = event;
    if (index !== this.#items) out.violate(`an item is added at ${index} instead of ${this.#items}`);
    this.#items += 1;
    if (!isFields(item) || typeof item.id !== 'string' || item.id === '') {
      out.violate('an item has no id');
      return;
    }
    for (const id of [item.id, item.call_id]) {
      if (id !== undefined && this.#ids.has(String(id))) out.violate(`the id ${id} was used before`);
      this.#ids.add(String(id));
    }
    this.#open.set(Number(index), new OpenItem(item, item.id, out));
  }

  /** The open item that an event is about. */
  #about(event: Fields): OpenItem | undefined {
    const open = this.#open.get(Number(event.output_index));
    if (open !== undefined && event.item_id === open.id) return open;
    this.#out.violate(open === undefined && this.#open.size === 0 ? 'no item is open' : 'is about another item');
    return undefined;
  }

  #itemDone(event: Fields): void {
    const index = Number(event.output_index);
    const open = this.#open.get(index);
    const { item } = event;
    if (open === undefined || !isFields(item)) {
      this.#out.violate('an item is done that is not open');
      return;
    }
    this.#open.delete(index);
    open.done(item);
    this.#done.push({ index, item });
  }
}

/** An item of a Responses stream from `output_item.added` to `output_item.done`. */
class OpenItem {
  readonly added: Fields;
  readonly id: string;
  readonly #out: Departures;
  /** Pieces by part. */
  readonly #pieces = new Map<string, string>();
  /** Parts that were added and are not done. */
  readonly #parts = new Set<string>();
  readonly #doneParts = new Set<string>();
  /** How many annotations a part has. */
  readonly #annotations = new Map<string, number>();
  readonly #doneTexts = new Map<string, string>();

  constructor(item: Fields, id: string, out: Departures) {
    this.added = item;
    this.id = id;
    this.#out = out;
    if (item.status !== undefined && item.status !== 'in_progress') out.note(`an item begins as ${item.status}`);
    for (const field of ['arguments', 'input']) {
      if (item[field] !== undefined && item[field] !== '') out.note(`an item begins with ${field}`);
    }
    for (const field of ['content', 'summary']) {
      if (Array.isArray(item[field]) && item[field].length > 0) out.note(`an item begins with ${field}`);
    }
  }

  /** A part is added or done. */
  part(event: Fields, type: string): void {
    const out = this.#out;
    if (!isFields(event.part)) {
      out.violate('part is not an object');
      return;
    }
    const kind = type.includes('summary') ? 'summary' : 'content';
    const index = event[`${kind}_index`];
    const key = `${kind} ${index}`;
    const text = event.part.text ?? event.part.refusal;
    if (type.endsWith('.added')) {
      if (this.#parts.size > 0) out.note('a part is still open');
      const before = [...this.#doneParts, ...this.#parts].filter((each) => each.startsWith(kind)).length;
      if (index !== before) out.violate('a part has the wrong number');
      if (text !== '') out.note('a part begins with text');
      this.#parts.add(key);
      return;
    }
    if (!this.#parts.delete(key)) out.violate('a part is done that was not added');
    if (this.#doneTexts.get(key) !== text) out.violate('a part differs from its text');
    const { annotations } = event.part;
    const cited = Array.isArray(annotations) ? annotations.length : 0;
    if ((this.#annotations.get(key) ?? 0) > cited) out.violate('a part lacks an annotation that came');
    this.#doneParts.add(key);
  }

  /** A part's text cites something. */
  annotation(event: Fields): void {
    const key = `content ${event.content_index}`;
    const cited = this.#annotations.get(key) ?? 0;
    if (!this.#parts.has(key)) this.#out.violate('an annotation comes without its part');
    if (!isFields(event.annotation)) this.#out.violate('annotation is not an object');
    if (event.annotation_index !== cited) this.#out.violate('an annotation has the wrong number');
    this.#annotations.set(key, cited + 1);
  }

  /** A piece of a part, or the whole of it. */
  text(event: Fields, [kind, field, whole]: readonly [string, string, boolean]): void {
    const out = this.#out;
    const key = kind === 'call' ? kind : `${kind} ${event[`${kind}_index`]}`;
    const text = event[field];
    if (typeof text !== 'string') {
      out.violate(`${field} is not a string`);
      return;
    }
    if (kind !== 'call' && !this.#parts.has(key)) out.violate('a text comes without its part');
    if (this.#doneTexts.has(key)) out.violate('a text goes on after it was done');
    const pieces = this.#pieces.get(key) ?? '';
    if (whole) {
      const isWhole = pieces === '' && kind === 'call';
      if (pieces !== text) out.report(isWhole ? 'note' : 'violation', 'the pieces do not add up to the whole');
      this.#doneTexts.set(key, text);
      return;
    }
    if (text === '') out.form('a piece is empty');
    if (!isWellFormed(text)) out.violate('a piece holds half a character');
    this.#pieces.set(key, pieces + text);
  }

  /** The item as `output_item.done` has it. */
  done(item: Fields): void {
    const out = this.#out;
    if (item.id !== this.id) out.violate('another item is done than was added');
    if (this.#parts.size > 0) out.violate('an item is done before its part');
    for (const field of ['type', 'call_id', 'name', 'role', 'namespace']) {
      if (item[field] !== this.added[field]) out.violate(`${field} differs from when the item was added`);
    }
    if (item.status === 'in_progress') out.violate('an item is done in progress');
    if (item.type === 'message' || item.type === 'reasoning') {
      this.#said(item, 'content');
      this.#said(item, 'summary');
      return;
    }
    const whole = item.arguments ?? item.input;
    if (whole === undefined) return;
    if (this.#doneTexts.get('call') !== whole) out.violate('a call differs from what was streamed');
    if (item.type === 'function_call' && !isObjectText(String(whole))) {
      out.violate('a call is done without a JSON object');
    }
  }

  #said(item: Fields, field: 'content' | 'summary'): void {
    const streamed = [...this.#doneTexts].filter(([key]) => key.startsWith(field)).map(([, text]) => text);
    if (JSON.stringify(textsIn(item[field])) !== JSON.stringify(streamed)) {
      this.#out.violate(`${field} differs from what was streamed`);
    }
  }
}

function textsIn(parts: unknown): unknown[] {
  if (!Array.isArray(parts)) return [];
  return parts.map((part) => (isFields(part) ? (part.text ?? part.refusal) : ''));
}

/** What a client goes by in a list of items, as one text to compare. */
function gistOf(items: readonly unknown[]): string {
  const gist = (item: unknown) => {
    if (!isFields(item)) return item;
    const { type, id, call_id: callId, name, arguments: json, input, content, summary } = item;
    return [type, id, callId, name, json, input, textsIn(content), textsIn(summary)];
  };
  return JSON.stringify(items.map(gist));
}

/** Checks a whole answer of the Responses API. */
export function checkResponse(body: unknown): readonly Departure[] {
  const out = new Departures();
  if (!isFields(body)) {
    out.violate('the body is not an object');
    return out.all();
  }
  if (typeof body.id !== 'string' || body.id === '') out.violate('the response has no id');
  if (body.object !== 'response') out.violate('object is not response');
  if (!Number.isInteger(body.created_at)) out.violate('created_at is not whole seconds');
  if (typeof body.model !== 'string') out.violate('model is not a string');
  if (body.status !== 'completed' && body.status !== 'incomplete') out.violate(`the status is ${body.status}`);
  if ((body.status === 'incomplete') !== isFields(body.incomplete_details)) {
    out.violate('incomplete_details does not fit the status');
  }
  checkUsage(body.usage, out);
  if (!Array.isArray(body.output)) out.violate('output is not a list');
  const items: readonly unknown[] = Array.isArray(body.output) ? body.output : [];
  const ids = new Set<string>();
  for (const item of items) {
    if (isFields(item)) checkItem(item, ids, out);
    else out.violate('an item is not an object');
  }
  return out.all();
}

function checkUsage(usage: unknown, out: Departures): void {
  if (usage === undefined || usage === null) {
    out.note('usage is missing');
    return;
  }
  const { input_tokens: input, output_tokens: output, total_tokens: total } = isFields(usage) ? usage : {};
  checkTotal([input, output], total, out, 'violation');
}

function checkItem(item: Fields, ids: Set<string>, out: Departures): void {
  if (typeof item.id !== 'string' || item.id === '') out.violate('an item has no id');
  for (const id of [item.id, item.call_id]) {
    if (id !== undefined && ids.has(String(id))) out.violate(`the id ${id} was used before`);
    ids.add(String(id));
  }
  if (item.status === 'in_progress') out.violate('an item is still in progress');
  if (item.type === 'message') checkMessage(item, out);
  if (item.type !== 'function_call') return;
  if (typeof item.call_id !== 'string' || item.call_id === '') out.violate('a call has no call_id');
  if (typeof item.name !== 'string' || item.name === '') out.violate('a call has no name');
  if (typeof item.arguments !== 'string') out.violate('arguments are not a string');
  else if (!isObjectText(item.arguments)) out.violate('arguments are not a JSON object');
}

function checkMessage(item: Fields, out: Departures): void {
  if (item.role !== 'assistant') out.violate('the role is not assistant');
  const parts: readonly unknown[] = Array.isArray(item.content) ? item.content : [undefined];
  for (const part of parts) {
    if (!isFields(part) || (part.type !== 'output_text' && part.type !== 'refusal')) out.violate('a part has no type');
    else if (typeof (part.text ?? part.refusal) !== 'string') out.violate('a part has no text');
    else if (part.type === 'output_text' && !Array.isArray(part.annotations)) out.note('a part has no annotations');
  }
}
