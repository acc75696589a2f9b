import { DragomanError } from '../errors.ts';
import { type AskOptions, askJson } from '../upstream/ask-json.ts';
import type { ListedModel, ModelListing, OtherModel, ServerQuestion } from '../wires/wire.ts';

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
  const { models, more } = await readPages(options);
  const told = await readServer(more, options);
  if (options.listing.details === undefined) return new Map([...models].map(([id, model]) => [id, told(model)]));
  const known = new Map<string, ListedModel>();
  const waiting = [...models.values()].values();
  const details = new Map<string, ListedModel | OtherModel>();
  const ask = async () => {
    for (const model of waiting) details.set(model.id, await readDetails(model, options));
  };
  await Promise.all(Array.from({ length: atOnce }, ask));
  const running = await readServer(options.listing.running, options);
  // In the order of the list, whatever came first.
  for (const id of models.keys()) {
    const model = details.get(id);
    if (model === undefined) continue;
    if ('use' in model) options.other?.(model);
    else known.set(id, running(model));
  }
  return known;
}

/** What the server says of the models that it runs; one that does not say it adds nothing. */
async function readServer(
  question: ServerQuestion | undefined,
  options: ListOptions,
): Promise<(model: ListedModel) => ListedModel> {
  const nothing = (model: ListedModel) => model;
  if (question === undefined) return nothing;
  const { path, fromRoot = false } = question;
  try {
    return question.read(
      await askJson({ upstream: options.upstream, method: 'GET', path, fromRoot, body: undefined }, options),
    );
  } catch (thrown) {
    if (!(thrown instanceof DragomanError)) throw thrown;
    return nothing;
  }
}

interface Pages {
  readonly models: ReadonlyMap<string, ListedModel>;
  readonly more: ServerQuestion | undefined;
}

async function readPages(options: ListOptions): Promise<Pages> {
  const { upstream, listing, path = listing.path } = options;
  const models = new Map<string, ListedModel>();
  const asked = new Set<string>();
  let next: string | undefined = path;
  let more: ServerQuestion | undefined;
  while (next !== undefined && asked.size < mostPages && !asked.has(next)) {
    asked.add(next);
    const fromRoot = options.path !== undefined && asked.size === 1;
    const body = await askJson({ upstream, method: 'GET', path: next, fromRoot, body: undefined }, options);
    const page = listing.readPage(body);
    if (page === undefined) throw new DragomanError('upstream-unreadable', 'The answer is not a list of models.');
    for (const model of page.others ?? []) options.other?.(model);
    for (const model of page.models) {
      if (models.size >= mostModels) return { models, more };
      if (!models.has(model.id)) models.set(model.id, model);
    }
    more ??= page.more;
    next = page.next;
  }
  return { models, more };
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

/** Nobody waits longer; more is a mistake of the upstream, and numbers far above it are not written as digits. */
const longestRetryAfter = 24 * 60 * 60;

/** The header `retry-after` as whole seconds from now, out of a number, which some servers write with decimals, or a date; at most a day. Undefined where it says nothing. */
export function retryAfterOf(value: string): number | undefined {
  if (value === '') return undefined;
  const seconds = Math.ceil(/^\d+(\.\d+)?$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000);
  return Number.isFinite(seconds) ? Math.min(longestRetryAfter, Math.max(0, seconds)) : undefined;
}
