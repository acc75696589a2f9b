import { GatewayError } from '../../errors.ts';
import { codeOfStatus } from '../code-of-status.ts';
import { isAbsent, isObject } from '../read-values.ts';

/**
 * The body of an error answer, and the last line of a stream that broke. Clients show the string as it is, so the id under
 * which the log holds the error stands beside it.
 */
export function writeError(error: GatewayError): { readonly error: string; readonly error_id?: string } {
  return { error: error.message, ...(error.errorId === undefined ? {} : { error_id: error.errorId }) };
}

/** The longest part of an upstream's own words that is passed on, in UTF-16 units. */
const longestMessage = 1000;

/** Words by which Ollama and the runners below it say that the prompt is too long; they have no code for it. */
const overflowPhrases: readonly string[] = [
  'exceeds the context length',
  'exceeds the available context size',
  'prompt is too long',
];

/**
 * An upstream's error answer. Ollama gives words and a status, so the status decides, except for context overflow, which
 * agents must know to compact their history. Refused credentials are told in our own words: an upstream may quote parts of the key, which is no business of the caller.
 */
export function readError(status: number, body: unknown): GatewayError {
  const code = isOverflow(status, body) ? 'context-too-long' : codeOfStatus(status);
  const words =
    code === 'upstream-unauthorized'
      ? `The upstream refused the gateway's credentials (${status}). Check or renew its key in the configuration.`
      : `The upstream answered ${status}: ${wordsOf(body)}`;
  return new GatewayError(code, words, { upstreamStatus: status });
}

/** The error line of a stream that began well, or a whole body with status 200 that holds one. */
export function readStreamError(line: unknown): GatewayError {
  const status = isObject(line) ? [line.status_code, line.status].find(isErrorStatus) : undefined;
  if (status !== undefined) return readError(status, line);
  return new GatewayError('upstream-failed', `The upstream reported an error: ${wordsOf(line)}`);
}

/** The error for a whole answer that is not this wire's. */
export function unreadableAnswer(body: unknown): GatewayError {
  return new GatewayError('upstream-unreadable', `The upstream's answer is not one of /api/chat: ${wordsOf(body)}`);
}

export function hasError(value: unknown): boolean {
  return isObject(value) && !isAbsent(value.error);
}

function isErrorStatus(value: unknown): value is number {
  return typeof value === 'number' && value >= 400 && value < 600;
}

function isOverflow(status: number, body: unknown): boolean {
  if (status !== 400 && status !== 413 && status !== 500) return false;
  const words = wordsOf(body);
  return overflowPhrases.some((phrase) => words.includes(phrase));
}

/** `error` is a string; servers in front of Ollama send an object with a message. A page of HTML is never passed on. */
function wordsOf(body: unknown): string {
  if (typeof body === 'string' && body.trimStart().startsWith('<')) {
    return 'a web page instead of JSON. Check the base URL, and whether the credentials are still valid.';
  }
  const error = isObject(body) ? (body.error ?? body.message) : body;
  const message = isObject(error) ? error.message : error;
  if (typeof message !== 'string' || message.trim() === '') return 'no message.';
  return message.length > longestMessage ? `${message.slice(0, longestMessage)}…` : message;
}
