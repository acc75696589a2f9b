import { coerceText } from '../../json/coerce.ts';
import type { SchemaView } from '../../json/schema.ts';
import { cdataClose, cdataOpen } from '../forms/tags/value-end.ts';
import { escapeJsonMarkers } from './escape-json-markers.ts';
import type { JsonMember } from './json-members.ts';

/** How a dialect writes one value, and what that value may be. */
export interface TextValueForm {
  readonly schema: SchemaView;
  /** What would be read as markup inside the value: its closer, and openers of calls. */
  readonly markup: readonly string[];
  /** The dialect puts values on lines of their own: none, those that hold a newline, or all. */
  readonly padded: 'never' | 'lines' | 'always';
}

/**
 * A past call's value as text between its tags, so that reading it by the schema gives the same value again. Strings
 * stand as they are; one that would be read as another type, or that holds markup, stands in CDATA, which is
 * always read as a string. Other values stand as their JSON text.
 */
export function writeTextValue(member: JsonMember, form: TextValueForm): string {
  const value: unknown = JSON.parse(member.json);
  const pad = (text: string) => (form.padded === 'always' ? `\n${text}\n` : text);
  if (typeof value !== 'string') return pad(escapeJsonMarkers(member.json, [...form.markup, cdataOpen]));
  const pads = form.padded === 'always' || (form.padded === 'lines' && value.includes('\n'));
  if (needsCdata(value, form) || (pads && value.endsWith('\r'))) return pad(cdata(value));
  return pads ? `\n${value}\n` : value;
}

function needsCdata(text: string, { schema, markup }: TextValueForm): boolean {
  if (text.startsWith(cdataOpen) || markup.some((literal) => text.includes(literal))) return true;
  if (schema.onlyString) return false;
  if (text.includes(cdataOpen)) return true;
  const read = coerceText(text, schema);
  return read.issue !== undefined || !read.json.startsWith('"') || JSON.parse(read.json) !== text;
}

function cdata(text: string): string {
  return `${cdataOpen}${text.replaceAll(cdataClose, `]]${cdataClose}${cdataOpen}>`)}${cdataClose}`;
}
