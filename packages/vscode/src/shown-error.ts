import { isTooLong } from './models/learnt-limits.ts';
import { isObject } from './read-fields.ts';

export interface ErrorPlace {
  /** The endpoint's name for people. */
  readonly endpoint: string;
  readonly url: string;
  /** The server's name of the model. */
  readonly model?: string;
}

/**
 * The error that a person sees: one line that says what happened and what to do. VS Code writes the stack of an error after
 * its message, so there is none; and it is a plain Error, for others are rebuilt on the way with a stack of their own.
 */
export function toShownError(error: unknown, place: ErrorPlace): Error {
  return withoutStack(error instanceof OwnError ? error.message : sentence(factsOf(error), place));
}

/** Whether the server wants a key, or another one. */
export function isRefusedKey(error: unknown): boolean {
  const { status, code } = factsOf(error);
  return status === 401 || status === 403 || code === 'upstream_unauthorized';
}

/** An error whose message is all that VS Code shows. */
export function withoutStack(message: string): Error {
  const shown = new Error(message);
  shown.stack = '';
  return shown;
}

/** An error that the extension itself makes, in words for the person. */
export class OwnError extends Error {}

/** What an error says, whoever made it: the client, `fetch`, or VS Code, which throws events of the browser. */
interface Facts {
  readonly message: string;
  readonly status: number | undefined;
  readonly code: string;
  /** Seconds. */
  readonly retryAfter: number | undefined;
}

function factsOf(error: unknown): Facts {
  const fields: Readonly<Record<string, unknown>> = isObject(error) ? error : { message: error };
  const cause = isObject(fields.cause) ? fields.cause : {};
  const told = typeof fields.message === 'string' ? fields.message.trim().split('\n').join(' ') : '';
  return {
    message: told === '' ? 'Something failed and gave no reason' : told,
    status: typeof fields.status === 'number' ? fields.status : undefined,
    code: String([fields.code, cause.code].find((each) => typeof each === 'string') ?? ''),
    retryAfter: typeof fields.retryAfter === 'number' ? fields.retryAfter : undefined,
  };
}

const unreachable = ['unreachable', 'upstream_unreachable', 'ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'EAI_AGAIN'];
/** How browsers and Node say so without a code. */
const unreachableWords = ['fetch failed', 'Failed to fetch'];
const busy = ['rate_limit_exceeded', 'too_many_requests', 'rate_limit_error', 'upstream_rate_limited'];
const silent = ['connect_timeout', 'first_token_timeout', 'idle_timeout'];
const cut = ['stream_cut', 'upstream_cut'];
const failed = ['server_error', 'upstream_failed', 'upstream_overloaded'];

function sentence(facts: Facts, { endpoint, url, model }: ErrorPlace): string {
  const { message, status = 0, code } = facts;
  /** The server's words, after what that means; the engine inside says by itself of whom it speaks. */
  const told = (meaning: string, cure: string) => {
    const number = status >= 400 ? ` (${status})` : '';
    const said = ended(message);
    return `${said.startsWith(endpoint) ? said : `${meaning}${number}: ${said}`} ${cure}`;
  };
  if (unreachable.includes(code) || unreachableWords.includes(message))
    return `Nothing answers at ${url}. Start the server, or run "Dragoman: Test Connection".`;
  if (isTooLong(message) || code === 'context_length_exceeded')
    return told(`The conversation is too long for ${model ?? 'this model'}`, 'Start a new chat, or attach less.');
  if (isRefusedKey(facts))
    return told(`${endpoint} refused the key`, 'Run "Dragoman: Manage Endpoints" to enter another one.');
  if (status === 402) return told(`${endpoint} asks to be paid`, 'Check the account behind the key.');
  if (status === 404)
    return told(
      `${endpoint} has no ${model === undefined ? 'such address' : `model "${model}"`}`,
      `Run "Dragoman: Refresh Models", or check the address ${url}.`,
    );
  if (status === 429 || busy.includes(code)) return told(`${endpoint} gets too many requests`, retryHint(facts));
  if (silent.includes(code)) {
    const setting = code === 'connect_timeout' ? 'connect' : 'idle';
    return told(`${endpoint} does not answer`, `Try again, or raise the setting "dragoman.timeout.${setting}".`);
  }
  const logged = "Try again, or look at the server's log.";
  if (cut.includes(code)) return told(`${endpoint} broke off its answer`, logged);
  if (status >= 500 || failed.includes(code)) return told(`${endpoint} failed`, logged);
  if (status >= 400)
    return told(`${endpoint} refused the request`, '"Dragoman: Explain Last Turn" shows what was sent.');
  const said = ended(message);
  return said.startsWith(endpoint) ? said : `${endpoint}: ${said}`;
}

/** As a sentence. */
function ended(text: string): string {
  return ['.', '!', '?'].some((end) => text.endsWith(end)) ? text : `${text}.`;
}

function retryHint({ retryAfter }: Facts): string {
  return retryAfter === undefined ? 'Wait a moment and try again.' : `Try again in ${Math.ceil(retryAfter)} seconds.`;
}
