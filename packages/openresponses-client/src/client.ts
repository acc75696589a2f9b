import { isNearby, type ListedModel, openaiResponsesUpstream } from '@dragoman/core';
import { checkRequest, type Finding } from './check-request.ts';
import { abortedBy, type Patience } from './deadline.ts';
import type { ResponseEvent } from './event-types.ts';
import { Exchange, type Fetch, type Log } from './exchange.ts';
import { type AnswerFacts, readError, requestIdOf } from './read-error.ts';
import { isObject, parsed } from './read-values.ts';
import { type ReplyPart, ReplyReader, type Step } from './reply-reader.ts';
import type { JsonObject, ResponsesRequest } from './request-types.ts';
import type { ResponseResource } from './response-types.ts';
import { clientError, ResponsesError } from './responses-error.ts';

export interface ClientOptions {
  /** Such as `http://127.0.0.1:11434/v1`. An address without a path gets `/v1`. */
  readonly baseUrl: string;
  /** Sent as `authorization: Bearer …`. */
  readonly apiKey?: string | undefined;
  /** Sent with every request. One named `authorization` takes the key's place. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Default: the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  /**
   * Milliseconds that a server may take to begin its answer, 5000 to 300000. A server that works on a long prompt has
   * `idleTimeout`, as long as it answers other requests meanwhile. Default: 30000.
   */
  readonly connectTimeout?: number | undefined;
  /**
   * Milliseconds that a server may be silent within its answer, 5000 to 3600000. Default: 300000, and for a server in one's own
   * network 3600000: it may read some fifty tokens of a prompt in a second.
   */
  readonly idleTimeout?: number | undefined;
  readonly log?: Log | undefined;
}

export interface CallOptions {
  /** Ends the request, and the server's work on it. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A server of OpenResponses. Every method fails with `ResponsesError` and nothing else. A request is checked before it
 * leaves, and leaves when its answer is first read.
 */
export interface ResponsesClient {
  /** The parts of an answer, each once, as soon as they are there: what most programs want. */
  reply(request: ResponsesRequest, options?: CallOptions): AsyncGenerator<ReplyPart, void, undefined>;
  /** The events of an answer as they come, under one spelling. An event that says that the answer failed is told and then thrown. */
  stream(request: ResponsesRequest, options?: CallOptions): AsyncGenerator<ResponseEvent, void, undefined>;
  /** The whole answer. */
  create(request: ResponsesRequest, options?: CallOptions): Promise<ResponseResource>;
  /** The models that chat. */
  models(options?: CallOptions): Promise<readonly Model[]>;
}

/** Throws `ResponsesError` `request_invalid` for options that cannot be. */
export function createClient(options: ClientOptions): ResponsesClient {
  const client = new Client(options);
  return {
    reply: (request, call = {}) => client.reply(request, call),
    stream: (request, call = {}) => client.stream(request, call),
    create: (request, call = {}) => client.create(request, call),
    models: (call = {}) => client.models(call),
  };
}

const longestSilence = 3_600_000;

function usualSilence(baseUrl: string): number {
  return isNearby(new URL(baseUrl).hostname) ? longestSilence : 300_000;
}

class Client {
  readonly #at: (path: string) => string;
  readonly #headers: Headers;
  readonly #fetch: Fetch;
  readonly #patience: Patience;
  readonly #log: Log;

  constructor({ baseUrl, apiKey, headers, fetch, connectTimeout, idleTimeout, log }: ClientOptions) {
    this.#at = readBase(baseUrl);
    this.#headers = writeHeaders(headers, apiKey);
    this.#fetch = fetch ?? ((input, init) => globalThis.fetch(input, init));
    this.#patience = {
      connectTimeout: readTime(connectTimeout, { name: 'connectTimeout', usual: 30_000, most: 300_000 }),
      idleTimeout: readTime(idleTimeout, { name: 'idleTimeout', usual: usualSilence(baseUrl), most: longestSilence }),
    };
    this.#log = log ?? (() => undefined);
  }

  async *reply(request: ResponsesRequest, call: CallOptions): AsyncGenerator<ReplyPart, void, undefined> {
    for await (const { parts } of this.#steps(request, call)) {
      for (const part of parts) {
        throwIfAborted(call.signal);
        yield part;
      }
    }
  }

  async *stream(request: ResponsesRequest, call: CallOptions): AsyncGenerator<ResponseEvent, void, undefined> {
    for await (const { event } of this.#steps(request, call)) {
      throwIfAborted(call.signal);
      if (event !== undefined) yield event;
    }
  }

  async create(request: ResponsesRequest, call: CallOptions): Promise<ResponseResource> {
    for await (const part of this.reply(request, call)) if (part.type === 'end') return part.response;
    throw clientError('stream_cut', 'The answer had no end.');
  }

  async models({ signal }: CallOptions): Promise<readonly Model[]> {
    const exchange = this.#exchange(signal);
    try {
      const answer = await this.#send(exchange, '/models', { method: 'GET', headers: this.#headers });
      const text = await exchange.text(answer);
      if (!answer.ok) throw readError(text, answer);
      const models = readModels(parsed(text));
      if (models === undefined) {
        const message = `What came from ${this.#at('/models')} is not a list of models. Check the address.`;
        throw clientError('unreadable', message, requestIdOf(answer));
      }
      return models;
    } finally {
      exchange.close();
    }
  }

  async *#steps(request: ResponsesRequest, { signal }: CallOptions): AsyncGenerator<Step, void, undefined> {
    this.#refuse(checkRequest(request));
    const exchange = this.#exchange(signal, (own) => this.#isThere(own));
    try {
      const answer = await this.#post(exchange, request);
      if (!answer.ok) throw this.#refused(await exchange.text(answer), answer);
      const reader = new ReplyReader({ request, answer, log: this.#log });
      const chunks = () => exchange.chunks(answer, () => reader.whole);
      if (isStream(answer)) yield* readStream(chunks(), reader);
      else yield* this.#whole(await exchange.text(answer), answer, reader);
      if (reader.error !== undefined) throw reader.error;
    } finally {
      exchange.close();
    }
  }

  #refuse(findings: readonly Finding[]): void {
    const [first] = findings;
    if (first === undefined) return;
    for (const { check, path, problem } of findings) {
      this.#log({ level: 'error', message: `Not sent (${check}): ${path} ${problem}` });
    }
    const more = findings.length === 1 ? '' : ` There are ${findings.length} such places; this is the first.`;
    throw clientError('request_invalid', `${first.path} ${first.problem}${more}`, { param: first.path, findings });
  }

  /** A server that does not stream, or that says with a good status that something is wrong. */
  #whole(text: string, answer: AnswerFacts, reader: ReplyReader): readonly Step[] {
    const body = parsed(text);
    if (isObject(body) && Array.isArray(body.output)) return reader.readWhole(text);
    if (isObject(body) && (isObject(body.error) || typeof body.error === 'string')) throw readError(body, answer);
    const page = text.trimStart().startsWith('<') ? ', but a web page' : '';
    const message = `What came from ${this.#at('/responses')} is not an answer of OpenResponses${page}. Check the address.`;
    throw clientError('unreadable', message, requestIdOf(answer));
  }

  #refused(text: string, answer: AnswerFacts): ResponsesError {
    const error = readError(text, answer);
    this.#log({ level: 'error', message: `The server answered ${answer.status}: ${error.message}`, data: text });
    if (answer.status === 400) {
      const message = 'What most often is wrong was checked before: types, content types, flat tools, required fields.';
      this.#log({ level: 'error', message });
    }
    return error;
  }

  async #post(exchange: Exchange, request: ResponsesRequest): Promise<Response> {
    const body = { ...request, stream: request.stream ?? true };
    this.#log({ level: 'trace', message: `POST ${this.#at('/responses')}`, data: body });
    const headers = new Headers(this.#headers);
    headers.set('content-type', 'application/json');
    headers.set('accept', body.stream ? 'text/event-stream' : 'application/json');
    return this.#send(exchange, '/responses', { method: 'POST', headers, body: writeBody(body) });
  }

  async #send(exchange: Exchange, path: string, init: RequestInit): Promise<Response> {
    const began = Date.now();
    const answer = await exchange.send(this.#at(path), init);
    const message = `${init.method} ${this.#at(path)}: ${answer.status} after ${Date.now() - began} ms`;
    this.#log({ level: 'debug', message });
    return answer;
  }

  #exchange(signal: AbortSignal | undefined, isThere?: (own: AbortSignal) => Promise<unknown>): Exchange {
    const options = { fetch: this.#fetch, patience: this.#patience, signal };
    return new Exchange(isThere === undefined ? options : { ...options, isThere });
  }

  /** Whatever it answers, it is there. */
  async #isThere(signal: AbortSignal): Promise<void> {
    const answer = await this.#fetch(this.#at('/models'), { method: 'GET', headers: this.#headers, signal });
    await answer.body?.cancel();
  }
}

/** One read brings several parts: who stops at the first does not get the others. */
function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw abortedBy(signal);
}

function writeBody(body: object): string {
  try {
    return JSON.stringify(body);
  } catch (thrown) {
    throw clientError('request_invalid', 'The request cannot be written as JSON.', { cause: thrown });
  }
}

/** What had come when a stream broke is told before it is thrown. */
async function* readStream(chunks: AsyncIterable<Uint8Array>, reader: ReplyReader): AsyncGenerator<Step> {
  try {
    for await (const chunk of chunks) {
      yield* reader.push(chunk);
      if (reader.over) return;
    }
  } catch (thrown) {
    if (thrown instanceof ResponsesError && thrown.code !== 'aborted') yield* reader.end();
    throw thrown;
  }
  yield* reader.end();
}

/** Servers call a stream all kinds of things, but a whole body JSON or a page. */
function isStream({ headers }: Response): boolean {
  const type = headers.get('content-type')?.toLowerCase() ?? '';
  return !type.includes('json') && !type.includes('html');
}

/** Where a path of the API is. An address without a path gets `/v1`, as servers of this API have it there. */
function readBase(address: string): (path: string) => string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw refused('baseUrl', `is ${JSON.stringify(address)}: give it an address, such as "http://127.0.0.1:11434/v1".`);
  }
  if (url.username !== '' || url.password !== '')
    throw refused('baseUrl', 'holds a password: give it as apiKey or headers.');
  const path = url.pathname.replace(/\/+$/, '');
  const base = `${url.origin}${path === '' ? '/v1' : path}`;
  return (own) => base + own + url.search;
}

/** Keys are pasted: what is around one is no part of it. */
function writeHeaders(headers: Readonly<Record<string, string>> = {}, apiKey = ''): Headers {
  const key = apiKey.trim();
  if (!/^[\x21-\x7e]*$/.test(key)) throw refused('apiKey', 'holds a character that no key has.');
  const written = new Headers(key === '' ? {} : { authorization: `Bearer ${key}` });
  for (const [name, value] of Object.entries(headers)) {
    try {
      written.set(name, value);
    } catch {
      throw refused(`headers[${JSON.stringify(name)}]`, 'is not a header, or has a value that no header can have.');
    }
  }
  return written;
}

const least = 5000;

interface TimeRules {
  readonly name: string;
  readonly usual: number;
  readonly most: number;
}

function readTime(value: number | undefined, { name, usual, most }: TimeRules): number {
  if (value === undefined) return usual;
  if (value >= least && value <= most) return value;
  throw refused(name, `is ${value}: give it ${least} to ${most} milliseconds.`);
}

function refused(option: string, problem: string): Error {
  return clientError('request_invalid', `${option} ${problem}`, { param: option });
}

/** A model that chats, as the server's list has it. What the list does not say is absent. */
export interface Model extends ListedModel {
  /** The list's own entry. */
  readonly entry: JsonObject;
}

/** The models of a list's body; undefined when it is no list. Models that do not chat are left out. */
function readModels(body: unknown): readonly Model[] | undefined {
  const readPage = openaiResponsesUpstream.models?.readPage;
  if (readPage?.(body) === undefined) return undefined;
  return entriesOf(body).flatMap((entry) => {
    const models = readPage([entry])?.models ?? [];
    return models.map((model) => ({ ...model, entry: isObject(entry) ? entry : {} }));
  });
}

function entriesOf(body: unknown): readonly unknown[] {
  if (Array.isArray(body)) return body;
  const lists = isObject(body) ? [body.data, body.models] : [];
  return lists.find((list): list is unknown[] => Array.isArray(list)) ?? [];
}
