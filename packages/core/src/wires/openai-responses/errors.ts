import { errorKindOf } from '../../error-kinds.ts';
import type { DragomanError } from '../../errors.ts';
import { type OpenaiError, openaiError } from '../write-openai-error.ts';

/** The five types that OpenResponses defines. */
type ErrorType = 'invalid_request' | 'not_found' | 'too_many_requests' | 'model_error' | 'server_error';

/** The body of an error answer; a failed response carries its `code` and `message`. */
export function writeError(error: DragomanError): OpenaiError {
  return openaiError(error, typeOf(error));
}

function typeOf(error: DragomanError): ErrorType {
  const { status, blame } = errorKindOf(error);
  if (status === 429) return 'too_many_requests';
  if (blame === 'gateway') return 'server_error';
  if (blame === 'upstream') return 'model_error';
  return status === 404 ? 'not_found' : 'invalid_request';
}
