import type { Extra } from '../chat/message.ts';
import type { Warning } from '../chat/warning.ts';
import { DragomanError } from '../errors.ts';
import { jsonOf } from '../json/exact-json.ts';

/** Any JSON object, not yet looked at. */
export type JsonObject = { readonly [field: string]: unknown };

/** Where a value is in the caller's request, such as `messages[1].content`. */
export type Path = string;

/** Settings of older gateways that clients still send, and what became of them. */
const deprecated: ReadonlyMap<string, string> = new Map([
  ['toolCallProcessingMode', 'tool calls are read in one way only.'],
]);

/** What was tolerated while one request was read. */
export class ReadNotes {
  readonly #warnings: Warning[] = [];
  readonly #ignored = new Set<string>();

  add(warning: Warning): void {
    this.#warnings.push(warning);
  }

  /** A field that nothing reads. All of them become one warning, with a bounded number of bounded names. */
  ignore(field: string): void {
    const instead = deprecated.get(field);
    if (instead !== undefined) this.add({ code: 'field-deprecated', message: `"${field}" has no effect: ${instead}` });
    else if (this.#ignored.size < 20) this.#ignored.add(field.slice(0, 60));
  }

  /** The fields of `object` that are not among `known`; `at` says where they are. */
  ignoreOthers(object: JsonObject, known: readonly string[], at = ''): void {
    for (const field of Object.keys(object)) if (!known.includes(field)) this.ignore(`${at}${field}`);
  }

  /** All that another one holds, as if it had been told here. */
  take(other: ReadNotes): void {
    for (const warning of other.#warnings) this.add(warning);
    for (const field of other.#ignored) this.ignore(field);
  }

  /** Of an object of which everything has been read: what is left is not known. `at` says where it is. */
  ignoreUnread(fields: RequestFields, at = fields.path): void {
    for (const field of fields.unread) this.ignore(at + field);
  }

  /** The warnings of a request of which everything has been read. */
  finish(fields: RequestFields): readonly Warning[] {
    this.ignoreUnread(fields);
    return this.warnings;
  }

  get warnings(): readonly Warning[] {
    if (this.#ignored.size === 0) return this.#warnings;
    const names = [...this.#ignored].join(', ');
    return [...this.#warnings, { code: 'field-dropped', message: `Fields that are not known were ignored: ${names}.` }];
  }
}

/** Names the place of a mistake in the request. */
export function badRequest(path: Path, problem: string): DragomanError {
  return new DragomanError('bad-request', `${path}: ${problem}`, { param: path });
}

/** For what the API defines and the gateway does not do. */
export function unsupported(path: Path, problem: string): DragomanError {
  return new DragomanError('unsupported-field', `${path}: ${problem}`, { param: path });
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

/** The body of a request. */
export function readBody(value: unknown): JsonObject {
  if (isObject(value)) return value;
  throw new DragomanError('bad-request', 'The request body must be a JSON object.');
}

/** The text itself, or an empty one in place of anything else. */
export function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A number of tokens; undefined for anything else. */
export function countIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

export function readObject(value: unknown, path: Path): JsonObject {
  if (!isObject(value)) throw badRequest(path, `must be an object, not ${kindOf(value)}.`);
  return value;
}

export function readList(value: unknown, path: Path): readonly unknown[] {
  if (!Array.isArray(value)) throw badRequest(path, `must be a list, not ${kindOf(value)}.`);
  return value;
}

export function readString(value: unknown, path: Path): string {
  if (typeof value !== 'string') throw badRequest(path, `must be a string, not ${kindOf(value)}.`);
  return value;
}

/** The fields of a request, or of an object in it. Each names its place where it is wrong; what has been read is known. */
export class RequestFields {
  /** Of the object in the request, with a dot at its end. */
  readonly path: Path;
  readonly #object: JsonObject;
  /** What was read: one by one, and in lists. */
  readonly #names: string[] = [];
  readonly #lists: (readonly string[])[] = [];

  constructor(object: JsonObject, path: Path = '') {
    this.#object = object;
    this.path = path;
  }

  /** The body of a request. */
  static of(body: unknown): RequestFields {
    return new RequestFields(readBody(body));
  }

  /** An object in the request. */
  static at(value: unknown, path: Path): RequestFields {
    return new RequestFields(readObject(value, path), `${path}.`);
  }

  /** The name of a model. An absent one is empty: it means the default model, and is refused where there is none. */
  model(): string {
    const model = this.text('model');
    if (model === '') throw badRequest('model', 'must not be empty.');
    return model ?? '';
  }

  value(name: string): unknown {
    this.#names.push(name);
    // Whether a field is there costs the same in every request; to read one that is not is slow in the first of its shape.
    return Object.hasOwn(this.#object, name) ? this.#object[name] : undefined;
  }

  /** An absent or null field is `undefined`; so it is below. */
  text(name: string): string | undefined {
    const value = this.value(name);
    return isAbsent(value) ? undefined : readString(value, this.path + name);
  }

  /** An absent or null field is `fallback`. */
  flag(name: string, fallback: boolean): boolean {
    const value = this.value(name);
    if (isAbsent(value)) return fallback;
    if (typeof value !== 'boolean') throw badRequest(this.path + name, `must be true or false, not ${kindOf(value)}.`);
    return value;
  }

  number(name: string): number | undefined {
    const value = this.value(name);
    if (isAbsent(value)) return undefined;
    if (typeof value !== 'number') throw badRequest(this.path + name, `must be a number, not ${kindOf(value)}.`);
    return value;
  }

  /** A whole number of at least `least`. */
  count(name: string, least: number): number | undefined {
    const count = this.number(name);
    if (count !== undefined && (!Number.isInteger(count) || count < least)) {
      throw badRequest(this.path + name, `must be a whole number of at least ${least}.`);
    }
    return count;
  }

  /** A list of texts. */
  texts(name: string): readonly string[] | undefined {
    const value = this.value(name);
    const path = this.path + name;
    return isAbsent(value)
      ? undefined
      : readList(value, path).map((one, index) => readString(one, `${path}[${index}]`));
  }

  /** Texts that end a reply: one, or a list. */
  stop(name: string): readonly string[] | undefined {
    const value = this.value(name);
    return typeof value === 'string' ? [value] : this.texts(name);
  }

  /** Those of an object in the field; none where it is absent. */
  within(name: string): RequestFields {
    const value = this.value(name);
    const path = this.path + name;
    return new RequestFields(isAbsent(value) ? {} : readObject(value, path), `${path}.`);
  }

  /** Those of these names that are there, as they came. */
  pick(names: readonly string[]): JsonObject {
    this.#lists.push(names);
    return pick(this.#object, names) ?? {};
  }

  /** The names of what nobody has read so far. */
  get unread(): readonly string[] {
    const isRead = (name: string) => this.#names.includes(name) || this.#lists.some((names) => names.includes(name));
    return Object.keys(this.#object).filter((name) => !isRead(name));
  }
}

/** What rides under the name of a wire, if anything does. */
export function extraOf(wireId: string, fields: JsonObject): Extra {
  return Object.keys(fields).length === 0 ? {} : { [wireId]: fields };
}

/** The same for what may have an `extra` of its own: nothing at all where nothing rides. */
export function withExtra(wireId: string, fields: JsonObject): { readonly extra?: Extra } {
  return Object.keys(fields).length === 0 ? {} : { extra: { [wireId]: fields } };
}

/** For a word that its place does not take; `problem` says so of the word in quotation marks. */
export function wrongWord(path: Path, value: unknown, problem: (word: string) => string): DragomanError {
  if (typeof value !== 'string') return badRequest(path, `must be a string, not ${kindOf(value)}.`);
  return badRequest(path, problem(`"${value.slice(0, 40)}"`));
}

/** A conversation, which has a message at least. */
export function readMessageList(value: unknown): readonly unknown[] {
  if (isAbsent(value)) throw badRequest('messages', 'is required.');
  const list = readList(value, 'messages');
  if (list.length === 0) throw badRequest('messages', 'must have at least one message.');
  return list;
}

/** The arguments of a past call: JSON text as it came, an object as JSON text; nothing at all means no arguments. */
export function readArguments(value: unknown, path: Path): string {
  if (isAbsent(value) || value === '') return '{}';
  if (typeof value === 'string') return value;
  if (isObject(value)) return jsonOf(value);
  throw badRequest(path, `must be an object, or JSON text of one, not ${kindOf(value)}.`);
}

/** The arguments of a call in a reply: JSON text, or an object, which is written as JSON text once. */
export function argumentsText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return isObject(value) ? jsonOf(value) : undefined;
}

export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return `a ${typeof value}`;
}

/** The fields of `source` that are named and present, as one wire's entry for `extra`. */
export function pick(source: JsonObject, fields: readonly string[]): { readonly [field: string]: unknown } | undefined {
  let found: { [field: string]: unknown } | undefined;
  for (const field of fields) {
    if (!Object.hasOwn(source, field) || isAbsent(source[field])) continue;
    found ??= {};
    found[field] = source[field];
  }
  return found;
}

/** The same without the keys whose value is `undefined`. */
export function present<Fields extends object>(
  fields: Fields,
): { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> } {
  const found: { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> } = {};
  for (const key in fields) {
    const value = fields[key];
    if (value !== undefined) found[key] = value as Exclude<Fields[typeof key], undefined>;
  }
  return found;
}
