import { type ErrorCode, GatewayError } from '../../errors.ts';
import { isObject } from '../read-values.ts';
import type { WireError } from './types.ts';

/** The words that clients of this API look for. Everything else keeps our own code, with underscores. */
const errorWords: { readonly [code in ErrorCode]: readonly [type: string, code: string] } = {
  'bad-request': ['invalid_request_error', 'bad_request'],
  'invalid-tool-results': ['invalid_request_error', 'invalid_tool_results'],
  'context-too-long': ['invalid_request_error', 'context_length_exceeded'],
  'too-many-tools': ['invalid_request_error', 'too_many_tools'],
  'unsupported-field': ['invalid_request_error', 'unsupported_field'],
  'previous-response-unknown': ['invalid_request_error', 'previous_response_not_found'],
  'key-missing': ['authentication_error', 'key_missing'],
  'key-wrong': ['permission_error', 'invalid_api_key'],
  'page-refused': ['permission_error', 'page_refused'],
  'route-unknown': ['not_found_error', 'route_unknown'],
  'model-unknown': ['not_found_error', 'model_not_found'],
  'response-unknown': ['not_found_error', 'response_not_found'],
  'method-not-allowed': ['invalid_request_error', 'method_not_allowed'],
  'body-too-large': ['invalid_request_error', 'body_too_large'],
  'client-gone': ['invalid_request_error', 'client_gone'],
  'upstream-unreachable': ['upstream_error', 'upstream_unreachable'],
  'upstream-refused': ['upstream_error', 'upstream_refused'],
  'upstream-unauthorized': ['upstream_error', 'upstream_unauthorized'],
  'upstream-rate-limited': ['rate_limit_error', 'rate_limit_exceeded'],
  'upstream-overloaded': ['upstream_error', 'upstream_overloaded'],
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
  internal: ['server_error', 'internal'],
};

/** The body of an error answer, and the error frame of a stream. */
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

/** Beginnings by which servers without such a code say it: vLLM and OpenAI, llama.cpp, Anthropic-like ones. */
const overflowPhrases: readonly string[] = [
  'maximum context length is',
  'exceeds the available context size',
  'exceeds the context window',
  'prompt is too long',
];

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

/** The `error` of a frame inside a stream that began well, or of a whole body with status 200. */
export function readStreamError(frame: unknown): GatewayError {
  const fields = errorFields(frame);
  const status = [fields.code, fields.status].find((word) => typeof word === 'number' && word >= 400 && word < 600);
  if (typeof status === 'number') return readError(status, frame);
  const isRateLimit = fields.code === 'rate_limit_exceeded' || fields.type === 'rate_limit_error';
  const code = isOverflow(fields, 400) ? 'context-too-long' : isRateLimit ? 'upstream-rate-limited' : 'upstream-failed';
  return new GatewayError(code, `The upstream reported an error: ${wordsOf(fields.message, frame)}`);
}

/** The error for a whole answer that is not this wire's. */
export function unreadableAnswer(body: unknown): GatewayError {
  return new GatewayError(
    'upstream-unreadable',
    `The upstream's answer is not a chat completion: ${wordsOf('', body)}`,
  );
}

interface ErrorFields {
  readonly message: unknown;
  readonly code?: unknown;
  readonly type?: unknown;
  readonly status?: unknown;
}

/** Servers put the error under `error` (an object or a string), into the body itself, or under `detail`. */
function errorFields(body: unknown): ErrorFields {
  if (!isObject(body)) return { message: body };
  const { error } = body;
  if (isObject(error)) return { message: error.message, code: error.code, type: error.type, status: error.status };
  return { message: error ?? body.message ?? body.detail, code: body.code, type: body.type, status: body.status };
}

function wordsOf(message: unknown, body: unknown): string {
  if (typeof body === 'string' && body.trimStart().startsWith('<')) {
    return 'a web page instead of JSON. Check the base URL, and whether the credentials are still valid.';
  }
  if (typeof message !== 'string' || message.trim() === '') return 'no message.';
  return message.length > longestMessage ? `${message.slice(0, longestMessage)}…` : message;
}

/**
 * Agents compact a conversation only when they are told that it is too long, so this is worth reading the words of
 * servers that have no code for it, but only of those that refuse the request.
 */
function isOverflow({ code, type, message }: ErrorFields, status: number): boolean {
  if (overflowWords.includes(code) || overflowWords.includes(type)) return true;
  if (status !== 400 && status !== 413) return false;
  return (
    typeof message === 'string' && overflowPhrases.some((phrase) => message.slice(0, longestMessage).includes(phrase))
  );
}

function codeOfStatus(status: number): ErrorCode {
  if (status === 401 || status === 403) return 'upstream-unauthorized';
  if (status === 429) return 'upstream-rate-limited';
  if (status >= 500 || status === 408) return 'upstream-failed';
  return 'upstream-refused';
}
