import type { ImagePart, TextPart } from '../../chat/message.ts';
import { jsonOf } from '../../json/exact-json.ts';
import { pictureType } from '../picture-type.ts';
import {
  badRequest,
  isAbsent,
  isObject,
  kindOf,
  type Path,
  readList,
  readString,
  unsupported,
} from '../read-values.ts';

/** Content is a string on this wire; lists of text parts, which clients of other APIs send, are read too. */
export function readText(value: unknown, path: Path): readonly TextPart[] {
  if (isAbsent(value) || value === '') return [];
  if (typeof value === 'string') return [{ type: 'text', text: value }];
  if (!Array.isArray(value)) throw badRequest(path, `must be a string, not ${kindOf(value)}.`);
  return value.map((part, index): TextPart => {
    if (typeof part === 'string') return { type: 'text', text: part };
    const isText = isObject(part) && part.type === 'text';
    if (!isText) throw unsupported(`${path}[${index}]`, 'only text parts are read; pictures go into "images".');
    return { type: 'text', text: readString(part.text, `${path}[${index}].text`) };
  });
}

/** A tool's output: text as it is, anything else as its JSON text. An output is never refused for its form. */
export function readOutput(value: unknown): readonly TextPart[] {
  if (isAbsent(value)) return [];
  return [{ type: 'text', text: typeof value === 'object' && value !== null ? jsonOf(value) : String(value) }];
}

/** Pictures as base64, without a word on their kind. Addresses, `data:` ones too, are taken as they are. */
export function readImages(value: unknown, path: Path): readonly ImagePart[] {
  if (isAbsent(value)) return [];
  return readList(value, path).map((image, index): ImagePart => {
    const at = `${path}[${index}]`;
    const text = readString(image, at);
    if (text === '') throw badRequest(at, 'must not be empty.');
    const isAddress = text.startsWith('data:') || text.startsWith('http://') || text.startsWith('https://');
    return { type: 'image', url: isAddress ? text : `data:${mediaTypeOf(text)};base64,${text}` };
  });
}

/** Most pictures that are none of the known kinds are photographs; upstreams look at the bytes themselves. */
function mediaTypeOf(base64: string): string {
  return pictureType(base64) ?? 'image/jpeg';
}
