import { type ErrorCode, GatewayError } from '../../errors.ts';
import type { JsonObject } from '../read-values.ts';
import { isObject } from '../read-values.ts';
import type { WireError } from './types.ts';

/** The five types that OpenResponses defines. */
type ErrorType = 'invalid_request' | 'not_found' | 'too_many_requests' | 'model_error' | 'server_error';

/** The words that clients of this API look for. Everything else keeps our own code, with underscores. */
const errorWords: { readonly [code in ErrorCode]: readonly [type: ErrorType, code: string] } = {
  'bad-request': ['invalid_request', 'bad_request'],
  'invalid-tool-results': ['invalid_request', 'invalid_tool_results'],
  'context-too-long': ['invalid_request', 'context_length_exceeded'],
  'too-many-tools': ['invalid_request', 'too_many_tools'],
  'unsupported-field': ['invalid_request', 'unsupported_field'],
  'previous-response-unknown': ['invalid_request', 'previous_response_not_found'],
  'key-missing': ['invalid_request', 'key_missing'],
  'key-wrong': ['invalid_request', 'invalid_api_key'],
  'page-refused': ['invalid_request', 'page_refused'],
  'route-unknown': ['not_found', 'route_unknown'],
  'model-unknown': ['not_found', 'model_not_found'],
  'response-unknown': ['not_found', 'response_not_found'],
  'method-not-allowed': ['invalid_request', 'method_not_allowed'],
  'body-too-large': ['invalid_request', 'body_too_large'],
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
  'connect-timeout': ['model_error', 'connect_timeout'],
  'first-token-timeout': ['model_error', 'first_token_timeout'],
  'idle-timeout': ['model_error', 'idle_timeout'],
  'total-timeout': ['model_error', 'total_timeout'],
  'config-invalid': ['server_error', 'config_invalid'],
  draining: ['server_error', 'draining'],
  internal: ['server_error', 'internal'],
};

/** The body of an error answer; a failed response carries its `code` and `message`. */
export function writeError(error: GatewayError): WireError {
  const [type, code] = errorWords[error.code];
  const logged = error.errorId === undefined ? {} : { error_id: error.errorId };
  return { error: { message: error.message, type, param: error.param ?? '', code, ...logged } };
}

/** Codes and types by which servers say that the prompt is longer than the context window. */
const overflowWords: readonly unknown[] = [
  'context_length_exceeded',
  'context_window_exceeded',
  'model_context_window_exceeded',
  'exceed_context_size_error',
];

/** Words of servers without such a code: vLLM serves this API with the same sentences as Chat Completions. */
const overflowPhrases: readonly string[] = [
  'maximum context length is',
  'exceeds the available context size',
  'exceeds the context window',
  'prompt is too long',
];

const rateLimitWords: readonly unknown[] = ['rate_limit_exceeded', 'too_many_requests', 'rate_limit_error'];

/** The longest part of an upstream's own words that is passed on, in UTF-16 units. */
const longestMessage = 1000;

/**
 * An upstream's error answer. The status decides the code, except for context overflow, which is recognised by the
 * error's own code or type, or by the known words of servers that have none. The message is passed on, bounded; a page
 * of HTML never is, nor what the upstream says about our credentials.
 */
export function readError(status: number, body: unknown): GatewayError {
  const fields = errorFields(body);
  const code = isOverflow(fields, status) ? 'context-too-long' : codeOfStatus(status);
  if (code === 'upstream-unauthorized') {
    // Upstreams quote parts of the key they refuse; the caller has no business with ours.
    const words = `The upstream refused the gateway's credentials (${status}). Check or renew its key in the configuration.`;
    return new GatewayError(code, words, { upstreamStatus: status });
  }
  return new GatewayError(code, `The upstream answered ${status}: ${wordsOf(fields.message, body)}`, {
    upstreamStatus: status,
  });
}

/**
 * The error of an `error` event or of a response that failed: nested under `error`, flat beside `type`, or inside
 * `response`. Also that of a whole body with status 200.
 */
export function readStreamError(value: unknown): GatewayError {
  const fields = errorFields(value);
  const status = [fields.code, fields.status].find((word) => typeof word === 'number' && word >= 400 && word < 600);
  if (typeof status === 'number') return readError(status, value);
  const code = isOverflow(fields, 400)
    ? 'context-too-long'
    : isOneOf(rateLimitWords, fields)
      ? 'upstream-rate-limited'
      : 'upstream-failed';
  return new GatewayError(code, `The upstream reported an error: ${wordsOf(fields.message, value)}`);
}

/** The error for a whole answer that is not this wire's. */
export function unreadableAnswer(body: unknown): GatewayError {
  return new GatewayError('upstream-unreadable', `The upstream's answer is not a response: ${wordsOf('', body)}`);
}

interface ErrorFields {
  readonly message: unknown;
  readonly code?: unknown;
  readonly type?: unknown;
  readonly status?: unknown;
}

function errorFields(value: unknown): ErrorFields {
  if (!isObject(value)) return { message: value };
  if (isObject(value.response) && isObject(value.response.error)) return fieldsOf(value.response.error);
  if (isObject(value.error)) return fieldsOf(value.error);
  return { ...fieldsOf(value), message: value.error ?? value.message ?? value.detail };
}

function fieldsOf({ message, code, type, status }: JsonObject): ErrorFields {
  return { message, code, type, status };
}

/** Agents compact a conversation only when they are told that it is too long, so the words of a refusal are read, too. */
function isOverflow(fields: ErrorFields, status: number): boolean {
  if (isOneOf(overflowWords, fields)) return true;
  const { message } = fields;
  if ((status !== 400 && status !== 413) || typeof message !== 'string') return false;
  return overflowPhrases.some((phrase) => message.slice(0, longestMessage).includes(phrase));
}

function isOneOf(words: readonly unknown[], fields: ErrorFields): boolean {
  return words.includes(fields.code) || words.includes(fields.type);
}

function wordsOf(message: unknown, body: unknown): string {
  if (typeof body === 'string' && body.trimStart().startsWith('<')) {
    return 'a web page instead of JSON. Check the base URL, and whether the credentials are still valid.';
  }
  if (typeof message !== 'string' || message.trim() === '') return 'no message.';
  return message.length > longestMessage ? `${message.slice(0, longestMessage)}…` : message;
}

function codeOfStatus(status: number): ErrorCode {
  if (status === 401 || status === 403) return 'upstream-unauthorized';
  if (status === 429) return 'upstream-rate-limited';
  if (status >= 500 || status === 408) return 'upstream-failed';
  return 'upstream-refused';
}
