import { quoteName } from '../../../chat/warning.ts';
import { isJsonNumber } from '../../../json/json-number.ts';
import type { SchemaView } from '../../../json/schema.ts';
import { isKeywords, ownMember } from '../../../json/schema-document.ts';
import type { CallWriter } from '../../parser/calls/call-writer.ts';
import type { Scanner } from '../../parser/scanner.ts';
import {
  type AfterArgumentsForm,
  ArgumentsField,
  type FieldReader,
  readArguments,
  stringOf,
  WholeField,
} from './call-arguments.ts';
import {
  argumentAliases,
  type CallKeys,
  commonKeys,
  emptyKeys,
  isArgumentsKey,
  isContainerKey,
  isNameKey,
  messageKeys,
  nameAliases,
  rareAliases,
  wrapperKeys,
} from './call-keys.ts';
import type { JsonBlock, JsonForm } from './call-object.ts';

/**
 * The fields of one call object, in whatever order they come: the name, an id, and the arguments, which stream as soon
 * as the name is known. All other fields are kept to the end, since the real arguments may still come; where none come,
 * they are found among what was kept.
 */
export class CallFields {
  readonly #call: CallWriter;
  readonly #keys: CallKeys;
  readonly #header: string;
  readonly #after: AfterArgumentsForm;
  readonly #mayDefine: JsonForm['mayDefine'];
  #name: string | undefined;
  #nativeId: string | undefined;
  /** The id that was known with the name. */
  #namedId: string | undefined;
  readonly #kept = new Map<string, WholeField>();
  /** The keys of all fields so far. */
  readonly #read = new Set<string>();
  #argumentsRead = false;
  #ignoredReported = false;

  /** `header`: the name that is outside of the object, too. */
  constructor(
    call: CallWriter,
    {
      keys,
      after,
      mayDefine,
      header = '',
    }: Pick<JsonBlock, 'keys' | 'after' | 'mayDefine'> & { readonly header?: string | undefined },
  ) {
    this.#call = call;
    this.#keys = keys;
    this.#after = after;
    this.#mayDefine = mayDefine;
    this.#header = header;
  }

  /** A field has been read. */
  get any(): boolean {
    return this.#name !== undefined || this.#argumentsRead || this.#kept.size > 0;
  }

  get #named(): boolean {
    return this.#name !== undefined || this.#alias !== undefined;
  }

  /** Another key for the name, which counts if the real one does not come. */
  get #alias(): string | undefined {
    return [...this.#kept].find(([key, { text }]) => nameAliases.includes(key) && stringOf(text))?.[0];
  }

  /** The arguments have come, or wait: those that come before the name, or under another key, are kept. */
  get argumentsRead(): boolean {
    const wait = () => [...this.#kept.keys()].some((key) => isArgumentsKey(key, this.#keys));
    return this.#named && (this.#argumentsRead || wait());
  }

  /** Does the object under this key hold the name and the arguments? */
  isContainer(key: string): boolean {
    return !this.#named && isContainerKey(key);
  }

  /** Does the list under this key hold the calls of a message, whose other fields these are? */
  isWrapper(key: string): boolean {
    return wrapperKeys.includes(key) && !this.#argumentsRead;
  }

  /** What the message around the call says beside it, as far as it has come and was not taken before. */
  takeText(): string {
    const field = this.#kept.get(messageKeys.text);
    const text = field === undefined ? undefined : textOfMessage(field.plainValue);
    if (field === undefined || text === undefined) return '';
    this.#kept.delete(messageKeys.text);
    if (text !== '') field.reportWarnings(this.#call);
    return text;
  }

  /** So far no field of a message is left that is read later: what it says beside its text and its calls is reported. */
  finishMessage(): void {
    this.#ignoredReported = false;
    for (const [key, field] of this.#kept) {
      if (key !== messageKeys.role && !nothing.includes(field.text)) this.#ignore(key, field);
    }
    this.#kept.clear();
  }

  /** The name is outside of the fields. Returns the key of the arguments. */
  setName(name: string): string {
    this.#name = name;
    return this.#keys.arguments;
  }

  /** A field opens, whose value begins at the scanner. */
  open(key: string, scanner: Scanner): FieldReader | 'more' {
    const name = this.#name;
    if (key !== this.#keys.arguments || name === undefined || this.#read.has(key)) return new WholeField();
    if (scanner.text.startsWith(noValue, scanner.at)) return new WholeField();
    const defines = this.#mayDefine?.(scanner, this.#call.decisions.schemaOf(name)) ?? 'no';
    if (defines === 'more') return 'more';
    if (defines === 'yes') return new WholeField();
    return new ArgumentsField(this.#call, { schema: this.#openArguments(name), after: this.#after });
  }

  /** The field is read. False when its value cannot be what the field asks for. */
  close(key: string, value: FieldReader): boolean {
    if (this.#read.has(key)) {
      this.#call.warning('parameter-repeated', `The key ${quoteName(key)} came twice; the first one counts.`);
      return true;
    }
    this.#read.add(key);
    if (!(value instanceof WholeField)) this.#argumentsRead = true;
    else if (isNameKey(key, this.#keys) && this.#name === undefined) return this.#readName(value);
    else this.#keep(key, value);
    return true;
  }

  #readName(value: WholeField): boolean {
    this.#name = stringOf(value.text);
    value.reportWarnings(this.#call);
    if (this.#header !== '' && this.#name !== this.#header) {
      this.#call.warning('field-ignored', `The header of the call names another tool, ${quoteName(this.#header)}.`);
    }
    return this.#name !== undefined && this.#name !== '';
  }

  /** The object is closed. False when it is no call. */
  finish(): boolean {
    if (this.#name === undefined && this.#header !== '') this.#name = this.#header;
    this.#name ??= this.#takeAlias();
    if (this.#name === undefined) {
      this.#call.failure = 'it has no name';
      return false;
    }
    if (!this.#argumentsRead && !this.#readKept(this.#name)) return false;
    if (this.#nativeId !== undefined && this.#nativeId !== this.#namedId) this.#call.lateId = this.#nativeId;
    for (const [key, field] of this.#kept) this.#ignore(key, field);
    return true;
  }

  #keep(key: string, field: WholeField): void {
    if (this.#isId(key)) this.#nativeId ??= idOf(field.text);
    this.#kept.set(key, field);
  }

  #takeAlias(): string | undefined {
    const key = this.#alias;
    if (key === undefined) return undefined;
    const name = stringOf(this.#kept.get(key)?.text ?? '');
    this.#kept.delete(key);
    return name;
  }

  /** Finds the arguments in what was kept. False where they cannot be read, or may be there and are not known. */
  #readKept(name: string): boolean {
    const asked = { keys: this.#keys, schema: this.#call.decisions.schemaOf(name) };
    if (definesTool(this.#kept, asked)) {
      this.#call.defines(name);
      this.#kept.clear();
      return true;
    }
    const found = findArguments(this.#kept, asked);
    if (found === undefined) {
      this.#call.failure = 'nothing tells which of its fields are its arguments';
      return false;
    }
    const schema = this.#openArguments(name);
    for (const key of found.from) {
      this.#kept.get(key)?.reportWarnings(this.#call);
      this.#kept.delete(key);
    }
    if (found.repair !== undefined) this.#call.warning('call-repaired', found.repair);
    return readArguments(this.#call, schema, found.json);
  }

  #isId(key: string): boolean {
    return key === this.#keys.id || key === commonKeys.id;
  }

  #openArguments(name: string): SchemaView {
    this.#namedId = this.#nativeId;
    return this.#call.named(name, { nativeId: this.#nativeId });
  }

  #ignore(key: string, { text }: WholeField): void {
    if (emptyKeys.includes(key) || (this.#isId(key) && idOf(text) === this.#nativeId)) return;
    if (!this.#ignoredReported) {
      this.#call.warning('field-ignored', `Field ${quoteName(key)} of the call is neither its name nor its arguments.`);
    }
    this.#ignoredReported = true;
  }
}

/** What `null` begins with: the arguments may be under another key. */
const noValue = 'n';

/** What stands for no value. */
const nothing: readonly string[] = ['null', '""', '[]', '{}'];

/** The text of a message, which may come in parts; undefined where it is none. */
function textOfMessage(value: unknown): string | undefined {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return undefined;
  const texts: readonly unknown[] = value.map((part) =>
    isKeywords(part) && ownMember(part, 'type') === 'text' ? ownMember(part, 'text') : undefined,
  );
  return texts.every((text) => typeof text === 'string') ? texts.join('') : undefined;
}

/** An id is a string, or a number with its own digits: some models count their calls. */
function idOf(json: string): string | undefined {
  return isJsonNumber(json) ? json : stringOf(json);
}

/** The fields of a call object that are read and are neither its name nor arguments that have left, by their keys. */
type KeptFields = ReadonlyMap<string, WholeField>;

/** What a call's arguments are asked of. */
interface Asked {
  readonly keys: CallKeys;
  readonly schema: SchemaView;
}

/** Arguments that were found among the fields. */
interface KeptArguments {
  /** Their JSON text. */
  readonly json: string;
  /** The keys that they were under. */
  readonly from: readonly string[];
  /** What was wrong with where they stood. */
  readonly repair?: string;
}

const none: KeptArguments = { json: 'null', from: [] };

/** Where models say why they call: no argument is lost with it. */
const remarkKeys: readonly string[] = ['thought', 'thoughts', 'reasoning', 'reason', 'explanation', 'comment'];

/**
 * What the arguments of a call are where the dialect's own key did not bring them before: what is under another key for
 * them, or the tool's parameters beside the name, or the one object whose keys are all parameters of the tool, whatever it
 * is under. Undefined where fields are left that may have been meant as arguments: a call never runs without them.
 */
function findArguments(fields: KeptFields, asked: Asked): KeptArguments | undefined {
  const own = asked.keys.arguments;
  if (fields.get(own)?.text !== 'null') return findWritten(fields, asked) ?? noneOf(fields, asked);
  // Nothing under the own key hides no arguments under another one.
  const others = findWritten(new Map([...fields].filter(([key]) => key !== own)), asked) ?? none;
  return { ...others, from: [...others.from, own] };
}

function findWritten(fields: KeptFields, asked: Asked): KeptArguments | undefined {
  return underAlias(fields, asked) ?? besideName(fields, asked) ?? underUnknownKey(fields, asked);
}

function underAlias(fields: KeptFields, { keys, schema }: Asked): KeptArguments | undefined {
  const key = [keys.arguments, ...argumentAliases].find((candidate) => fields.has(candidate)) ?? '';
  const field = fields.get(key);
  if (field === undefined) return undefined;
  const mayBeAll = field.mayBeArguments && !(schema.known(key) && rareAliases.includes(key));
  return mayBeAll || !schema.known(key) ? { json: field.text, from: [key] } : undefined;
}

function besideName(fields: KeptFields, { schema }: Asked): KeptArguments | undefined {
  const found = [...fields].filter(([key, field]) => isParameter(key, field, schema));
  if (found.length === 0) return undefined;
  const members = found.map(([key, { text }]) => `${JSON.stringify(key)}:${text}`);
  const from = found.map(([key]) => key);
  return { json: `{${members.join(',')}}`, from, repair: 'The arguments of the call were beside its name.' };
}

/** The one object among the fields, if all of its keys are parameters of the tool, whatever it is under. */
function underUnknownKey(fields: KeptFields, { schema }: Asked): KeptArguments | undefined {
  const objects = [...fields].flatMap(([key, field]) => {
    const names = field.memberNames;
    return names.length === 0 ? [] : [{ key, json: field.text, fits: names.every((name) => schema.known(name)) }];
  });
  const [only] = objects;
  if (objects.length !== 1 || only?.fits !== true) return undefined;
  const repair = `The arguments of the call were under the key ${quoteName(only.key)}.`;
  return { json: only.json, from: [only.key], repair };
}

/** The call has no arguments: nothing is left that may have been meant as one. */
function noneOf(fields: KeptFields, { keys, schema }: Asked): KeptArguments | undefined {
  if (schema.propertyNames.length === 0) return none;
  const meansNothing = ([key, { text }]: [string, WholeField]) =>
    emptyKeys.includes(key) || key === keys.id || key === commonKeys.id || remarkKeys.includes(key) || text === 'null';
  return [...fields].every(meansNothing) ? none : undefined;
}

/** Is a field beside the name a parameter? An id is the call's own, unless the tool cannot do without it. */
function isParameter(key: string, { text }: WholeField, schema: SchemaView): boolean {
  if (key === commonKeys.id) return schema.required.includes(key);
  if (emptyKeys.includes(key)) return schema.known(key) && text !== '"function"';
  return schema.untyped || schema.known(key);
}

/** The key under which the definition of a tool says what the tool does. */
const described = 'description';

/** The key that stands for arguments and, in definitions, for their schema. */
export const ambiguousKey = 'parameters';

/**
 * Do these fields define a tool instead of calling it? A schema is where its arguments would be, or the tool is described
 * and given nothing. What the tool itself takes for a parameter says nothing.
 */
function definesTool(fields: KeptFields, { keys, schema }: Asked): boolean {
  const isDescribed = fields.has(described) && !schema.known(described);
  const isPlace = (key: string) => !schema.known(key) && (key === ambiguousKey || !isArgumentsKey(key, keys));
  const places = [...fields].filter(([key]) => key !== described && isPlace(key));
  if (places.some(([, field]) => isSchema(field.value, isDescribed) && (isDescribed || !schema.known('properties')))) {
    return true;
  }
  const given = [...fields].some(([key, field]) => isArgumentsKey(key, keys) || isParameter(key, field, schema));
  return isDescribed && !given && underUnknownKey(fields, { keys, schema }) === undefined;
}

/** Is this the schema of an object? With a description beside it, its type is enough. */
function isSchema(value: unknown, isDescribed: boolean): boolean {
  if (!isKeywords(value)) return false;
  const type = ownMember(value, 'type');
  const properties = ownMember(value, 'properties');
  const ofObject = typeof type === 'string' && type.toLowerCase() === 'object';
  if (!isKeywords(properties)) return isDescribed && ofObject;
  const areSchemas = Object.values(properties).every((each) => isKeywords(each) || typeof each === 'boolean');
  return areSchemas && (ofObject || type === undefined);
}
