import { type AskOptions, askJson } from '../engine/ask-json.ts';
import { DragomanError } from '../errors.ts';
import type { ListedModel, ModelListing, OtherModel } from '../wires/wire.ts';

/** The most pages of a list; a list that goes on has the models of these. */
const mostPages = 50;
/** The most models of an upstream; what it lists beyond is left out. */
export const mostModels = 5000;
/** Questions for details that are under way at once. */
const atOnce = 4;

export interface ListOptions extends AskOptions {
  /** The upstream's name in the configuration. */
  readonly upstream: string;
  readonly listing: ModelListing;
  /** Where the list is, from the root of the server; default: where the wire says. */
  readonly path?: string;
  /** What was known before; stands in for details that cannot be had. */
  readonly before: ReadonlyMap<string, ListedModel>;
  /** Hears of models that answer no chat, which are left out. */
  readonly other?: (model: OtherModel) => void;
}

/**
 * Reads an upstream's whole list, by id. Rejects when a page cannot be had, so that half a list is never taken for all of
 * it; a model whose details cannot be had keeps those of before, or has none.
 */
export async function readList(options: ListOptions): Promise<ReadonlyMap<string, ListedModel>> {
  const models = await readPages(options);
  if (options.listing.details === undefined) return models;
  const known = new Map<string, ListedModel>();
  const waiting = [...models.values()].values();
  const details = new Map<string, ListedModel | OtherModel>();
  const ask = async () => {
    for (const model of waiting) details.set(model.id, await readDetails(model, options));
  };
  await Promise.all(Array.from({ length: atOnce }, ask));
  const running = await readRunning(options);
  // In the order of the list, whatever came first.
  for (const id of models.keys()) {
    const model = details.get(id);
    if (model === undefined) continue;
    if ('use' in model) options.other?.(model);
    else known.set(id, running(model));
  }
  return known;
}

/** What the server says of the models that it runs; a server that does not say it adds nothing. */
async function readRunning(options: ListOptions): Promise<(model: ListedModel) => ListedModel> {
  const { upstream, listing } = options;
  const nothing = (model: ListedModel) => model;
  if (listing.running === undefined) return nothing;
  try {
    const body = await askJson({ upstream, method: 'GET', path: listing.running.path, body: undefined }, options);
    return listing.running.read(body);
  } catch (thrown) {
    if (!(thrown instanceof DragomanError)) throw thrown;
    return nothing;
  }
}

async function readPages(options: ListOptions): Promise<Map<string, ListedModel>> {
  const { upstream, listing, path = listing.path } = options;
  const models = new Map<string, ListedModel>();
  const asked = new Set<string>();
  let next: string | undefined = path;
  while (next !== undefined && asked.size < mostPages && !asked.has(next)) {
    asked.add(next);
    const fromRoot = options.path !== undefined && asked.size === 1;
    const body = await askJson({ upstream, method: 'GET', path: next, fromRoot, body: undefined }, options);
    const page = listing.readPage(body);
    if (page === undefined) throw new DragomanError('upstream-unreadable', 'The answer is no list of models.');
    for (const model of page.others ?? []) options.other?.(model);
    for (const model of page.models) {
      if (models.size >= mostModels) return models;
      if (!models.has(model.id)) models.set(model.id, model);
    }
    next = page.next;
  }
  return models;
}

async function readDetails(model: ListedModel, options: ListOptions): Promise<ListedModel | OtherModel> {
  const { upstream, listing, before } = options;
  if (listing.details === undefined) return model;
  const { path, body } = listing.details.writeRequest(model);
  try {
    return listing.details.read(model, await askJson({ upstream, path, body }, options));
  } catch (thrown) {
    if (!(thrown instanceof DragomanError)) throw thrown;
    return before.get(model.id) ?? model;
  }
}
