import { createHash } from 'node:crypto';
import {
  type ClientWire,
  DragomanError,
  describeModel,
  findModel,
  type ModelDescription,
  type ModelRule,
  ollamaGenerateClient,
} from '@dragoman/core';
import { isRecord } from '../is-record.ts';
import { answerBody } from './answer-chat.ts';
import { factsOf, toldModels } from './answer-models.ts';
import { type HttpExchange, ownerOf } from './exchange.ts';
import { readBytesAndJson, readJson } from './read-body.ts';
import { sendJson } from './send.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * `POST /api/chat` and `POST /api/generate`. A request that asks nothing is how clients have a model loaded, or unloaded
 * with `keep_alive: 0`; ours always are, so it is answered at once if the model exists.
 */
export async function answerOllamaChat(exchange: HttpExchange, wire: ClientWire): Promise<void> {
  const { setup, config } = exchange.gateway;
  const { bytes, body } = await readBytesAndJson(exchange.request, {
    limit: config.limits.bodyBytes,
    owner: ownerOf(exchange),
  });
  const asked = wire === ollamaGenerateClient ? ['prompt', 'images', 'suffix'] : ['messages'];
  const model = isRecord(body) && typeof body.model === 'string' ? body.model : '';
  if (!isRecord(body) || model === '' || asked.some((field) => !isEmpty(body[field]))) {
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

/** `GET /`: clients of Ollama ask whether anybody is there, and some compare the answer. */
export function answerRoot({ response }: HttpExchange): void {
  const text = 'Ollama is running';
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', 'content-length': text.length });
  response.end(text);
}

/** `GET /api/tags`: every model once, under the name that every other route takes. */
export async function answerTags(exchange: HttpExchange): Promise<void> {
  sendJson(exchange.response, 200, { models: (await toldModels(exchange)).map(writeTag) });
}

/** `GET /api/ps`: the same models, since all of them are ready. */
export async function answerRunning(exchange: HttpExchange): Promise<void> {
  sendJson(exchange.response, 200, { models: (await toldModels(exchange)).map(writeRunning) });
}

/** `POST /api/show` with `model`, or `name` as older clients say. */
export async function answerShow(exchange: HttpExchange): Promise<void> {
  const { name } = await readNamed(exchange);
  const gateway = await exchange.gateway.freshen();
  const entry = findModel(name, gateway.setup);
  sendJson(exchange.response, 200, writeShow(describeModel({ ...entry, id: name }, factsOf(gateway)), entry.rule));
}

/** `POST /api/pull`: a model that is there needs no download, and no other one can be had. */
export async function answerPull(exchange: HttpExchange): Promise<void> {
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

async function readNamed(exchange: HttpExchange): Promise<{ readonly name: string; readonly stream: boolean }> {
  const body = await readJson(exchange.request, exchange.gateway.config.limits.bodyBytes);
  const given: unknown = isRecord(body) ? (body.model ?? body.name) : undefined;
  if (typeof given !== 'string' || given === '') {
    throw new DragomanError('bad-request', 'model: must be the name of a model.', { param: 'model' });
  }
  exchange.note.model = given.slice(0, 100);
  return { name: given, stream: !isRecord(body) || body.stream !== false };
}

/** Stands where Ollama names the family of a model's weights, of which the gateway knows nothing. */
const architecture = 'dragoman';

/** A length that never ends, for models that are never unloaded. */
const farFuture = '9999-12-31T23:59:59Z';

/** An entry of `GET /api/tags`. Some clients read `name`, others `model`, and the strictest wants all details. */
function writeTag({ id, created }: ModelDescription): Fields {
  return {
    name: id,
    model: id,
    modified_at: momentOf(created),
    size: 0,
    digest: createHash('sha256').update(id, 'utf8').digest('hex'),
    details,
  };
}

/** An entry of `GET /api/ps`: every model is ready, and takes none of this machine's memory that we know of. */
function writeRunning(model: ModelDescription): Fields {
  const { modified_at: _, ...entry } = writeTag(model);
  const { contextWindow } = model;
  return {
    ...entry,
    expires_at: farFuture,
    size_vram: 0,
    ...(contextWindow === undefined ? {} : { context_length: contextWindow }),
  };
}

/**
 * The answer of `POST /api/show`. Clients take from it whether a model calls tools, sees images and thinks, how long its
 * context is, and the name to show: each model has its own. An unknown context window is left out, never guessed.
 */
function writeShow(model: ModelDescription, rule: ModelRule): Fields {
  const { id, contextWindow, toolCalling, images, reasoning, created } = model;
  const parameters = writeParameters(rule);
  return {
    license: '',
    modelfile: [`FROM ${id}`, ...parameters.map((line) => `PARAMETER ${line}`)].join('\n'),
    parameters: parameters.join('\n'),
    template: '{{ .Prompt }}',
    details,
    model_info: {
      'general.architecture': architecture,
      'general.basename': id,
      ...(contextWindow === undefined ? {} : { [`${architecture}.context_length`]: contextWindow }),
    },
    capabilities: [
      'completion',
      ...(toolCalling ? ['tools'] : []),
      ...(images ? ['vision'] : []),
      ...(reasoning === true ? ['thinking'] : []),
    ],
    modified_at: momentOf(created),
  };
}

function momentOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

const details = {
  parent_model: '',
  format: architecture,
  family: architecture,
  families: [architecture],
  parameter_size: '',
  quantization_level: '',
} as const;

/** One parameter a line, as in a Modelfile. */
function writeParameters({ contextWindow, sampling }: ModelRule): readonly string[] {
  const { temperature, topP, maxTokens, stop = [] } = sampling;
  return [
    ...(contextWindow === 0 ? [] : [`num_ctx ${contextWindow}`]),
    ...(maxTokens === undefined ? [] : [`num_predict ${maxTokens}`]),
    ...(temperature === undefined ? [] : [`temperature ${temperature}`]),
    ...(topP === undefined ? [] : [`top_p ${topP}`]),
    ...stop.map((text) => `stop ${JSON.stringify(text)}`),
  ];
}
