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

/** `text` is known to be a valid object, so commas and colons on the first level are all there is to look for. */
function split(text: string): readonly JsonMember[] {
  const members = new Map<string, string>();
  const end = text.lastIndexOf('}');
  let start = text.indexOf('{') + 1;
  let depth = 0;
  let colon = -1;
  const close = (at: number) => {
    if (colon < 0) return;
    const key: unknown = JSON.parse(text.slice(start, colon));
    if (typeof key === 'string') members.set(key, text.slice(colon + 1, at).trim());
    start = at + 1;
    colon = -1;
  };
  for (let at = start; at < end; at += 1) {
    const letter = text[at];
    if (letter === '"') at = endOfString(text, at);
    else if (letter === '{' || letter === '[') depth += 1;
    else if (letter === '}' || letter === ']') depth -= 1;
    else if (letter === ':' && depth === 0) colon = at;
    else if (letter === ',' && depth === 0) close(at);
  }
  close(end);
  return [...members].map(([key, json]) => ({ key, json }));
}

/** The index of the closing quote of the string that opens at `at`. */
function endOfString(text: string, at: number): number {
  let index = at + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1;
  return index;
}
