import { anthropicMessagesClient, GatewayError, listModels, type ModelEntry } from '@dragoman/core';
import type { Exchange } from './exchange.ts';
import { sendJson } from './send.ts';

/**
 * `GET /v1/models`: every model once, in the form of the API whose client asks. Reads configuration only, so no upstream
 * is asked.
 */
export function answerModels(exchange: Exchange): void {
  const { setup } = exchange.gateway;
  const data = listModels(setup).map((entry) => writeFor(exchange, entry));
  const page = { data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
  sendJson(exchange.response, 200, isAnthropic(exchange) ? page : { object: 'list', data });
}

/** `GET /v1/models/:id`; ids may hold slashes, plain or escaped. */
export function answerModel(exchange: Exchange, id: string): void {
  const { setup } = exchange.gateway;
  const entry = listModels(setup).find((each) => each.id === id);
  if (entry === undefined) {
    throw new GatewayError(
      'model-unknown',
      `There is no model ${JSON.stringify(id.slice(0, 100))}; GET /v1/models lists all.`,
      {
        param: 'model',
      },
    );
  }
  sendJson(exchange.response, 200, writeFor(exchange, entry));
}

interface WrittenModel {
  readonly id: string;
  readonly [field: string]: unknown;
}

function writeFor(exchange: Exchange, entry: ModelEntry): WrittenModel {
  const { startedAt } = exchange.gateway.counts;
  return isAnthropic(exchange) ? writeAnthropicModel(entry, startedAt) : writeModel(entry, startedAt);
}

function isAnthropic({ wire }: Exchange): boolean {
  return wire === anthropicMessagesClient;
}

function writeAnthropicModel({ id, rule }: ModelEntry, startedAt: number): WrittenModel {
  return {
    type: 'model',
    id,
    display_name: id,
    created_at: new Date(startedAt).toISOString(),
    max_input_tokens: rule.contextWindow === 0 ? null : rule.contextWindow,
    max_tokens: rule.sampling.maxTokens ?? null,
  };
}

function writeModel({ id, upstream, rule }: ModelEntry, startedAt: number): WrittenModel {
  return {
    id,
    object: 'model',
    created: Math.floor(startedAt / 1000),
    owned_by: upstream,
    ...(rule.contextWindow === 0 ? {} : { context_window: rule.contextWindow }),
    tool_calling: true,
    images: rule.images,
  };
}
