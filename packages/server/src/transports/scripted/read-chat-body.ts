import { isRecord } from '../../is-record.ts';
import type { PromptMessage } from './demo-model/read-prompt.ts';

/** What a text-only server takes from a Chat Completions body. */
export interface ChatBody {
  readonly model: string;
  readonly messages: readonly PromptMessage[];
  readonly stream: boolean;
  readonly includeUsage: boolean;
  /** The most tokens of the reply; undefined: no limit. */
  readonly maxTokens: number | undefined;
  readonly stop: readonly string[];
}

/**
 * Reads a request body. Only text counts: `tools`, `tool_calls` and images are passed over, since a text-only model
 * never sees them. Returns one sentence instead when the body is not a chat request.
 */
export function readChatBody(body: unknown): ChatBody | string {
  if (!isRecord(body)) return 'The body is not a JSON object.';
  if (typeof body.model !== 'string' || body.model === '') return 'model is missing.';
  if (!Array.isArray(body.messages) || body.messages.length === 0) return 'messages is missing or empty.';
  const messages: PromptMessage[] = [];
  for (const [index, message] of body.messages.entries()) {
    if (!isRecord(message) || typeof message.role !== 'string') return `messages[${index}] has no role.`;
    messages.push({ role: message.role, text: readText(message.content) });
  }
  const options = isRecord(body.stream_options) ? body.stream_options : {};
  return {
    model: body.model,
    messages,
    stream: body.stream === true,
    includeUsage: options.include_usage === true,
    maxTokens: readLimit(body.max_completion_tokens) ?? readLimit(body.max_tokens),
    stop: readStop(body.stop),
  };
}

function readText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  const texts: string[] = [];
  for (const part of content) if (isRecord(part) && typeof part.text === 'string') texts.push(part.text);
  return texts.join('\n');
}

function readLimit(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 ? value : undefined;
}

function readStop(value: unknown): string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((text): text is string => typeof text === 'string' && text !== '');
}
