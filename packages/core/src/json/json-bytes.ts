import { KnownTexts, sampleOf } from '../chat/known-texts.ts';
import { JsonText, keptText } from './json-text.ts';

/** In UTF-16 units: a shorter text is written as fast as it is found. */
const shortest = 1000;

const encoder = new TextEncoder();

/** Long texts of bodies in UTF-8; by whether they are JSON strings, or as they are. */
const known = new KnownTexts<Uint8Array>(({ length }) => length);

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
    if (typeof value === 'string') this.#long(value, true);
    else if (typeof value !== 'object' || value === null) this.#text += JSON.stringify(value) ?? 'null';
    else {
      const text = value instanceof JsonText ? value.text : keptText(value);
      if (text === undefined) this.#members(value);
      else this.#long(text, false);
    }
  }

  /** What is written for the second time is kept: whoever asks once sends a history that never comes again. */
  #long(text: string, isString: boolean): void {
    const written = () => (isString ? JSON.stringify(text) : text);
    if (text.length < shortest || !wasWritten(text)) {
      this.#text += written();
      return;
    }
    this.#texts.push(this.#text);
    this.#bytes.push(known.of(text, () => encoder.encode(written()), isString));
    this.#text = '';
  }

  /** Those of an object or a list. What JSON has no word for is left out of an object. */
  #members(value: object): void {
    const isList = Array.isArray(value);
    const empty = isList ? '[]' : '{}';
    let before = empty.charAt(0);
    for (const [name, one] of Object.entries(value)) {
      const short = isShort(one) ? (JSON.stringify(one) ?? (isList ? 'null' : undefined)) : '';
      if (short === undefined) continue;
      this.#text += `${before}${isList ? '' : `${JSON.stringify(name)}:`}${short}`;
      if (short === '') this.write(one);
      before = ',';
    }
    this.#text += before === ',' ? empty.charAt(1) : empty;
  }

  all(): Uint8Array {
    if (this.#bytes.length === 0) return encoder.encode(this.#text);
    const texts = encodeEach([...this.#texts, this.#text]);
    const parts = texts.flatMap((text, place) => [text, ...this.#bytes.slice(place, place + 1)]);
    const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }
}

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
