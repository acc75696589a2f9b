import type { Extra } from '../../chat/message.ts';
import type { JsonObject } from '../read-values.ts';

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

/** `input_tokens` are those that were neither read from a cache nor written to one. */
export interface WireUsage {
  readonly input_tokens: number;
  readonly cache_creation_input_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly output_tokens: number;
  readonly output_tokens_details?: { readonly thinking_tokens: number };
}

export type WireErrorType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'permission_error'
  | 'not_found_error'
  | 'request_too_large'
  | 'rate_limit_error'
  | 'timeout_error'
  | 'overloaded_error'
  | 'api_error';

export interface WireError {
  readonly type: 'error';
  readonly error: {
    readonly type: WireErrorType;
    readonly message: string;
    readonly details?: JsonObject;
    readonly error_id?: string;
  };
}

/** What this wire alone knows of something; nothing is an empty object. */
export function ownFields(extra: Extra | undefined): JsonObject {
  return extra?.[wireId] ?? {};
}

/** Fields for this wire alone, as an `extra`; nothing at all if there are none. */
export function asExtra(fields: JsonObject): { readonly extra?: Extra } {
  return Object.keys(fields).length === 0 ? {} : { extra: { [wireId]: fields } };
}
