import type { ChatRequest } from '@dragoman/core';

/** The most tokens of a reply: more than any task takes, and an end for a model that finds none. */
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
    sampling: { maxTokens: mostTokens },
    extra: {},
    warnings: [],
    ...said,
  };
}
