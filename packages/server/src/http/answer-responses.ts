import { createOpenaiResponsesCompaction, GatewayError } from '@dragoman/core';
import { answerBody } from './answer-chat.ts';
import type { Exchange } from './exchange.ts';
import { keptFor, shown, unknownResponse } from './kept-responses.ts';
import { readJson } from './read-body.ts';
import { responsesWire } from './responses-wire.ts';
import { sendJson } from './send.ts';

/** `POST /v1/responses`: reads what the request continues, answers it, and keeps the answer unless told not to. */
export async function answerResponses(exchange: Exchange): Promise<void> {
  const { gateway, request } = exchange;
  const body = await readJson(request, gateway.config.limits.bodyBytes);
  answerBody(exchange, { wire: await responsesWire(gateway, { body, kept: keptFor(exchange) }), body });
}

/** `POST /v1/responses/compact`: the conversation as one item that stands for all of it. */
export async function answerCompact(exchange: Exchange): Promise<void> {
  const { config } = exchange.gateway;
  const body = await readJson(exchange.request, config.limits.bodyBytes);
  const past = await keptFor(exchange).past(body);
  const lenient = !config.clientWires['openai-responses'].strict;
  answerBody(exchange, { wire: createOpenaiResponsesCompaction({ ...past, lenient }), body });
}

/** `GET /v1/responses/:id`. */
export async function answerStoredResponse(exchange: Exchange, id: string): Promise<void> {
  const { response } = await keptFor(exchange).find(id);
  sendJson(exchange.response, 200, response);
}

/** `DELETE /v1/responses/:id`. */
export async function deleteStoredResponse(exchange: Exchange, id: string): Promise<void> {
  if (!(await keptFor(exchange).delete(id))) throw unknownResponse(id);
  sendJson(exchange.response, 200, { id, object: 'response', deleted: true });
}

/** `POST /v1/responses/:id/cancel`: nothing that is stored still runs, as replies never run in the background. */
export async function cancelResponse(exchange: Exchange, id: string): Promise<void> {
  await keptFor(exchange).find(id);
  throw new GatewayError(
    'bad-request',
    'Only a response in the background can be cancelled; to stop a stream, close its connection.',
    { param: 'id' },
  );
}

/** `GET /v1/responses/:id/input_items`, latest first unless `order=asc`, in pages of `limit` after the item `after`. */
export async function answerInputItems(exchange: Exchange, id: string): Promise<void> {
  const { input } = await keptFor(exchange).find(id);
  const query = new URL(exchange.request.url ?? '/', 'http://gateway').searchParams;
  const limit = readLimit(query.get('limit'));
  const items = query.get('order') === 'asc' ? [...input] : [...input].reverse();
  const after = query.get('after');
  const start = after === null ? 0 : items.findIndex((item) => item.id === after) + 1;
  if (after !== null && start === 0) {
    throw new GatewayError('bad-request', `after: there is no item ${shown(after)}.`, { param: 'after' });
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

function readLimit(text: string | null): number {
  if (text === null) return 20;
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 100) return limit;
  throw new GatewayError('bad-request', 'limit: must be a whole number from 1 to 100.', { param: 'limit' });
}
