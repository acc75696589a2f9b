import type { ToolDefinition } from '../../chat/tool.ts';
import { coerceText, staysText } from '../../json/coerce.ts';
import { endOfString } from '../../json/end-of-string.ts';
import { isPlainCharacter } from '../../json/json-characters.ts';
import { parsedJson } from '../../json/parsed-json.ts';
import { SchemaView } from '../../json/schema.ts';
import { isKeywords, type Keywords } from '../../json/schema-document.ts';
import type { PastCall } from '../dialect.ts';
import { deepestNesting } from '../forms/tags/nested-value.ts';
import { cdataClose, cdataOpen } from '../forms/tags/value-end.ts';
import { escapeJsonMarkers } from './escape-json-markers.ts';

/**
 * The arguments of a past call as JSON, with their own text; no text at all is `{}`, and what is no object is as a JSON
 * string. None of the literals occurs in it: a file that a call writes may hold control tokens, and JSON can escape them
 * without changing the value.
 */
export function pastArguments(call: PastCall, literals: readonly string[]): string {
  const { arguments: text } = call;
  if (text.trim() === '') return '{}';
  return escapeJsonMarkers(hasJsonMembers(text) ? text : JSON.stringify(text), literals);
}

/** A parameter of a past call. */
export interface PastParameter extends JsonMember {
  readonly schema: SchemaView;
}

/** The parameters of a past call, one by one. Arguments that are no object are one parameter named `arguments`. */
export function pastParameters(call: PastCall, tools: readonly ToolDefinition[]): readonly PastParameter[] {
  const tool = tools.find(({ name }) => name === call.name);
  const schema = tool === undefined ? SchemaView.any : SchemaView.of(tool.inputSchema);
  return pastMembers(call).map((member) => ({ ...member, schema: schema.property(member.key) }));
}

/** How a dialect writes one value. */
interface TextValueForm {
  /** What would be read as markup inside the value: its closer, and openers of calls. */
  readonly markup: readonly string[];
  /** The dialect puts values on lines of their own: none, those that hold a newline, or all. */
  readonly padded: 'never' | 'lines' | 'always';
}

/**
 * A past call's value as text between its tags, so that reading it by the schema gives the same value again. Strings
 * are as they are; one that would be read as another type, or that holds markup, is in CDATA, which is
 * always read as a string. Other values are as their JSON text.
 */
export function pastText({ json, value, schema }: Omit<PastParameter, 'key'>, form: TextValueForm): string {
  const pad = (text: string) => (form.padded === 'always' ? `\n${text}\n` : text);
  if (typeof value !== 'string') return pad(escapeJsonMarkers(json, [...form.markup, cdataOpen]));
  const pads = form.padded === 'always' || (form.padded === 'lines' && value.includes('\n'));
  if (needsCdata(value, schema, form) || (pads && value.endsWith('\r'))) return pad(cdata(value));
  return pads ? `\n${value}\n` : value;
}

function needsCdata(text: string, schema: SchemaView, { markup }: TextValueForm): boolean {
  if (text.startsWith(cdataOpen) || markup.some((literal) => text.includes(literal))) return true;
  if (schema.onlyString) return false;
  return text.includes(cdataOpen) || !staysText(text, schema);
}

function cdata(text: string): string {
  return `${cdataOpen}${text.replaceAll(cdataClose, `]]${cdataClose}${cdataOpen}>`)}${cdataClose}`;
}

/** One member of a JSON object with its value's own text. */
interface JsonMember {
  readonly key: string;
  /** The value exactly as written, without white space around it: long numbers keep their digits. */
  readonly json: string;
  readonly value: unknown;
}

/** The members of a past call's arguments. What is no object is one member named `arguments`. */
export function pastMembers({ arguments: text }: PastCall): readonly JsonMember[] {
  return jsonMembers(text) ?? [{ key: 'arguments', json: JSON.stringify(text), value: text }];
}

/**
 * The members of an object in JSON text, in their order. Of a repeated key the last value counts, as everywhere in
 * JSON. Empty text is an object without members; text that is one JSON string holding an object is read as that object.
 * Undefined for anything else.
 */
export function jsonMembers(text: string): readonly JsonMember[] | undefined {
  if (text.trim() === '') return [];
  const value = parsedJson(text);
  if (isKeywords(value)) return split(text, value);
  const inside = typeof value === 'string' ? parsedJson(value) : undefined;
  return typeof value === 'string' && isKeywords(inside) ? split(value, inside) : undefined;
}

/** Whether `jsonMembers` finds an object. */
function hasJsonMembers(text: string): boolean {
  if (text.trim() === '') return true;
  const value = parsedJson(text);
  return isKeywords(typeof value === 'string' ? parsedJson(value) : value);
}

/** The elements of a list in JSON text, each with its own text. Undefined for anything else. */
export function jsonItems(text: string): readonly string[] | undefined {
  if (!Array.isArray(parsedJson(text))) return undefined;
  return partsOf(text, { open: '[', close: ']' }).map(({ from, to }) => text.slice(from, to).trim());
}

function split(text: string, values: Keywords): readonly JsonMember[] {
  const members = new Map<string, string>();
  for (const { from, colon, to } of partsOf(text, { open: '{', close: '}' })) {
    const key: unknown = JSON.parse(text.slice(from, colon));
    if (typeof key === 'string') members.set(key, text.slice(colon + 1, to).trim());
  }
  return [...members].map(([key, json]) => ({ key, json, value: values[key] }));
}

/** Where an element or member of valid JSON text begins and ends, and where its colon stands. */
interface Part {
  readonly from: number;
  readonly colon: number;
  readonly to: number;
}

/** `text` is known to be valid, so commas and colons on the first level are all there is to look for. */
function partsOf(text: string, { open, close }: { readonly open: string; readonly close: string }): readonly Part[] {
  const parts: Part[] = [];
  const end = text.lastIndexOf(close);
  let from = text.indexOf(open) + 1;
  let depth = 0;
  let colon = -1;
  if (text.slice(from, end).trim() === '') return parts;
  for (let at = from; at <= end; at += 1) {
    const letter = text[at];
    if (at === end || (letter === ',' && depth === 0)) {
      parts.push({ from, colon, to: at });
      from = at + 1;
      colon = -1;
    } else if (letter === '"') at = endOfString(text, at + 1);
    else if (letter === '{' || letter === '[') depth += 1;
    else if (letter === '}' || letter === ']') depth -= 1;
    else if (letter === ':' && depth === 0) colon = at;
  }
  return parts;
}

/** How nested tags are written. */
interface NestedTextForm {
  /** Stands before each tag. */
  readonly mark: string;
  /** Tags that mean something else. */
  readonly reserved: readonly string[];
}

/**
 * A past value that is a list or an object as tags inside tags, each with a marker in front: `M<item>…M</item>` for the
 * elements of a list, `M<key>…M</key>` for the members of an object. Undefined where reading the tags would give another
 * value, and for all other values: these are as text or JSON.
 */
export function nestedText(json: string, schema: SchemaView, form: NestedTextForm, depth = 0): string | undefined {
  if (depth >= deepestNesting) return undefined;
  const elements = json.startsWith('[') ? listElements(json, schema) : objectElements(json, schema);
  if (elements === undefined || elements.length === 0) return undefined;
  const { mark, reserved } = form;
  const written = elements.map(({ tag, json: inner, schema: its }) => {
    const text = nestedText(inner, its, form, depth + 1) ?? leafText(inner, its, mark);
    return text === undefined || reserved.includes(tag) ? undefined : `${mark}<${tag}>${text}${mark}</${tag}>`;
  });
  return written.includes(undefined) ? undefined : written.join('');
}

interface TaggedElement {
  readonly tag: string;
  readonly json: string;
  readonly schema: SchemaView;
}

function listElements(json: string, schema: SchemaView): readonly TaggedElement[] | undefined {
  if (!schema.admits('array') || (schema.admits('object') && schema.known('item'))) return undefined;
  return jsonItems(json)?.map((item, index) => ({ tag: 'item', json: item, schema: schema.items(index) }));
}

function objectElements(json: string, schema: SchemaView): readonly TaggedElement[] | undefined {
  if (!json.startsWith('{') || !schema.admits('object')) return undefined;
  const members = jsonMembers(json) ?? [];
  // Beside a list, a first tag named `item` is an element's.
  if (schema.admits('array') && members[0]?.key === 'item' && !schema.known('item')) return undefined;
  if (!members.every(({ key }) => isTagName(key))) return undefined;
  return members.map(({ key, json: value }) => ({ tag: key, json: value, schema: schema.property(key) }));
}

function leafText(json: string, schema: SchemaView, mark: string): string | undefined {
  if (json.startsWith('"')) {
    return pastText({ json, value: JSON.parse(json), schema }, { markup: [mark], padded: 'never' });
  }
  // What is raw up to its closer, wherever it begins, has to be escaped, as all of it is in JSON.
  if (json.includes(cdataOpen)) return undefined;
  const read = coerceText(json, schema);
  return read.warning === undefined && read.json === json ? json : undefined;
}

/** Letters, digits and `_ - .`: what a tag may be called wherever it stands. */
function isTagName(name: string): boolean {
  if (name === '' || name.length > longestTag) return false;
  return [...name].every((sign) => sign === '.' || isPlainCharacter(sign.charCodeAt(0)));
}

/** Longer names are in JSON. */
const longestTag = 64;
