import { coerceText } from '../../../json/coerce.ts';
import { escapeJson } from '../../../json/json-escape.ts';
import type { SchemaView } from '../../../json/schema.ts';

/** Tags nested deeper than this are not read. */
const deepest = 32;

/**
 * A list or object that was written as nested tags instead of JSON, as JSON text: `<item>…</item>` for the elements of a
 * list, `<key>…</key>` for the members of an object. Undefined when the text is anything else.
 */
export function readNestedTags(text: string, schema: SchemaView, depth = 0): string | undefined {
  if (depth > deepest) return undefined;
  const children = readChildren(text);
  if (children === undefined || children.length === 0) return undefined;
  if (schema.admits('array')) {
    const [first] = children;
    if (children.some((child) => child.tag !== first?.tag)) return undefined;
    const items = children.map((child, index) => readValue(child.text, schema.items(index), depth + 1));
    return items.includes(undefined) ? undefined : `[${items.join(',')}]`;
  }
  if (!schema.admits('object') || new Set(children.map((child) => child.tag)).size < children.length) return undefined;
  const members = children.map((child) => {
    const value = readValue(child.text, schema.property(child.tag), depth + 1);
    return value === undefined ? undefined : `"${escapeJson(child.tag)}":${value}`;
  });
  return members.includes(undefined) ? undefined : `{${members.join(',')}}`;
}

function readValue(text: string, schema: SchemaView, depth: number): string | undefined {
  const value = coerceText(text, schema);
  return value.issue === 'value-kept' ? readNestedTags(text, schema, depth) : value.json;
}

interface Child {
  readonly tag: string;
  readonly text: string;
}

/** The elements of a text that is nothing but `<tag>…</tag>` elements and white space. */
function readChildren(text: string): readonly Child[] | undefined {
  const children: Child[] = [];
  let at = 0;
  while (true) {
    while (at < text.length && text.charCodeAt(at) <= 32) at += 1;
    if (at === text.length) return children;
    const open = text[at] === '<' ? text.indexOf('>', at) : -1;
    const tag = text.slice(at + 1, open);
    if (open < 0 || tag === '' || !isTagName(tag)) return undefined;
    const closer = `</${tag}>`;
    const close = closeOf(text, { opener: `<${tag}>`, closer }, open + 1);
    if (close < 0) return undefined;
    children.push({ tag, text: text.slice(open + 1, close) });
    at = close + closer.length;
  }
}

/** Index of the closer that belongs to the opener in front of `from`, counting the tags of the same name in between. Looks at each place once. */
function closeOf(
  text: string,
  { opener, closer }: { readonly opener: string; readonly closer: string },
  from: number,
): number {
  let open = 1;
  let at = from;
  while (true) {
    const close = text.indexOf(closer, at);
    if (close < 0) return -1;
    open += countOf(opener, text.slice(at, close)) - 1;
    if (open === 0) return close;
    at = close + closer.length;
  }
}

function countOf(literal: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(literal); at >= 0; at = text.indexOf(literal, at + literal.length)) count += 1;
  return count;
}

function isTagName(name: string): boolean {
  for (let index = 0; index < name.length; index += 1) {
    const code = name.charCodeAt(index);
    const letter = (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95 || code > 127;
    const later = (code >= 48 && code <= 57) || code === 45 || code === 46 || code === 58;
    if (!letter && !(index > 0 && later)) return false;
  }
  return true;
}
