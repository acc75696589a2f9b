import { parsedJson } from '../json/parsed-json.ts';
/** How a call's arguments turned out. `rest` is what has not left yet; `raw` is what they began with, for a report. */
export type ArgumentsOutcome =
  | { readonly kind: 'whole'; readonly rest: string; readonly repaired?: string }
  | { readonly kind: 'broken'; readonly reason: string; readonly raw: string };

/**
 * - `leading`: only white space so far. Upstreams send `""` for calls without arguments.
 * - `object`: inside the object; everything leaves as it comes.
 * - `closed`: the outermost brace has closed. Nothing but white space may follow, and even that stays back, because
 *   collectors stop reading at the first whole value.
 * - `other`: it began with something else, such as `null` or a string that holds the JSON. All of it waits for the end.
 */
type State = 'leading' | 'object' | 'closed' | 'other';

/** Of text that has left already, so much is kept for a report. */
const keptLength = 64;

/**
 * Lets the argument text of one native call through as it comes, up to the end of its object, and says at the end whether
 * it was one object. Only the outermost braces count: whether valid JSON is between them, and what to make of
 * `{"deep":True}`, is for the stage that knows the tool's schema.
 */
export class ArgumentsGate {
  #state: State = 'leading';
  #depth = 0;
  #inString = false;
  #escaped = false;
  #beginning = '';
  #others: string[] = [];
  #leading = '';
  #hasSurplus = false;

  /** The object is whole: nothing that follows can belong to it. */
  get closed(): boolean {
    return this.#state === 'closed';
  }

  /** Something other than white space has come. */
  get begun(): boolean {
    return this.#state !== 'leading';
  }

  /** What closes the string that the text so far ends in; empty where it ends in none. */
  get stringEnd(): string {
    if (!this.#inString) return '';
    return this.#escaped ? '\\"' : '"';
  }

  /** What may leave now. */
  push(text: string): string {
    switch (this.#state) {
      case 'leading':
        return this.#pushLeading(text);
      case 'object':
        return this.#pushObject(text);
      case 'closed':
        if (text.trim() !== '') this.#hasSurplus = true;
        return '';
      case 'other':
        this.#others.push(text);
        return '';
    }
  }

  end(): ArgumentsOutcome {
    switch (this.#state) {
      case 'leading':
        return { kind: 'whole', rest: '{}' };
      case 'object':
        return { kind: 'broken', reason: 'its arguments broke off', raw: this.#beginning };
      case 'closed':
        return this.#hasSurplus
          ? { kind: 'whole', rest: '', repaired: 'text after the end of its arguments was dropped' }
          : { kind: 'whole', rest: '' };
      case 'other':
        return readOther(this.#others.join(''));
    }
  }

  #pushLeading(text: string): string {
    const start = text.length - text.trimStart().length;
    if (start === text.length) {
      this.#leading += text;
      return '';
    }
    const all = this.#leading + text;
    this.#leading = '';
    this.#state = text.startsWith('{', start) ? 'object' : 'other';
    return this.push(all);
  }

  #pushObject(text: string): string {
    const end = this.#scan(text);
    const inside = end === text.length ? text : text.slice(0, end);
    if (this.#beginning.length < keptLength) this.#beginning += inside.slice(0, keptLength - this.#beginning.length);
    if (text.slice(end).trim() !== '') this.#hasSurplus = true;
    return inside;
  }

  /** Follows braces and strings; returns the offset after the closing brace, or the length of the text. */
  #scan(text: string): number {
    for (let at = 0; at < text.length; at += 1) {
      const letter = text[at];
      if (this.#escaped) this.#escaped = false;
      else if (this.#inString) {
        if (letter === '\\') this.#escaped = true;
        else if (letter === '"') this.#inString = false;
      } else if (letter === '"') this.#inString = true;
      else if (letter === '{') this.#depth += 1;
      else if (letter === '}') {
        this.#depth -= 1;
        if (this.#depth === 0) {
          this.#state = 'closed';
          return at + 1;
        }
      }
    }
    return text.length;
  }
}

/** `null` and `""` mean no arguments; a string that holds the JSON was escaped once too often. */
function readOther(raw: string): ArgumentsOutcome {
  const value = parsedJson(raw);
  if (value === null || value === '') return { kind: 'whole', rest: '{}' };
  if (typeof value === 'string') {
    const inner = parsedJson(value);
    const isObject = typeof inner === 'object' && inner !== null && !Array.isArray(inner);
    if (isObject) return { kind: 'whole', rest: value.trim(), repaired: 'its arguments were escaped twice' };
  }
  return { kind: 'broken', reason: 'its arguments are not a JSON object', raw };
}
