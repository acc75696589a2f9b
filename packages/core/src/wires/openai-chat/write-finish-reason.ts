import type { FinishReason } from '../../chat/event.ts';
import type { WireFinishReason } from './types.ts';

/** The wire's word for it. `tool_calls` without a whole call confuses agent loops, so it becomes `stop`. */
export function writeFinishReason(reason: FinishReason, wholeCalls: number): WireFinishReason {
  switch (reason) {
    case 'stop':
      return 'stop';
    case 'tool-calls':
      return wholeCalls > 0 ? 'tool_calls' : 'stop';
    case 'length':
      return 'length';
    case 'content-filter':
      return 'content_filter';
  }
}
