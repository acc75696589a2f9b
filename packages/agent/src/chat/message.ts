/** A value of JSON. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** A call that the model made, as it is kept. */
export interface ChatCall {
  /** Unique in its chat. */
  readonly id: string;
  readonly name: string;
  readonly arguments: JsonObject;
}

/** What the agent itself says to the model, such as how its last call could not be read. */
export interface SystemChatMessage {
  readonly role: 'system';
  readonly content: string;
}

export interface UserChatMessage {
  readonly role: 'user';
  readonly content: string;
}

export interface AssistantChatMessage {
  readonly role: 'assistant';
  readonly content: string;
  readonly tool_calls?: readonly ChatCall[];
  /** What the model thought. For the view; kept in a file only where its person wants it. */
  readonly think?: string;
}

export interface ToolChatMessage {
  readonly role: 'tool';
  /** What the model reads. */
  readonly content: string;
  /** The `id` of the call that it answers. */
  readonly tool_call_id: string;
  /** Absent: the tool did what was asked. Files of older versions may hold any value here. */
  readonly tool_result?: JsonValue;
}

/** One message of a chat: what is kept, and all that the model and a view are made of. */
export type ChatMessage = SystemChatMessage | UserChatMessage | AssistantChatMessage | ToolChatMessage;

/** How a call went. `rejected`: its person did not want it; `cancelled`: nobody knows whether it ran to its end. */
export type CallStatus = 'ok' | 'error' | 'rejected' | 'cancelled';

const failures: readonly string[] = ['error', 'rejected', 'cancelled'] satisfies readonly CallStatus[];

/** The result of a call as a message. */
export function toolMessage(
  callId: string,
  { status, content }: { readonly status: CallStatus; readonly content: string },
): ToolChatMessage {
  const told = status === 'ok' ? {} : { tool_result: { status } };
  return { role: 'tool', content, tool_call_id: callId, ...told };
}

/** How the call went that a message answers. */
export function statusOf({ tool_result: result }: ToolChatMessage): CallStatus {
  if (typeof result !== 'object' || result === null || !('status' in result)) return 'ok';
  const { status } = result;
  return isFailure(status) ? status : 'ok';
}

function isFailure(status: unknown): status is CallStatus {
  return typeof status === 'string' && failures.includes(status);
}
