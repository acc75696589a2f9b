import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { DragomanError, deepestJson, parseBounded } from '@dragoman/core';
import { type ParseError, parse } from 'jsonc-parser';
import { placeOf, wordsOf } from '../config/config-text.ts';
import { passBody } from './garbage.ts';
import { parseWithKnown } from './known-tools.ts';

/** What is still read of a body that was refused, so that the client gets to see why. */
const drained = 32 * 1024 * 1024;

/** Of the values in a body the most messages with the most parts and tools have fewer, and parsing them takes some 30 ms. */
const most = { depth: deepestJson, values: 200_000 };

/** In bytes. */
const largeBody = 256 * 1024;

/** Whether others are to have their turn between the steps in which a body is read and answered. */
export function isLargeBody(bytes: { readonly length: number }): boolean {
  return bytes.length > largeBody;
}

/**
 * Reads a request's body as JSON, whatever its content type says. Throws `body-too-large` beyond `limit` bytes (after
 * unpacking), `bad-request` with the place of the mistake, `client-gone` when the client stops short.
 */
export async function readJson(request: IncomingMessage, limit: number): Promise<unknown> {
  return (await readBytesAndJson(request, { limit })).body;
}

/** The same, with the bytes that the body was parsed from. Messages are known to `owner` alone, and to nobody without one. */
export async function readBytesAndJson(
  request: IncomingMessage,
  { limit, owner }: { readonly limit: number; readonly owner?: string },
): Promise<{ readonly bytes: Buffer; readonly body: unknown }> {
  const bytes = await readBytes(request, limit);
  if (isLargeBody(bytes)) await nextTurn();
  if (!isUtf8(bytes)) throw new DragomanError('bad-request', 'The body is not valid UTF-8. Send the JSON as UTF-8.');
  const body =
    parseWithKnown(bytes, { mostValues: most.values, owner }) ?? readJsonText(bytes.toString('utf8'), 'body');
  if (isLargeBody(bytes)) await nextTurn();
  return { bytes, body };
}

/** What a client sent as JSON text. Throws `bad-request` with the place of the mistake; `what` it is in. */
export function readJsonText(text: string, what: 'body' | 'message'): unknown {
  const found = parsed(text, what);
  if ('value' in found) return found.value;
  if (found.excess === 'depth')
    throw new DragomanError(
      'bad-request',
      `The ${what} is nested too deeply. Use fewer lists and objects within each other.`,
    );
  const problem = `holds more than ${most.values} values (lists, objects and what is in them)`;
  throw new DragomanError('bad-request', `The ${what} ${problem}. Compact the conversation.`);
}

function parsed(text: string, what: 'body' | 'message'): ReturnType<typeof parseBounded> {
  try {
    return parseBounded(text.startsWith('\uFEFF') ? text.slice(1) : text, most);
  } catch (cause) {
    throw new DragomanError('bad-request', `The ${what} is not valid JSON: ${whereWrong(text)}.`, { cause });
  }
}

function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity' && encoding !== 'gzip') {
    throw new DragomanError(
      'bad-request',
      `The content encoding ${JSON.stringify(encoding)} is not read here; send it plain or with gzip.`,
    );
  }
  const tooLarge = () => {
    letGo(request);
    return new DragomanError(
      'body-too-large',
      `The body is larger than ${limit} bytes. Send less, or raise limits.bodyBytes.`,
    );
  };
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge();
  const source = encoding === 'gzip' ? request.pipe(createGunzip()) : request;
  return new Promise((resolve, reject) => {
    // The request stays as long as its answer runs, and with it who listens: they keep neither the bytes nor who waits for them.
    let waiting: { readonly resolve: typeof resolve; readonly reject: typeof reject } | undefined = { resolve, reject };
    let chunks: Buffer[] = [];
    let size = 0;
    const settle = (by: (settled: NonNullable<typeof waiting>) => void) => {
      if (waiting !== undefined) by(waiting);
      waiting = undefined;
      chunks = [];
    };
    const refuse = (error: () => DragomanError) => settle(({ reject }) => reject(error()));
    source.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else refuse(tooLarge);
    });
    source.on('end', () => {
      passBody(size);
      settle(({ resolve }) => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    });
    source.on('error', (cause: Error) =>
      refuse(() => new DragomanError('bad-request', 'The body cannot be read. Send the request again.', { cause })),
    );
    request.on('close', () => {
      if (request.complete) return;
      refuse(() => new DragomanError('client-gone', 'The client went before its request was complete.'));
    });
  });
}

/** Reads on and throws away, within bounds: a client that is cut off while it sends never reads the reply. */
function letGo(request: IncomingMessage): void {
  let rest = drained;
  request.unpipe();
  request.on('data', (chunk: Buffer) => {
    rest -= chunk.length;
    if (rest < 0) request.destroy();
  });
  request.resume();
}

/** The place of the first mistake. Costs a second parse, which only bad requests pay. */
function whereWrong(text: string): string {
  if (text.trim() === '') return 'it is empty';
  const errors: ParseError[] = [];
  try {
    parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  } catch {
    return 'it is nested too deeply';
  }
  const [error] = errors;
  if (error === undefined) return 'it cannot be read';
  const { line, column } = placeOf(text, error.offset);
  return `${wordsOf(error.error)} at line ${line}, column ${column} (position ${error.offset})`;
}
