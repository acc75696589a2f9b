/** The shapes of OpenResponses that the extension writes. Its client checks them before they leave. */
export type JsonObject = Readonly<Record<string, unknown>>;

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

export interface MessageItem {
  readonly type: 'message';
  readonly role: 'user' | 'assistant' | 'system' | 'developer';
  readonly content: string | readonly (InputText | InputImage | OutputText)[];
}

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

/** A request as it is sent. Fields that nobody asked for are absent. */
export interface ResponsesRequest {
  readonly model: string;
  readonly input: readonly InputItem[];
  readonly stream: true;
  readonly store: false;
  readonly instructions?: string;
  readonly tools?: readonly FunctionTool[];
  readonly tool_choice?: 'auto' | 'required' | 'none';
  readonly [field: string]: unknown;
}
