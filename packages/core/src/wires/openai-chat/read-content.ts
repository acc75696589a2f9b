import type { Part, TextPart } from '../../chat/message.ts';
import {
  badRequest,
  isAbsent,
  isObject,
  type JsonObject,
  kindOf,
  type Path,
  type ReadNotes,
  readString,
  unsupported,
} from '../read-values.ts';

/** What content is allowed to be, besides a string and a list of parts. */
export interface ContentRules {
  readonly notes: ReadNotes;
  /** Absent or null content: nothing at all, or a mistake. */
  readonly absent: 'empty' | 'refused';
}

/**
 * Content in any of its spellings as parts. Numbers, flags and objects become their JSON text. Absent content is `[]`
 * where the rules allow it.
 */
export function readContent(value: unknown, path: Path, rules: ContentRules): readonly Part[] {
  if (isAbsent(value)) {
    if (rules.absent === 'refused') throw badRequest(path, 'is required.');
    return [];
  }
  if (typeof value === 'string') return [{ type: 'text', text: value }];
  if (Array.isArray(value)) {
    if (value.length === 0 && rules.absent === 'refused') throw badRequest(path, 'must have at least one part.');
    return value.map((part, index) => readPart(part, `${path}[${index}]`, rules.notes));
  }
  return [{ type: 'text', text: JSON.stringify(value) }];
}

/** Content of the model's own messages: text and refusals. */
export function readAssistantContent(value: unknown, path: Path, notes: ReadNotes): readonly TextPart[] {
  if (isAbsent(value)) return [];
  if (typeof value === 'string') return value === '' ? [] : [{ type: 'text', text: value }];
  if (!Array.isArray(value)) return [{ type: 'text', text: JSON.stringify(value) }];
  return value.map((part, index): TextPart => {
    const at = `${path}[${index}]`;
    if (isObject(part) && part.type === 'refusal')
      return { type: 'text', text: readString(part.refusal, `${at}.refusal`), refusal: true };
    const read = readPart(part, at, notes);
    if (read.type !== 'text') throw badRequest(`${at}.type`, 'an assistant message holds only text and refusal parts.');
    return read;
  });
}

/** A tool's output. Parts of kinds that are not known become their JSON text: an output is never refused for its form. */
export function readToolContent(value: unknown, path: Path, notes: ReadNotes): readonly Part[] {
  if (!Array.isArray(value)) return readContent(value, path, { notes, absent: 'empty' });
  return value.map((part, index): Part => {
    const known = isObject(part) && (part.type === 'text' || part.type === 'image_url');
    if (known) return readPart(part, `${path}[${index}]`, notes);
    return { type: 'text', text: typeof part === 'string' ? part : JSON.stringify(part) };
  });
}

function readPart(value: unknown, path: Path, notes: ReadNotes): Part {
  if (typeof value === 'string') return { type: 'text', text: value };
  if (!isObject(value)) throw badRequest(path, `must be an object, not ${kindOf(value)}.`);
  switch (value.type) {
    case 'text':
      noteUnread(value, ['type', 'text'], notes);
      return { type: 'text', text: readString(value.text, `${path}.text`) };
    case 'image_url':
      return readImage(value, path, notes);
    case 'input_audio':
    case 'file':
      throw unsupported(`${path}.type`, `parts of type "${value.type}" are not supported; send text or image_url.`);
    case 'input_text':
    case 'output_text':
    case 'input_image':
      throw badRequest(`${path}.type`, `"${value.type}" belongs to the Responses API; send text or image_url here.`);
    default:
      throw badRequest(
        `${path}.type`,
        typeof value.type === 'string'
          ? `parts of type "${value.type.slice(0, 40)}" are not known; send text or image_url.`
          : `must be a string, not ${kindOf(value.type)}.`,
      );
  }
}

function readImage(part: JsonObject, path: Path, notes: ReadNotes): Part {
  noteUnread(part, ['type', 'image_url'], notes);
  const image = part.image_url;
  if (typeof image === 'string') return { type: 'image', url: image };
  if (!isObject(image)) throw badRequest(`${path}.image_url`, `must be an object, not ${kindOf(image)}.`);
  noteUnread(image, ['url', 'detail'], notes);
  const url = readString(image.url, `${path}.image_url.url`);
  return typeof image.detail === 'string' ? { type: 'image', url, detail: image.detail } : { type: 'image', url };
}

function noteUnread(part: JsonObject, read: readonly string[], notes: ReadNotes): void {
  for (const field of Object.keys(part)) {
    if (!read.includes(field)) notes.ignore(`messages[].content[].${field}`);
  }
}
