import { madeOnce } from '../chat/made-once.ts';
import { DragomanError } from '../errors.ts';
import type { ModelFacts, ModelKey } from '../stores/fact-store.ts';
import { readableName } from '../wires/listed-fields.ts';
import type { ListedModel } from '../wires/wire.ts';
import { nearNames } from './near-names.ts';
import type { GivenRule, ModelRule } from './rules.ts';
import type { EngineSetup, Upstream } from './setup.ts';

/** A model that clients can ask for. */
export interface ModelEntry {
  /** What a client writes as `model`: an alias or `upstream/model`. */
  readonly id: string;
  readonly upstream: string;
  /** The name that follows `upstream/`. */
  readonly model: string;
  /** What configuration says, and what the upstream's list says where configuration is silent. */
  readonly rule: ModelRule;
  /** All that the upstream's list says; absent when it does not name the model, or was not read. */
  readonly listed?: ListedModel;
  /** What its server's answers have shown; absent where nothing was learnt. */
  readonly facts?: ModelFacts;
}

/**
 * Every model that clients can ask for by a name of its own: aliases first, then for each upstream the models with a rule
 * and those that it lists itself, if it takes any model. An alias that is called like an upstream comes before that
 * upstream's models. Models of upstreams with short names have those, where they lead to them.
 */
export function listModels(setup: EngineSetup): readonly ModelEntry[] {
  const entries: ModelEntry[] = [];
  const addAlias = (alias: string) => {
    const found = entryNamed(alias, setup);
    if (found !== undefined) entries.push({ ...found, id: alias });
  };
  for (const alias of setup.aliases.keys()) if (!setup.upstreams.has(alias)) addAlias(alias);
  for (const upstream of setup.upstreams.values()) {
    if (upstream.unlisted === true) continue;
    if (setup.aliases.has(upstream.name)) addAlias(upstream.name);
    for (const model of namesOf(upstream)) {
      const id = `${upstream.name}/${model}`;
      const found = entryOf(id, setup);
      // An alias of that very name comes first when a request is planned, so it does here.
      if (found === undefined || setup.aliases.has(id)) continue;
      const short = upstream.shortNames === true ? (readableName(model) ?? model) : id;
      const leadsThere = short !== id && !setup.aliases.has(short) && targetOfShort(short, setup) === id;
      entries.push(leadsThere ? { ...found, id: short } : found);
    }
  }
  return entries;
}

/** The model that is meant where none is named: the configured one, or the first that has a short name. */
export function defaultModelOf(setup: EngineSetup): string | undefined {
  if (setup.defaultModel !== undefined) return setup.defaultModel;
  return listModels(setup).find(({ upstream }) => setup.upstreams.get(upstream)?.shortNames === true)?.id;
}

/** Where a short name leads: to the first of the upstreams with short names that has such a model. */
function targetOfShort(name: string, { upstreams }: EngineSetup): string | undefined {
  for (const upstream of upstreams.values()) {
    if (upstream.shortNames !== true) continue;
    const has = upstream.models.has(name) || upstream.listed?.().has(name) === true;
    const model = has ? name : namesOf(upstream).find((each) => readableName(each) === name);
    if (model !== undefined) return `${upstream.name}/${model}`;
  }
  return undefined;
}

/** So much of an unknown name is repeated, in UTF-16 units. */
const longestShown = 100;

/**
 * The model that a client named, with or without `:latest`; an empty name means the default model. Throws DragomanError
 * `model-unknown` with the nearest names, or `config-invalid` if an alias leads too far.
 */
export function findModel(name: string, setup: EngineSetup): ModelEntry & { readonly place: Upstream } {
  const wanted = name === '' ? (defaultModelOf(setup) ?? '') : name;
  if (wanted === '') {
    throw new DragomanError('bad-request', `model: is required, since there is no default model. ${listHint}`, {
      param: 'model',
    });
  }
  const found = entryNamed(wanted, setup) ?? entryNamed(withoutLatest(wanted), setup);
  const place = found === undefined ? undefined : setup.upstreams.get(found.upstream);
  if (found !== undefined && place !== undefined) return { place, ...found };
  const gone = setup.ended?.get(wanted) ?? setup.ended?.get(withoutLatest(wanted));
  if (gone !== undefined) {
    const message = `"${wanted}" was a model of ${gone}, which does not run any more. Start that again, or ask for another model.`;
    throw new DragomanError('model-unknown', message, { param: 'model' });
  }
  const near = [...new Set([...nearNames(wanted, knownNames(setup)), ...openNames(wanted, setup)])].slice(0, mostHints);
  const hint = near.length === 0 ? listHint : `Did you mean ${near.join(' or ')}?`;
  const shown = wanted.length > longestShown ? `${wanted.slice(0, longestShown)}…` : wanted;
  throw new DragomanError('model-unknown', `There is no model "${shown}". ${hint}`, { param: 'model' });
}

const listHint = 'GET /v1/models lists those that exist.';

/** Of a model that is unknown, so many names are told that may be meant. */
const mostHints = 3;

/** What the model would be called at the upstreams that take any name, where none comes before it. */
function openNames(wanted: string, { upstreams }: EngineSetup): readonly string[] {
  const [first = ''] = wanted.split('/', 1);
  if (wanted.length > longestShown || first === '' || upstreams.has(first)) return [];
  const open = [...upstreams.values()].filter(
    (place) => place.anyModel !== undefined && !place.shortNames && (!place.listedOnly || lists(place, wanted)),
  );
  return open.map(({ name }) => `${name}/${wanted}`);
}

function entryNamed(name: string, setup: EngineSetup): ModelEntry | undefined {
  const target = targetOf(name, setup) ?? name;
  return entryOf(targetOfShort(target, setup) ?? target, setup);
}

/** Clients of Ollama write `name:latest` for a model that has no tag. */
function withoutLatest(name: string): string {
  return name.endsWith(':latest') ? name.slice(0, -':latest'.length) : name;
}

/** Where an alias leads: to a model, or over one more alias to a model. Undefined for what is not an alias. */
function targetOf(name: string, setup: EngineSetup): string | undefined {
  const first = setup.aliases.get(name);
  if (first === undefined) return undefined;
  const second = first === name ? undefined : setup.aliases.get(first);
  if (second === undefined) return first;
  if (second === name || second === first || setup.aliases.has(second)) {
    throw new DragomanError(
      'config-invalid',
      `The alias "${name}" leads over "${first}" to the alias "${second}"; an alias leads over at most one other.`,
    );
  }
  return second;
}

function entryOf(target: string, setup: EngineSetup): ModelEntry | undefined {
  const slash = target.indexOf('/');
  if (slash < 1 || slash === target.length - 1) return undefined;
  const place = setup.upstreams.get(target.slice(0, slash));
  const model = target.slice(slash + 1);
  const isOpen = place?.listedOnly !== true || (lists(place, model) && setup.ended?.has(target) !== true);
  const given = place?.models.get(model) ?? (isOpen ? place?.anyModel : undefined);
  if (place === undefined || given === undefined) return undefined;
  const name = given.upstreamName ?? model;
  const listed = listedAs(name, place);
  const facts = setup.facts?.get(keyOfModel(name, place, listed));
  return {
    id: target,
    upstream: place.name,
    model,
    rule: completeRule(given, listed),
    ...(listed === undefined ? {} : { listed }),
    ...(facts === undefined ? {} : { facts }),
  };
}

/** What the upstream's list says of a model, by its own name. */
export function listedAs(name: string, place: Pick<Upstream, 'listed'>): ListedModel | undefined {
  const list = place.listed?.();
  return list?.get(name) ?? list?.get(withoutLatest(name));
}

/**
 * Whether a model is in the list of its upstream. Vendors take more names than they list: without the date at the end
 * (`claude-sonnet-4-5`), with `latest` for it, with a variant after a colon (OpenRouter), and without `models/` (Gemini).
 */
function lists({ listed }: Upstream, model: string): boolean {
  const list = listed?.() ?? new Map<string, ListedModel>();
  const [plain = model] = model.split(':', 1);
  if ([model, plain, `models/${model}`].some((name) => list.has(name))) return true;
  const undated = `${plain.endsWith('-latest') ? plain.slice(0, -'-latest'.length) : plain}-`;
  return [...list.keys()].some((name) => name.startsWith(undated) && isDate(name.slice(undated.length)));
}

/** `20250929` and `2025-09-29`. */
function isDate(text: string): boolean {
  const digits = text.replaceAll('-', '');
  return digits.length === 8 && [...digits].every((digit) => digit >= '0' && digit <= '9');
}

/** By what facts of a model are kept. `name` is the upstream's own. */
export function keyOfModel(name: string, place: Upstream, listed = listedAs(name, place)): ModelKey {
  return { upstream: place.name, address: place.address, model: name, version: listed?.version };
}

/** What rules become where no list says more: each request of a model is planned by its rule. */
const completeUnlisted = madeOnce((given: GivenRule) => completeBy(given, undefined));

function completeRule(given: GivenRule, listed: ListedModel | undefined): ModelRule {
  return listed === undefined ? completeUnlisted(given) : completeBy(given, listed);
}

function completeBy(given: GivenRule, listed: ListedModel | undefined): ModelRule {
  return {
    // Servers refuse an effort of a model that does not think.
    ...(listed?.reasoning === false ? { efforts: [] } : {}),
    ...given,
    images: given.images ?? listed?.images ?? false,
    contextWindow: windowOf(given, listed),
  };
}

function windowOf({ contextWindow, leastWindow = 0 }: GivenRule, listed: ListedModel | undefined): number {
  const wanted = contextWindow === 0 ? Math.max(leastWindow, listed?.contextWindow ?? 0) : contextWindow;
  return Math.min(wanted, listed?.longestWindow ?? wanted);
}

function knownNames(setup: EngineSetup): readonly string[] {
  const names = [...setup.aliases.keys()];
  for (const place of setup.upstreams.values()) {
    names.push(...namesOf(place).map((model) => (place.shortNames === true ? model : `${place.name}/${model}`)));
  }
  return names;
}

/** The upstream's models by name: those with a rule, then those that only its own list names. */
function namesOf({ models, anyModel, listed }: Upstream): readonly string[] {
  if (anyModel === undefined || listed === undefined) return [...models.keys()];
  return [...new Set([...models.keys(), ...listed().keys()])];
}
