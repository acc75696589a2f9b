import type {
  AssistantMessage,
  Extra,
  Message,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolMessage,
} from '../../chat/message.ts';
import { jsonOf } from '../../json/exact-json.ts';
import { wrapInput } from '../free-input.ts';
import {
  badRequest,
  isAbsent,
  isObject,
  type JsonObject,
  kindOf,
  type Path,
  pick,
  type ReadNotes,
  readList,
  readObject,
  readOptionalString,
  readString,
  unsupported,
} from '../read-values.ts';
import { readAssistantContent, readContent, readToolContent } from './read-content.ts';
import { ridingMessageFields, wireId } from './types.ts';

/** The names under which servers and clients write reasoning. The first that holds text counts. */
export const reasoningFields = ['reasoning_content', 'reasoning', 'reasoning_text'] as const;

/** Fields that are read from any message; what else it has rides along or is named as ignored. */
const readFields: readonly string[] = ['role', 'content', ...ridingMessageFields];
const assistantFields: readonly string[] = [
  ...readFields,
  ...reasoningFields,
  'refusal',
  'tool_calls',
  'function_call',
];
const toolFields: readonly string[] = [...readFields, 'tool_call_id', 'is_error', 'status'];

/** The conversation so far. At least one message has to come from the user. */
export function readMessages(value: unknown, notes: ReadNotes): readonly Message[] {
  if (isAbsent(value)) throw badRequest('messages', 'is required.');
  const list = readList(value, 'messages');
  if (list.length === 0) throw badRequest('messages', 'must have at least one message.');
  const messages = list.map((message, index) => readMessage(message, `messages[${index}]`, notes));
  if (!messages.some((message) => message.role === 'user')) {
    throw badRequest('messages', 'must have at least one message with role "user".');
  }
  return messages;
}

function readMessage(value: unknown, path: Path, notes: ReadNotes): Message {
  const message = readObject(value, path);
  const content = `${path}.content`;
  switch (message.role) {
    case 'system':
    case 'developer':
      noteUnread(message, readFields, notes);
      return {
        role: 'system',
        content: readContent(message.content, content, { notes, absent: 'empty' }),
        ...extraOf(message, ridingMessageFields),
      };
    case 'user': {
      noteUnread(message, readFields, notes);
      const name = readOptionalString(message.name, `${path}.name`);
      return {
        role: 'user',
        content: readContent(message.content, content, { notes, absent: 'refused' }),
        ...(name === undefined ? {} : { name }),
        ...extraOf(message, withoutName),
      };
    }
    case 'assistant':
      return readAssistantMessage(message, path, notes);
    case 'tool':
    case 'function':
      return readToolMessage(message, path, notes);
    default:
      throw badRequest(
        `${path}.role`,
        typeof message.role === 'string'
          ? `"${message.role.slice(0, 40)}" is not a role; use system, developer, user, assistant or tool.`
          : `must be a string, not ${kindOf(message.role)}.`,
      );
  }
}

const withoutName = ridingMessageFields.filter((field) => field !== 'name');

function readAssistantMessage(message: JsonObject, path: Path, notes: ReadNotes): AssistantMessage {
  noteUnread(message, assistantFields, notes);
  const reasoning = readReasoning(message);
  const text = readAssistantContent(message.content, `${path}.content`, notes);
  const refusal = readRefusal(message, path);
  const calls = readCalls(message, path, notes);
  const spoke = reasoning.length > 0 || !isAbsent(message.refusal) || !isAbsent(message.tool_calls);
  if (isAbsent(message.content) && isAbsent(message.function_call) && !spoke) {
    throw badRequest(`${path}.content`, 'is required in an assistant message without tool_calls.');
  }
  return {
    role: 'assistant',
    content: [...reasoning, ...text, ...refusal, ...calls],
    ...extraOf(message, ridingMessageFields),
  };
}

function readRefusal({ refusal }: JsonObject, path: Path): readonly TextPart[] {
  const text = readOptionalString(refusal, `${path}.refusal`) ?? '';
  return text === '' ? [] : [{ type: 'text', text, refusal: true }];
}

function readReasoning(message: JsonObject): readonly ReasoningPart[] {
  for (const field of reasoningFields) {
    const text = message[field];
    if (typeof text === 'string' && text !== '') return [{ type: 'reasoning', text }];
  }
  return [];
}

function readCalls(message: JsonObject, path: Path, notes: ReadNotes): readonly ToolCallPart[] {
  const calls: ToolCallPart[] = [];
  if (!isAbsent(message.tool_calls)) {
    readList(message.tool_calls, `${path}.tool_calls`).forEach((value, index) => {
      const at = `${path}.tool_calls[${index}]`;
      const entry = readObject(value, at);
      if (!isAbsent(entry.type) && entry.type !== 'function' && entry.type !== 'custom') {
        throw unsupported(`${at}.type`, 'only calls of type "function" or "custom" are supported.');
      }
      const callId = readOptionalString(entry.id, `${at}.id`) ?? '';
      const call =
        entry.type === 'custom'
          ? readCustomCall(entry.custom, `${at}.custom`, callId)
          : readCall(entry.function, `${at}.function`, callId);
      if (call !== undefined) calls.push(call);
      else notes.add({ code: 'field-dropped', message: `${at} has no function name and was left out.` });
    });
  }
  if (!isAbsent(message.function_call)) {
    const call = readCall(message.function_call, `${path}.function_call`, '');
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
  const input = readOptionalString(value.input, `${path}.input`) ?? '';
  return { type: 'tool-call', callId, name: value.name, arguments: wrapInput(input) };
}

/** JSON text as it came; an object is written as JSON text; nothing at all means no arguments. */
function readArguments(value: unknown, path: Path): string {
  if (isAbsent(value) || value === '') return '{}';
  if (typeof value === 'string') return value;
  if (isObject(value)) return jsonOf(value);
  throw badRequest(path, `must be JSON text of an object, not ${kindOf(value)}.`);
}

function readToolMessage(message: JsonObject, path: Path, notes: ReadNotes): ToolMessage {
  noteUnread(message, toolFields, notes);
  const name = readOptionalString(message.name, `${path}.name`);
  const status = readStatus(message);
  return {
    role: 'tool',
    callId: isAbsent(message.tool_call_id) ? '' : readString(message.tool_call_id, `${path}.tool_call_id`),
    content: readToolContent(message.content, `${path}.content`, notes),
    ...(name === undefined ? {} : { name }),
    ...(status === undefined ? {} : { status }),
    ...extraOf(message, withoutName),
  };
}

/** What the client says outright of the outcome. The wire has no such field, but several clients send one of these. */
function readStatus(message: JsonObject): 'ok' | 'error' | undefined {
  if (message.is_error === true || message.status === 'error') return 'error';
  if (message.is_error === false || message.status === 'ok' || message.status === 'success') return 'ok';
  return undefined;
}

function extraOf(message: JsonObject, fields: readonly string[]): { readonly extra?: Extra } {
  const riding = pick(message, fields);
  return riding === undefined ? {} : { extra: { [wireId]: riding } };
}

function noteUnread(message: JsonObject, read: readonly string[], notes: ReadNotes): void {
  for (const field of Object.keys(message)) {
    if (!read.includes(field)) notes.ignore(`messages[].${field}`);
  }
}
