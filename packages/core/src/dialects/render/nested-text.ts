import { coerceText } from '../../json/coerce.ts';
import type { SchemaView } from '../../json/schema.ts';
import { deepestNesting } from '../forms/tags/nested-value.ts';
import { cdataOpen } from '../forms/tags/value-end.ts';
import { jsonItems, jsonMembers } from './json-members.ts';
import { writeTextValue } from './text-value.ts';

/** How nested tags are written. */
export interface NestedTextForm {
  /** Stands in front of each tag. */
  readonly mark: string;
  /** Tags that mean something else. */
  readonly reserved: readonly string[];
}

/**
 * A past value that is a list or an object as tags inside tags, each with a marker in front: `M<item>…M</item>` for the
 * elements of a list, `M<key>…M</key>` for the members of an object. Undefined where reading the tags would give another
 * value, and for all other values: these stand as text or JSON.
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
  if (json.startsWith('"')) return writeTextValue({ key: '', json }, { schema, markup: [mark], padded: 'never' });
  // What is raw up to its closer, wherever it begins, has to be escaped, as all of it is in JSON.
  if (json.includes(cdataOpen)) return undefined;
  const read = coerceText(json, schema);
  return read.issue === undefined && read.json === json ? json : undefined;
}

/** Letters, digits and `_ - .`: what a tag may be called wherever it stands. */
function isTagName(name: string): boolean {
  for (let index = 0; index < name.length; index += 1) {
    const code = name.charCodeAt(index);
    const letter = (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
    if (!letter && code !== 95 && code !== 45 && code !== 46) return false;
  }
  return name !== '' && name.length <= longestTag;
}

/** Longer names stand in JSON. */
const longestTag = 64;
