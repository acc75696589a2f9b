import type { ChatRequest } from '@dragoman/core';

/** Tokens of a reply: far more than most tasks take, and a near end for a model that finds none. */
export const usualTokens = 600;

/** Tokens of a reply of a model that thinks. */
export const mostTokens = 3000;

/** A request with what is not said. */
export function chatRequestOf(said: Pick<ChatRequest, 'model'> & Partial<ChatRequest>): ChatRequest {
  return {
    messages: [],
    tools: [],
    toolChoice: 'auto',
    parallelToolCalls: true,
    stream: true,
    includeUsage: true,
    sampling: { maxTokens: usualTokens },
    extra: {},
    warnings: [],
    ...said,
  };
}
