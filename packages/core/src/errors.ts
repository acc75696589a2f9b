import type { ErrorCode } from './error-kinds.ts';

export type { ErrorCode };

/** What a server answered with an error, for whoever asks it with a key of their own. It may quote that key. */
export interface ServerWords {
  readonly words: string;
  /** What can be done about it. */
  readonly cure?: string;
}

/** What of a request its upstream refuses, where a request without it would be taken. `grammar`: or a schema that a reply has to fit. */
export type Refusal = 'tools' | 'max_tokens' | 'grammar';

/** What is known of an error besides its code and message. */
export interface DragomanErrorOptions {
  /** The place in the caller's request, such as `messages[1].content`. */
  readonly param?: string | undefined;
  /** The status the upstream answered with, for the log. */
  readonly upstreamStatus?: number | undefined;
  /** For hosts without a gateway; a gateway never passes it on. */
  readonly said?: ServerWords | undefined;
  /** What of the request the upstream refuses; absent where that is not known. */
  readonly refuses?: Refusal | undefined;
  /** Seconds after which a retry makes sense, when the upstream said so. */
  readonly retryAfter?: number | undefined;
  /** Under which the log holds this error, once it is logged. Wires that have a place for it tell it. */
  readonly errorId?: string | undefined;
  readonly cause?: unknown;
}

/** A mistake of the client, the upstream or ourselves. What a model wrote wrongly is never one: that is data. */
export class DragomanError extends Error {
  override readonly name = 'DragomanError';
  readonly code: ErrorCode;
  declare readonly param?: string | undefined;
  declare readonly upstreamStatus?: number | undefined;
  declare readonly said?: ServerWords | undefined;
  declare readonly refuses?: Refusal | undefined;
  declare readonly retryAfter?: number | undefined;
  declare readonly errorId?: string | undefined;

  /** `message` is one sentence for the caller: what is wrong, where, and what to do. It never holds a secret. `errorKindOf` says what follows from the code. */
  constructor(code: ErrorCode, message: string, { cause, ...known }: DragomanErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause });
    Object.assign(this, known);
    this.code = code;
  }
}

/** The same error in these words, with more that is known of it. */
export function reworded(error: DragomanError, message: string, more: DragomanErrorOptions = {}): DragomanError {
  return new DragomanError(error.code, message, { ...error, cause: error.cause, ...more });
}

/** Any thrown value as a DragomanError; what is not one already becomes `internal` and keeps its cause for the log. */
export function toDragomanError(thrown: unknown): DragomanError {
  if (thrown instanceof DragomanError) return thrown;
  return new DragomanError('internal', 'The gateway failed to answer this request.', { cause: thrown });
}
