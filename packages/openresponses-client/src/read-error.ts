import { retryAfterOf } from '@dragoman/core';
import { isObject, parsed } from './read-values.ts';
import type { JsonObject } from './request-types.ts';
import { ResponsesError, type ResponsesErrorOptions } from './responses-error.ts';

/** What is known of the answer that an error is in. */
export interface AnswerFacts {
  readonly status: number;
  readonly headers: Headers;
}

/** The longest message, in UTF-16 units. */
const longestMessage = 1000;

/** Errors are wrapped by every server that they pass: so many wrappings are taken off. */
const deepestNesting = 8;

/** An answer that says that something is wrong, with whatever status. `said`: text, which may be JSON, or what is in it. */
export function readError(said: unknown, answer: AnswerFacts): ResponsesError {
  const body = typeof said === 'string' ? (parsed(said) ?? said) : said;
  const fields = innermost(body, deepestNesting);
  const message = cleanText(fields.message);
  return new ResponsesError(message === '' ? wordless(body, answer) : message, {
    ...wordsOf(fields, answer.status),
    retryAfter: readRetryAfter((name) => answer.headers.get(name)) ?? readRetryAfter(headerIn(body)),
    ...requestIdOf(answer),
  });
}

/** What every error of one answer has. */
export function requestIdOf({ status, headers }: AnswerFacts): Pick<ResponsesErrorOptions, 'status' | 'requestId'> {
  return { status, requestId: headers.get('x-request-id') ?? headers.get('request-id') ?? undefined };
}

interface ErrorFields {
  readonly message: string;
  readonly code: unknown;
  readonly type: unknown;
  readonly param: unknown;
}

const nothing: ErrorFields = { message: '', code: undefined, type: undefined, param: undefined };

/**
 * The error that the server at the far end has given. Gateways wrap it: as an object in an object, or as text in a message,
 * after words of their own. What the inner one does not say, the outer one does.
 */
function innermost(value: unknown, depth: number): ErrorFields {
  if (typeof value === 'string') return fromText(value, depth);
  if (!isObject(value)) return nothing;
  const message = messageIn(value);
  const own: ErrorFields = {
    message: message ?? '',
    code: value.code,
    type: value.type === 'error' || value.type === 'response.failed' ? undefined : value.type,
    param: value.param,
  };
  if (depth === 0) return own;
  const metadata = isObject(value.metadata) ? value.metadata : {};
  const response = isObject(value.response) ? value.response.error : undefined;
  const inner = [response, value.error, metadata.raw, value.message].map((each) => innermost(each, depth - 1));
  const told = inner.find((each) => each.message !== '');
  if (told === undefined) return own;
  return {
    message: told.message,
    code: told.code ?? own.code,
    type: told.type ?? own.type,
    param: told.param ?? own.param,
  };
}

/** A text that is an error, or has one as JSON after its first words. */
function fromText(text: string, depth: number): ErrorFields {
  const start = text.indexOf('{');
  const value = start < 0 || depth === 0 ? undefined : parsed(text.slice(start, text.lastIndexOf('}') + 1));
  const inner = isObject(value) ? innermost(value, depth - 1) : nothing;
  return inner.message === '' ? { ...nothing, message: text } : inner;
}

/** FastAPI's `detail` is a text, or a list of what is wrong where. */
function messageIn({ message, detail, error_description: description }: JsonObject): string | undefined {
  const list = Array.isArray(detail) ? detail : [];
  const said = list.flatMap((each: unknown) => (isObject(each) && typeof each.msg === 'string' ? [each.msg] : []));
  if (said.length > 0) return said.join('; ');
  return [message, detail, description].find((each): each is string => typeof each === 'string' && each !== '');
}

function wordsOf(
  { code, type, param }: ErrorFields,
  status: number,
): Pick<ResponsesErrorOptions, 'code' | 'type' | 'param'> {
  const word = [code, type].find((each): each is string => typeof each === 'string' && each !== '');
  return {
    code: word ?? wordOf(typeof code === 'number' ? code : status),
    type: typeof type === 'string' && type !== '' ? type : typeOfStatus(status),
    ...(typeof param === 'string' && param !== '' ? { param } : {}),
  };
}

/** An error under a good status is one all the same. */
function wordOf(status: number): string {
  return status < 400 ? 'server_error' : `http_${status}`;
}

/** The five types of OpenResponses, for servers that give none. */
function typeOfStatus(status: number): string {
  if (status === 404) return 'not_found';
  if (status === 429) return 'too_many_requests';
  return status >= 400 && status < 500 ? 'invalid_request' : 'server_error';
}

/** What programs write where they have no word. */
const emptyWords: readonly string[] = ['undefined:', 'null:', '[object Object]:', 'Error:'];

/** One line, without what programs write where they have no word, and bounded. */
function cleanText(text: string): string {
  if (text.trimStart().startsWith('<')) return '';
  let line = text
    .slice(0, 2 * longestMessage)
    .split(/\s+/)
    .join(' ')
    .trim();
  for (let word = emptyWords.find((each) => line.startsWith(each)); word !== undefined; ) {
    line = line.slice(word.length).trimStart();
    word = emptyWords.find((each) => line.startsWith(each));
  }
  if (line === 'undefined' || line === 'null' || line === '[object Object]') return '';
  return line.length > longestMessage ? `${line.slice(0, longestMessage)}…` : line;
}

function wordless(body: unknown, { status }: AnswerFacts): string {
  const isPage = typeof body === 'string' && body.trimStart().startsWith('<');
  if (isPage) return `The server answered ${status} with a web page instead of JSON. Check the address.`;
  return status < 400
    ? 'The server reported an error without a message.'
    : `The server answered ${status} without a message.`;
}

/** Seconds, out of `retry-after-ms` or `retry-after`. */
function readRetryAfter(header: (name: string) => string | null): number | undefined {
  const milliseconds = Number.parseFloat(header('retry-after-ms') ?? '');
  return retryAfterOf(Number.isFinite(milliseconds) ? `${milliseconds / 1000}` : (header('retry-after') ?? ''));
}

/** An error within a stream brings the headers that an answer of its own would have had. */
function headerIn(body: unknown): (name: string) => string | null {
  const error = isObject(body) ? body.error : undefined;
  const headers = isObject(error) && isObject(error.headers) ? Object.entries(error.headers) : [];
  return (name) => {
    const found = headers.find(([each]) => each.toLowerCase() === name);
    return found === undefined ? null : String(found[1]);
  };
}
