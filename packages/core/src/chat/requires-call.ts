import type { ChatRequest } from './request.ts';

/** Whether a reply without a call is no answer to the request. */
export function requiresCall({ tools, toolChoice }: Pick<ChatRequest, 'tools' | 'toolChoice'>): boolean {
  return tools.length > 0 && toolChoice !== 'auto' && toolChoice !== 'none';
}
