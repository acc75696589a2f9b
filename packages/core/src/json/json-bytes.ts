import { KnownTexts } from '../chat/known-texts.ts';
import { JsonText, keptText } from './json-text.ts';

/** In UTF-16 units: a shorter text is written as fast as it is found. */
const shortest = 1000;

const encoder = new TextEncoder();

/** Long texts of bodies in UTF-8: as they are, or as JSON strings. */
const asItIs = new KnownTexts<Uint8Array>(({ length }) => length);
const asString = new KnownTexts<Uint8Array>(({ length }) => length);

/** Characters and bytes that are kept of bodies. */
export function writtenCharacters(): number {
  return asItIs.units + asString.units;
}

/**
 * What `writeJson` writes of a body, in UTF-8. A long text that was written before is neither escaped nor encoded again: an agent sends
 * its whole history with every request, and only its end is new.
 */
export function writeJsonBytes(body: unknown): Uint8Array {
  const writer = new BytesWriter();
  writer.write(body);
  return writer.all();
}

class BytesWriter {
  readonly #parts: Uint8Array[] = [];
  #length = 0;
  /** What follows the parts. */
  #text = '';

  write(value: unknown): void {
    if (typeof value === 'string' && value.length >= shortest) {
      this.#add(asString.of(value, () => encoder.encode(JSON.stringify(value))));
      return;
    }
    if (typeof value !== 'object' || value === null) {
      this.#text += JSON.stringify(value) ?? 'null';
      return;
    }
    const text = value instanceof JsonText ? value.text : keptText(value);
    if (text !== undefined && text.length < shortest) this.#text += text;
    else if (text !== undefined) this.#add(asItIs.of(text, () => encoder.encode(text)));
    else if (Array.isArray(value)) this.#list(value);
    else this.#members(value);
  }

  #list(list: readonly unknown[]): void {
    let before = '[';
    for (const one of list) {
      this.#text += before;
      this.write(one);
      before = ',';
    }
    this.#text += list.length === 0 ? '[]' : ']';
  }

  #members(value: object): void {
    const members = Object.entries(value);
    if (members.every(isShort)) {
      this.#text += JSON.stringify(value);
      return;
    }
    let before = '{';
    for (const [name, one] of members) {
      if (isWordless(one)) continue;
      this.#text += `${before}${JSON.stringify(name)}:`;
      this.write(one);
      before = ',';
    }
    this.#text += before === '{' ? '{}' : '}';
  }

  #add(bytes: Uint8Array): void {
    this.#close();
    this.#parts.push(bytes);
    this.#length += bytes.length;
  }

  #close(): void {
    if (this.#text === '') return;
    const bytes = encoder.encode(this.#text);
    this.#text = '';
    this.#parts.push(bytes);
    this.#length += bytes.length;
  }

  all(): Uint8Array {
    this.#close();
    const all = new Uint8Array(this.#length);
    let at = 0;
    for (const part of this.#parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }
}

function isShort([, value]: readonly [string, unknown]): boolean {
  return typeof value === 'string' ? value.length < shortest : typeof value !== 'object' || value === null;
}

/** JSON has no word for it: in an object it is left out. */
function isWordless(value: unknown): boolean {
  return value === undefined || typeof value === 'function' || typeof value === 'symbol';
}
