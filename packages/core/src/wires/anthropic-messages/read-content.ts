import type { ImagePart, Part, TextPart } from '../../chat/message.ts';
import {
  badRequest,
  isAbsent,
  isObject,
  type JsonObject,
  kindOf,
  type Path,
  type ReadNotes,
  readList,
  readObject,
  readString,
} from '../read-values.ts';
import { asExtra } from './types.ts';

/** Blocks of other APIs, which people send here by mistake. */
const foreignBlocks: readonly string[] = [
  'image_url',
  'input_text',
  'output_text',
  'input_image',
  'input_audio',
  'file',
];

/** Blocks that only the model writes. */
const modelBlocks: readonly string[] = ['thinking', 'redacted_thinking', 'tool_use', 'server_tool_use'];

/** System text: a string, or text blocks. An empty string is none. */
export function readSystemContent(value: unknown, path: Path, notes: ReadNotes): readonly TextPart[] {
  if (typeof value === 'string') return value === '' ? [] : [{ type: 'text', text: value }];
  return readList(value, path).map((one, index): TextPart => {
    const part = readContent(one, `${path}[${index}]`, notes);
    if (part.type !== 'text') throw badRequest(`${path}[${index}].type`, 'system text holds only text blocks.');
    return part;
  });
}

/** A tool's output: a string, or blocks. None at all is an empty output. */
export function readResultContent(value: unknown, path: Path, notes: ReadNotes): readonly Part[] {
  if (isAbsent(value)) return [];
  if (typeof value === 'string') return [{ type: 'text', text: value }];
  return readList(value, path).map((one, index) => readContent(one, `${path}[${index}]`, notes));
}

/** One block of a user's message or of a tool's output. */
export function readContent(value: unknown, path: Path, notes: ReadNotes): Part {
  const block = readObject(value, path);
  switch (block.type) {
    case 'text':
      return readTextBlock(block, path);
    case 'image':
      return readImage(block, path, notes);
    default:
      return readOther(block, path, notes);
  }
}

export function readTextBlock(block: JsonObject, path: Path): TextPart {
  const { type: _type, text, ...own } = block;
  return { type: 'text', text: readString(text, `${path}.text`), ...asExtra(own) };
}

function readImage(block: JsonObject, path: Path, notes: ReadNotes): Part {
  const { type: _type, source, ...own } = block;
  const at = `${path}.source`;
  const from = readObject(source, at);
  const image = (url: string): ImagePart => ({ type: 'image', url, ...asExtra(own) });
  switch (from.type) {
    case 'base64':
      return image(
        `data:${readString(from.media_type, `${at}.media_type`)};base64,${readString(from.data, `${at}.data`)}`,
      );
    case 'url':
      return image(readString(from.url, `${at}.url`));
    // A file lives at Anthropic, so only Anthropic can show it.
    case 'file':
      return readOther(block, path, notes);
    default:
      throw badRequest(`${at}.type`, 'must be base64, url or file.');
  }
}

/**
 * A block that no other wire knows. It rides whole, for an upstream of this wire; for all others its text is in its
 * place, or a note where it has none.
 */
function readOther(block: JsonObject, path: Path, notes: ReadNotes): TextPart {
  const { type } = block;
  if (typeof type !== 'string') throw badRequest(`${path}.type`, `must be a string, not ${kindOf(type)}.`);
  if (foreignBlocks.includes(type))
    throw badRequest(`${path}.type`, `"${type}" belongs to another API; send text or image.`);
  if (modelBlocks.includes(type))
    throw badRequest(`${path}.type`, `"${type}" belongs into a message with role "assistant".`);
  const text = textWithin(block);
  if (text === undefined) {
    notes.add({
      code: 'part-dropped',
      message: `${path} can be read only by Anthropic's own models; for others a note is in its place.`,
    });
  }
  return { type: 'text', text: text ?? `[a ${type.slice(0, 40)} that you cannot read]`, ...asExtra({ block }) };
}

/** The text of documents that are text, of search results and of references to tools. */
function textWithin(block: JsonObject): string | undefined {
  if (block.type === 'tool_reference' && typeof block.tool_name === 'string') return block.tool_name;
  const source = isObject(block.source) ? block.source : block;
  const inner = source.type === 'text' ? source.data : source.content;
  if (typeof inner === 'string') return inner;
  if (!Array.isArray(inner)) return undefined;
  const texts = inner.flatMap((one) => (isObject(one) && typeof one.text === 'string' ? [one.text] : []));
  return texts.length === 0 ? undefined : texts.join('\n');
}
