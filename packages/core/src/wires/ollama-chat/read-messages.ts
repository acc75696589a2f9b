import type { ImagePart, Message, ReasoningPart, TextPart, ToolCallPart, ToolMessage } from '../../chat/message.ts';
import { jsonOf } from '../../json/exact-json.ts';
import { imageType } from '../image-type.ts';
import {
  badRequest,
  isAbsent,
  isObject,
  kindOf,
  type Path,
  type ReadNotes,
  RequestFields,
  readArguments,
  readList,
  readMessageList,
  readString,
  unsupported,
  wrongWord,
} from '../read-values.ts';
import { fillCallIds } from './fill-call-ids.ts';

/** The conversation so far; every call and every result that belongs to one has an id when it is read. */
export function readMessages(value: unknown, notes: ReadNotes): readonly Message[] {
  return fillCallIds(readMessageList(value).map((message, index) => readMessage(message, `messages[${index}]`, notes)));
}

function readMessage(value: unknown, path: Path, notes: ReadNotes): Message {
  const fields = RequestFields.at(value, path);
  const message = readByRole(fields, notes);
  notes.ignoreUnread(fields, 'messages[].');
  return message;
}

function readByRole(fields: RequestFields, notes: ReadNotes): Message {
  const role = fields.value('role');
  switch (role) {
    case 'system':
    case 'developer':
      return { role: 'system', content: readParts(fields) };
    case 'user':
      return { role: 'user', content: readParts(fields) };
    case 'assistant':
      return {
        role: 'assistant',
        content: [
          ...readReasoning(fields),
          ...readText(fields.value('content'), `${fields.path}content`),
          ...readCalls(fields.value('tool_calls'), `${fields.path}tool_calls`, notes),
        ],
      };
    case 'tool':
      return readToolMessage(fields);
    default:
      throw wrongWord(
        `${fields.path}role`,
        role,
        (word) => `${word} is not a role; use system, user, assistant or tool.`,
      );
  }
}

function readParts(fields: RequestFields) {
  const text = readText(fields.value('content'), `${fields.path}content`);
  return [...text, ...readImages(fields.value('images'), `${fields.path}images`)];
}

/** Ollama's own word, or the one that clients of several APIs keep in their history. */
function readReasoning(fields: RequestFields): readonly ReasoningPart[] {
  const text = [fields.value('thinking'), fields.value('reasoning_content')].find(
    (one) => typeof one === 'string' && one !== '',
  );
  return typeof text === 'string' ? [{ type: 'reasoning', text }] : [];
}

function readCalls(list: unknown, path: Path, notes: ReadNotes): readonly ToolCallPart[] {
  if (isAbsent(list)) return [];
  const calls: ToolCallPart[] = [];
  readList(list, path).forEach((value, index) => {
    const at = `${path}[${index}]`;
    const entry = RequestFields.at(value, at);
    const about = entry.value('function');
    if (isObject(about) && typeof about.name === 'string' && about.name !== '') {
      const callId = entry.text('id') ?? '';
      const json = readArguments(about.arguments, `${at}.function.arguments`);
      calls.push({ type: 'tool-call', callId, name: about.name, arguments: json });
    } else notes.add({ code: 'field-dropped', message: `${at} has no function name and was left out.` });
  });
  return calls;
}

/** `name` is what the tool's name was called before `tool_name`. */
function readToolMessage(fields: RequestFields): ToolMessage {
  // It is known, and of no account beside the newer one.
  fields.value('name');
  const name = fields.text('tool_name') ?? fields.text('name');
  return {
    role: 'tool',
    callId: fields.text('tool_call_id') ?? '',
    content: [...readOutput(fields.value('content')), ...readImages(fields.value('images'), `${fields.path}images`)],
    ...(name === undefined || name === '' ? {} : { name }),
  };
}

/** Content is a string on this wire; lists of text parts, which clients of other APIs send, are read too. */
function readText(value: unknown, path: Path): readonly TextPart[] {
  if (isAbsent(value) || value === '') return [];
  if (typeof value === 'string') return [{ type: 'text', text: value }];
  if (!Array.isArray(value)) throw badRequest(path, `must be a string, not ${kindOf(value)}.`);
  return value.map((part, index): TextPart => {
    if (typeof part === 'string') return { type: 'text', text: part };
    const isText = isObject(part) && part.type === 'text';
    if (!isText) throw unsupported(`${path}[${index}]`, 'only text parts are read; images go into "images".');
    return { type: 'text', text: readString(part.text, `${path}[${index}].text`) };
  });
}

/** A tool's output: text as it is, anything else as its JSON text. An output is never refused for its form. */
function readOutput(value: unknown): readonly TextPart[] {
  if (isAbsent(value)) return [];
  return [{ type: 'text', text: typeof value === 'object' && value !== null ? jsonOf(value) : String(value) }];
}

/** Images as base64, without a word on their kind. Addresses, `data:` ones too, are taken as they are. */
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

/** Most images that are none of the known kinds are photographs; upstreams look at the bytes themselves. */
function mediaTypeOf(base64: string): string {
  return imageType(base64) ?? 'image/jpeg';
}
