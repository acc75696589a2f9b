import { countRequestTokens, createAnthropicMessagesClient, DragomanError } from '@dragoman/core';
import { readChatRequest } from './answer-chat.ts';
import { type HttpExchange, ownerOf } from './exchange.ts';
import { readJson } from './read-body.ts';
import { sendJson } from './send.ts';

/** Nothing is answered here, so there is nothing to limit. */
const wire = createAnthropicMessagesClient({ maxTokensOptional: true });

/**
 * `POST /v1/messages/count_tokens`: how long the prompt of this request would be, with everything that the gateway puts
 * into it. An upstream that counts natively is asked; the log says who counted, and why not the upstream where it failed.
 */
export async function answerCountTokens(exchange: HttpExchange): Promise<void> {
  const { gateway, note, response } = exchange;
  const body = await readJson(exchange.request, gateway.config.limits.bodyBytes);
  const { request } = readChatRequest(exchange, { wire, body });
  const gone = new AbortController();
  response.once('close', () =>
    gone.abort(new DragomanError('client-gone', 'The client went before it had the count.')),
  );
  const count = await countRequestTokens(request, gateway.setupOf(ownerOf(exchange)), gone.signal);
  note.usage = { inputTokens: count.inputTokens, outputTokens: 0, source: count.source };
  if (count.failure !== undefined) {
    const { code, message } = count.failure;
    gateway.log.warn(
      `The upstream "${note.upstream}" did not count the tokens of ${note.requestId} (${code}): ${message}`,
    );
  }
  sendJson(response, 200, { input_tokens: count.inputTokens });
}
