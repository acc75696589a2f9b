import { type ClientWire, findModel, ollamaGenerateClient } from '@dragoman/core';
import { answerBody } from './answer-chat.ts';
import { type Exchange, ownerOf } from './exchange.ts';
import { readBytesAndJson } from './read-body.ts';
import { sendJson } from './send.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * `POST /api/chat` and `POST /api/generate`. A request that asks nothing is how clients have a model loaded, or unloaded
 * with `keep_alive: 0`; ours always are, so it is answered at once if the model exists.
 */
export async function answerOllamaChat(exchange: Exchange, wire: ClientWire): Promise<void> {
  const { setup, config } = exchange.gateway;
  const { bytes, body } = await readBytesAndJson(exchange.request, {
    limit: config.limits.bodyBytes,
    owner: ownerOf(exchange),
  });
  const asked = wire === ollamaGenerateClient ? ['prompt', 'images', 'suffix'] : ['messages'];
  const model = isFields(body) && typeof body.model === 'string' ? body.model : '';
  if (!isFields(body) || model === '' || asked.some((field) => !isEmpty(body[field]))) {
    await answerBody(exchange, { wire, body, bytes });
    return;
  }
  findModel(model, setup);
  exchange.note.model = model;
  sendJson(exchange.response, 200, {
    model,
    created_at: new Date().toISOString(),
    ...(wire === ollamaGenerateClient ? { response: '' } : { message: { role: 'assistant', content: '' } }),
    done: true,
    done_reason: isZero(body.keep_alive) ? 'unload' : 'load',
  });
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** A duration may be a number of seconds or text such as `0s`. */
function isZero(duration: unknown): boolean {
  return duration === 0 || (typeof duration === 'string' && Number.parseFloat(duration) === 0);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
