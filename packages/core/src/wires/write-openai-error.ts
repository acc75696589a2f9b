import { errorKindOf } from '../error-kinds.ts';
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

/** The words that clients of OpenAI's APIs look for. */
const codes: ReadonlyMap<ErrorCode, string> = new Map([
  ['context-too-long', 'context_length_exceeded'],
  ['previous-response-unknown', 'previous_response_not_found'],
  ['key-wrong', 'invalid_api_key'],
  ['model-unknown', 'model_not_found'],
  ['response-unknown', 'response_not_found'],
  ['upstream-rate-limited', 'rate_limit_exceeded'],
]);

/** An error of any of OpenAI's APIs. Where its clients look for no word of their own, `code` is ours with underscores. */
export function openaiError<Type extends string>(error: DragomanError, type: Type) {
  const code = codes.get(error.code) ?? error.code.replaceAll('-', '_');
  const logged = error.errorId === undefined ? {} : { error_id: error.errorId };
  return { error: { message: error.message, type, param: error.param ?? '', code, ...logged } };
}

/** The body of an error answer, and the error frame of a stream, in Chat Completions and Completions. */
export function writeOpenaiError(error: DragomanError): OpenaiError {
  return openaiError(error, typeOf(error));
}

function typeOf(error: DragomanError): string {
  const { status, blame } = errorKindOf(error);
  if (status === 429) return 'rate_limit_error';
  if (blame === 'gateway') return 'server_error';
  if (blame === 'upstream') return status === 504 ? 'timeout_error' : 'upstream_error';
  if (status === 401) return 'authentication_error';
  if (status === 403) return 'permission_error';
  return status === 404 ? 'not_found_error' : 'invalid_request_error';
}
