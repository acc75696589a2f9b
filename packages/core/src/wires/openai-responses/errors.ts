import type { DragomanError, ErrorCode } from '../../errors.ts';
import type { WireError } from './types.ts';

/** The five types that OpenResponses defines. */
type ErrorType = 'invalid_request' | 'not_found' | 'too_many_requests' | 'model_error' | 'server_error';

/** The words that clients of this API look for. Everything else keeps our own code, with underscores. */
const errorWords: { readonly [code in ErrorCode]: readonly [type: ErrorType, code: string] } = {
  'bad-request': ['invalid_request', 'bad_request'],
  'invalid-tool-results': ['invalid_request', 'invalid_tool_results'],
  'context-too-long': ['invalid_request', 'context_length_exceeded'],
  'too-many-tools': ['invalid_request', 'too_many_tools'],
  'too-many-messages': ['invalid_request', 'too_many_messages'],
  'unsupported-field': ['invalid_request', 'unsupported_field'],
  'previous-response-unknown': ['invalid_request', 'previous_response_not_found'],
  'key-missing': ['invalid_request', 'key_missing'],
  'key-wrong': ['invalid_request', 'invalid_api_key'],
  'page-refused': ['invalid_request', 'page_refused'],
  'route-unknown': ['not_found', 'route_unknown'],
  'model-unknown': ['not_found', 'model_not_found'],
  'response-unknown': ['not_found', 'response_not_found'],
  'record-unknown': ['not_found', 'record_unknown'],
  'method-not-allowed': ['invalid_request', 'method_not_allowed'],
  'body-too-large': ['invalid_request', 'body_too_large'],
  'response-running': ['invalid_request', 'response_running'],
  'too-many-responses': ['too_many_requests', 'too_many_responses'],
  'conversation-busy': ['too_many_requests', 'conversation_busy'],
  'response-cancelled': ['invalid_request', 'response_cancelled'],
  'client-gone': ['invalid_request', 'client_gone'],
  'upstream-unreachable': ['model_error', 'upstream_unreachable'],
  'upstream-refused': ['model_error', 'upstream_refused'],
  'upstream-unauthorized': ['model_error', 'upstream_unauthorized'],
  'upstream-rate-limited': ['too_many_requests', 'rate_limit_exceeded'],
  'upstream-failed': ['model_error', 'upstream_failed'],
  'upstream-unreadable': ['model_error', 'upstream_unreadable'],
  'upstream-cut': ['model_error', 'upstream_cut'],
  'reply-too-large': ['model_error', 'reply_too_large'],
  'upstream-overloaded': ['model_error', 'upstream_overloaded'],
  'worker-missing': ['model_error', 'worker_missing'],
  'connect-timeout': ['model_error', 'connect_timeout'],
  'first-token-timeout': ['model_error', 'first_token_timeout'],
  'idle-timeout': ['model_error', 'idle_timeout'],
  'total-timeout': ['model_error', 'total_timeout'],
  'config-invalid': ['server_error', 'config_invalid'],
  draining: ['server_error', 'draining'],
  'too-many-connections': ['server_error', 'too_many_connections'],
  'store-failed': ['server_error', 'store_failed'],
  internal: ['server_error', 'internal'],
};

/** The body of an error answer; a failed response carries its `code` and `message`. */
export function writeError(error: DragomanError): WireError {
  const [type, code] = errorWords[error.code];
  const logged = error.errorId === undefined ? {} : { error_id: error.errorId };
  return { error: { message: error.message, type, param: error.param ?? '', code, ...logged } };
}
