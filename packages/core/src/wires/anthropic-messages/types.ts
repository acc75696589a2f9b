import type { Extra } from '../../chat/message.ts';
import { type JsonObject, withExtra } from '../read-values.ts';

/** The wire's id, under which its own fields ride in `extra`. */
export const wireId = 'anthropic-messages';

export type WireStopReason =
  | 'end_turn'
  | 'max_tokens'
  | 'stop_sequence'
  | 'tool_use'
  | 'pause_turn'
  | 'refusal'
  | 'model_context_window_exceeded';

/** What this wire alone knows of something; nothing is an empty object. */
export function ownFields(extra: Extra | undefined): JsonObject {
  return extra?.[wireId] ?? {};
}

/** Fields for this wire alone, as an `extra`; nothing at all if there are none. */
export function asExtra(fields: JsonObject): { readonly extra?: Extra } {
  return withExtra(wireId, fields);
}
