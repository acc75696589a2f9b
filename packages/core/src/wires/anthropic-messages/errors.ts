import type { DragomanError, ErrorCode } from '../../errors.ts';
import type { WireError, WireErrorType } from './types.ts';

const errorTypes: { readonly [code in ErrorCode]: WireErrorType } = {
  'bad-request': 'invalid_request_error',
  'invalid-tool-results': 'invalid_request_error',
  'context-too-long': 'invalid_request_error',
  'too-many-tools': 'invalid_request_error',
  'too-many-messages': 'invalid_request_error',
  'unsupported-field': 'invalid_request_error',
  'key-missing': 'authentication_error',
  'key-wrong': 'permission_error',
  'page-refused': 'permission_error',
  'route-unknown': 'not_found_error',
  'model-unknown': 'not_found_error',
  'previous-response-unknown': 'not_found_error',
  'response-unknown': 'not_found_error',
  'record-unknown': 'not_found_error',
  'method-not-allowed': 'invalid_request_error',
  'body-too-large': 'request_too_large',
  'response-running': 'invalid_request_error',
  'too-many-responses': 'rate_limit_error',
  'conversation-busy': 'rate_limit_error',
  'response-cancelled': 'invalid_request_error',
  'client-gone': 'invalid_request_error',
  'upstream-unreachable': 'api_error',
  'upstream-refused': 'invalid_request_error',
  'upstream-unauthorized': 'invalid_request_error',
  'upstream-rate-limited': 'rate_limit_error',
  'upstream-overloaded': 'overloaded_error',
  'worker-missing': 'overloaded_error',
  'upstream-failed': 'api_error',
  'upstream-unreadable': 'invalid_request_error',
  'upstream-cut': 'api_error',
  'reply-too-large': 'invalid_request_error',
  'connect-timeout': 'timeout_error',
  'first-token-timeout': 'timeout_error',
  'idle-timeout': 'timeout_error',
  'total-timeout': 'timeout_error',
  'config-invalid': 'api_error',
  draining: 'overloaded_error',
  'too-many-connections': 'overloaded_error',
  'store-failed': 'api_error',
  internal: 'api_error',
};

/** What agents look for to know that they have to shorten the conversation; Anthropic has no code for it. */
const overflowWords = 'prompt is too long';

/** The body of an error answer, and the data of an `error` event. */
export function writeError(error: DragomanError): WireError {
  const tellsOverflow = error.code !== 'context-too-long' || error.message.toLowerCase().includes(overflowWords);
  const message = tellsOverflow ? error.message : `${overflowWords}: ${error.message}`;
  const logged = error.errorId === undefined ? {} : { error_id: error.errorId };
  return { type: 'error', error: { type: errorTypes[error.code], message, ...writeDetails(error), ...logged } };
}

/**
 * Anthropic's SDK asks for threads, which the server would keep, and sends whole histories once it is told in this form
 * that there are none.
 */
function writeDetails(error: DragomanError): Pick<WireError['error'], 'details'> {
  if (error.code !== 'unsupported-field' || error.param !== 'thread') return {};
  return { details: { error_code: 'thread_unsupported_request', unsupported: ['thread'] } };
}
