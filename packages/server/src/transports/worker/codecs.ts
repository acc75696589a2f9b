import { nestsTooDeeply, parseJson, writeJson } from '@dragoman/core';
import {
  type BeatMessage,
  type ErrorMessage,
  type EventMessage,
  type GatewayMessage,
  type LeaveMessage,
  protocolVersion,
  type ResultMessage,
} from '@dragoman/worker';
import { isRecord } from '../../is-record.ts';
import { WorkerFault } from './worker-fault.ts';

/** What a worker that was let in says. */
export type Said = EventMessage | ResultMessage | (ErrorMessage & { readonly id: string }) | BeatMessage | LeaveMessage;

/** How messages look on the wire of one kind of worker. */
export interface Codec {
  /** Reads a text message. Throws WorkerFault `bad-message`. */
  read(text: string): Said;
  /** A message as text; undefined where this kind of worker has no word for it. */
  write(message: GatewayMessage): string | undefined;
}

/** Workers that speak the protocol of `@dragoman/worker`. */
export const ownCodec: Codec = { read: (text) => said(readFields(text)), write: (message) => writeJson(message) };

function said(fields: Fields): Said {
  const { type } = fields;
  switch (type) {
    case 'event': {
      const seq = optionalCountIn(fields, 'seq');
      if (seq === undefined) throw new WorkerFault('bad-message', 'An event has no "seq".');
      return { type, id: textIn(fields, 'id'), seq, delta: fields.delta };
    }
    case 'result': {
      const seq = optionalCountIn(fields, 'seq');
      const id = textIn(fields, 'id');
      const { result } = fields;
      const failure = failureIn(result);
      if (failure !== undefined) return { type: 'error', id, code: 'failed', message: failure };
      return { type, id, ...(seq === undefined ? {} : { seq }), result };
    }
    case 'error':
      return { id: textIn(fields, 'id'), ...failureOf(fields) };
    case 'ping':
    case 'pong':
    case 'leave':
      return { type };
    case 'hello':
      throw new WorkerFault('bad-message', 'A worker says "hello" once.');
    default:
      throw new WorkerFault('bad-message', `There is no message of the type ${JSON.stringify(type)?.slice(0, 100)}.`);
  }
}

function failureOf(fields: Fields): ErrorMessage {
  const code = textIn(fields, 'code');
  const status = optionalCountIn(fields, 'status');
  const retryAfter = optionalCountIn(fields, 'retryAfter');
  if (status !== undefined && (status < 400 || status > 599)) {
    throw new WorkerFault('bad-message', 'The "status" of an error must be one from 400 to 599.');
  }
  return {
    type: 'error',
    code,
    message: wordsIn(fields.message),
    ...(status === undefined ? {} : { status }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  };
}

/**
 * Workers that were written for a plain relay: `{command, params, request_id}` goes to them, and
 * `{success, result or error, request_id}` comes back. They know no cancelling, no pieces and no pings.
 */
export const relayCodec: Codec = {
  read: (text) => answerIn(readFields(text)),
  write: (message) =>
    message.type === 'command'
      ? writeJson({ command: message.method, params: message.params, request_id: message.id })
      : undefined,
};

function answerIn(fields: Fields): Said {
  const id = textIn(fields, 'request_id');
  switch (fields.success) {
    case true: {
      const failure = failureIn(fields.result);
      if (failure !== undefined) return { type: 'error', id, code: 'failed', message: failure };
      return { type: 'result', id, result: fields.result };
    }
    case false:
      return { type: 'error', id, code: 'failed', message: wordsIn(fields.error) };
    default:
      throw new WorkerFault('bad-message', 'An answer must say "success": true or false.');
  }
}

/** A JSON object as a worker sent it. */
export type Fields = Readonly<Record<string, unknown>>;

/** The longest id, name or token that a worker may send. */
const longestWord = 1_000;

/** Reads a message. Throws WorkerFault `bad-message` for what is no JSON object. */
export function readFields(text: string): Fields {
  if (nestsTooDeeply(text)) throw new WorkerFault('bad-message', 'The message nests too deeply.');
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    throw new WorkerFault('bad-message', 'A message must be JSON, and this one is not.');
  }
  if (!isRecord(value)) throw new WorkerFault('bad-message', 'A message must be a JSON object.');
  return value;
}

/** A text that has to be there. */
export function textIn(fields: Fields, name: string): string {
  const text = optionalTextIn(fields, name);
  if (text === undefined) throw new WorkerFault('bad-message', `The message has no "${name}".`);
  return text;
}

/** A text that may be left out. */
export function optionalTextIn(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string' && value.length <= longestWord) return value;
  throw new WorkerFault('bad-message', `"${name}" must be a text of at most ${longestWord} characters.`);
}

/** A whole number that may be left out. */
function optionalCountIn(fields: Fields, name: string): number | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new WorkerFault('bad-message', `"${name}" must be a whole number from 0.`);
}

/** The longest words of a failure that are passed on, in UTF-16 units. */
const longestWords = 1_000;

/** Why a result is none, in a worker's own words; undefined for one that does not say `"success": false`. */
function failureIn(result: unknown): string | undefined {
  if (!isRecord(result) || result.success !== false) return undefined;
  return wordsIn(result.error);
}

/** What is as an error, as words. */
function wordsIn(error: unknown): string {
  const words = isRecord(error) ? error.message : error;
  return typeof words === 'string' && words !== '' ? words.slice(0, longestWords) : 'The worker did not say why.';
}

/** What a worker said of itself. */
interface ReadHello {
  readonly version: number;
  readonly token?: string | undefined;
  readonly name?: string | undefined;
  readonly concurrency: number;
  readonly methods?: readonly string[];
}

/** The longest name that the log shows. */
const longestName = 64;

/** Throws WorkerFault `role-unknown`, `version-unsupported` or `bad-message`. */
export function readHello(fields: Fields): ReadHello {
  if (fields.role !== 'worker') {
    throw new WorkerFault('role-unknown', 'The only role here is "worker". Whoever wants something asks the HTTP API.');
  }
  const version = optionalCountIn(fields, 'version');
  if (version === undefined || version < 1) {
    throw new WorkerFault('version-unsupported', `"version" must be a number from 1; here it is ${protocolVersion}.`);
  }
  const capabilities = fields.capabilities ?? {};
  if (!isRecord(capabilities)) throw new WorkerFault('bad-message', '"capabilities" must be an object.');
  const concurrency = optionalCountIn(capabilities, 'concurrency') ?? 1;
  if (concurrency < 1) throw new WorkerFault('bad-message', '"concurrency" must be 1 or more.');
  const methods = methodsIn(capabilities);
  return {
    version,
    token: optionalTextIn(fields, 'token'),
    name: optionalTextIn(fields, 'name')?.slice(0, longestName),
    concurrency,
    ...(methods === undefined ? {} : { methods }),
  };
}

function methodsIn({ methods }: Fields): readonly string[] | undefined {
  if (methods === undefined || methods === null) return undefined;
  const isList = Array.isArray(methods) && methods.length <= 100;
  if (isList && methods.every((method): method is string => typeof method === 'string')) return methods;
  throw new WorkerFault('bad-message', '"methods" must be a list of at most 100 names.');
}
