import { errorKindOf } from '../../error-kinds.ts';
import type { DragomanError } from '../../errors.ts';
import type { JsonObject } from '../read-values.ts';

const typesOfStatus: ReadonlyMap<number, string> = new Map([
  [401, 'authentication_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [413, 'request_too_large'],
  [429, 'rate_limit_error'],
  [500, 'api_error'],
  [502, 'api_error'],
  [503, 'overloaded_error'],
  [504, 'timeout_error'],
]);

/** What agents look for to know that they have to shorten the conversation; Anthropic has no code for it. */
const overflowWords = 'prompt is too long';

/** The body of an error answer, and the data of an `error` event. */
export function writeError(error: DragomanError) {
  const tellsOverflow = error.code !== 'context-too-long' || error.message.toLowerCase().includes(overflowWords);
  const message = tellsOverflow ? error.message : `${overflowWords}: ${error.message}`;
  const logged = error.errorId === undefined ? {} : { error_id: error.errorId };
  // It comes with 503, too, and no load is the reason.
  const type =
    error.code === 'store-failed'
      ? 'api_error'
      : (typesOfStatus.get(errorKindOf(error).status) ?? 'invalid_request_error');
  return { type: 'error', error: { type, message, ...writeDetails(error), ...logged } };
}

/**
 * Anthropic's SDK asks for threads, which the server would keep, and sends whole histories once it is told in this form
 * that there are none.
 */
function writeDetails(error: DragomanError): { readonly details?: JsonObject } {
  if (error.code !== 'unsupported-field' || error.param !== 'thread') return {};
  return { details: { error_code: 'thread_unsupported_request', unsupported: ['thread'] } };
}
