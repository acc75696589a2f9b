import { DragomanError, findModel, tellModel } from '@dragoman/core';
import { factsOf, toldModels } from './answer-models.ts';
import type { Exchange } from './exchange.ts';
import { writeRunning, writeShow, writeTag } from './ollama-model.ts';
import { readJson } from './read-body.ts';
import { sendJson } from './send.ts';

/** `GET /`: clients of Ollama ask whether anybody is there, and some compare the answer. */
export function answerRoot({ response }: Exchange): void {
  const text = 'Ollama is running';
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', 'content-length': text.length });
  response.end(text);
}

/** `GET /api/tags`: every model once, under the name that every other route takes. */
export async function answerTags(exchange: Exchange): Promise<void> {
  sendJson(exchange.response, 200, { models: (await toldModels(exchange)).map(writeTag) });
}

/** `GET /api/ps`: the same models, since all of them are ready. */
export async function answerRunning(exchange: Exchange): Promise<void> {
  sendJson(exchange.response, 200, { models: (await toldModels(exchange)).map(writeRunning) });
}

/** `POST /api/show` with `model`, or `name` as older clients say. */
export async function answerShow(exchange: Exchange): Promise<void> {
  const { name } = await readNamed(exchange);
  const gateway = await exchange.gateway.freshen();
  const entry = findModel(name, gateway.setup);
  sendJson(exchange.response, 200, writeShow(tellModel({ ...entry, id: name }, factsOf(gateway)), entry.rule));
}

/** `POST /api/pull`: a model that is there needs no download, and no other one can be had. */
export async function answerPull(exchange: Exchange): Promise<void> {
  const { name, stream } = await readNamed(exchange);
  findModel(name, exchange.gateway.setup);
  const { response } = exchange;
  if (!stream) {
    sendJson(response, 200, { status: 'success' });
    return;
  }
  response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  response.end('{"status":"pulling manifest"}\n{"status":"success"}\n');
}

async function readNamed(exchange: Exchange): Promise<{ readonly name: string; readonly stream: boolean }> {
  const body = await readJson(exchange.request, exchange.gateway.config.limits.bodyBytes);
  const given: unknown = isFields(body) ? (body.model ?? body.name) : undefined;
  if (typeof given !== 'string' || given === '') {
    throw new DragomanError('bad-request', 'model: must be the name of a model.', { param: 'model' });
  }
  exchange.note.model = given.slice(0, 100);
  return { name: given, stream: !isFields(body) || body.stream !== false };
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
