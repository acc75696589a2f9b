import type { FinishReason } from '../../chat/event.ts';
import type { WireFinishReason } from './types.ts';

/** The wire's word for it. It has none for calls. */
export function writeFinishReason(reason: FinishReason): WireFinishReason {
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
