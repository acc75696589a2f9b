import { DragomanError, type ErrorCode } from '../../errors.ts';
import { orTooLong } from '../message-too-long.ts';
import { readError as readStatusError, readStreamError } from '../read-upstream-error.ts';
import { isAbsent, isObject } from '../read-values.ts';

/** The longest part of the platform's own words that is passed on, in UTF-16 units. */
const longestMessage = 1000;

/** Its words for kinds of refusals, in small letters without `_`. A word that is not here says only that it failed. */
const codes: ReadonlyMap<string, ErrorCode> = new Map([
  ['unauthorized', 'upstream-unauthorized'],
  ['forbidden', 'upstream-unauthorized'],
  ['tokenexpired', 'upstream-unauthorized'],
  ['ratelimited', 'upstream-rate-limited'],
  ['toomanyrequests', 'upstream-rate-limited'],
  ['badrequest', 'upstream-refused'],
]);

/** Whether a frame, or a body with a good status, tells of a failure. */
export function tellsFailure(value: unknown): boolean {
  return isObject(value) && (value.success === false || !isAbsent(value.error));
}

/** The failure that a frame, or a body with a good status, tells of. */
export function readFailure(value: unknown): DragomanError {
  const { word, message } = wordsOf(value);
  const code = codes.get(word.toLowerCase().replaceAll('_', '')) ?? 'upstream-failed';
  if (code === 'upstream-unauthorized') return unauthorized(200);
  const known = readStreamError({ error: { message } });
  if (known.code === 'context-too-long') return known;
  return orTooLong(new DragomanError(code, `The upstream reported an error: ${message}`, { upstreamStatus: 200 }));
}

/** An error answer: the status decides, and the platform's own words are passed on. */
export function readError(status: number, body: unknown): DragomanError {
  if (status === 401 || status === 403) return unauthorized(status);
  return orTooLong(readStatusError(status, isObject(body) ? { message: wordsOf(body).message } : body));
}

/**
 * An answer that is neither JSON nor a stream. Whoever is not signed in, or is no longer, gets a web page with status 200
 * here instead of a refusal.
 */
export function readUnreadable(status: number, contentType: string): DragomanError | undefined {
  return contentType.includes('html') ? unauthorized(status, 'a web page') : undefined;
}

/** The error for JSON that is not what the wire calls `what`, such as "a reply". */
export function unreadable(body: unknown, what: string): DragomanError {
  if (typeof body === 'string' && body.trimStart().startsWith('<')) return unauthorized(200, 'a web page');
  return new DragomanError('upstream-unreadable', `The upstream's answer is not ${what}: ${wordsOf(body).message}`);
}

/** The platform's own words are left out: they may quote what it refuses. */
function unauthorized(status: number, instead = 'a refusal'): DragomanError {
  return new DragomanError(
    'upstream-unauthorized',
    `The upstream answered ${status} with ${instead}: the gateway's credentials are missing, or no longer valid. Renew them in \`apiKey\` or \`headers\` of the upstream, or in the file that these name.`,
    { upstreamStatus: status },
  );
}

/** The platform puts its words into `data`; servers in front of it put theirs elsewhere. */
function wordsOf(value: unknown): { readonly word: string; readonly message: string } {
  if (!isObject(value)) return { word: '', message: typeof value === 'string' ? bounded(value) : 'no message.' };
  const places = [value.data, value.error, value].filter(isObject);
  const word = textIn(places.map(({ code }) => code)) ?? '';
  const details = [value.error, ...places.flatMap(({ details, message, detail }) => [details, message, detail])];
  return { word, message: bounded(textIn(details) ?? (word === '' ? 'no message.' : `${word}.`)) };
}

function textIn(values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === 'string' && value.trim() !== '');
}

function bounded(text: string): string {
  return text.length > longestMessage ? `${text.slice(0, longestMessage)}…` : text;
}
