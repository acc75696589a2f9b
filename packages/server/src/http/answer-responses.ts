import {
  type ClientWire,
  createOpenaiResponsesClient,
  createOpenaiResponsesCompaction,
  GatewayError,
  inputItems,
  lookUpsOf,
  type StoredResponse,
  type WireResponse,
} from '@dragoman/core';
import { answerBody } from './answer-chat.ts';
import { type Exchange, ownerOf } from './exchange.ts';
import { readJson } from './read-body.ts';
import { sendJson } from './send.ts';

/** `POST /v1/responses`: reads what the request continues, answers it, and keeps the answer unless told not to. */
export async function answerResponses(exchange: Exchange): Promise<void> {
  const { config, responses } = exchange.gateway;
  const { body, ...past } = await readContinued(exchange);
  const store = (response: WireResponse) => {
    if (!response.store) return;
    const input = inputItems(body, { replyId: response.id.slice('resp_'.length), references: past.references });
    responses.put(storedResponse(exchange, { response, input }));
  };
  const wire: ClientWire = createOpenaiResponsesClient({
    ...past,
    lenient: !config.clientWires['openai-responses'].strict,
    done: config.clientWires['openai-responses'].done,
    onResponse: store,
  });
  answerBody(exchange, { wire, body });
}

/** `POST /v1/responses/compact`: the conversation as one item that stands for all of it. */
export async function answerCompact(exchange: Exchange): Promise<void> {
  const { body, ...past } = await readContinued(exchange);
  const lenient = !exchange.gateway.config.clientWires['openai-responses'].strict;
  answerBody(exchange, { wire: createOpenaiResponsesCompaction({ ...past, lenient }), body });
}

interface Continued {
  readonly body: unknown;
  readonly history: readonly unknown[];
  readonly references: ReadonlyMap<string, unknown>;
}

/** The body with what it refers to. Throws `previous-response-unknown`. */
async function readContinued(exchange: Exchange): Promise<Continued> {
  const { config, responses } = exchange.gateway;
  const body = await readJson(exchange.request, config.limits.bodyBytes);
  const { previousId, references } = lookUpsOf(body);
  const owner = ownerOf(exchange);
  const chain = previousId === undefined ? [] : await responses.chain(previousId, owner);
  if (chain === undefined) {
    throw new GatewayError(
      'previous-response-unknown',
      `The response ${shown(previousId)}, or one before it, is not stored. Send the whole conversation in input.`,
      { param: 'previous_response_id' },
    );
  }
  const history = chain.flatMap(({ input, output }) => [...input, ...output]);
  return { body, history, references: await responses.items(references, owner) };
}

/** `GET /v1/responses/:id`. */
export async function answerStoredResponse(exchange: Exchange, id: string): Promise<void> {
  const { response } = await findResponse(exchange, id);
  sendJson(exchange.response, 200, response);
}

/** `DELETE /v1/responses/:id`. */
export async function deleteStoredResponse(exchange: Exchange, id: string): Promise<void> {
  const { responses } = exchange.gateway;
  if (!(await responses.delete(id, ownerOf(exchange)))) throw unknownResponse(id);
  sendJson(exchange.response, 200, { id, object: 'response', deleted: true });
}

/** `POST /v1/responses/:id/cancel`: nothing that is stored still runs, as replies never run in the background. */
export async function cancelResponse(exchange: Exchange, id: string): Promise<void> {
  await findResponse(exchange, id);
  throw new GatewayError(
    'bad-request',
    'Only a response in the background can be cancelled; to stop a stream, close its connection.',
    { param: 'id' },
  );
}

/** `GET /v1/responses/:id/input_items`, latest first unless `order=asc`, in pages of `limit` after the item `after`. */
export async function answerInputItems(exchange: Exchange, id: string): Promise<void> {
  const { input } = await findResponse(exchange, id);
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

async function findResponse(exchange: Exchange, id: string): Promise<StoredResponse> {
  const stored = await exchange.gateway.responses.get(id, ownerOf(exchange));
  if (stored === undefined) throw unknownResponse(id);
  return stored;
}

function unknownResponse(id: string): GatewayError {
  return new GatewayError('response-unknown', `There is no stored response ${shown(id)}.`, { param: 'id' });
}

function storedResponse(
  exchange: Exchange,
  { response, input }: { readonly response: WireResponse; readonly input: StoredResponse['input'] },
): StoredResponse {
  const { id, previous_response_id: previousId, output } = response;
  return {
    id,
    owner: ownerOf(exchange),
    ...(previousId === null ? {} : { previousId }),
    response: { ...response },
    input,
    output: output.map((item) => ({ ...item })),
  };
}

function shown(id: string | undefined): string {
  return JSON.stringify((id ?? '').slice(0, 100));
}
