import type { EventWriter } from '../../chat/event-writer.ts';
import { quoteName } from '../../chat/warning.ts';
import { wrapInput } from '../free-input.ts';
import { readProbabilities } from '../probabilities.ts';
import { argumentsText, isObject, type JsonObject, textIn } from '../read-values.ts';
import { leftOutProbabilities } from '../report-dropped.ts';
import type { Assembler } from './assembler.ts';
import type { ItemKey, ReplyItem, TextMark } from './reply-item.ts';
import { ownItemTypes, wireId } from './types.ts';

/** Where a whole item came. `twins`: texts that came before, by what they say. */
interface ItemPlace {
  readonly index: number | undefined;
  readonly done: boolean;
  readonly twins?: ReadonlyMap<string, ReplyItem>;
}

/** All that a part says. */
interface WholePart {
  readonly text: string;
  readonly mark?: TextMark | undefined;
}

const refusalMark: TextMark = { refusal: true };

/** Reads events and whole items into the items of a reply. OpenAI's names and those of OpenResponses both count. */
export class ItemsOfReply {
  readonly #assembler: Assembler;
  readonly #writer: EventWriter;
  readonly #finder = new ItemFinder();
  readonly #keepsProbabilities: boolean;
  #contradicted: string | undefined;

  /** `keepsProbabilities`: the client wants the probabilities of tokens and can be told them. */
  constructor(writer: EventWriter, assembler: Assembler, keepsProbabilities: boolean) {
    this.#keepsProbabilities = keepsProbabilities;
    this.#assembler = assembler;
    this.#writer = writer;
  }

  /** What came whole in other words than had left before; undefined where nothing did. */
  get contradicted(): string | undefined {
    return this.#contradicted;
  }

  /** Returns false for an event that is not known. */
  read(event: JsonObject): boolean {
    switch (event.type) {
      case 'response.output_item.added':
      case 'response.output_item.done':
        if (isObject(event.item)) {
          this.#readItem(event.item, { index: indexOf(event), done: event.type === 'response.output_item.done' });
        }
        return true;
      case 'response.content_part.done':
        return this.#readWholePart(event);
      case 'response.content_part.added':
      case 'response.reasoning_summary_part.added':
      case 'response.reasoning_summary_part.done':
        return true;
      case 'response.output_text.annotation.added':
        this.#readAnnotation(event);
        return true;
      default: {
        const part = partOf(event);
        if (part !== undefined) this.#readPart(event, part);
        return part !== undefined;
      }
    }
  }

  /** The whole output at the end: what has not come before comes now. */
  readOutput(output: readonly unknown[]): void {
    // Some gateways number the whole output anew: the same text under another id is the same text.
    const twins = new Map<string, ReplyItem>();
    for (const item of this.#assembler.items) if (item.kind === 'text' && item.text !== '') twins.set(item.text, item);
    output.forEach((item, index) => {
      if (isObject(item)) this.#readItem(item, { index, done: true, twins });
    });
  }

  #readPart(event: JsonObject, { kind, part, text, whole, refusal }: PartEvent): void {
    const { item_id: id, call_id: callId } = event;
    const key = { kind, index: indexOf(event), id: textIn(id), callId: textIn(callId) };
    const found = this.#finder.find(key, { isItem: false });
    // What comes late for a text begins another one; nothing can be added to a call.
    const item = found === undefined || (found.ended && kind !== 'call' && !whole) ? this.#open(key) : found;
    if (typeof text !== 'string') return;
    if (kind === 'call' && item.name === '' && typeof event.name === 'string') item.name = event.name;
    const mark = refusal === true ? refusalMark : this.#markOf(kind === 'text' ? event.logprobs : undefined);
    if (whole) this.#complete(item, part, { text, mark });
    else item.add(part, text, mark);
    if (whole) item.quiet = true;
  }

  #readAnnotation(event: JsonObject): void {
    const key = { kind: 'text', index: indexOf(event), id: textIn(event.item_id), callId: '' } as const;
    const item = this.#finder.find(key, { isItem: false });
    this.#annotate(item, `text${contentIndexOf(event)}`, { annotations: [event.annotation], whole: false });
  }

  #annotate(
    item: ReplyItem | undefined,
    part: string,
    { annotations, whole }: { readonly annotations: unknown; readonly whole: boolean },
  ): void {
    if (!Array.isArray(annotations) || annotations.length === 0) return;
    const message = `Annotations came, which only clients of ${wireId} are shown.`;
    this.#writer.warnOnce({ code: 'field-dropped', message });
    item?.annotate(part, annotations, { whole });
  }

  #readWholePart(event: JsonObject): boolean {
    const { part } = event;
    if (!isObject(part)) return true;
    const refusal = part.type === 'refusal';
    const text = refusal ? part.refusal : part.text;
    const kind = part.type === 'reasoning_text' ? 'reasoning' : 'text';
    this.#readPart(event, { kind, part: `${kind}${contentIndexOf(event)}`, text, whole: true, refusal });
    return true;
  }

  #readItem(item: JsonObject, { index, done, twins }: ItemPlace): void {
    const kind = kindOf(item.type);
    if (kind === undefined) {
      if (done) this.#readOther(item, index);
      return;
    }
    const key = { kind, index, id: textIn(item.id), callId: textIn(item.call_id) };
    const own = this.#finder.find(key, { isItem: true }) ?? twins?.get(wholeText(item)) ?? this.#open(key);
    if (kind === 'call') this.#readCall(own, item, done);
    else if (kind === 'reasoning') this.#readReasoning(own, item);
    else this.#readTexts(own, item.content, 'text');
    if (done && !own.over) {
      own.over = true;
      this.#assembler.advance();
    }
  }

  /** A call of a tool that only this API has rides on an empty text. */
  #readOther(item: JsonObject, index: number | undefined): void {
    const isOwn = ownItemTypes.includes(item.type);
    const outcome = isOwn ? `reaches only clients of ${wireId}` : 'was left out';
    const key = { kind: 'text', index, id: textIn(item.id), callId: textIn(item.call_id) } as const;
    if (isOwn && this.#finder.find(key, { isItem: true }) !== undefined) return;
    this.#writer.warning({ code: 'field-dropped', message: `An item of type ${quoteName(item.type)} ${outcome}.` });
    if (!isOwn) return;
    const own = this.#open(key);
    own.extra = { [wireId]: { item } };
    own.over = true;
    this.#assembler.advance();
  }

  #open(key: ItemKey): ReplyItem {
    const item = this.#assembler.open(key);
    this.#finder.add(item);
    return item;
  }

  #readCall(own: ReplyItem, item: JsonObject, done: boolean): void {
    if (own.name === '' && typeof item.name === 'string') own.name = item.name;
    // A server that has only one id for a call puts it here.
    if (own.callId === '') {
      own.callId = textIn(item.call_id) || (done ? textIn(item.id) : '');
      this.#finder.addName(own, own.callId);
    }
    const json =
      item.type === 'custom_tool_call' ? done && wrapInput(textIn(item.input)) : argumentsText(item.arguments);
    if (typeof json === 'string' && json !== '') this.#complete(own, argumentsPart, { text: json });
  }

  #readReasoning(own: ReplyItem, item: JsonObject): void {
    this.#readTexts(own, item.summary, 'summary');
    this.#readTexts(own, item.content, 'reasoning');
    if (typeof item.encrypted_content === 'string' && item.encrypted_content !== '') {
      own.extra = { [wireId]: { encrypted_content: item.encrypted_content } };
    }
  }

  #readTexts(own: ReplyItem, parts: unknown, name: string): void {
    if (!Array.isArray(parts)) return;
    parts.forEach((part: unknown, at) => {
      if (!isObject(part)) return;
      const mark = part.type === 'refusal' ? refusalMark : this.#markOf(part.logprobs);
      this.#complete(own, `${name}${at}`, { text: textIn(part.text ?? part.refusal), mark });
      if (own.kind === 'text') this.#annotate(own, `${name}${at}`, { annotations: part.annotations, whole: true });
    });
  }

  #markOf(logprobs: unknown): TextMark | undefined {
    const extra = readProbabilities(wireId, logprobs);
    if (extra === undefined) return undefined;
    if (this.#keepsProbabilities) return { extra };
    this.#writer.warnOnce(leftOutProbabilities);
    return undefined;
  }

  #complete(own: ReplyItem, part: string, whole: WholePart): void {
    if (!own.complete(part, whole.text, whole.mark)) this.#contradicted = own.kind === 'call' ? 'a call' : 'its text';
  }
}

/** The text of a message; empty for other items. */
function wholeText({ type, content }: JsonObject): string {
  if (type !== 'message' || !Array.isArray(content)) return '';
  return content.map((part: unknown) => (isObject(part) ? textIn(part.text ?? part.refusal) : '')).join('');
}

function kindOf(type: unknown): ItemKey['kind'] | undefined {
  switch (type) {
    case 'message':
      return 'text';
    case 'reasoning':
      return 'reasoning';
    case 'function_call':
    case 'custom_tool_call':
      return 'call';
    default:
      return undefined;
  }
}

function indexOf(event: JsonObject): number | undefined {
  return typeof event.output_index === 'number' ? event.output_index : undefined;
}

/**
 * Decides which item of a reply an event is about. Servers differ in what they name: the item's id, the call's id in its
 * place, the position, or nothing at all.
 */
class ItemFinder {
  readonly #byName = new Map<string, ReplyItem>();
  readonly #byIndex = new Map<string, ReplyItem>();
  readonly #last = new Map<ItemKey['kind'], ReplyItem>();

  add(item: ReplyItem): void {
    this.#last.set(item.kind, item);
    if (item.index !== undefined) this.#byIndex.set(`${item.kind} ${item.index}`, item);
    this.addName(item, item.id);
    this.addName(item, item.callId);
  }

  /** A name that has become known later. */
  addName(item: ReplyItem, name: string): void {
    if (name !== '') this.#byName.set(`${item.kind} ${name}`, item);
  }

  /** `isItem`: the event holds the item itself, so that another id means another item. */
  find(key: ItemKey, { isItem }: { readonly isItem: boolean }): ReplyItem | undefined {
    const { kind, index, id, callId } = key;
    const named = this.#byName.get(`${kind} ${id}`) ?? this.#byName.get(`${kind} ${callId}`);
    if (named !== undefined) {
      const isOther = callId !== '' && named.callId !== '' && named.callId !== callId;
      return !isOther && isSamePlace(named, key) ? named : undefined;
    }
    if (index !== undefined) {
      const placed = this.#byIndex.get(`${kind} ${index}`);
      const isOther = isItem && placed !== undefined && id !== '' && placed.id !== '';
      return isOther ? undefined : placed;
    }
    const last = this.#last.get(kind);
    return id === '' && callId === '' && last?.ended === false ? last : undefined;
  }
}

/** One call id at two places, under two item ids: whether they are one call is seen when both are whole. */
function isSamePlace(item: ReplyItem, { kind, index, id }: ItemKey): boolean {
  if (kind !== 'call' || id === '' || item.id === '' || item.id === id || item.callId === id) return true;
  return index === undefined || item.index === undefined || item.index === index;
}

/** What an event says of its item's text. `whole`: all of a part, not a piece of it. */
interface PartEvent {
  readonly kind: ItemKey['kind'];
  readonly part: string;
  readonly text: unknown;
  readonly whole: boolean;
  readonly refusal?: boolean;
}

/** The one part of a call. */
const argumentsPart = 'arguments';

/** What an event says of a part of an item; undefined where it is about none. */
function partOf(event: JsonObject): PartEvent | undefined {
  const at = contentIndexOf(event);
  const summary = `summary${typeof event.summary_index === 'number' ? event.summary_index : 0}`;
  const call = { kind: 'call', part: argumentsPart } as const;
  switch (event.type) {
    case 'response.output_text.delta':
      return { kind: 'text', part: `text${at}`, text: event.delta, whole: false };
    case 'response.refusal.delta':
      return { kind: 'text', part: `text${at}`, text: event.delta, whole: false, refusal: true };
    case 'response.output_text.done':
      return { kind: 'text', part: `text${at}`, text: event.text, whole: true };
    case 'response.refusal.done':
      return { kind: 'text', part: `text${at}`, text: event.refusal, whole: true, refusal: true };
    case 'response.reasoning.delta':
    case 'response.reasoning_text.delta':
      return { kind: 'reasoning', part: `reasoning${at}`, text: event.delta, whole: false };
    case 'response.reasoning.done':
    case 'response.reasoning_text.done':
      return { kind: 'reasoning', part: `reasoning${at}`, text: event.text, whole: true };
    case 'response.reasoning_summary_text.delta':
    case 'response.reasoning_summary.delta':
      return { kind: 'reasoning', part: summary, text: event.delta, whole: false };
    case 'response.reasoning_summary_text.done':
    case 'response.reasoning_summary.done':
      return { kind: 'reasoning', part: summary, text: event.text, whole: true };
    case 'response.function_call_arguments.delta':
      return { ...call, text: event.delta, whole: false };
    case 'response.function_call_arguments.done':
      return { ...call, text: argumentsText(event.arguments), whole: true };
    // The input of a free tool is JSON only when it is whole: its item holds it.
    case 'response.custom_tool_call_input.delta':
    case 'response.custom_tool_call_input.done':
      return { ...call, text: undefined, whole: false };
    default:
      return undefined;
  }
}

/** Which part of its item an event is about. */
function contentIndexOf(event: JsonObject): number {
  return typeof event.content_index === 'number' ? event.content_index : 0;
}
