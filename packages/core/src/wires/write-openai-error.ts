import type { DragomanError, ErrorCode } from '../errors.ts';

/** An error as OpenAI's older APIs say it. All four are always strings: the strictest client refuses null. */
export interface OpenaiError {
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly param: string;
    readonly code: string;
    readonly error_id?: string;
  };
}

/** The words that clients of these APIs look for. Everything else keeps our own code, with underscores. */
const errorWords: { readonly [code in ErrorCode]: readonly [type: string, code: string] } = {
  'bad-request': ['invalid_request_error', 'bad_request'],
  'invalid-tool-results': ['invalid_request_error', 'invalid_tool_results'],
  'context-too-long': ['invalid_request_error', 'context_length_exceeded'],
  'too-many-tools': ['invalid_request_error', 'too_many_tools'],
  'too-many-messages': ['invalid_request_error', 'too_many_messages'],
  'unsupported-field': ['invalid_request_error', 'unsupported_field'],
  'previous-response-unknown': ['invalid_request_error', 'previous_response_not_found'],
  'key-missing': ['authentication_error', 'key_missing'],
  'key-wrong': ['permission_error', 'invalid_api_key'],
  'page-refused': ['permission_error', 'page_refused'],
  'route-unknown': ['not_found_error', 'route_unknown'],
  'model-unknown': ['not_found_error', 'model_not_found'],
  'response-unknown': ['not_found_error', 'response_not_found'],
  'record-unknown': ['not_found_error', 'record_unknown'],
  'method-not-allowed': ['invalid_request_error', 'method_not_allowed'],
  'body-too-large': ['invalid_request_error', 'body_too_large'],
  'response-running': ['invalid_request_error', 'response_running'],
  'too-many-responses': ['rate_limit_error', 'too_many_responses'],
  'conversation-busy': ['rate_limit_error', 'conversation_busy'],
  'response-cancelled': ['invalid_request_error', 'response_cancelled'],
  'client-gone': ['invalid_request_error', 'client_gone'],
  'upstream-unreachable': ['upstream_error', 'upstream_unreachable'],
  'upstream-refused': ['upstream_error', 'upstream_refused'],
  'upstream-unauthorized': ['upstream_error', 'upstream_unauthorized'],
  'upstream-rate-limited': ['rate_limit_error', 'rate_limit_exceeded'],
  'upstream-overloaded': ['upstream_error', 'upstream_overloaded'],
  'worker-missing': ['upstream_error', 'worker_missing'],
  'upstream-failed': ['upstream_error', 'upstream_failed'],
  'upstream-unreadable': ['upstream_error', 'upstream_unreadable'],
  'upstream-cut': ['upstream_error', 'upstream_cut'],
  'reply-too-large': ['upstream_error', 'reply_too_large'],
  'connect-timeout': ['timeout_error', 'connect_timeout'],
  'first-token-timeout': ['timeout_error', 'first_token_timeout'],
  'idle-timeout': ['timeout_error', 'idle_timeout'],
  'total-timeout': ['timeout_error', 'total_timeout'],
  'config-invalid': ['server_error', 'config_invalid'],
  draining: ['server_error', 'draining'],
  'too-many-connections': ['server_error', 'too_many_connections'],
  'store-failed': ['server_error', 'store_failed'],
  internal: ['server_error', 'internal'],
};

/** The body of an error answer, and the error frame of a stream, in Chat Completions and Completions. */
export function writeOpenaiError(error: DragomanError): OpenaiError {
  const [type, code] = errorWords[error.code];
  const logged = error.errorId === undefined ? {} : { error_id: error.errorId };
  return { error: { message: error.message, type, param: error.param ?? '', code, ...logged } };
}
