import type { AssistantMessage, Message, ToolCallPart, ToolMessage } from '../../chat/message.ts';
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
  readObject,
  readString,
  wrongWord,
} from '../read-values.ts';
import { readContent, readResultContent, readSystemContent, readTextBlock } from './read-content.ts';
import { asExtra } from './types.ts';

/** System text and the conversation so far. At least one message has to come from the user. */
export function readMessages(body: JsonObject, notes: ReadNotes): readonly Message[] {
  const list = readMessageList(body.messages);
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
  notes.ignoreOthers(message, ['role', 'content'], 'messages[].');
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
      throw wrongWord(`${path}.role`, message.role, (word) => `${word} is not a role; use user, assistant or system.`);
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
  const failed = isAbsent(isError) ? undefined : RequestFields.at(block, path).flag('is_error', false);
  return {
    role: 'tool',
    callId: id,
    content: readResultContent(content, `${path}.content`, notes),
    ...(failed === undefined ? {} : { status: failed ? 'error' : 'ok' }),
    ...asExtra(own),
  };
}

type AssistantPart = AssistantMessage['content'][number];

/** What a user's message may hold and the model's may not. */
const userBlocks: readonly unknown[] = ['image', 'document', 'search_result', 'tool_result'];

/**
 * What the model said. A block of a tool that ran on Anthropic's side rides on a text without a word, for an upstream of
 * this wire; no other model could tell what it means.
 */
function readAssistantBlocks(blocks: readonly unknown[], path: Path, notes: ReadNotes): AssistantMessage['content'] {
  return blocks.flatMap((value, index): readonly AssistantPart[] => {
    const at = `${path}[${index}]`;
    const block = readObject(value, at);
    switch (block.type) {
      case 'text':
        return [readTextBlock(block, at)];
      case 'thinking':
        return [readThinking(block, at)];
      case 'redacted_thinking':
        return [{ type: 'reasoning', text: '', ...asExtra({ redacted: readString(block.data, `${at}.data`) }) }];
      case 'tool_use':
        return [readCall(block, at)];
      default:
        if (typeof block.type !== 'string')
          throw badRequest(`${at}.type`, `must be a string, not ${kindOf(block.type)}.`);
        if (userBlocks.includes(block.type)) {
          throw badRequest(`${at}.type`, `"${block.type}" belongs into a message with role "user".`);
        }
        notes.add({ code: 'field-dropped', message: `${at} can be read only by Anthropic's own models.` });
        return [{ type: 'text', text: '', ...asExtra({ block }) }];
    }
  });
}

/** An empty signature is what a model without signatures gets; there is nothing to give back. */
function readThinking(block: JsonObject, path: Path): AssistantPart {
  const text = readString(block.thinking, `${path}.thinking`);
  const { signature } = block;
  return {
    type: 'reasoning',
    text,
    ...(typeof signature === 'string' && signature !== '' ? asExtra({ signature }) : {}),
  };
}

function readCall(block: JsonObject, path: Path): ToolCallPart {
  const { type: _type, id, name, input, ...own } = block;
  if (typeof name !== 'string' || name === '') throw badRequest(`${path}.name`, 'is required.');
  return {
    type: 'tool-call',
    callId: isAbsent(id) ? '' : readString(id, `${path}.id`),
    name,
    arguments: readArguments(input, `${path}.input`),
    ...asExtra(own),
  };
}
