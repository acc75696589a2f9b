import { type Departure, Departures, textsOf } from '../departures.ts';
import { type Fields, isFields, readJson } from '../read-json.ts';
import { sseBlocks } from '../sse-blocks.ts';
import { gistOf, OpenItem } from './openresponses-item.ts';

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
    const numbers = [input, output, total].every((count) => typeof count === 'number');
    if (!numbers) this.#out.violate('usage does not have all three numbers');
    else if (Number(input) + Number(output) !== total) this.#out.violate('usage does not add up');
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
