import { isWordCharacter } from '../../../json/json-characters.ts';
import { skipComments } from '../../../json/json-comment.ts';
import { type Look, longestGap, type Scanner } from '../../parser/scanner.ts';

/** The keys of a call object. Where one is absent, the common ones stand for it. */
export interface CallKeys {
  readonly name: string;
  readonly arguments: string;
  readonly id: string;
}

/** The keys that most dialects use. */
export const commonKeys: CallKeys = { name: 'name', arguments: 'arguments', id: 'id' };

/** Keys that stand for the arguments when the dialect's own is absent, best first. */
export const argumentAliases: readonly string[] = [
  'arguments',
  'parameters',
  'args',
  'input',
  'tool_input',
  'action_input',
  'params',
  'kwargs',
];

/** Those that are a tool's own parameter where it declares one of that name. */
export const rareAliases: readonly string[] = ['params', 'kwargs'];

/** Keys that stand for the name when the dialect's own is absent: what models make up from other prompts and APIs. */
export const nameAliases: readonly string[] = [
  'tool_name',
  'tool',
  'function_name',
  'function',
  'action',
  'recipient_name',
];

/** Keys of an object inside the call that holds the name and the arguments, as in OpenAI's messages. */
const containerKeys: readonly string[] = ['function', 'function_call', 'tool_call'];

/** Keys of a list of calls in an object: as in OpenAI's messages, and in its calls that stand for several. */
export const wrapperKeys: readonly string[] = ['tool_calls', 'function_calls', 'tool_uses'];

/** The key of what a message says beside its calls, and of who says it. */
export const messageKeys = { text: 'content', role: 'role' } as const;

/** They say nothing that we need: `"type": "function"`, and which call of the reply it is. */
export const emptyKeys: readonly string[] = ['type', 'index'];

/** Is this the key of a call's name? */
export function isNameKey(key: string, keys: CallKeys): boolean {
  return key === keys.name || key === commonKeys.name;
}

/** Does an object under this key hold the call? */
export function isContainerKey(key: string): boolean {
  return containerKeys.includes(key);
}

/** Is this a key of a call's arguments, under any of its names? */
export function isArgumentsKey(key: string, keys: CallKeys): boolean {
  return key === keys.arguments || argumentAliases.includes(key);
}

/** Is this one of the keys that tell a call from other JSON? */
export function isCallKey(key: string, keys: CallKeys): boolean {
  const own = [keys.name, keys.arguments, keys.id, commonKeys.name, commonKeys.id];
  return [...own, ...argumentAliases, ...nameAliases, ...emptyKeys].includes(key);
}

/** A key longer than this is none of ours. */
const longestKey = 256;

/** Reads a key with its quotation marks of either kind, or a bare one, at `at`. Consumes nothing. */
export function readKey(scanner: Scanner, at: number): { readonly text: string; readonly end: number } | 'no' | 'more' {
  const { text } = scanner;
  const quote = text[at];
  if (quote === '"' || quote === "'") {
    const close = text.indexOf(quote, at + 1);
    if (close < 0) return scanner.ended || text.length - at > longestKey ? 'no' : 'more';
    return close - at > longestKey ? 'no' : { text: text.slice(at + 1, close), end: close + 1 };
  }
  let end = at;
  while (end < text.length && end - at <= longestKey && isWordCharacter(text.charCodeAt(end))) end += 1;
  if (scanner.wantsMore(end) && end - at <= longestKey) return 'more';
  return end === at || end - at > longestKey ? 'no' : { text: text.slice(at, end), end };
}

/** The reply is over inside the quotation marks of a key that begins at `at`. */
export function endsInKey({ text, ended }: Scanner, at: number): boolean {
  const quote = text.charAt(at);
  if (!ended || (quote !== '"' && quote !== "'")) return false;
  return text.length - at <= longestKey && !text.includes(quote, at + 1);
}

/** So many fields are looked at before arguments or a list of calls: as many as a whole message of OpenAI has. */
const mostFields = 8;

/** What makes an object a call without a marker. */
interface CallShape {
  readonly keys: CallKeys;
  /** The tools that may be called so. */
  readonly names: readonly string[];
}

/** The definition of a tool has a name and parameters, too, but a call is not described, nor are its parameters a schema. */
const definitionKey = 'description';
const schemaOf = 'parameters';

/** Much JSON that is no call has an `action`: these keys of a name count only with these of its arguments. */
const paired: ReadonlyMap<string, string> = new Map([['action', 'action_input']]);

/** OpenAI's calls that stand for several put this before a name, behind this key. */
const addressed = { key: 'recipient_name', prefix: 'functions.' };

/**
 * Does the object that opens at `index` look like a call, or like a message with a list of calls? It, or an object in it, has
 * the name of a tool and arguments after it, with nothing but short strings and numbers before them. The name is in one of
 * the `callSpellings`, which are escaped in foreign text. Looks at a bounded number of characters.
 */
export function looksLikeCall(scanner: Scanner, index: number, shape: CallShape): Look {
  return lookAtFields(scanner, index, { ...shape, inMessage: false });
}

function lookAtFields(scanner: Scanner, index: number, shape: CallShape & { readonly inMessage: boolean }): Look {
  let namedBy = '';
  let inContainer = false;
  let at = index + 1;
  for (let count = 0; count < mostFields; count += 1) {
    const field = readField(scanner, at);
    if (typeof field === 'string') return field;
    const { key, start, value } = field;
    if (key === definitionKey) return 'no';
    if (isArgumentsKey(key, shape.keys)) {
      if (!hasArguments(namedBy, key)) return 'no';
      const schema = key === schemaOf ? lookSchema(scanner, value) : 'no';
      return schema === 'more' ? 'more' : opposite[schema];
    }
    if (scanner.text[value] === '{') {
      if (inContainer || namedBy !== '' || !isContainerKey(key)) return 'no';
      inContainer = true;
      at = value + 1;
      continue;
    }
    const first = lookInList(scanner, value);
    if (first === 'more') return 'more';
    if (first !== 'no' && scanner.text[first] === '{') {
      if (shape.inMessage || inContainer || !wrapperKeys.includes(key)) return 'no';
      return lookAtFields(scanner, first, { ...shape, inMessage: true });
    }
    const end = first === 'no' ? afterShort(scanner, value) : afterEmptyList(scanner, first);
    if (typeof end === 'string') return end;
    const isOwn = isNameKey(key, shape.keys);
    if (isOwn || (namedBy === '' && nameAliases.includes(key))) {
      const written = scanner.text.slice(start, end);
      const ways = isOwn ? ownSpellings : aliasSpellings;
      if (shape.names.some((name) => ways(key, name).includes(written))) namedBy = key;
      else if (isOwn) return 'no';
    }
    const next = after(scanner, end, ',');
    if (typeof next === 'string') return next;
    at = next;
  }
  return 'no';
}

/** Where the first item of the list that opens at `index` stands, or its closing bracket; `no` where none opens. */
function lookInList(scanner: Scanner, index: number): number | 'no' | 'more' {
  return scanner.text[index] === '[' ? afterGap(scanner, index + 1) : 'no';
}

function afterEmptyList(scanner: Scanner, index: number): number | 'no' {
  return scanner.text[index] === ']' ? index + 1 : 'no';
}

const opposite = { yes: 'no', no: 'yes' } as const;

/** Is the value that begins at `index` the schema of an object: its type, then its properties? */
function lookSchema(scanner: Scanner, index: number): Look {
  if (scanner.text[index] !== '{') return 'no';
  const type = readField(scanner, index + 1);
  if (typeof type === 'string') return type;
  const end = type.key === 'type' ? afterShort(scanner, type.value) : 'no';
  if (typeof end === 'string') return end;
  const next = scanner.text.slice(type.value, end) === '"object"' ? after(scanner, end, ',') : 'no';
  const properties = typeof next === 'number' ? readField(scanner, next) : next;
  if (typeof properties === 'string') return properties;
  return properties.key === 'properties' ? 'yes' : 'no';
}

function hasArguments(namedBy: string, key: string): boolean {
  return namedBy !== '' && (paired.get(namedBy) ?? key) === key;
}

/** The ways in which the name of a call without a marker may stand behind this key, or behind another key for names. */
export function callSpellings(key: string, name: string): readonly string[] {
  const own = [...new Set([key, commonKeys.name])].flatMap((each) => ownSpellings(each, name));
  return [...new Set([...own, ...nameAliases.flatMap((each) => aliasSpellings(each, name))])];
}

/** As JSON and Python print it. */
function ownSpellings(key: string, name: string): readonly string[] {
  return [...aliasSpellings(key, name), `'${key}':'${name}'`, `'${key}': '${name}'`];
}

function aliasSpellings(key: string, name: string): readonly string[] {
  const names = key === addressed.key ? [name, addressed.prefix + name] : [name];
  return names.flatMap((each) => [`"${key}":"${each}"`, `"${key}": "${each}"`]);
}

/** The first key of the object that begins at `index`; `no` where none does. */
export function lookFirstKey(scanner: Scanner, index: number): ReturnType<typeof readKey> {
  if (scanner.text[index] !== '{') return 'no';
  const first = afterGap(scanner, index + 1);
  return typeof first === 'string' ? first : readKey(scanner, first);
}

interface Field {
  readonly key: string;
  /** Where its key and its value begin. */
  readonly start: number;
  readonly value: number;
}

function readField(scanner: Scanner, at: number): Field | 'no' | 'more' {
  const start = afterGap(scanner, at);
  const key = typeof start === 'string' ? start : readKey(scanner, start);
  if (typeof key === 'string' || typeof start === 'string') return key === 'more' || start === 'more' ? 'more' : 'no';
  const value = after(scanner, key.end, ':');
  return typeof value === 'string' ? value : { key: key.text, start, value };
}

/** Index after a short string, a number or a word. */
function afterShort(scanner: Scanner, value: number): number | 'no' | 'more' {
  const read = readKey(scanner, value);
  return typeof read === 'string' ? read : read.end;
}

/** Index of what comes after `sign`, with white space and comments around it. */
function after(scanner: Scanner, index: number, sign: ':' | ','): number | 'no' | 'more' {
  const next = afterGap(scanner, index);
  if (typeof next === 'string') return next;
  return scanner.text[next] === sign ? afterGap(scanner, next + 1) : 'no';
}

/** As `afterSpace` of the scanner, also after comments, which are between the fields of some calls. */
function afterGap(scanner: Scanner, index: number): number | 'no' | 'more' {
  const { text } = scanner;
  const next = skipComments(text, index, Math.min(text.length, index + longestGap + 1));
  if (next - index > longestGap) return 'no';
  return scanner.wantsMore(next) ? 'more' : next;
}
