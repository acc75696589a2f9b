import { cleanMessage } from './clean-message.ts';
import { engineName } from './endpoints/connect.ts';
import { isTooLong } from './models/learnt-limits.ts';
import { isObject } from './translate/read-parts.ts';

export interface ErrorPlace {
  /** The endpoint's name for people. */
  readonly endpoint: string;
  readonly url: string;
  /** The server's name of the model. */
  readonly model?: string;
}

/**
 * The error that a person sees: one line that says what happened and what to do. VS Code writes the stack of an error behind
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
  const told = typeof fields.message === 'string' ? cleanMessage(fields.message) : '';
  return {
    message: told === '' ? 'Something failed that gave no reason' : told,
    status: typeof fields.status === 'number' ? fields.status : undefined,
    code: String([fields.code, cause.code].find((each) => typeof each === 'string') ?? ''),
    retryAfter: typeof fields.retryAfter === 'number' ? fields.retryAfter : undefined,
  };
}

const unreachable = ['unreachable', 'upstream_unreachable', 'ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'EAI_AGAIN'];
/** How browsers and Node say so without a code. */
const unreachableWords = ['fetch failed', 'Failed to fetch'];
const busy = ['rate_limit_exceeded', 'too_many_requests', 'rate_limit_error', 'upstream_rate_limited'];
/** How the engine inside speaks of the one server that it asks; gateways name their upstreams otherwise. */
const engineWords = `The upstream "${engineName}"`;
/** What it says to do about an error, in words for whoever runs a gateway: here somebody else is told. */
const engineCures = [
  "Check the model's name at this upstream, and its baseUrl.",
  "Check the model's name at this upstream, and its `baseUrl`.",
  'The account of the key that the gateway has for this upstream cannot pay; the key of your client is not meant.',
];

/** An error of the engine inside as the server itself told it: its own status and words. */
function asServerTold(facts: Facts): Facts {
  const answered = `${engineWords} answered `;
  if (!facts.message.startsWith(answered)) return facts;
  const [number = '', ...words] = facts.message.slice(answered.length).split(': ');
  const message = engineCures.reduce((text, cure) => text.replace(cure, ''), words.join(': ')).trim();
  return Number(number) >= 400 && message !== '' ? { ...facts, status: Number(number), message } : facts;
}

function sentence(told: Facts, { endpoint, url, model }: ErrorPlace): string {
  const facts = asServerTold(told);
  const { message, status, code } = facts;
  const isEngine = message.startsWith(engineWords);
  const said = ended(message.replaceAll(engineWords, endpoint));
  const number = status === undefined ? '' : ` (${status})`;
  if (unreachable.includes(code) || unreachableWords.includes(message))
    return `Nothing answers at ${url}. Start the server, or run "Dragoman: Test Connection".`;
  if (isTooLong(message) || code === 'context_length_exceeded')
    return `The conversation is too long for ${model ?? 'this model'}${number}: ${said} Start a new chat, or attach less.`;
  if (isEngine && code === 'upstream_unauthorized')
    return `${endpoint} refused the key. Run "Dragoman: Manage Endpoints" to enter another one.`;
  if (status === 401 || status === 403)
    return `${endpoint} refused the key${number}: ${said} Run "Dragoman: Manage Endpoints" to enter another one.`;
  if (status === 402) return `${endpoint} wants to be paid${number}: ${said} Check the account behind the key.`;
  if (status === 404)
    return `${endpoint} knows no ${model ?? 'such route'}${number}: ${said} Run "Dragoman: Refresh Models", or check the address ${url}.`;
  if (status === 429 || busy.includes(code))
    return `${endpoint} is asked too often${number}: ${said} ${retryHint(facts)}`;
  if (status !== undefined && status >= 500)
    return `${endpoint} failed${number}: ${said} Try again, or look at the server's log.`;
  if (status !== undefined && status >= 400)
    return `${endpoint} refused the request${number}: ${said} "Dragoman: Explain Last Turn" shows what was sent.`;
  return said.startsWith(endpoint) ? said : `${endpoint}: ${said}`;
}

/** As a sentence. */
function ended(text: string): string {
  return ['.', '!', '?'].some((end) => text.endsWith(end)) ? text : `${text}.`;
}

function retryHint({ retryAfter }: Facts): string {
  return retryAfter === undefined ? 'Wait a moment and try again.' : `Try again in ${Math.ceil(retryAfter)} seconds.`;
}
