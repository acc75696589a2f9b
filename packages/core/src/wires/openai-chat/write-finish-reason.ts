import type { FinishReason } from '../../chat/event.ts';
import type { CallForm } from './call-form.ts';
import type { WireFinishReason } from './types.ts';

/** The wire's word for it. `tool_calls` without a whole call confuses agent loops, so it becomes `stop`. */
export function writeFinishReason(
  reason: FinishReason,
  { wholeCalls, form }: { readonly wholeCalls: number; readonly form: CallForm },
): WireFinishReason {
  switch (reason) {
    case 'stop':
      return 'stop';
    case 'tool-calls':
      if (wholeCalls === 0) return 'stop';
      return form === 'function' ? 'function_call' : 'tool_calls';
    case 'length':
      return 'length';
    case 'content-filter':
      return 'content_filter';
  }
}
