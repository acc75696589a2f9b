import type { Departures } from '../departures.ts';
import { type Fields, isFields, isObjectText, isWellFormed } from '../read-json.ts';

/** An item of a Responses stream from `output_item.added` to `output_item.done`. */
export class OpenItem {
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
export function gistOf(items: readonly unknown[]): string {
  const gist = (item: unknown) => {
    if (!isFields(item)) return item;
    const { type, id, call_id: callId, name, arguments: json, input, content, summary } = item;
    return [type, id, callId, name, json, input, textsIn(content), textsIn(summary)];
  };
  return JSON.stringify(items.map(gist));
}
