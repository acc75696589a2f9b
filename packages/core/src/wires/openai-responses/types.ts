import type { Extra } from '../../chat/message.ts';
import { isObject, type JsonObject } from '../read-values.ts';

/** The wire's id, under which its own fields ride in `extra`. */
export const wireId = 'openai-responses';

export type WireItemStatus = 'in_progress' | 'completed' | 'incomplete';

export interface WireOutputText {
  readonly type: 'output_text';
  readonly text: string;
  readonly annotations: readonly unknown[];
  readonly logprobs: readonly unknown[];
}

/** What the model says instead of an answer. */
export interface WireRefusal {
  readonly type: 'refusal';
  readonly refusal: string;
}

export interface WireSummaryText {
  readonly type: 'summary_text';
  readonly text: string;
}

export interface WireMessage {
  readonly type: 'message';
  readonly id: string;
  readonly status: WireItemStatus;
  readonly role: 'assistant';
  readonly content: readonly (WireOutputText | WireRefusal)[];
}

export interface WireReasoning {
  readonly type: 'reasoning';
  readonly id: string;
  readonly summary: readonly WireSummaryText[];
  readonly encrypted_content?: string;
}

export interface WireFunctionCall {
  readonly type: 'function_call';
  readonly id: string;
  readonly call_id: string;
  readonly name: string;
  /** The group that the tool was declared in, as Codex declares its own. */
  readonly namespace?: string;
  readonly arguments: string;
  readonly status: WireItemStatus;
}

/** A call of a tool whose input is free text. Not part of OpenResponses: only clients that declared such a tool see it. */
export interface WireCustomCall {
  readonly type: 'custom_tool_call';
  readonly id: string;
  readonly call_id: string;
  readonly name: string;
  readonly input: string;
  readonly status: WireItemStatus;
}

/**
 * Tools that the client itself runs and that only this API has, and the items of their calls and results: these pass between
 * clients and upstreams of this API as they are.
 */
export const ownToolTypes: readonly unknown[] = ['local_shell', 'shell', 'apply_patch', 'tool_search'];
export const ownItemTypes: readonly unknown[] = [
  'local_shell_call',
  'local_shell_call_output',
  'shell_call',
  'shell_call_output',
  'apply_patch_call',
  'apply_patch_call_output',
  'tool_search_call',
  'tool_search_output',
];

/** One of those items. */
export interface WireOwnItem extends JsonObject {
  readonly type: string;
}

/** An item that only this API has, where an empty text carries it. */
export function ownItemIn(extra: Extra | undefined): WireOwnItem | undefined {
  const item = extra?.[wireId]?.item;
  return isObject(item) && typeof item.type === 'string' ? { ...item, type: item.type } : undefined;
}

/** What a reply consists of. */
export type WireItem = WireMessage | WireReasoning | WireFunctionCall | WireCustomCall | WireOwnItem;

export interface WireUsage {
  readonly input_tokens: number;
  readonly input_tokens_details: { readonly cached_tokens: number };
  readonly output_tokens: number;
  readonly output_tokens_details: { readonly reasoning_tokens: number };
  readonly total_tokens: number;
}

export type WireStatus = 'queued' | 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled';

/** A whole answer, and what the events of a stream carry. No field is ever absent. */
export interface WireResponse {
  readonly id: string;
  readonly object: 'response';
  readonly created_at: number;
  readonly completed_at: number | null;
  readonly status: WireStatus;
  readonly incomplete_details: { readonly reason: string } | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly model: string;
  readonly previous_response_id: string | null;
  readonly instructions: string | null;
  readonly output: readonly WireItem[];
  readonly tools: readonly JsonObject[];
  readonly tool_choice: unknown;
  readonly truncation: 'auto' | 'disabled';
  readonly parallel_tool_calls: boolean;
  readonly text: JsonObject;
  readonly top_p: number;
  readonly presence_penalty: number;
  readonly frequency_penalty: number;
  readonly top_logprobs: number;
  readonly temperature: number;
  readonly reasoning: JsonObject | null;
  readonly usage: WireUsage | null;
  readonly max_output_tokens: number | null;
  readonly max_tool_calls: number | null;
  readonly store: boolean;
  readonly background: boolean;
  readonly service_tier: string;
  readonly metadata: JsonObject;
  readonly safety_identifier: string | null;
  readonly prompt_cache_key: string | null;
}

/** One event of a stream, without its sequence number. */
export type WireEvent = { readonly type: string } & JsonObject;

/**
 * Request fields that only this wire knows. They ride in `extra` as they came, are echoed in the reply, and those that
 * concern an upstream are written back for upstreams that speak this wire.
 */
export const ridingRequestFields = [
  'previous_response_id',
  'store',
  'background',
  'include',
  'metadata',
  'truncation',
  'max_tool_calls',
  'service_tier',
  'top_logprobs',
  'stream_options',
  'safety_identifier',
  'prompt_cache_key',
  'prompt_cache_retention',
  'prompt_cache_options',
  'moderation',
  'context_management',
  'providerOptions',
  'client_metadata',
  'user',
] as const;
