import { coerceText } from '../../../arguments/coerce.ts';
import type { SchemaView } from '../../../arguments/schema.ts';
import { defuseJson } from './defuse-json.ts';
import type { JsonMember } from './json-members.ts';

const cdataOpen = '<![CDATA[';

export interface TextValueForm {
  readonly schema: SchemaView;
  /** The ways the value's closer is written. */
  readonly closers: readonly string[];
  /** The dialect puts a value that holds a newline on lines of its own. */
  readonly padded: boolean;
}

/**
 * A past call's value as text between its tags, so that reading it by the schema gives the same value again. Strings
 * stand as they are; one that would be read as another type, or that holds its own closer, stands in CDATA, which is
 * always read as a string. Other values stand as their JSON text.
 */
export function writeTextValue(member: JsonMember, form: TextValueForm): string {
  const value: unknown = JSON.parse(member.json);
  if (typeof value !== 'string') return defuseJson(member.json, [...form.closers, cdataOpen]);
  const pads = form.padded && value.includes('\n');
  if (needsCdata(value, form) || (pads && value.endsWith('\r'))) return cdata(value);
  return pads ? `\n${value}\n` : value;
}

function needsCdata(text: string, { schema, closers }: TextValueForm): boolean {
  if (text.startsWith(cdataOpen) || closers.some((closer) => text.includes(closer))) return true;
  if (schema.onlyString || schema.untyped) return false;
  if (text.includes(cdataOpen)) return true;
  const read = coerceText(text, schema);
  return read.issue !== undefined || !read.json.startsWith('"') || JSON.parse(read.json) !== text;
}

function cdata(text: string): string {
  return `${cdataOpen}${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
}
