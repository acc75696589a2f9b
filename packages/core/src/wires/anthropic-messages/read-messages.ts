import type { AssistantMessage, Message, ToolMessage } from '../../chat/message.ts';
import {
  badRequest,
  isAbsent,
  isObject,
  type JsonObject,
  kindOf,
  type Path,
  type ReadNotes,
  readFlag,
  readList,
  readObject,
} from '../read-values.ts';
import { readAssistantBlocks } from './read-assistant.ts';
import { readContent, readResultContent, readSystemContent } from './read-content.ts';
import { asExtra } from './types.ts';

/** System text and the conversation so far. At least one message has to come from the user. */
export function readMessages(body: JsonObject, notes: ReadNotes): readonly Message[] {
  if (isAbsent(body.messages)) throw badRequest('messages', 'is required.');
  const list = readList(body.messages, 'messages');
  if (list.length === 0) throw badRequest('messages', 'must have at least one message.');
  const messages = list.flatMap((message, index) => readMessage(message, `messages[${index}]`, notes));
  if (!messages.some(({ role }) => role === 'user' || role === 'tool')) {
    throw badRequest('messages', 'must have at least one message with role "user".');
  }
  return [...readSystem(body.system, notes), ...messages];
}

function readSystem(value: unknown, notes: ReadNotes): readonly Message[] {
  if (isAbsent(value)) return [];
  const content = readSystemContent(value, 'system', notes);
  return content.length === 0 ? [] : [{ role: 'system', content }];
}

function readMessage(value: unknown, path: Path, notes: ReadNotes): readonly Message[] {
  const message = readObject(value, path);
  for (const field of Object.keys(message)) {
    if (field !== 'role' && field !== 'content') notes.ignore(`messages[].${field}`);
  }
  const content = `${path}.content`;
  if (isAbsent(message.content)) throw badRequest(content, 'is required.');
  switch (message.role) {
    case 'user':
      return readUserMessages(message.content, content, notes);
    case 'assistant':
      return [readAssistantMessage(message.content, content, notes)];
    // Newer agents put reminders between the turns.
    case 'system':
      return [{ role: 'system', content: readSystemContent(message.content, content, notes) }];
    default:
      throw badRequest(
        `${path}.role`,
        typeof message.role === 'string'
          ? `"${message.role.slice(0, 40)}" is not a role; use user, assistant or system.`
          : `must be a string, not ${kindOf(message.role)}.`,
      );
  }
}

function readAssistantMessage(value: unknown, path: Path, notes: ReadNotes): AssistantMessage {
  if (typeof value === 'string')
    return { role: 'assistant', content: value === '' ? [] : [{ type: 'text', text: value }] };
  return { role: 'assistant', content: readAssistantBlocks(readList(value, path), path, notes) };
}

/**
 * A user message as its results, each a message of its own, and then what the user said. Results come first even where
 * text stands before them: every API wants them right after their calls.
 */
function readUserMessages(value: unknown, path: Path, notes: ReadNotes): readonly Message[] {
  if (typeof value === 'string') return [{ role: 'user', content: [{ type: 'text', text: value }] }];
  const blocks = readList(value, path);
  if (blocks.length === 0) throw badRequest(path, 'must have at least one block.');
  const results: ToolMessage[] = [];
  const content = blocks.flatMap((block, index) => {
    const at = `${path}[${index}]`;
    if (!isObject(block) || block.type !== 'tool_result') return [readContent(block, at, notes)];
    results.push(readResult(block, at, notes));
    return [];
  });
  return content.length === 0 ? results : [...results, { role: 'user', content }];
}

function readResult(block: JsonObject, path: Path, notes: ReadNotes): ToolMessage {
  const { type: _type, tool_use_id: id, content, is_error: isError, ...own } = block;
  if (typeof id !== 'string' || id === '') throw badRequest(`${path}.tool_use_id`, 'is required.');
  const failed = isAbsent(isError) ? undefined : readFlag(isError, `${path}.is_error`, false);
  return {
    role: 'tool',
    callId: id,
    content: readResultContent(content, `${path}.content`, notes),
    ...(failed === undefined ? {} : { status: failed ? 'error' : 'ok' }),
    ...asExtra(own),
  };
}
