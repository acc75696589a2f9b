import type { AssistantMessage, ToolCallPart } from '../../chat/message.ts';
import { jsonOf } from '../../json/exact-json.ts';
import {
  badRequest,
  isAbsent,
  isObject,
  type JsonObject,
  kindOf,
  type Path,
  type ReadNotes,
  readObject,
  readString,
} from '../read-values.ts';
import { readTextBlock } from './read-content.ts';
import { asExtra } from './types.ts';

type AssistantPart = AssistantMessage['content'][number];

/** What a user's message may hold and the model's may not. */
const userBlocks: readonly unknown[] = ['image', 'document', 'search_result', 'tool_result'];

/**
 * What the model said. A block of a tool that ran on Anthropic's side rides on a text without a word, for an upstream of
 * this wire; no other model could tell what it means.
 */
export function readAssistantBlocks(
  blocks: readonly unknown[],
  path: Path,
  notes: ReadNotes,
): AssistantMessage['content'] {
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
    arguments: readInput(input, `${path}.input`),
    ...asExtra(own),
  };
}

/** An object as JSON text; JSON text as it came, as some clients send it; nothing at all means no arguments. */
function readInput(value: unknown, path: Path): string {
  if (isAbsent(value) || value === '') return '{}';
  if (typeof value === 'string') return value;
  if (isObject(value)) return jsonOf(value);
  throw badRequest(path, `must be an object, not ${kindOf(value)}.`);
}
