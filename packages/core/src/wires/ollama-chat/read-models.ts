import { fieldsOf, firstCount, firstId, includes, readMoment, readTemplate, withoutGaps } from '../listed-fields.ts';
import { isObject, type JsonObject } from '../read-values.ts';
import type { ListedModel, ModelListing, ModelPage, OtherModel } from '../wire.ts';

/**
 * `GET /api/tags` names the models; `POST /api/show` tells what each can do and how long its context can be; `GET /api/ps`
 * how long it is for those that are loaded, which is mostly much less.
 */
export const ollamaModels: ModelListing = {
  path: '/api/tags',
  readPage,
  details: { writeRequest: ({ id }) => ({ path: '/api/show', body: { model: id } }), read: readDetails },
  running: { path: '/api/ps', read: readRunning },
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
  const version = firstId(fields.digest);
  return [withoutGaps({ id: withoutLatest(id), created, version })];
}

/** Ollama itself takes a name without a tag for the one tagged so. */
function withoutLatest(id: string): string {
  return id.endsWith(':latest') ? id.slice(0, -':latest'.length) : id;
}

function readDetails(model: ListedModel, body: unknown): ListedModel | OtherModel {
  const fields = fieldsOf(body);
  const { capabilities } = fields;
  if (includes(capabilities, 'completion') === false) {
    return { id: model.id, use: includes(capabilities, 'embedding') === true ? 'embeddings' : 'other work' };
  }
  return withoutGaps({
    id: model.id,
    ...windowsOf(fields),
    images: includes(capabilities, 'vision'),
    toolCalling: includes(capabilities, 'tools'),
    reasoning: includes(capabilities, 'thinking'),
    template: readTemplate(fields.template),
    version: model.version,
    created: model.created,
  });
}

/**
 * The window that the model's own parameters ask for. Without them it is the server's default, which hangs on its memory
 * and is told nowhere until the model is loaded: what the model was trained for is only the most that can be asked for.
 */
function windowsOf(fields: JsonObject): Pick<ListedModel, 'contextWindow' | 'longestWindow'> {
  const info = fieldsOf(fields.model_info);
  const trained = firstCount(info[`${info['general.architecture']}.context_length`]);
  const given = firstCount(parameterOf(fields.parameters, 'num_ctx'));
  const longest = trained === undefined ? {} : { longestWindow: trained };
  return given === undefined ? longest : { ...longest, contextWindow: Math.min(given, trained ?? given) };
}

/** A model that is loaded runs with this window, whoever asked for it; another one would load it anew. */
function readRunning(body: unknown): (model: ListedModel) => ListedModel {
  const windows = new Map<string, number>();
  const { models } = fieldsOf(body);
  for (const entry of Array.isArray(models) ? models : []) {
    const fields = fieldsOf(entry);
    const id = firstId(fields.model, fields.name);
    const contextWindow = firstCount(fields.context_length);
    if (id !== undefined && contextWindow !== undefined) windows.set(withoutLatest(id), contextWindow);
  }
  return (model) => {
    const contextWindow = windows.get(model.id);
    return contextWindow === undefined ? model : { ...model, contextWindow };
  };
}

/** A number out of the text of parameters, in which each has a line. */
function parameterOf(parameters: unknown, name: string): number | undefined {
  if (typeof parameters !== 'string') return undefined;
  const line = parameters.split('\n').find((each) => each.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length).trim());
}
