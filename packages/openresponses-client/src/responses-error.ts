import type { Finding } from './check-request.ts';

/**
 * What this client itself finds out. `type` of such an error is `client_error`; all other codes are the server's words.
 *
 * - `request_invalid`: the request was refused here, before it was sent; `findings` say why.
 * - `unreachable`: no connection, or it broke before the answer began.
 * - `connect_timeout`, `idle_timeout`: nothing came for so long, before the answer began or within it.
 * - `stream_cut`: the answer broke off, or lost a piece. What came before is not the whole answer.
 * - `unreadable`: what came is no answer of this API, such as a web page.
 * - `aborted`: the caller's signal ended it.
 */
export type ClientErrorCode =
  | 'request_invalid'
  | 'unreachable'
  | 'connect_timeout'
  | 'idle_timeout'
  | 'stream_cut'
  | 'unreadable'
  | 'aborted';

/** What is known of an error besides its message. */
export interface ResponsesErrorOptions {
  readonly code: string;
  readonly type?: string | undefined;
  readonly status?: number | undefined;
  readonly param?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly requestId?: string | undefined;
  readonly findings?: readonly Finding[] | undefined;
  readonly cause?: unknown;
}

/** The one error that this client throws. Its message is one line for people, and holds no key. */
export class ResponsesError extends Error {
  override readonly name = 'ResponsesError';
  /** The server's code, else its type, else `http_` and the status; or a `ClientErrorCode`. */
  readonly code: string;
  /** The server's type, such as `invalid_request`, or `client_error`. */
  readonly type: string;
  /** The HTTP status; absent where no answer came. An error within a stream has that of the stream. */
  readonly status: number | undefined;
  /** The place in the request that is at fault, such as `input[1].content[0].type`. */
  readonly param: string | undefined;
  /** Seconds after which the server wants to be asked again. */
  readonly retryAfter: number | undefined;
  /** Under which the server's log has this request. */
  readonly requestId: string | undefined;
  /** What is wrong with a request that was refused here; empty for every other error. */
  readonly findings: readonly Finding[];

  constructor(message: string, options: ResponsesErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = options.code;
    this.type = options.type ?? 'client_error';
    this.status = options.status;
    this.param = options.param;
    this.retryAfter = options.retryAfter;
    this.requestId = options.requestId;
    this.findings = options.findings ?? [];
  }
}

/** An error that this client itself has found. */
export function clientError(
  code: ClientErrorCode,
  message: string,
  more: Omit<ResponsesErrorOptions, 'code' | 'type'> = {},
): ResponsesError {
  return new ResponsesError(message, { ...more, code, type: 'client_error' });
}
