import type { Part, TextPart } from '../../chat/message.ts';
import type { JsonObject } from '../read-values.ts';
import { badRequest, isAbsent, isObject, kindOf, type Path, readString, unsupported } from '../read-values.ts';
import { annotationsExtra } from './annotations.ts';
import { quote, type ReadRules } from './read-rules.ts';

/** Who a message is from, as far as its parts differ. */
export type ContentRole = 'user' | 'system' | 'assistant';

/** The type that a text has in a message of each role. Mixing them up is the classic mistake with this API. */
const textTypes: { readonly [role in ContentRole]: string } = {
  user: 'input_text',
  system: 'input_text',
  assistant: 'output_text',
};

const knownTextTypes: readonly unknown[] = ['input_text', 'output_text', 'text', 'summary_text', 'reasoning_text'];

interface ContentRules {
  readonly role: ContentRole;
  readonly notes: ReadRules;
}

/** A message's content: a string, or parts whose types fit its role. Absent content is refused. */
export function readContent(value: unknown, path: Path, rules: ContentRules): readonly Part[] {
  if (typeof value === 'string')
    return value === '' && rules.role === 'assistant' ? [] : [{ type: 'text', text: value }];
  if (isAbsent(value)) {
    if (rules.role === 'assistant') return [];
    throw badRequest(path, 'is required.');
  }
  if (!Array.isArray(value)) throw badRequest(path, `must be a string or a list of parts, not ${kindOf(value)}.`);
  return value.map((part: unknown, index) => readPart(part, `${path}[${index}]`, rules));
}

/** The model's own text, refusals among it. */
export function readAssistantContent(value: unknown, path: Path, notes: ReadRules): readonly TextPart[] {
  return readContent(value, path, { role: 'assistant', notes }).filter((part) => part.type === 'text');
}

/** A tool's output. Parts that are not known become their JSON text: an output is never refused for its form. */
export function readToolOutput(value: unknown, path: Path, notes: ReadRules): readonly Part[] {
  if (isAbsent(value)) throw badRequest(path, 'is required; send "" for an empty output.');
  if (typeof value === 'string') return [{ type: 'text', text: value }];
  if (!Array.isArray(value)) return [{ type: 'text', text: JSON.stringify(value) }];
  return value.map((part: unknown, index): Part => {
    if (isObject(part)) {
      if (knownTextTypes.includes(part.type) && typeof part.text === 'string') return { type: 'text', text: part.text };
      if (part.type === 'input_image' && typeof part.image_url === 'string') {
        return readImage(part, `${path}[${index}]`, notes);
      }
    }
    return { type: 'text', text: typeof part === 'string' ? part : JSON.stringify(part) };
  });
}

function readPart(value: unknown, path: Path, { role, notes }: ContentRules): Part {
  if (!isObject(value)) throw badRequest(path, `must be an object, not ${kindOf(value)}.`);
  const { type } = value;
  if (type === textTypes[role]) {
    const text = readString(value.text, `${path}.text`);
    const { annotations } = value;
    const isCited = Array.isArray(annotations) && annotations.length > 0;
    return isCited ? { type: 'text', text, extra: annotationsExtra(annotations) } : { type: 'text', text };
  }
  if (type === 'refusal' && (role === 'assistant' || notes.lenient)) {
    return { type: 'text', text: readString(value.refusal, `${path}.refusal`), refusal: true };
  }
  if (knownTextTypes.includes(type)) return readOtherText(value, path, { role, notes });
  if (type === 'input_image' && role === 'user') return readImage(value, path, notes);
  return refusePart(type, path, role);
}

/** A text under the type of another role or API. */
function readOtherText(part: JsonObject, path: Path, { role, notes }: ContentRules): Part {
  if (!notes.lenient) {
    const whose = role === 'assistant' ? 'an assistant message' : `a ${role} message`;
    throw badRequest(`${path}.type`, `${quote(part.type)} does not belong in ${whose}; use "${textTypes[role]}".`);
  }
  return { type: 'text', text: readString(part.text, `${path}.text`) };
}

function readImage(part: JsonObject, path: Path, notes: ReadRules): Part {
  if (isAbsent(part.image_url) && !isAbsent(part.file_id)) {
    throw unsupported(
      `${path}.file_id`,
      'uploaded files are not known here; send image_url, which may be a data: URL.',
    );
  }
  // The form of Chat Completions.
  const nested = notes.lenient && isObject(part.image_url) ? part.image_url.url : part.image_url;
  const url = readString(nested, `${path}.image_url`);
  return typeof part.detail === 'string' ? { type: 'image', url, detail: part.detail } : { type: 'image', url };
}

function refusePart(type: unknown, path: Path, role: ContentRole): never {
  switch (type) {
    case 'input_file':
    case 'input_video':
    case 'input_audio':
      throw unsupported(`${path}.type`, `parts of type "${type}" are not supported; send text or pictures.`);
    case 'input_image':
      throw badRequest(`${path}.type`, `pictures are only in user messages, not in a message of the role ${role}.`);
    case 'image_url':
      throw badRequest(`${path}.type`, '"image_url" belongs to Chat Completions; send "input_image" here.');
    default:
      throw badRequest(
        `${path}.type`,
        typeof type === 'string'
          ? `parts of type ${quote(type)} are not known; use "${textTypes[role]}".`
          : `must be a string, not ${kindOf(type)}.`,
      );
  }
}
