import type { ChatCall, ChatMessage } from '../chat/message.ts';

/** One step of a task, for whoever shows it. */
export type AgentEvent =
  /** The chat is nearly too long: a summary of it is made before the model is asked. */
  | { readonly type: 'compacting' }
  /** The model is asked; what follows belongs to its next message. */
  | { readonly type: 'reply' }
  | { readonly type: 'text' | 'think'; readonly text: string }
  /** The model begins to write a call. */
  | { readonly type: 'call-start'; readonly name: string }
  /** A message is whole, and saved. It replaces what was shown of it. */
  | { readonly type: 'message'; readonly message: ChatMessage }
  /** A call begins to run. The message with its result follows. */
  | { readonly type: 'running'; readonly call: ChatCall };

/**
 * How a task ended. `answer`: the model said what it had to say; `empty`: it said nothing; `length`: it reached the limit of an
 * answer; `steps`, `repeats`: the loop was ended; `cancelled`: by its person; `error`: the model could not be asked.
 */
export type TaskEnd =
  | { readonly reason: 'answer' | 'empty' | 'length' | 'steps' | 'repeats' | 'cancelled' }
  | { readonly reason: 'error'; readonly error: unknown };
