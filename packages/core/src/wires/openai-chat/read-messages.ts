import type {
  AssistantMessage,
  Message,
  Part,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolMessage,
} from '../../chat/message.ts';
import { wrapInput } from '../free-input.ts';
import {
  badRequest,
  isAbsent,
  isObject,
  type JsonObject,
  kindOf,
  type Path,
  type ReadNotes,
  RequestFields,
  readArguments,
  readList,
  readMessageList,
  readString,
  unsupported,
  withExtra,
  wrongWord,
} from '../read-values.ts';
import { extraMessageFields, wireId } from './types.ts';

/** The names under which servers and clients write reasoning. */
const reasoningFields = ['reasoning_content', 'reasoning', 'reasoning_text'] as const;

/** The conversation so far. At least one message has to come from the user. */
export function readMessages(value: unknown, notes: ReadNotes): readonly Message[] {
  const messages = readMessageList(value).map((message, index) => readMessage(message, `messages[${index}]`, notes));
  if (!messages.some((message) => message.role === 'user')) {
    throw badRequest('messages', 'must have at least one message with role "user".');
  }
  return messages;
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
    case 'developer': {
      const content = readContent(fields.value('content'), `${fields.path}content`, { notes, absent: 'empty' });
      return { role: 'system', content, ...withExtra(wireId, fields.pick(extraMessageFields)) };
    }
    case 'user': {
      const name = fields.text('name');
      return {
        role: 'user',
        content: readContent(fields.value('content'), `${fields.path}content`, { notes, absent: 'refused' }),
        ...(name === undefined ? {} : { name }),
        ...withExtra(wireId, fields.pick(withoutName)),
      };
    }
    case 'assistant':
      return readAssistantMessage(fields, notes);
    case 'tool':
    case 'function':
      return readToolMessage(fields, notes);
    default:
      throw wrongWord(
        `${fields.path}role`,
        role,
        (word) => `${word} is not a role; use system, developer, user, assistant or tool.`,
      );
  }
}

const withoutName = extraMessageFields.filter((field) => field !== 'name');

function readAssistantMessage(fields: RequestFields, notes: ReadNotes): AssistantMessage {
  const thought = reasoningIn(fields.pick(reasoningFields));
  const reasoning: ReasoningPart[] = thought === '' ? [] : [{ type: 'reasoning', text: thought }];
  const said = fields.value('content');
  const text = readAssistantContent(said, `${fields.path}content`, notes);
  const refusal = fields.text('refusal');
  const called = { tool_calls: fields.value('tool_calls'), function_call: fields.value('function_call') };
  const calls = readCalls(called, fields.path, notes);
  const spoke = reasoning.length > 0 || refusal !== undefined || !isAbsent(called.tool_calls);
  if (isAbsent(said) && isAbsent(called.function_call) && !spoke) {
    throw badRequest(`${fields.path}content`, 'is required in an assistant message without tool_calls.');
  }
  return {
    role: 'assistant',
    content: [...reasoning, ...text, ...readRefusal(refusal), ...calls],
    ...withExtra(wireId, fields.pick(extraMessageFields)),
  };
}

function readRefusal(text = ''): readonly TextPart[] {
  return text === '' ? [] : [{ type: 'text', text, refusal: true }];
}

/** What is in the first that holds text: several at once hold the same. */
export function reasoningIn(fields: JsonObject): string {
  for (const name of reasoningFields) {
    const text = fields[name];
    if (typeof text === 'string' && text !== '') return text;
  }
  return '';
}

function readCalls(message: JsonObject, path: Path, notes: ReadNotes): readonly ToolCallPart[] {
  const calls: ToolCallPart[] = [];
  if (!isAbsent(message.tool_calls)) {
    readList(message.tool_calls, `${path}tool_calls`).forEach((value, index) => {
      const at = `${path}tool_calls[${index}]`;
      const entry = RequestFields.at(value, at);
      const type = entry.value('type');
      if (!isAbsent(type) && type !== 'function' && type !== 'custom') {
        throw unsupported(`${at}.type`, 'only calls of type "function" or "custom" are supported.');
      }
      const callId = entry.text('id') ?? '';
      const call =
        type === 'custom'
          ? readCustomCall(entry.value('custom'), `${at}.custom`, callId)
          : readCall(entry.value('function'), `${at}.function`, callId);
      if (call !== undefined) calls.push(call);
      else notes.add({ code: 'field-dropped', message: `${at} has no function name and was left out.` });
    });
  }
  if (!isAbsent(message.function_call)) {
    const call = readCall(message.function_call, `${path}function_call`, '');
    if (call !== undefined) calls.push(call);
  }
  return calls;
}

/** One call; `undefined` when it has no name, so that nobody could have answered it. */
function readCall(value: unknown, path: Path, callId: string): ToolCallPart | undefined {
  if (!isObject(value) || typeof value.name !== 'string' || value.name === '') return undefined;
  return {
    type: 'tool-call',
    callId,
    name: value.name,
    arguments: readArguments(value.arguments, `${path}.arguments`),
  };
}

/** A call of a tool that takes free text. */
function readCustomCall(value: unknown, path: Path, callId: string): ToolCallPart | undefined {
  if (!isObject(value) || typeof value.name !== 'string' || value.name === '') return undefined;
  const input = RequestFields.at(value, path).text('input') ?? '';
  return { type: 'tool-call', callId, name: value.name, arguments: wrapInput(input) };
}

function readToolMessage(fields: RequestFields, notes: ReadNotes): ToolMessage {
  const name = fields.text('name');
  const status = readStatus(fields.value('is_error'), fields.value('status'));
  return {
    role: 'tool',
    callId: fields.text('tool_call_id') ?? '',
    content: readToolContent(fields.value('content'), `${fields.path}content`, notes),
    ...(name === undefined ? {} : { name }),
    ...(status === undefined ? {} : { status }),
    ...withExtra(wireId, fields.pick(withoutName)),
  };
}

/** What the client says outright of the outcome. The wire has no such field, but several clients send one of these. */
function readStatus(isError: unknown, status: unknown): 'ok' | 'error' | undefined {
  if (isError === true || status === 'error') return 'error';
  if (isError === false || status === 'ok' || status === 'success') return 'ok';
  return undefined;
}

/** What content is allowed to be, besides a string and a list of parts. */
interface ContentRules {
  readonly notes: ReadNotes;
  /** Absent or null content: nothing at all, or a mistake. */
  readonly absent: 'empty' | 'refused';
}

/**
 * Content in any of its spellings as parts. Numbers, flags and objects become their JSON text. Absent content is `[]`
 * where the rules allow it.
 */
function readContent(value: unknown, path: Path, rules: ContentRules): readonly Part[] {
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
function readAssistantContent(value: unknown, path: Path, notes: ReadNotes): readonly TextPart[] {
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
function readToolContent(value: unknown, path: Path, notes: ReadNotes): readonly Part[] {
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
      notes.ignoreOthers(value, ['type', 'text'], 'messages[].content[].');
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
      throw wrongWord(
        `${path}.type`,
        value.type,
        (word) => `parts of type ${word} are not known; send text or image_url.`,
      );
  }
}

function readImage(part: JsonObject, path: Path, notes: ReadNotes): Part {
  notes.ignoreOthers(part, ['type', 'image_url'], 'messages[].content[].');
  const image = part.image_url;
  if (typeof image === 'string') return { type: 'image', url: image };
  if (!isObject(image)) throw badRequest(`${path}.image_url`, `must be an object, not ${kindOf(image)}.`);
  notes.ignoreOthers(image, ['url', 'detail'], 'messages[].content[].');
  const url = readString(image.url, `${path}.image_url.url`);
  return typeof image.detail === 'string' ? { type: 'image', url, detail: image.detail } : { type: 'image', url };
}
