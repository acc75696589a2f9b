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
 * Reads a request body as our own wire has written it. Only text counts: `tools`, `tool_calls` and images are passed over,
 * since a text-only model never sees them.
 */
export function readChatBody(written: unknown): ChatBody {
  const body = isRecord(written) ? written : {};
  const messages: readonly unknown[] = Array.isArray(body.messages) ? body.messages : [];
  const options = isRecord(body.stream_options) ? body.stream_options : {};
  return {
    model: String(body.model),
    messages: messages.filter(isRecord).map(({ role, content }) => ({ role: String(role), text: readText(content) })),
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
