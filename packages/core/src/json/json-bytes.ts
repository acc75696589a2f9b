import { KnownTexts, sampleOf } from '../chat/known-texts.ts';
import { JsonText, keptText } from './json-text.ts';

/** In UTF-16 units: a shorter text is written as fast as it is found. */
const shortest = 1000;

const encoder = new TextEncoder();

/** Long texts of bodies in UTF-8, as they are or as JSON strings. */
const known = new KnownTexts<Uint8Array>(({ length }) => length);
const as = { text: 'text', string: 'string' };

/** Characters and bytes that are kept of bodies. */
export function writtenCharacters(): number {
  return known.units;
}

/**
 * What `writeJson` writes of a body, in UTF-8. A long text that is written again and again is neither escaped nor encoded again: an
 * agent sends its whole history with every request, and only its end is new.
 */
export function writeJsonBytes(body: unknown): Uint8Array {
  const writer = new BytesWriter();
  writer.write(body);
  return writer.all();
}

class BytesWriter {
  /** What is written, in order: one text, bytes, one text, and so on. */
  readonly #texts: string[] = [];
  readonly #bytes: Uint8Array[] = [];
  /** What follows them. */
  #text = '';

  write(value: unknown): void {
    if (typeof value === 'string' && value.length >= shortest) {
      this.#long(value, as.string);
      return;
    }
    if (typeof value !== 'object' || value === null) {
      this.#text += JSON.stringify(value) ?? 'null';
      return;
    }
    const text = value instanceof JsonText ? value.text : keptText(value);
    if (text !== undefined && text.length < shortest) this.#text += text;
    else if (text !== undefined) this.#long(text, as.text);
    else if (Array.isArray(value)) this.#list(value);
    else this.#members(value);
  }

  /** What is written for the second time is kept: whoever asks once sends a history that never comes again. */
  #long(text: string, by: string): void {
    const written = () => (by === as.string ? JSON.stringify(text) : text);
    if (!wasWritten(text)) {
      this.#text += written();
      return;
    }
    this.#texts.push(this.#text);
    this.#bytes.push(known.of(text, () => encoder.encode(written()), by));
    this.#text = '';
  }

  #list(list: readonly unknown[]): void {
    let before = '[';
    for (const one of list) {
      this.#text += before;
      this.#within(one);
      before = ',';
    }
    this.#text += list.length === 0 ? '[]' : ']';
  }

  #members(value: object): void {
    let before = '{';
    for (const [name, one] of Object.entries(value)) {
      if (isWordless(one)) continue;
      this.#text += `${before}${JSON.stringify(name)}:`;
      this.#within(one);
      before = ',';
    }
    this.#text += before === '{' ? '{}' : '}';
  }

  #within(value: unknown): void {
    if (isShort(value)) this.#text += JSON.stringify(value) ?? 'null';
    else this.write(value);
  }

  all(): Uint8Array {
    if (this.#bytes.length === 0) return encoder.encode(this.#text);
    const texts = encodeEach([...this.#texts, this.#text]);
    const parts = texts.flatMap((text, place) => [text, this.#bytes[place] ?? none]);
    const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }
}

const none = new Uint8Array();

/** To encode one text takes as long as many of them at once, where each character is a byte. */
function encodeEach(texts: readonly string[]): readonly Uint8Array[] {
  const whole = texts.join('');
  const bytes = encoder.encode(whole);
  if (bytes.length !== whole.length) return texts.map((text) => encoder.encode(text));
  let at = 0;
  return texts.map(({ length }) => {
    at += length;
    return bytes.subarray(at - length, at);
  });
}

/** What texts that were written look like. Each takes the place of another one. */
const written = new Int32Array(8192);

/** Whether a text was written before. Of one that looks like it that is said, too, and it is kept a little early. */
function wasWritten(text: string): boolean {
  const look = sampleOf(text);
  const place = look & (written.length - 1);
  const was = written[place] === look;
  written[place] = look;
  return was;
}

/** As deep as a call stands in its message. Whatever is deeper is written level by level. */
const deepest = 4;

/** Whether no long text is within, nor what `JSON.stringify` does not write. */
function isShort(value: unknown, depth = deepest): boolean {
  if (typeof value === 'string') return value.length < shortest;
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0 || value instanceof JsonText) return false;
  return Object.values(value).every((one) => isShort(one, depth - 1));
}

/** JSON has no word for it: in an object it is left out. */
function isWordless(value: unknown): boolean {
  return value === undefined || typeof value === 'function' || typeof value === 'symbol';
}
