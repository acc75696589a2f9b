import { endOfString } from '../../json/json-strings.ts';

/** One member of a JSON object with its value's own text. */
export interface JsonMember {
  readonly key: string;
  /** The value exactly as written, without white space around it: long numbers keep their digits. */
  readonly json: string;
}

/**
 * The members of an object in JSON text, in their order. Of a repeated key the last value counts, as everywhere in
 * JSON. Empty text is an object without members; text that is one JSON string holding an object is read as that object.
 * Undefined for anything else.
 */
export function jsonMembers(text: string): readonly JsonMember[] | undefined {
  if (text.trim() === '') return [];
  const value = parse(text);
  if (typeof value === 'string') return isObject(parse(value)) ? split(value) : undefined;
  return isObject(value) ? split(text) : undefined;
}

/** Whether `jsonMembers` finds an object. */
export function hasJsonMembers(text: string): boolean {
  if (text.trim() === '') return true;
  const value = parse(text);
  return isObject(typeof value === 'string' ? parse(value) : value);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The elements of a list in JSON text, each with its own text. Undefined for anything else. */
export function jsonItems(text: string): readonly string[] | undefined {
  if (!Array.isArray(parse(text))) return undefined;
  return partsOf(text, { open: '[', close: ']' }).map(({ from, to }) => text.slice(from, to).trim());
}

function split(text: string): readonly JsonMember[] {
  const members = new Map<string, string>();
  for (const { from, colon, to } of partsOf(text, { open: '{', close: '}' })) {
    const key: unknown = JSON.parse(text.slice(from, colon));
    if (typeof key === 'string') members.set(key, text.slice(colon + 1, to).trim());
  }
  return [...members].map(([key, json]) => ({ key, json }));
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
