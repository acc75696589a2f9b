import {
  anthropicMessagesClient,
  DragomanError,
  describeModel,
  findModel,
  listModels,
  type ModelDescription,
  writeOpenaiModel,
} from '@dragoman/core';
import { writeCodexModel } from './codex-model.ts';
import type { Gateway, HttpExchange } from './exchange.ts';
import { queryOf, readNumber } from './read-query.ts';
import { sendJson } from './send.ts';

/**
 * `GET /v1/models`: every model once, in the form that the client reads: Anthropic's for clients that name its version,
 * Codex's for Codex, which names its own, and OpenAI's for all others.
 */
export async function answerModels(exchange: HttpExchange): Promise<void> {
  const models = await toldModels(exchange);
  const query = queryOf(exchange);
  if (isAnthropic(exchange)) sendJson(exchange.response, 200, writeAnthropicPage(models, query));
  else if (query.has('client_version')) sendJson(exchange.response, 200, { models: models.map(writeCodexModel) });
  else sendJson(exchange.response, 200, { object: 'list', data: models.map(writeOpenaiModel) });
}

/** `GET /v1/models/:id`; ids may hold slashes, plain or escaped. Throws DragomanError `model-unknown`. */
export async function answerModel(exchange: HttpExchange, id: string): Promise<void> {
  const gateway = await exchange.gateway.freshen();
  const told = describeModel({ ...findModel(id, gateway.setup), id }, factsOf(gateway));
  sendJson(exchange.response, 200, isAnthropic(exchange) ? writeAnthropicModel(told) : writeOpenaiModel(told));
}

/** Every model that clients can ask for, as well as it is known by now. */
export async function toldModels(exchange: HttpExchange): Promise<readonly ModelDescription[]> {
  const gateway = await exchange.gateway.freshen();
  return listModels(gateway.setup).map((entry) => describeModel(entry, factsOf(gateway)));
}

/** What `describeModel` takes besides the model. */
export function factsOf({ setup, counts }: Gateway): Parameters<typeof describeModel>[1] {
  return { setup, startedAt: counts.startedAt };
}

function isAnthropic({ wire }: HttpExchange): boolean {
  return wire === anthropicMessagesClient;
}

/** The most models of a page, and how many it has when the client does not say: those that turn no pages get all. */
const mostOfPage = 1000;

/**
 * A page of Anthropic's list: `limit` models behind `after_id` or before `before_id`. Throws DragomanError
 * `bad-request` for a limit that is none and for an id that is not in the list.
 */
function writeAnthropicPage(
  models: readonly ModelDescription[],
  query: URLSearchParams,
): Readonly<Record<string, unknown>> {
  const limit = readNumber(query, { name: 'limit', least: 1, most: mostOfPage }) ?? mostOfPage;
  const before = placeOf(query.get('before_id'), { models, param: 'before_id' });
  const after = placeOf(query.get('after_id'), { models, param: 'after_id' });
  const from = before === undefined ? (after ?? -1) + 1 : Math.max(0, before - limit);
  const page = models.slice(from, before ?? from + limit);
  return {
    data: page.map(writeAnthropicModel),
    has_more: before === undefined ? from + page.length < models.length : from > 0,
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
  };
}

function placeOf(
  id: string | null,
  { models, param }: { readonly models: readonly ModelDescription[]; readonly param: string },
): number | undefined {
  if (id === null) return undefined;
  const place = models.findIndex((model) => model.id === id);
  if (place >= 0) return place;
  throw new DragomanError(
    'bad-request',
    `${param}: there is no model ${JSON.stringify(id.slice(0, 100))} in the list.`,
    {
      param,
    },
  );
}

const yes = { supported: true };
const no = { supported: false };

/**
 * A model as Anthropic's API tells it. What the gateway cannot vouch for counts as missing; the API wants each capability
 * named.
 */
function writeAnthropicModel(model: ModelDescription): Readonly<Record<string, unknown>> {
  const { id, displayName, contextWindow, maxOutput, images, reasoning, created } = model;
  const thinking = reasoning === true ? yes : no;
  return {
    type: 'model',
    id,
    display_name: displayName,
    created_at: new Date(created * 1000).toISOString(),
    max_input_tokens: contextWindow ?? null,
    max_tokens: maxOutput ?? null,
    capabilities: {
      batch: no,
      citations: no,
      code_execution: no,
      context_management: {
        supported: false,
        clear_thinking_20251015: null,
        clear_tool_uses_20250919: null,
        compact_20260112: null,
      },
      effort: { supported: false, low: no, medium: no, high: no, max: no, xhigh: null },
      image_input: images ? yes : no,
      pdf_input: no,
      server_tools: { supported: false, code_execution: no, web_search: no },
      structured_outputs: no,
      thinking: {
        ...thinking,
        types: { adaptive: no, between_tools: no, disabled: yes, enabled: thinking },
      },
    },
    lifecycle: 'active',
    deprecated_at: null,
    retires_at: null,
    line: null,
  };
}
