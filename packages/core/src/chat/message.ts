/** What only one wire knows, keyed by wire id. It rides along and is written back by the same wire only. */
export type Extra = { readonly [wireId: string]: { readonly [field: string]: unknown } };

/** A range of text. */
export interface TextPart {
  readonly type: 'text';
  readonly text: string;
  /** The model said here why it would not answer. Only in its own messages. */
  readonly refusal?: true;
  /** Cache markers and the like; or the whole part in the words of a wire that says more than text. */
  readonly extra?: Extra;
}

/** An image by address; `data:` URLs carry their bytes. */
export interface ImagePart {
  readonly type: 'image';
  readonly url: string;
  readonly detail?: string;
  readonly extra?: Extra;
}

/** What a system, user or tool message is made of. */
export type Part = TextPart | ImagePart;

/** What the model thought before it went on. */
export interface ReasoningPart {
  readonly type: 'reasoning';
  readonly text: string;
  /** Signatures and the like, which some upstreams want back. The text is empty where they are all there is. */
  readonly extra?: Extra;
}

/** A call that the model made. */
export interface ToolCallPart {
  readonly type: 'tool-call';
  readonly callId: string;
  readonly name: string;
  /** JSON text of an object, exactly as written. */
  readonly arguments: string;
  readonly extra?: Extra;
}

/** System text. `developer` messages are system messages; a wire that tells them apart keeps the word in `extra`. */
export interface SystemMessage {
  readonly role: 'system';
  readonly content: readonly Part[];
  readonly extra?: Extra;
}

/** What the client's person, or the client itself, said. */
export interface UserMessage {
  readonly role: 'user';
  readonly content: readonly Part[];
  readonly name?: string;
  readonly extra?: Extra;
}

/** What the model said, in its order: text, reasoning and calls. */
export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: readonly (TextPart | ReasoningPart | ToolCallPart)[];
  readonly extra?: Extra;
}

/** One tool's output. `callId` names the call it answers; empty when the client gave none. */
export interface ToolMessage {
  readonly role: 'tool';
  readonly callId: string;
  readonly name?: string;
  readonly content: readonly Part[];
  /** Set when the client said so; otherwise the status is guessed only by an option. */
  readonly status?: 'ok' | 'error';
  /** What the gateway tells the model behind the output, which stays as it is. Preparing a request puts it there. */
  readonly note?: string;
  readonly extra?: Extra;
}

/** One message of a conversation. */
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

/** The text of a message's text parts, joined by `separator` (default: newline). Images and calls are passed over. */
export function textOf(
  content: readonly { readonly type: string; readonly text?: string }[],
  separator = '\n',
): string {
  return content
    .filter((part): part is TextPart => part.type === 'text')
    .map((part) => part.text)
    .join(separator);
}

/** UTF-16 units of all that is said in them, calls and their arguments included. */
export function unitsOf(messages: readonly Message[]): number {
  let units = 0;
  for (const { content } of messages) {
    for (const part of content) {
      if (part.type === 'tool-call') units += part.arguments.length;
      else if (part.type !== 'image') units += part.text.length;
    }
  }
  return units;
}
