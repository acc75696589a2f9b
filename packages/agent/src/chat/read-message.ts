import type { ChatCall, ChatMessage, JsonObject } from './message.ts';

/** A kept message, or in one sentence why a value is none. */
export type MessageReading = { readonly message: ChatMessage } | { readonly fault: string };

const fieldsOf: Readonly<Record<ChatMessage['role'], readonly string[]>> = {
  system: ['role', 'content'],
  user: ['role', 'content'],
  assistant: ['role', 'content', 'tool_calls', 'think'],
  tool: ['role', 'content', 'tool_call_id', 'tool_result'],
};

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** For values that came out of `JSON.parse`: an object there has nothing but JSON in it. */
export const isJsonObject = (value: unknown): value is JsonObject => isObject(value);

const isRole = (value: unknown): value is ChatMessage['role'] =>
  typeof value === 'string' && Object.hasOwn(fieldsOf, value);

/** Reads one message of a file of this version. Strict: older forms are `migrateChat`'s. */
export function readMessage(value: unknown): MessageReading {
  if (!isObject(value)) return { fault: 'A message must be an object.' };
  const { role, content } = value;
  if (!isRole(role)) return { fault: `There is no role ${JSON.stringify(role)}.` };
  const stranger = Object.keys(value).find((key) => !fieldsOf[role].includes(key));
  if (stranger !== undefined) return { fault: `A message of the role "${role}" has no field "${stranger}".` };
  if (typeof content !== 'string') return { fault: 'The content of a message must be a string.' };
  switch (role) {
    case 'system':
    case 'user':
      return { message: { role, content } };
    case 'tool': {
      const { tool_call_id: callId } = value;
      if (typeof callId !== 'string') return { fault: 'A result needs the "tool_call_id" of its call.' };
      // The whole value, since it may hold a `tool_result` of any JSON.
      return { message: { ...(value as object), role, content, tool_call_id: callId } };
    }
    case 'assistant': {
      const { think, tool_calls: calls = [] } = value;
      if (think !== undefined && typeof think !== 'string') return { fault: '"think" must be a string.' };
      if (!Array.isArray(calls) || !calls.every(isCall)) {
        return { fault: 'Each of "tool_calls" needs an "id", a "name" and an object of "arguments".' };
      }
      return {
        message: {
          role,
          content,
          ...(calls.length > 0 && { tool_calls: calls }),
          ...(think !== undefined && { think }),
        },
      };
    }
    default:
      return role satisfies never;
  }
}

function isCall(value: unknown): value is ChatCall {
  return (
    isObject(value) &&
    Object.keys(value).every((key) => key === 'id' || key === 'name' || key === 'arguments') &&
    typeof value.id === 'string' &&
    typeof value.name === 'string' &&
    isJsonObject(value.arguments)
  );
}
