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

/**
 * An upstream's word, seen together with the calls that came: several servers say `stop` after calls, and words of another API. A
 * word that is not known means that the model ended by itself; it travels on as the raw reason.
 */
export function readFinishReason(word: string, wholeCalls: number): FinishReason {
  switch (word) {
    case 'length':
    case 'max_tokens':
    case 'max_output_tokens':
    case 'model_length':
    case 'model_context_window_exceeded':
      return 'length';
    case 'content_filter':
    case 'content-filter':
    case 'safety':
    case 'refusal':
      return 'content-filter';
    default:
      return wholeCalls > 0 ? 'tool-calls' : 'stop';
  }
}
