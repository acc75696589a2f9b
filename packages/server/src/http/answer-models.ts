import { GatewayError, listModels, type ModelEntry } from '@dragoman/core';
import type { Exchange } from './exchange.ts';
import { sendJson } from './send.ts';

/** `GET /v1/models`: every model once. Reads configuration only, so no upstream is asked. */
export function answerModels(exchange: Exchange): void {
  const { setup, counts } = exchange.gateway;
  const data = listModels(setup).map((entry) => writeModel(entry, counts.startedAt));
  sendJson(exchange.response, 200, { object: 'list', data });
}

/** `GET /v1/models/:id`; ids may hold slashes, plain or escaped. */
export function answerModel(exchange: Exchange, id: string): void {
  const { setup, counts } = exchange.gateway;
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
  sendJson(exchange.response, 200, writeModel(entry, counts.startedAt));
}

function writeModel({ id, upstream, rule }: ModelEntry, startedAt: number): Record<string, unknown> {
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
