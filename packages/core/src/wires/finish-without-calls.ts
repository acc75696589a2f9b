import type { FinishReason } from '../chat/event.ts';

/** The word of an API that has none for calls: it says `stop` of them. */
export function finishWithoutCalls(reason: FinishReason): 'stop' | 'length' | 'content_filter' {
  switch (reason) {
    case 'stop':
    case 'tool-calls':
      return 'stop';
    case 'length':
      return 'length';
    case 'content-filter':
      return 'content_filter';
    default:
      return reason satisfies never;
  }
}
