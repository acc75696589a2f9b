// Table: what follows from the code of an error. Whoever only reads replies never asks for it.

/** Who has to act on an error. */
export type Blame = 'client' | 'upstream' | 'gateway';

export interface ErrorKind {
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

/** Who has to act on an error, with which status it is told, and whether the same request may succeed later. */
export function errorKindOf({ code }: { readonly code: ErrorCode }): ErrorKind {
  return errorKinds[code];
}
