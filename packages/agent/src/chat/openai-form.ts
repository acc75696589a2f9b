import type { Message } from '@dragoman/core';
import { type ChatCall, type ChatMessage, type JsonObject, statusOf } from './message.ts';
import { isJsonObject } from './read-message.ts';

/** A call as OpenAI's chat API writes it. */
export interface OpenaiCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

/** A message as OpenAI's chat API writes it. */
export type OpenaiMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly tool_calls?: readonly OpenaiCall[] }
  | { readonly role: 'tool'; readonly content: string; readonly tool_call_id: string };

/** A history in OpenAI's own form. What the model thought stays here. */
export function toOpenaiMessages(messages: readonly ChatMessage[]): readonly OpenaiMessage[] {
  return messages.map((message) => {
    const { role, content } = message;
    if (role === 'tool') return { role, content, tool_call_id: message.tool_call_id };
    if (role !== 'assistant' || message.tool_calls === undefined) return { role, content };
    const calls = message.tool_calls.map(({ id, name, arguments: values }) => ({
      id,
      type: 'function' as const,
      function: { name, arguments: JSON.stringify(values) },
    }));
    return { role, content, tool_calls: calls };
  });
}

/** The way back. Arguments that are not a JSON object become an empty one. */
export function fromOpenaiMessages(messages: readonly OpenaiMessage[]): readonly ChatMessage[] {
  return messages.map((message): ChatMessage => {
    if (message.role !== 'assistant') return message;
    const { role, content, tool_calls: given } = message;
    if (given === undefined) return { role, content };
    const calls = given.map(
      ({ id, function: { name, arguments: json } }): ChatCall => ({ id, name, arguments: readArguments(json) ?? {} }),
    );
    return { role, content, tool_calls: calls };
  });
}

/** JSON text of an object as the object; undefined where it is none. */
export function readArguments(json: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(json === '' ? '{}' : json);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The history as the engine takes it. Notes of the agent go as a person's turn in tags: few servers take them elsewhere. */
export function toRequestMessages(messages: readonly ChatMessage[]): readonly Message[] {
  const text = (content: string) => [{ type: 'text', text: content }] as const;
  const names = new Map<string, string>();
  return messages.map((message): Message => {
    switch (message.role) {
      case 'user':
        return { role: 'user', content: text(message.content) };
      case 'system':
        return { role: 'user', content: text(tagged('note', message.content)) };
      case 'tool': {
        const { tool_call_id: callId, content } = message;
        const name = names.get(callId);
        return {
          role: 'tool',
          callId,
          content: text(content),
          ...(name !== undefined && { name }),
          status: statusOf(message) === 'ok' ? 'ok' : 'error',
        };
      }
      case 'assistant': {
        const calls = message.tool_calls ?? [];
        for (const { id, name } of calls) names.set(id, name);
        return {
          role: 'assistant',
          content: [
            ...(message.content === '' ? [] : text(message.content)),
            ...calls.map(
              ({ id, name, arguments: values }) =>
                ({ type: 'tool-call', callId: id, name, arguments: JSON.stringify(values) }) as const,
            ),
          ],
        };
      }
      default:
        return message satisfies never;
    }
  });
}

/** A text in tags that nothing in it ends, so that what comes after them is its person's. `more` is in the opening one. */
export function tagged(name: string, text: string, more = ''): string {
  let tag = name;
  while (text.includes(`</${tag}`)) tag += '_';
  return `<${tag}${more}>${text}</${tag}>`;
}
