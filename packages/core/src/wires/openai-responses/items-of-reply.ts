import type { Warning } from '../../chat/warning.ts';
import { wrapInput } from '../free-input.ts';
import { isObject, type JsonObject } from '../read-values.ts';
import { leftOutProbabilities } from '../report-dropped.ts';
import type { Assembler } from './assembler.ts';
import { ItemFinder } from './item-finder.ts';
import { argumentsPart, argumentsText, contentIndexOf, type PartEvent, partOf } from './part-events.ts';
import { readProbabilities } from './probabilities.ts';
import { quote } from './read-rules.ts';
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

export interface ItemsOfReplyOptions {
  readonly warn: (warning: Warning) => void;
  /** The client wants the probabilities of tokens and can be told them. */
  readonly keepsProbabilities: boolean;
}

/** Reads events and whole items into the items of a reply. OpenAI's names and those of OpenResponses both count. */
export class ItemsOfReply {
  readonly #assembler: Assembler;
  readonly #warn: (warning: Warning) => void;
  readonly #finder = new ItemFinder();
  readonly #keepsProbabilities: boolean;
  #toldProbabilities = false;
  #toldAnnotations = false;
  #contradicted: string | undefined;

  constructor(assembler: Assembler, { warn, keepsProbabilities }: ItemsOfReplyOptions) {
    this.#keepsProbabilities = keepsProbabilities;
    this.#assembler = assembler;
    this.#warn = warn;
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
    const key = { kind, index: indexOf(event), id: textOf(id), callId: textOf(callId) };
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
    const key = { kind: 'text', index: indexOf(event), id: textOf(event.item_id), callId: '' } as const;
    const item = this.#finder.find(key, { isItem: false });
    this.#annotate(item, `text${contentIndexOf(event)}`, { annotations: [event.annotation], whole: false });
  }

  #annotate(
    item: ReplyItem | undefined,
    part: string,
    { annotations, whole }: { readonly annotations: unknown; readonly whole: boolean },
  ): void {
    if (!Array.isArray(annotations) || annotations.length === 0) return;
    if (!this.#toldAnnotations) {
      this.#warn({ code: 'field-dropped', message: `Annotations came, which only clients of ${wireId} are shown.` });
    }
    this.#toldAnnotations = true;
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
    const key = { kind, index, id: textOf(item.id), callId: textOf(item.call_id) };
    const own = this.#finder.find(key, { isItem: true }) ?? twins?.get(wholeText(item)) ?? this.#open(key);
    if (kind === 'call') this.#readCall(own, item, done);
    else if (kind === 'reasoning') this.#readReasoning(own, item);
    else this.#readTexts(own, item.content, 'text');
    if (done && !own.done) {
      own.done = true;
      this.#assembler.advance();
    }
  }

  /** A call of a tool that only this API has rides on an empty text. */
  #readOther(item: JsonObject, index: number | undefined): void {
    const isOwn = ownItemTypes.includes(item.type);
    const outcome = isOwn ? `reaches only clients of ${wireId}` : 'was left out';
    const key = { kind: 'text', index, id: textOf(item.id), callId: textOf(item.call_id) } as const;
    if (isOwn && this.#finder.find(key, { isItem: true }) !== undefined) return;
    this.#warn({ code: 'field-dropped', message: `An item of type ${quote(item.type)} ${outcome}.` });
    if (!isOwn) return;
    const own = this.#open(key);
    own.extra = { [wireId]: { item } };
    own.done = true;
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
      own.callId = textOf(item.call_id) || (done ? textOf(item.id) : '');
      this.#finder.addName(own, own.callId);
    }
    const json =
      item.type === 'custom_tool_call' ? done && wrapInput(textOf(item.input)) : argumentsText(item.arguments);
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
      this.#complete(own, `${name}${at}`, { text: textOf(part.text ?? part.refusal), mark });
      if (own.kind === 'text') this.#annotate(own, `${name}${at}`, { annotations: part.annotations, whole: true });
    });
  }

  #markOf(logprobs: unknown): TextMark | undefined {
    const extra = readProbabilities(logprobs);
    if (extra === undefined) return undefined;
    if (this.#keepsProbabilities) return { extra };
    if (!this.#toldProbabilities) this.#warn(leftOutProbabilities);
    this.#toldProbabilities = true;
    return undefined;
  }

  #complete(own: ReplyItem, part: string, whole: WholePart): void {
    if (!own.complete(part, whole.text, whole.mark)) this.#contradicted = own.kind === 'call' ? 'a call' : 'its text';
  }
}

/** The text of a message; empty for other items. */
function wholeText({ type, content }: JsonObject): string {
  if (type !== 'message' || !Array.isArray(content)) return '';
  return content.map((part: unknown) => (isObject(part) ? textOf(part.text ?? part.refusal) : '')).join('');
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

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
