import type { JsonObject, ResponsesRequest } from '@dragoman/openresponses-client';

// Of all that OpenResponses takes, what the extension writes: narrower than the client's types, which say what anybody may.

export interface InputText {
  readonly type: 'input_text';
  readonly text: string;
}

export interface InputImage {
  readonly type: 'input_image';
  readonly image_url: string;
  readonly detail: 'auto';
}

export interface OutputText {
  readonly type: 'output_text';
  readonly text: string;
  readonly annotations: readonly never[];
}

/** What everybody but the assistant says. */
export interface UserItem {
  readonly type: 'message';
  readonly role: 'user';
  readonly content: readonly (InputText | InputImage)[];
}

export interface SystemItem {
  readonly type: 'message';
  readonly role: 'system' | 'developer';
  readonly content: readonly InputText[];
}

export interface AnswerItem {
  readonly type: 'message';
  readonly role: 'assistant';
  readonly content: string | readonly OutputText[];
}

export type MessageItem = UserItem | SystemItem | AnswerItem;

export interface CallItem {
  readonly type: 'function_call';
  readonly call_id: string;
  readonly name: string;
  readonly arguments: string;
}

export interface ResultItem {
  readonly type: 'function_call_output';
  readonly call_id: string;
  readonly output: string | readonly (InputText | InputImage)[];
}

export interface ReasoningItem {
  readonly type: 'reasoning';
  readonly id?: string;
  readonly summary: readonly { readonly type: 'summary_text'; readonly text: string }[];
  readonly encrypted_content?: string;
}

export type InputItem = MessageItem | CallItem | ResultItem | ReasoningItem;

export interface FunctionTool {
  readonly type: 'function';
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
  readonly strict: boolean;
}

/** Fields that callers of the language model API may set. */
export type CallerFields = Pick<
  ResponsesRequest,
  | 'temperature'
  | 'top_p'
  | 'max_output_tokens'
  | 'presence_penalty'
  | 'frequency_penalty'
  | 'parallel_tool_calls'
  | 'max_tool_calls'
  | 'text'
  | 'truncation'
  | 'metadata'
  | 'service_tier'
  | 'safety_identifier'
  | 'prompt_cache_key'
>;

/** A request as it is sent. Fields that nobody asked for are absent. */
export type WrittenRequest = CallerFields & {
  readonly model: string;
  readonly input: readonly InputItem[];
  readonly stream: true;
  /** The history always comes whole, so no server has to keep it. */
  readonly store: false;
  readonly instructions?: string;
  readonly tools?: readonly FunctionTool[];
  readonly tool_choice?: 'auto' | 'required' | 'none';
  readonly reasoning?: NonNullable<ResponsesRequest['reasoning']>;
  readonly include?: readonly 'reasoning.encrypted_content'[];
  readonly providerOptions?: JsonObject;
};
