import type { Chat, ChatSettings } from './chat.ts';
import { chatVersion, titleOf } from './chat.ts';
import { type ChatCall, type ChatMessage, type JsonObject, type JsonValue, toolMessage } from './message.ts';
import { readArguments } from './openai-form.ts';
import { freshId, pairCalls } from './pair-calls.ts';
import { isJsonObject, isObject, readMessage } from './read-message.ts';
import { withoutStateLines } from './state-lines.ts';

/**
 * What a file holds. `written`: its messages as they are there, where calls may be without results; `isOld`: it is of an
 * older form.
 */
export type ChatReading =
  | { readonly chat: Chat; readonly written: readonly ChatMessage[]; readonly isOld: boolean }
  /** A later version of this program wrote it: it must not be written to. */
  | { readonly fault: 'newer' }
  | { readonly fault: 'unreadable' };

/**
 * Reads the file of a chat: of this version, of any older form, or of a mixture. Older messages have `text`, `toolCalls`,
 * `toolResult` and `toolCallId`, and fields that only a view needs; these go. What is no message goes, and calls get their
 * pairs. Reading what was read changes nothing.
 */
export function readChat(json: string, { id, now }: { readonly id: string; readonly now: number }): ChatReading {
  let file: unknown;
  try {
    file = JSON.parse(json);
  } catch {
    return { fault: 'unreadable' };
  }
  // The first of all forms was a bare list of messages.
  const record = Array.isArray(file) ? { messages: file } : file;
  if (!isObject(record)) return { fault: 'unreadable' };
  const { version } = record;
  if (typeof version === 'number' && version > chatVersion) return { fault: 'newer' };
  if (record.messages !== undefined && !Array.isArray(record.messages)) return { fault: 'unreadable' };
  const given: readonly unknown[] = Array.isArray(record.messages) ? record.messages : [];
  const written = pairCalls(given.flatMap(migrateMessage), { running: true });
  return { chat: chatOf(record, { id, now, messages: pairCalls(written) }), written, isOld: version !== chatVersion };
}

function chatOf(
  record: Record<string, unknown>,
  { id, now, messages }: { readonly id: string; readonly now: number; readonly messages: readonly ChatMessage[] },
): Chat {
  const meta = isObject(record.meta) ? record.meta : record;
  const title = text(record.title) ?? text(meta.title);
  const updated = time(record.updated) ?? time(meta.updatedAt) ?? time(meta.updated) ?? now;
  const compaction = compactionOf(record.compaction, messages.length);
  return {
    id,
    title: title ?? titleOf(messages),
    ...(record.titled === true && { titled: true as const }),
    created: time(record.created) ?? time(meta.createdAt) ?? time(meta.created) ?? updated,
    updated,
    settings: settingsOf(record.settings ?? meta.settings),
    messages,
    ...(compaction !== undefined && { compaction }),
  };
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

function time(value: unknown): number | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  const parsed = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(parsed) ? undefined : parsed;
}

function settingsOf(value: unknown): ChatSettings {
  if (!isObject(value)) return {};
  const model = text(value.model);
  const baseUrl = text(value.baseUrl) ?? text(value.base_url);
  return { ...(model !== undefined && { model }), ...(baseUrl !== undefined && { baseUrl }) };
}

function compactionOf(value: unknown, length: number): Chat['compaction'] {
  if (!isObject(value)) return undefined;
  const { upTo, summary } = value;
  const fits = typeof upTo === 'number' && Number.isInteger(upTo) && upTo > 0 && upTo <= length;
  return fits && typeof summary === 'string' ? { upTo, summary } : undefined;
}

/** What one message of any form became: nothing, itself, or a call with the result that was in it. */
function migrateMessage(value: unknown): readonly ChatMessage[] {
  const reading = readMessage(value);
  if ('message' in reading) return [reading.message];
  if (!isObject(value)) return [];
  const content = text(value.content) ?? text(value.text) ?? '';
  const result = jsonOf(value.tool_result ?? value.toolResult);
  switch (value.role) {
    case 'user':
    case 'system':
      return [{ role: value.role, content }];
    case 'tool': {
      const callId = text(value.tool_call_id) ?? text(value.toolCallId) ?? '';
      const told = result === undefined ? {} : { tool_result: result };
      return [{ role: 'tool', content: content === '' ? written(result) : content, tool_call_id: callId, ...told }];
    }
    case 'assistant': {
      const calls = callsOf(value.tool_calls ?? value.toolCalls);
      const think = text(value.think);
      const message: ChatMessage = {
        role: 'assistant',
        content: withoutStateLines(content),
        ...(calls.length > 0 && { tool_calls: calls }),
        ...(think !== undefined && { think }),
      };
      const [first] = calls;
      // Once a result was within the message that asked for it.
      if (result === undefined || first === undefined) return [message];
      return [message, toolMessage(first.id, { status: 'ok', content: written(result) })];
    }
    default:
      return [];
  }
}

/** A value that came out of `JSON.parse`. */
function jsonOf(value: unknown): JsonValue | undefined {
  return value === undefined ? undefined : (value as JsonValue);
}

function written(value: JsonValue | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Calls of any form: our own, OpenAI's, with `args`, or without ids, whose results were then called `0-read`. */
function callsOf(value: unknown): readonly ChatCall[] {
  if (!Array.isArray(value)) return [];
  const used = new Set<string>();
  return value.filter(isObject).flatMap((call, index): ChatCall[] => {
    const own = isObject(call.function) ? call.function : call;
    const name = text(own.name);
    if (name === undefined) return [];
    const id = freshId(text(call.id) ?? `${index}-${name}`, used);
    return [{ id, name, arguments: argumentsOf(own.arguments ?? own.args) }];
  });
}

function argumentsOf(value: unknown): JsonObject {
  if (typeof value === 'string') return readArguments(value) ?? {};
  return isJsonObject(value) ? value : {};
}
