import { coerceString } from './coerce.ts';
import { JsonMachine } from './json-machine.ts';
import type { ReaderOptions } from './reader-options.ts';

/**
 * Reads one JSON value as it arrives and emits it as valid JSON, in one piece per read. Valid JSON leaves exactly as it
 * was written, without the white space around the value. Never throws; work is linear and memory bounded.
 *
 * - Repaired, each kind reported once (`json-repaired`): raw control characters, unknown escapes, single quotes, trailing
 *   commas, comments inside objects and lists, Python's `True`, `False` and `None`, keys without quotes. Nothing that is missing is made up.
 * - A string where the schema admits none, at any depth, is held until its end and read as what the schema asks for,
 *   one level deep (`value-coerced`); what cannot be read stays a string (`value-kept`).
 * - A member whose key its object has had before is left out, at any depth (`parameter-repeated`).
 * - Held back besides: an escape, number or literal that is not complete, a comma until the next character, and with it a
 *   key after it until its end.
 *
 * With `onlyObject`, `null` and no text at all are `{}`, doubled outer braces count once (`json-repaired`), and every other value
 * is broken. `closeContainers` adds closing brackets where nothing else is missing.
 *
 * `read` takes characters from `at` and returns the index after the last one it took: after the value, or at the
 * character that cannot be there. What was emitted is valid JSON exactly if `state` is `done`.
 */
export class JsonReader extends JsonMachine {
  constructor(options: ReaderOptions) {
    super({ coerce: coerceString, ...options });
  }
}
