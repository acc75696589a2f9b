import { fieldsOf, firstCount, firstId, includes, readMoment, withoutGaps } from '../listed-fields.ts';
import { isObject, type JsonObject } from '../read-values.ts';
import type { ListedModel, ModelListing, ModelPage, Quirks } from '../wire.ts';
import type { OllamaChatQuirk } from './quirks.ts';

/** `GET /api/tags` names the models; `POST /api/show` tells what each can do and how long its context is. */
export const ollamaModels: ModelListing = {
  path: '/api/tags',
  readPage,
  details: { writeRequest: ({ id }) => ({ path: '/api/show', body: { model: id } }), read: readDetails },
};

function readPage(body: unknown): ModelPage | undefined {
  if (!isObject(body)) return undefined;
  // A server without models says null.
  if (body.models === null) return { models: [] };
  return Array.isArray(body.models) ? { models: body.models.flatMap(readEntry) } : undefined;
}

function readEntry(entry: unknown): readonly ListedModel[] {
  const fields = fieldsOf(entry);
  const id = firstId(fields.model, fields.name);
  if (id === undefined) return [];
  const created = readMoment(fields.modified_at);
  return [{ id: withoutLatest(id), ...(created === undefined ? {} : { created }) }];
}

/** Ollama itself takes a name without a tag for the one tagged so. */
function withoutLatest(id: string): string {
  return id.endsWith(':latest') ? id.slice(0, -':latest'.length) : id;
}

function readDetails(model: ListedModel, body: unknown, quirks: Quirks): ListedModel | undefined {
  const fields = fieldsOf(body);
  const { capabilities } = fields;
  if (includes(capabilities, 'completion') === false) return undefined;
  return withoutGaps({
    id: model.id,
    contextWindow: contextWindowOf(fields, quirks),
    maxOutput: undefined,
    images: includes(capabilities, 'vision'),
    toolCalling: includes(capabilities, 'tools'),
    reasoning: includes(capabilities, 'thinking'),
    displayName: undefined,
    created: model.created,
  });
}

/** What the model was trained for, unless less is asked for with every request, or else by the model's own parameters. */
function contextWindowOf(fields: JsonObject, quirks: Quirks): number | undefined {
  const info = fieldsOf(fields.model_info);
  const trained = firstCount(info[`${info['general.architecture']}.context_length`]);
  const asked: OllamaChatQuirk = 'numCtx';
  const given = firstCount(quirks[asked], parameterOf(fields.parameters, 'num_ctx'));
  return trained !== undefined && given !== undefined ? Math.min(trained, given) : (given ?? trained);
}

/** A number out of the text of parameters, in which each has a line. */
function parameterOf(parameters: unknown, name: string): number | undefined {
  if (typeof parameters !== 'string') return undefined;
  const line = parameters.split('\n').find((each) => each.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length).trim());
}
