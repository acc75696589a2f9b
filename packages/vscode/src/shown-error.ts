import { cleanMessage } from './clean-message.ts';
import { isTooLong } from './models/learnt-limits.ts';
import { isObject } from './translate/read-parts.ts';

export interface ErrorPlace {
  /** The endpoint's name for people. */
  readonly endpoint: string;
  readonly url: string;
  /** The server's name of the model. */
  readonly model?: string;
}

/** What an error says, whoever made it: the client, a stream, `fetch`, or VS Code, which throws events of the browser. */
interface Facts {
  readonly message: string;
  readonly status: number | undefined;
  readonly code: string;
  readonly retryAfter: number | undefined;
}

/**
 * The error that a person sees: one line that says what happened and what to do. VS Code writes the stack of an error behind
 * its message, so there is none; and it is a plain Error, for others are rebuilt on the way with a stack of their own.
 */
export function toShownError(error: unknown, place: ErrorPlace): Error {
  const shown = new Error(sentence(factsOf(error), place));
  shown.stack = '';
  return shown;
}

function factsOf(error: unknown): Facts {
  if (typeof error === 'string')
    return { message: cleanMessage(error), status: undefined, code: '', retryAfter: undefined };
  const fields: Readonly<Record<string, unknown>> = isObject(error) ? error : {};
  const cause = isObject(fields.cause) ? fields.cause : {};
  const told = typeof fields.message === 'string' ? fields.message : '';
  const code = [fields.code, cause.code].find((each) => typeof each === 'string') ?? '';
  return {
    message: cleanMessage(told) || 'something failed that gave no reason',
    status: typeof fields.status === 'number' ? fields.status : undefined,
    code: String(code),
    retryAfter: typeof fields.retryAfter === 'number' ? fields.retryAfter : undefined,
  };
}

const unreachable = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ECONNRESET',
  'EAI_AGAIN',
  'connect_failed',
  'connection_failed',
  'unreachable',
];
const busy = ['rate_limit_exceeded', 'too_many_requests', 'rate_limit_error'];

function sentence(facts: Facts, { endpoint, url, model }: ErrorPlace): string {
  const { message, status, code } = facts;
  const said = message.endsWith('.') || message.endsWith('!') || message.endsWith('?') ? message : `${message}.`;
  const number = status === undefined ? (code === '' ? '' : ` (${code})`) : ` (${status})`;
  if (isTooLong(message) || code === 'context_length_exceeded')
    return `The conversation is too long for ${model ?? 'this model'}${number}: ${said} Start a new chat, or attach less; the limit has been noted for the next turn.`;
  if (status === 401 || status === 403)
    return `${endpoint} refused the key${number}: ${said} Run "Dragoman: Manage Endpoints" to enter another one.`;
  if (status === 402) return `${endpoint} wants to be paid${number}: ${said} Check the account behind the key.`;
  if (status === 404)
    return `${endpoint} knows no ${model ?? 'such route'}${number}: ${said} Run "Dragoman: Refresh Models", or check the address ${url}.`;
  if (status === 429 || busy.includes(code))
    return `${endpoint} is asked too often${number}: ${said} ${retryHint(facts)}`;
  if (status !== undefined && status >= 500)
    return `${endpoint} failed${number}: ${said} Try again, or look at the server's log.`;
  if (
    status === undefined &&
    (unreachable.includes(code) || message === 'fetch failed' || message === 'Failed to fetch')
  )
    return `Nothing answers at ${url}. Start the server, or run "Dragoman: Test Connection".`;
  if (status !== undefined)
    return `${endpoint} refused the request${number}: ${said} "Dragoman: Explain Last Turn" shows what was sent.`;
  return `${endpoint}: ${said}${code === '' ? '' : ` (${code})`}`;
}

function retryHint({ retryAfter }: Facts): string {
  return retryAfter === undefined ? 'Wait a moment and try again.' : `Try again in ${Math.ceil(retryAfter)} seconds.`;
}
