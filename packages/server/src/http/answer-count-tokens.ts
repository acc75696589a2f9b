import { countRequestTokens, createAnthropicMessagesClient } from '@dragoman/core';
import { noteRequest, withModel } from './answer-chat.ts';
import { type Exchange, ownerOf } from './exchange.ts';
import { readJson } from './read-body.ts';
import { sendJson } from './send.ts';

/** Nothing is answered here, so there is nothing to limit. */
const wire = createAnthropicMessagesClient({ maxTokensOptional: true });

/**
 * `POST /v1/messages/count_tokens`: how long the prompt of this request would be, with everything that the gateway puts
 * into it. Counted here, so no upstream is asked.
 */
export async function answerCountTokens(exchange: Exchange): Promise<void> {
  const { config, setup, setupOf } = exchange.gateway;
  const body = await readJson(exchange.request, config.limits.bodyBytes);
  const request = wire.readRequest(withModel(body, setup.defaultModel), exchange.request.headers);
  noteRequest(exchange, request);
  sendJson(exchange.response, 200, { input_tokens: await countRequestTokens(request, setupOf(ownerOf(exchange))) });
}
