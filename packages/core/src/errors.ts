/** Who has to act on an error. */
export type Blame = 'client' | 'upstream' | 'gateway';

interface ErrorKind {
  /** HTTP status when nothing has been sent yet. */
  readonly status: number;
  readonly blame: Blame;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
}

const client = (status: number, retryable = false): ErrorKind => ({ status, blame: 'client', retryable });
// A refusal of the upstream is told with 400, also one of the gateway's key: agents and SDKs repeat what comes with 5xx in
// silence, ask for another login after 401 and 403, and show a 400 at once.
const upstream = (status: number, retryable = status !== 400): ErrorKind => ({ status, blame: 'upstream', retryable });
const gateway = (status: number, retryable = false): ErrorKind => ({ status, blame: 'gateway', retryable });

/**
 * Every error that leaves the gateway, in one table; `docs/errors.md` explains each and a test compares the two.
 * Code decides by `code`, never by message text.
 */
export const errorKinds = {
  'bad-request': client(400),
  'invalid-tool-results': client(400),
  'context-too-long': client(400),
  'too-many-tools': client(400),
  'too-many-messages': client(400),
  'unsupported-field': client(400),
  'previous-response-unknown': client(400),
  'key-missing': client(401),
  'key-wrong': client(403),
  'page-refused': client(403),
  'route-unknown': client(404),
  'model-unknown': client(404),
  'response-unknown': client(404),
  'record-unknown': client(404),
  'method-not-allowed': client(405),
  'body-too-large': client(413),
  'response-running': client(409, true),
  'too-many-responses': client(429, true),
  'conversation-busy': client(429, true),
  'response-cancelled': client(499),
  'client-gone': client(499),
  'upstream-unreachable': upstream(502),
  'upstream-refused': upstream(400),
  'upstream-unauthorized': upstream(400),
  'upstream-rate-limited': upstream(429),
  'upstream-overloaded': upstream(503),
  'worker-missing': upstream(503),
  'upstream-failed': upstream(502),
  'upstream-unreadable': upstream(400),
  'upstream-cut': upstream(502),
  'reply-too-large': upstream(400),
  'connect-timeout': upstream(504),
  'first-token-timeout': upstream(504),
  'idle-timeout': upstream(504),
  'total-timeout': upstream(504),
  'config-invalid': gateway(500),
  draining: gateway(503, true),
  'too-many-connections': gateway(503, true),
  'store-failed': gateway(503, true),
  internal: gateway(500),
} as const satisfies Record<string, ErrorKind>;

/** What went wrong: a key of `errorKinds`. */
export type ErrorCode = keyof typeof errorKinds;

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
  readonly param: string | undefined;
  readonly upstreamStatus: number | undefined;
  readonly said: ServerWords | undefined;
  readonly refuses: Refusal | undefined;
  readonly retryAfter: number | undefined;
  readonly errorId: string | undefined;

  /** `message` is one sentence for the caller: what is wrong, where, and what to do. It never holds a secret. */
  constructor(code: ErrorCode, message: string, options: DragomanErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.param = options.param;
    this.upstreamStatus = options.upstreamStatus;
    this.said = options.said;
    this.refuses = options.refuses;
    this.retryAfter = options.retryAfter;
    this.errorId = options.errorId;
  }

  /** The same error in these words, with more that is known of it. */
  saying(message: string, more: DragomanErrorOptions = {}): DragomanError {
    const { param, upstreamStatus, said, refuses, retryAfter, errorId, cause } = this;
    const known = { param, upstreamStatus, said, refuses, retryAfter, errorId, cause };
    return new DragomanError(this.code, message, { ...known, ...more });
  }

  get status(): number {
    return errorKinds[this.code].status;
  }

  get blame(): Blame {
    return errorKinds[this.code].blame;
  }

  get retryable(): boolean {
    return errorKinds[this.code].retryable;
  }
}

/** Any thrown value as a DragomanError; what is not one already becomes `internal` and keeps its cause for the log. */
export function toDragomanError(thrown: unknown): DragomanError {
  if (thrown instanceof DragomanError) return thrown;
  return new DragomanError('internal', 'The gateway failed to answer this request.', { cause: thrown });
}
