import type { InputVideo, ItemStatus, JsonObject, ReasoningEffort, ToolMode } from './request-types.ts';

// A table: what servers of OpenResponses answer (document of 2026-04-24). A test compares each interface with the document.

export interface UrlCitation {
  readonly type: 'url_citation';
  readonly url: string;
  readonly start_index: number;
  readonly end_index: number;
  readonly title: string;
}

export interface TopLogProb {
  readonly token: string;
  readonly logprob: number;
  readonly bytes: readonly number[];
}

export interface LogProb extends TopLogProb {
  readonly top_logprobs: readonly TopLogProb[];
}

export interface OutputText {
  readonly type: 'output_text';
  readonly text: string;
  readonly annotations: readonly UrlCitation[];
  readonly logprobs?: readonly LogProb[];
}

export interface Refusal {
  readonly type: 'refusal';
  readonly refusal: string;
}

export interface SummaryText {
  readonly type: 'summary_text';
  readonly text: string;
}

export interface ReasoningText {
  readonly type: 'reasoning_text';
  readonly text: string;
}

export interface PlainText {
  readonly type: 'text';
  readonly text: string;
}

export interface ShownText {
  readonly type: 'input_text';
  readonly text: string;
}

export interface ShownImage {
  readonly type: 'input_image';
  readonly image_url: string | null;
  readonly detail: 'low' | 'high' | 'auto';
}

export interface ShownFile {
  readonly type: 'input_file';
  readonly filename?: string;
  readonly file_url?: string;
}

/** What an item's content or summary may hold. Models write `output_text`, `refusal`, `summary_text` and `reasoning_text`. */
export type ContentPart =
  | ShownText
  | OutputText
  | PlainText
  | SummaryText
  | ReasoningText
  | Refusal
  | ShownImage
  | ShownFile;

export interface MessageItem {
  readonly type: 'message';
  readonly id: string;
  readonly status: ItemStatus;
  readonly role: 'user' | 'assistant' | 'system' | 'developer';
  readonly content: readonly (ContentPart | InputVideo)[];
  readonly phase?: 'commentary' | 'final_answer';
}

export interface FunctionCallItem {
  readonly type: 'function_call';
  readonly id: string;
  readonly call_id: string;
  readonly name: string;
  /** JSON text, as the model wrote it. */
  readonly arguments: string;
  readonly status: ItemStatus;
}

export interface FunctionCallOutputItem {
  readonly type: 'function_call_output';
  readonly id: string;
  readonly call_id: string;
  readonly output: string | readonly (ShownText | ShownImage | ShownFile)[];
  readonly status: ItemStatus;
}

export interface ReasoningItem {
  readonly type: 'reasoning';
  readonly id: string;
  readonly content?: readonly ContentPart[];
  readonly summary: readonly ContentPart[];
  readonly encrypted_content?: string;
}

export interface CompactionItem {
  readonly type: 'compaction';
  readonly id: string;
  readonly encrypted_content: string;
  readonly created_by?: string;
}

export type OutputItem = MessageItem | FunctionCallItem | FunctionCallOutputItem | ReasoningItem | CompactionItem;

/** Tokens, as the server counted them. */
export interface ResponseUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly total_tokens: number;
  readonly input_tokens_details: { readonly cached_tokens: number };
  readonly output_tokens_details: { readonly reasoning_tokens: number };
}

/** A tool of the request, as the answer repeats it. */
export interface ShownTool {
  readonly type: 'function';
  readonly name: string;
  readonly description: string | null;
  readonly parameters: JsonObject | null;
  readonly strict: boolean | null;
}

/** Servers may have their own words beside these. */
export type ResponseStatus =
  | 'queued'
  | 'in_progress'
  | 'completed'
  | 'incomplete'
  | 'failed'
  | 'cancelled'
  | (string & Record<never, never>);

/**
 * A whole answer. The first fields are always there, whatever the server left out; of the others many servers leave out
 * some, although OpenResponses wants them all.
 */
export interface ResponseResource {
  readonly id: string;
  readonly object: 'response';
  readonly status: ResponseStatus;
  readonly model: string;
  readonly output: readonly OutputItem[];
  readonly error: { readonly code: string; readonly message: string } | null;
  /** `reason` is `max_output_tokens`, `content_filter`, or a word of the server's own. */
  readonly incomplete_details: { readonly reason: string } | null;
  readonly usage: ResponseUsage | null;
  /** Seconds since 1970. */
  readonly created_at?: number;
  readonly completed_at?: number | null;
  readonly previous_response_id?: string | null;
  readonly instructions?: string | null;
  readonly tools?: readonly ShownTool[];
  readonly tool_choice?:
    | ToolMode
    | { readonly type: 'function'; readonly name?: string }
    | {
        readonly type: 'allowed_tools';
        readonly tools: readonly { readonly type: 'function'; readonly name?: string }[];
        readonly mode: ToolMode;
      };
  readonly truncation?: 'auto' | 'disabled';
  readonly parallel_tool_calls?: boolean;
  readonly text?: JsonObject;
  readonly top_p?: number;
  readonly presence_penalty?: number;
  readonly frequency_penalty?: number;
  readonly top_logprobs?: number;
  readonly temperature?: number;
  readonly reasoning?: {
    readonly effort: ReasoningEffort | null;
    readonly summary: 'concise' | 'detailed' | 'auto' | null;
  } | null;
  readonly max_output_tokens?: number | null;
  readonly max_tool_calls?: number | null;
  readonly store?: boolean;
  readonly background?: boolean;
  readonly service_tier?: string;
  readonly metadata?: unknown;
  readonly safety_identifier?: string | null;
  readonly prompt_cache_key?: string | null;
}
