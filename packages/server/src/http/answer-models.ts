import {
  anthropicMessagesClient,
  findModel,
  listModels,
  type ToldModel,
  tellModel,
  writeOpenaiModel,
} from '@dragoman/core';
import { writeAnthropicModel, writeAnthropicPage } from './anthropic-models.ts';
import { writeCodexModel } from './codex-model.ts';
import type { Exchange, Gateway } from './exchange.ts';
import { sendJson } from './send.ts';

/**
 * `GET /v1/models`: every model once, in the form that the client reads: Anthropic's for clients that name its version,
 * Codex's for Codex, which names its own, and OpenAI's for all others.
 */
export async function answerModels(exchange: Exchange): Promise<void> {
  const models = await toldModels(exchange);
  const query = queryOf(exchange);
  if (isAnthropic(exchange)) sendJson(exchange.response, 200, writeAnthropicPage(models, query));
  else if (query.has('client_version')) sendJson(exchange.response, 200, { models: models.map(writeCodexModel) });
  else sendJson(exchange.response, 200, { object: 'list', data: models.map(writeOpenaiModel) });
}

/** `GET /v1/models/:id`; ids may hold slashes, plain or escaped. Throws DragomanError `model-unknown`. */
export async function answerModel(exchange: Exchange, id: string): Promise<void> {
  const gateway = await exchange.gateway.freshen();
  const told = tellModel({ ...findModel(id, gateway.setup), id }, factsOf(gateway));
  sendJson(exchange.response, 200, isAnthropic(exchange) ? writeAnthropicModel(told) : writeOpenaiModel(told));
}

/** Every model that clients can ask for, as well as it is known by now. */
export async function toldModels(exchange: Exchange): Promise<readonly ToldModel[]> {
  const gateway = await exchange.gateway.freshen();
  return listModels(gateway.setup).map((entry) => tellModel(entry, factsOf(gateway)));
}

/** What `tellModel` takes besides the model. */
export function factsOf({ setup, counts }: Gateway): Parameters<typeof tellModel>[1] {
  return { setup, startedAt: counts.startedAt };
}

function isAnthropic({ wire }: Exchange): boolean {
  return wire === anthropicMessagesClient;
}

function queryOf({ request }: Exchange): URLSearchParams {
  const url = request.url ?? '';
  const query = url.indexOf('?');
  return new URLSearchParams(query < 0 ? '' : url.slice(query + 1));
}
