import * as vscode from 'vscode';
import type { Endpoints, OpenEndpoint } from '../endpoints/endpoints.ts';
import type { Logger } from '../log/logger.ts';
import type { Fields } from '../read-fields.ts';
import type { EndpointDefinition, Settings } from '../read-settings.ts';
import { toShownError } from '../shown-error.ts';
import type { LearntLimits } from './learnt-limits.ts';
import { type KnownModel, knowModel, settingOf } from './model-information.ts';
import { isAllowed, ModelLists } from './model-list.ts';
import { type ListedModel, readEnrichment, readModel } from './read-model.ts';

export interface CatalogOptions {
  readonly endpoints: Endpoints;
  readonly settings: () => Settings;
  readonly limits: LearntLimits;
  readonly log: Logger;
  readonly now?: () => number;
}

/** So long a server may take to list its models, in milliseconds. */
const patience = 10_000;
/** At most so many models of an endpoint are asked about one by one. */
const mostEnriched = 20;

/** Every model that VS Code has been told of, by the id that it has there, and the lists that they come from. */
export class Catalog {
  readonly #options: CatalogOptions;
  readonly #lists: ModelLists;
  readonly #known = new Map<string, KnownModel>();
  /** By what VS Code was told of them: two groups of one server, with two keys, have models of the same ids. */
  readonly #told = new WeakMap<object, KnownModel>();
  /** What the route of single models said, also that it is not there. */
  readonly #enrichments = new Map<string, Promise<Partial<ListedModel>>>();
  /** By what the lists are kept under. */
  readonly #failures = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<void>();
  /** VS Code asks again after it. */
  readonly onDidChange = this.#changed.event;

  constructor(options: CatalogOptions) {
    this.#options = options;
    this.#lists = new ModelLists(options.now === undefined ? {} : { now: options.now });
  }

  /** `information`: what VS Code was told, the very object if it has it still. */
  get(information: { readonly id: string }): KnownModel | undefined {
    return this.#told.get(information) ?? this.#known.get(information.id);
  }

  all(): readonly KnownModel[] {
    return [...this.#known.values()];
  }

  /** Why an endpoint could not be asked the last time, in words; nothing where it could. */
  failureOf(definition: EndpointDefinition): string | undefined {
    return this.#failures.get(listKey(definition));
  }

  /** The models of some endpoints, each endpoint asked at the same time; the default model is first. */
  async list(definitions: readonly EndpointDefinition[]): Promise<readonly KnownModel[]> {
    const lists = await Promise.all(definitions.map((definition) => this.#modelsOf(definition)));
    const isDefault = ({ id, listed }: KnownModel) => [id, listed.id].includes(this.#options.settings().defaultModel);
    return lists.flat().sort((a, b) => Number(isDefault(b)) - Number(isDefault(a)));
  }

  /** The next question goes to the servers, and VS Code asks it. */
  refresh(): void {
    this.#lists.clear();
    this.#enrichments.clear();
    this.#options.endpoints.forget();
    this.#changed.fire();
  }

  /** What is known of limits has changed: VS Code is told without asking servers. */
  retell(): void {
    this.#changed.fire();
  }

  async #modelsOf(definition: EndpointDefinition): Promise<readonly KnownModel[]> {
    const { settings, limits } = this.#options;
    const listed = await this.#lists.get(listKey(definition), () => this.#tryToAsk(definition));
    const { allow, deny, models, effort } = settings();
    // What is at the address that was looked at may have turned out to be something else.
    const endpoint = this.#options.endpoints.named(definition);
    const known = listed
      .filter(({ id }) => isAllowed([id, `${definition.id}/${id}`], { allow, deny }))
      .map((model) => {
        const id = `${definition.id}/${model.id}`;
        const setting = { ...settingOf(model.id, models), ...settingOf(id, models) };
        return knowModel(model, { endpoint, setting, learnt: limits.get(id), effort });
      });
    for (const { id, endpoint: of } of this.#known.values()) if (of.id === definition.id) this.#known.delete(id);
    for (const model of known) {
      this.#known.set(model.id, model);
      this.#told.set(model.information, model);
    }
    return known;
  }

  /** That no gateway runs is no fault: it is only looked for. */
  async #tryToAsk(definition: EndpointDefinition): Promise<readonly ListedModel[] | undefined> {
    try {
      const models = await this.#ask(definition);
      this.#failures.delete(listKey(definition));
      return models;
    } catch (error) {
      const { message } = toShownError(error, { endpoint: definition.name, url: definition.url });
      this.#failures.set(listKey(definition), message);
      this.#options.log[definition.from === 'found' ? 'debug' : 'warn'](message);
      return undefined;
    }
  }

  async #ask(definition: EndpointDefinition): Promise<readonly ListedModel[]> {
    const endpoint = await this.#options.endpoints.open(definition);
    const listed = await endpoint.client.models({ signal: AbortSignal.timeout(patience) });
    const models = listed.map(readModel);
    this.#options.log.info(`${definition.name} (${endpoint.detected.api}) has ${models.length} models`);
    return this.#enrich(endpoint, models);
  }

  /** Asks for what the list did not say, where a server may have a route for it. */
  async #enrich(endpoint: OpenEndpoint, models: readonly ListedModel[]): Promise<readonly ListedModel[]> {
    if (endpoint.detected.api !== 'responses') return models;
    const lacking = models.filter(({ contextWindow }) => contextWindow === undefined).slice(0, mostEnriched);
    const found = await Promise.all(
      lacking.map(async ({ id }) => [id, await this.#enrichmentOf(endpoint, id)] as const),
    );
    const byId = new Map(found);
    return models.map((model) => ({ ...byId.get(model.id), ...model }));
  }

  #enrichmentOf(endpoint: OpenEndpoint, id: string): Promise<Partial<ListedModel>> {
    const key = `${endpoint.definition.id}/${id}`;
    const known = this.#enrichments.get(key);
    if (known !== undefined) return known;
    const path = `/models/${id.split('/').map(encodeURIComponent).join('/')}/endpoints`;
    const asked = endpoint
      .getJson(path, AbortSignal.timeout(patience))
      .catch((): Fields | undefined => undefined)
      .then((body) => (body === undefined ? {} : readEnrichment(body)));
    this.#enrichments.set(key, asked);
    return asked;
  }
}

/** Keys are part of it: servers list what a key may use. */
function listKey({ id, url, key = '' }: EndpointDefinition): string {
  return JSON.stringify([id, url, key]);
}
