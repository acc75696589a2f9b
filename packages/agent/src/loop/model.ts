import type { ChatEvent, ChatRequest, ToolDefinition } from '@dragoman/core';
import type { ChatMessage } from '../chat/message.ts';
import { toRequestMessages } from '../chat/openai-form.ts';

/** What answers: `createDirectClient` of `@dragoman/core` does, for any server, a gateway among them. */
export interface Model {
  ask(request: ChatRequest, options: { readonly signal: AbortSignal }): AsyncIterable<ChatEvent>;
}

/** What holds for all requests of a task. */
export interface RequestSettings {
  readonly model: string;
  /** Several calls in one reply. Default: true. */
  readonly parallel?: boolean;
  readonly temperature?: number;
  /** The most tokens of an answer. */
  readonly maxTokens?: number;
  /** What ends an answer, such as the beginning of an invented turn. */
  readonly stop?: readonly string[];
}

export interface Question {
  readonly system: string;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolDefinition[];
  /** False: the model is to answer in words. */
  readonly mayCall: boolean;
}

/** The request that asks a question. */
export function requestOf({ system, messages, tools, mayCall }: Question, settings: RequestSettings): ChatRequest {
  const { model, parallel = true, temperature, maxTokens, stop } = settings;
  return {
    model,
    messages: [
      ...(system === '' ? [] : [{ role: 'system', content: [{ type: 'text', text: system }] } as const]),
      ...toRequestMessages(messages),
    ],
    tools,
    toolChoice: mayCall ? 'auto' : 'none',
    parallelToolCalls: parallel,
    stream: true,
    includeUsage: true,
    sampling: {
      ...(temperature !== undefined && { temperature }),
      ...(maxTokens !== undefined && { maxTokens }),
      ...(stop !== undefined && { stop }),
    },
    extra: {},
    warnings: [],
  };
}
