import { request as open } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createOpenaiResponsesCompaction, DragomanError, isBackground } from '@dragoman/core';
import { shownId, unknownResponse } from '../stores/kept-responses.ts';
import { answerBody, answerRead, fetchNeeded, readChatRequest } from './answer-chat.ts';
import { type BackgroundResponse, type EventLog, startInBackground, storedLog } from './background-run.ts';
import { type HttpExchange, keptFor, ownerOf } from './exchange.ts';
import { HttpRecipient } from './http-recipient.ts';
import { isLargeBody, readBytesAndJson, readJson } from './read-body.ts';
import { queryOf, readChoice, readNumber } from './read-query.ts';
import { responsesWire } from './responses-wire.ts';
import { sendJson } from './send.ts';

/**
 * `POST /v1/responses`: reads what the request continues, answers it, and keeps the answer unless told not to. In the
 * background the answer is the response as it is queued, or its events from the first on.
 */
export async function answerResponses(exchange: HttpExchange): Promise<void> {
  const { gateway, request } = exchange;
  const { bytes, body } = await readBytesAndJson(request, { limit: gateway.config.limits.bodyBytes });
  const kept = keptFor(exchange);
  const past = await kept.past(body);
  const wire = responsesWire(gateway, { body, past, kept, background: gateway.background.isThere });
  exchange.wire = wire;
  const context = readChatRequest(exchange, { wire, body, bytes });
  exchange.recorder?.continues(past);
  await fetchNeeded(exchange, context);
  if (isLargeBody(bytes)) await nextTurn();
  if (!isBackground(context.request)) {
    answerRead(exchange, { wire, body, bytes, context });
    return;
  }
  const run = startInBackground({ exchange, kept, body, past }, { wire, context });
  if (context.request.stream) followRun(exchange, { run, from: 0 });
  else sendJson(exchange.response, 200, run.stored.response);
}

/** `POST /v1/responses/compact`: the conversation as one item that stands for all of it. */
export async function answerCompact(exchange: HttpExchange): Promise<void> {
  const { config } = exchange.gateway;
  const body = await readJson(exchange.request, config.limits.bodyBytes);
  const past = await keptFor(exchange).past(body);
  const lenient = !config.clientWires['openai-responses'].strict;
  await answerBody(exchange, { wire: createOpenaiResponsesCompaction({ ...past, lenient }), body });
}

/**
 * `GET /v1/responses/:id`: the response as it stands. With `stream=true` its events, from the one after `starting_after`
 * on; only responses of the background have them.
 */
export async function answerStoredResponse(exchange: HttpExchange, id: string): Promise<void> {
  const query = queryOf(exchange);
  const isStream = readChoice(query, 'stream') ?? false;
  const from = readNumber(query, { name: 'starting_after', least: 0, most: Number.MAX_SAFE_INTEGER - 1 }) ?? -1;
  const run = runOf(exchange, id);
  if (run === undefined && (await isAnsweredElsewhere(exchange, id))) return;
  if (isStream && run !== undefined) {
    followRun(exchange, { run, from: from + 1 });
    return;
  }
  const stored = run?.stored ?? (await keptFor(exchange).find(id));
  if (!isStream) {
    sendJson(exchange.response, 200, stored.response);
    return;
  }
  const log = storedLog(stored);
  if (log === undefined) {
    throw new DragomanError('bad-request', 'stream: the events of this response were not kept; leave stream out.', {
      param: 'stream',
    });
  }
  followLog(exchange, { log, from: from + 1 });
}

/** `DELETE /v1/responses/:id`. One that runs is stopped. */
export async function deleteStoredResponse(exchange: HttpExchange, id: string): Promise<void> {
  const run = runOf(exchange, id);
  if (run === undefined && (await isAnsweredElsewhere(exchange, id))) return;
  run?.discard();
  if (run === undefined && !(await keptFor(exchange).delete(id))) throw unknownResponse(id);
  sendJson(exchange.response, 200, { id, object: 'response', deleted: true });
}

/** `POST /v1/responses/:id/cancel`: stops a response of the background. One that has ended stays as it is. */
export async function cancelResponse(exchange: HttpExchange, id: string): Promise<void> {
  const run = runOf(exchange, id);
  if (run === undefined && (await isAnsweredElsewhere(exchange, id))) return;
  run?.cancel();
  const { response } = run?.stored ?? (await keptFor(exchange).find(id));
  if (response.background === true) {
    sendJson(exchange.response, 200, response);
    return;
  }
  throw new DragomanError(
    'bad-request',
    'Only a response in the background can be cancelled; to stop a stream, close its connection.',
    { param: 'id' },
  );
}

/** `GET /v1/responses/:id/input_items`, latest first unless `order=asc`, in pages of `limit` after the item `after`. */
export async function answerInputItems(exchange: HttpExchange, id: string): Promise<void> {
  const run = runOf(exchange, id);
  if (run === undefined && (await isAnsweredElsewhere(exchange, id))) return;
  const { input } = run?.stored ?? (await keptFor(exchange).find(id));
  const query = queryOf(exchange);
  const limit = readNumber(query, { name: 'limit', least: 1, most: 100 }) ?? 20;
  const items = query.get('order') === 'asc' ? [...input] : [...input].reverse();
  const after = query.get('after');
  const start = after === null ? 0 : items.findIndex((item) => item.id === after) + 1;
  if (after !== null && start === 0) {
    throw new DragomanError('bad-request', `after: there is no item ${shownId(after)}.`, { param: 'after' });
  }
  const data = items.slice(start, start + limit);
  sendJson(exchange.response, 200, {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: start + limit < items.length,
  });
}

function runOf(exchange: HttpExchange, id: string): BackgroundResponse | undefined {
  return exchange.gateway.background.find(id, ownerOf(exchange));
}

/** Whether another process runs it in the background: then that one has answered. */
async function isAnsweredElsewhere(exchange: HttpExchange, id: string): Promise<boolean> {
  const { siblings } = exchange.gateway;
  if (siblings === undefined) return false;
  const { answers } = await siblings.ask({ about: 'run', id, owner: ownerOf(exchange) });
  const port = answers.find((answer) => answer.port !== undefined)?.port;
  return port !== undefined && forwardRequest(exchange, port);
}

/** A gateway that stops ends the response, and thereby those who follow it. */
function followRun(
  exchange: HttpExchange,
  { run, from }: { readonly run: BackgroundResponse; readonly from: number },
): void {
  exchange.breakOff = (error) => run.breakOff(error);
  followLog(exchange, { log: run, from });
}

/** Frames that leave in one write. */
const most = 64;

/**
 * Streams events from number `from` on, as fast as the client reads and as they come, to their end. A client that is left
 * behind, because events had to make room, is cut off: it can see that something is missing. Throws `bad-request` when
 * they are gone already.
 */
function followLog(exchange: HttpExchange, { log, from }: { readonly log: EventLog; readonly from: number }): void {
  if (from < log.first) {
    const problem = `The events before number ${log.first} are no longer kept. Start there, or leave stream out.`;
    throw new DragomanError('bad-request', `starting_after: ${problem}`, { param: 'starting_after' });
  }
  const recipient = new HttpRecipient(exchange, { framing: 'sse', keepAlive: () => ': keepalive\n\n' });
  let next = from;
  let isFull = false;
  const stop = log.follow(read);
  recipient.listen({ onDrain, onClose: stop });
  recipient.write([]);
  read();

  function onDrain(): void {
    isFull = false;
    read();
  }

  function read(): void {
    while (!isFull && !recipient.gone) {
      if (next < log.first) {
        stop();
        exchange.response.destroy();
        return;
      }
      const frames = log.slice(next, most);
      if (frames.length === 0) break;
      next += frames.length;
      isFull = !recipient.write(frames);
    }
    if (!log.over || isFull || recipient.gone) return;
    stop();
    recipient.end();
  }
}

/**
 * Lets the process answer that runs the response which was asked for: the request goes there as it came, and its answer
 * back. Resolves with false where that process has ended meanwhile, and nothing of an answer has left.
 */
function forwardRequest({ request, response, note }: HttpExchange, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const { method, url } = request;
    const headers = { ...request.headers, 'x-request-id': note.requestId };
    const forwarded = open({ host: '127.0.0.1', port, method, path: url, headers, agent: false });
    forwarded.once('response', (answer) => {
      const { connection: _, 'keep-alive': __, 'transfer-encoding': ___, ...rest } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, rest);
      response.flushHeaders();
      answer.pipe(response);
      // Cut off there, it is cut off here.
      answer.once('error', () => response.destroy());
      resolve(true);
    });
    forwarded.once('error', () => {
      if (response.headersSent) response.destroy();
      resolve(response.headersSent);
    });
    response.once('close', () => forwarded.destroy());
    request.pipe(forwarded);
  });
}
