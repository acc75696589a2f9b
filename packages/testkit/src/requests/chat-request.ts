import type { ChatRequest } from '@dragoman/core';

/**
 * A request for tests: streamed, of the model `m`, without messages and tools, several calls allowed. `overrides` says
 * what is different.
 */
export function chatRequest(overrides: Partial<ChatRequest> = {}): ChatRequest {
  return {
    model: 'm',
    messages: [],
    tools: [],
    toolChoice: 'auto',
    parallelToolCalls: true,
    stream: true,
    includeUsage: false,
    sampling: {},
    extra: {},
    warnings: [],
    ...overrides,
  };
}
