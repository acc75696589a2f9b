import type { JsonPath } from '../value-at.ts';

/**
 * A request as a template. In texts anywhere in `body`, and in `path`, `{{model}}`, `{{conversation}}`, `{{parent}}`, `{{text}}`
 * and `{{system}}` stand for what they name. A text that is nothing but a placeholder becomes `null` where there is no value;
 * within a longer text it becomes nothing.
 */
export interface RequestTemplate {
  /** Appended to the base URL; values in it are encoded. */
  readonly path: string;
  /** JSON. */
  readonly body: unknown;
}

/** What a server that keeps conversations wants to hear, and where its answers hold what. */
export interface ConversationDescription {
  /** How a conversation is begun. Absent: the first message begins it, with neither conversation nor parent. */
  readonly create?: RequestTemplate & { readonly id: JsonPath };
  /** The message that begins a conversation, where it differs from others. Not beside `create`. */
  readonly first?: RequestTemplate;
  readonly send: RequestTemplate;
  readonly framing: 'sse' | 'ndjson';
  readonly reply: {
    readonly text: JsonPath;
    readonly reasoning?: JsonPath;
    /** The conversation's id, in any frame. */
    readonly conversation?: JsonPath;
    /** What the next message has to name as its parent, in any frame; the last one counts. */
    readonly parent?: JsonPath;
    /** Where a frame says that something went wrong. */
    readonly error?: JsonPath;
    /**
     * The frame that ends a reply: whatever is there, or only this text. `[DONE]` always ends one. Absent: a stream that
     * closes well has ended, too.
     */
    readonly end?: { readonly path: JsonPath; readonly is?: string };
    /** Each frame repeats all text so far. Absent: found out (`growing-text.ts`). */
    readonly cumulative?: boolean;
  };
  /** How an answer says that the conversation or the parent is not there any more. */
  readonly lost: {
    readonly statuses: readonly number[];
    /** Words in the body of any refusal. */
    readonly words: readonly string[];
  } /** How an answer says that the conversation is busy with another message. */;
  readonly busy: {
    readonly statuses: readonly number[];
    /** Words in the body of any refusal. */
    readonly words: readonly string[];
  };
}
