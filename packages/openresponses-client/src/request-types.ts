// A table: the bodies that OpenResponses takes (document of 2026-04-24). A test compares each interface with the document.
// Longest texts and other numbers that types cannot say are in `check-request.ts`.

/** Any JSON object. */
export type JsonObject = { readonly [field: string]: unknown };

/** Text in messages of users, of the system and of developers, and in results. */
export interface InputText {
  readonly type: 'input_text';
  readonly text: string;
}

/** An image in a message of a user, or in a result. */
export interface InputImage {
  readonly type: 'input_image';
  /** An address, or a `data:` URL. */
  readonly image_url?: string | null;
  readonly detail?: 'low' | 'high' | 'auto' | null;
}

export interface InputFile {
  readonly type: 'input_file';
  readonly filename?: string | null;
  /** Base64. */
  readonly file_data?: string | null;
  readonly file_url?: string | null;
}

/** A film in a result. */
export interface InputVideo {
  readonly type: 'input_video';
  readonly video_url: string;
}

export interface UrlCitationInput {
  readonly type: 'url_citation';
  readonly start_index: number;
  readonly end_index: number;
  readonly url: string;
  readonly title: string;
}

/** Text that the model has said. */
export interface OutputTextInput {
  readonly type: 'output_text';
  readonly text: string;
  readonly annotations?: readonly UrlCitationInput[];
}

/** What the model has said instead of an answer. */
export interface RefusalInput {
  readonly type: 'refusal';
  readonly refusal: string;
}

export interface UserMessage {
  readonly id?: string | null;
  readonly type: 'message';
  readonly role: 'user';
  readonly content: string | readonly (InputText | InputImage | InputFile)[];
  readonly status?: string | null;
}

export interface SystemMessage {
  readonly id?: string | null;
  readonly type: 'message';
  readonly role: 'system';
  readonly content: string | readonly InputText[];
  readonly status?: string | null;
}

export interface DeveloperMessage {
  readonly id?: string | null;
  readonly type: 'message';
  readonly role: 'developer';
  readonly content: string | readonly InputText[];
  readonly status?: string | null;
}

export interface AssistantMessage {
  readonly id?: string | null;
  readonly type: 'message';
  readonly role: 'assistant';
  readonly content: string | readonly (OutputTextInput | RefusalInput)[];
  /** Whether the model said it on its way, or as its answer. */
  readonly phase?: 'commentary' | 'final_answer';
  readonly status?: string | null;
}

export interface FunctionCallInput {
  readonly id?: string | null;
  /** 1 to 64 characters; the result names it. */
  readonly call_id: string;
  readonly type: 'function_call';
  readonly name: string;
  /** JSON text. */
  readonly arguments: string;
  readonly status?: ItemStatus | null;
}

export interface FunctionCallOutputInput {
  readonly id?: string | null;
  readonly call_id: string;
  readonly type: 'function_call_output';
  readonly output: string | readonly (InputText | InputImage | InputFile | InputVideo)[];
  readonly status?: ItemStatus | null;
}

export interface SummaryTextInput {
  readonly type: 'summary_text';
  readonly text: string;
}

/** What the model has thought, as an earlier answer told it. */
export interface ReasoningInput {
  readonly id?: string | null;
  readonly type: 'reasoning';
  readonly summary: readonly SummaryTextInput[];
  readonly content?: null;
  readonly encrypted_content?: string | null;
}

/** An item that the server has kept. */
export interface ItemReference {
  readonly type?: 'item_reference' | null;
  readonly id: string;
}

/** What `compact` made of a conversation. */
export interface CompactionInput {
  readonly id?: string | null;
  readonly type: 'compaction';
  readonly encrypted_content: string;
}

export type InputMessage = UserMessage | SystemMessage | DeveloperMessage | AssistantMessage;

export type InputItem =
  | InputMessage
  | FunctionCallInput
  | FunctionCallOutputInput
  | ReasoningInput
  | ItemReference
  | CompactionInput;

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

/** A tool. Flat: Chat Completions nests these fields under `function`, which servers of this API refuse. */
export interface FunctionTool {
  readonly type: 'function';
  /** 1 to 64 letters, digits, `_` and `-`. */
  readonly name: string;
  readonly description?: string | null;
  /** A JSON schema of an object. */
  readonly parameters?: JsonObject | null;
  readonly strict?: boolean;
}

export type ToolMode = 'none' | 'auto' | 'required';

export interface FunctionChoice {
  readonly type: 'function';
  readonly name: string;
}

/** Of the tools, only these may be called. */
export interface AllowedTools {
  readonly type: 'allowed_tools';
  readonly tools: readonly FunctionChoice[];
  readonly mode?: ToolMode;
}

export type ToolChoice = ToolMode | FunctionChoice | AllowedTools;

export interface TextFormatText {
  readonly type: 'text';
}

export interface TextFormatJsonSchema {
  readonly type?: 'json_schema';
  readonly description?: string;
  readonly name?: string;
  readonly schema?: JsonObject;
  readonly strict?: boolean | null;
}

export interface TextOptions {
  readonly format?: TextFormatText | TextFormatJsonSchema | null;
  readonly verbosity?: 'low' | 'medium' | 'high';
}

export type ReasoningEffort = 'none' | 'low' | 'medium' | 'high' | 'xhigh';

export interface ReasoningOptions {
  readonly effort?: ReasoningEffort | null;
  readonly summary?: 'concise' | 'detailed' | 'auto' | null;
}

export interface StreamOptions {
  readonly include_obfuscation?: boolean;
}

/**
 * A request. Fields that are left out are not sent. Servers have fields of their own beside these: write theirs as
 * `vendor:field`, as OpenResponses asks, or `providerOptions`.
 */
export interface ResponsesRequest {
  readonly model?: string | null;
  readonly input?: string | readonly InputItem[] | null;
  /** The answer to continue, where the server keeps answers. */
  readonly previous_response_id?: string | null;
  readonly include?: readonly ('reasoning.encrypted_content' | 'message.output_text.logprobs')[];
  readonly tools?: readonly FunctionTool[] | null;
  readonly tool_choice?: ToolChoice | null;
  /** At most 16 pairs, names of at most 64 characters and values of at most 512. */
  readonly metadata?: { readonly [name: string]: string } | null;
  readonly text?: TextOptions | null;
  readonly temperature?: number | null;
  readonly top_p?: number | null;
  readonly presence_penalty?: number | null;
  readonly frequency_penalty?: number | null;
  readonly parallel_tool_calls?: boolean | null;
  /** The client asks for a stream whatever it makes of it. False: for servers that cannot stream. */
  readonly stream?: boolean;
  readonly stream_options?: StreamOptions | null;
  readonly background?: boolean;
  /** At least 16. */
  readonly max_output_tokens?: number | null;
  /** At least 1. */
  readonly max_tool_calls?: number | null;
  readonly reasoning?: ReasoningOptions | null;
  readonly safety_identifier?: string | null;
  readonly prompt_cache_key?: string | null;
  readonly truncation?: 'auto' | 'disabled';
  readonly instructions?: string | null;
  readonly store?: boolean;
  readonly service_tier?: 'auto' | 'default' | 'flex' | 'priority';
  /** 0 to 20. */
  readonly top_logprobs?: number | null;
  /** Of Vercel's gateway: fallback models and what single providers take. */
  readonly providerOptions?: JsonObject;
  readonly [vendorField: `${string}:${string}`]: unknown;
}
