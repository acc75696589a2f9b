import { GatewayError } from '../errors.ts';
import type { EngineSetup, ModelRule, Upstream } from './setup.ts';

/** A model that clients can ask for. */
export interface ModelEntry {
  /** What a client writes as `model`: an alias or `upstream/model`. */
  readonly id: string;
  readonly upstream: string;
  /** The name that follows `upstream/`. */
  readonly model: string;
  readonly rule: ModelRule;
}

/** Every model that clients can ask for by a name of its own: aliases first, then each upstream's listed models. */
export function listModels(setup: EngineSetup): readonly ModelEntry[] {
  const entries: ModelEntry[] = [];
  for (const alias of setup.aliases.keys()) {
    const found = entryOf(targetOf(alias, setup) ?? '', setup);
    if (found !== undefined) entries.push({ ...found, id: alias });
  }
  for (const upstream of setup.upstreams.values()) {
    for (const [model, rule] of upstream.models) {
      const id = `${upstream.name}/${model}`;
      // An alias of that very name comes first when a request is planned, so it does here.
      if (!setup.aliases.has(id)) entries.push({ id, upstream: upstream.name, model, rule });
    }
  }
  return entries;
}

/**
 * The model that a client named, with or without `:latest`; an empty name means the default model. Throws GatewayError
 * `model-unknown` with the nearest names, or `config-invalid` if an alias leads too far.
 */
export function findModel(name: string, setup: EngineSetup): ModelEntry & { readonly place: Upstream } {
  const wanted = name === '' ? (setup.defaultModel ?? '') : name;
  if (wanted === '') {
    throw new GatewayError('model-unknown', 'The request names no model and there is no default model.', {
      param: 'model',
    });
  }
  const found = entryNamed(wanted, setup) ?? entryNamed(withoutLatest(wanted), setup);
  const place = found === undefined ? undefined : setup.upstreams.get(found.upstream);
  if (found !== undefined && place !== undefined) return { place, ...found };
  const near = nearNames(wanted, setup);
  const hint = near.length === 0 ? 'GET /v1/models lists those that exist.' : `Did you mean ${near.join(' or ')}?`;
  const shown = wanted.length > 100 ? `${wanted.slice(0, 100)}…` : wanted;
  throw new GatewayError('model-unknown', `There is no model "${shown}". ${hint}`, { param: 'model' });
}

function entryNamed(name: string, setup: EngineSetup): ModelEntry | undefined {
  return entryOf(targetOf(name, setup) ?? name, setup);
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
    throw new GatewayError(
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
  const rule = place?.models.get(model) ?? place?.anyModel;
  if (place === undefined || rule === undefined) return undefined;
  return { id: target, upstream: place.name, model, rule };
}

/** Up to three known names that look like the wanted one: the same model elsewhere, or a slip of spelling. */
function nearNames(wanted: string, setup: EngineSetup): readonly string[] {
  const plain = plainName(wanted.slice(0, 100));
  const ranked: { readonly id: string; readonly distance: number }[] = [];
  for (const id of namesOf(setup)) {
    const whole = plainName(id);
    const model = whole.slice(whole.indexOf('/') + 1);
    const wantedModel = plain.slice(plain.indexOf('/') + 1);
    const distance = Math.min(spellingDistance(plain, whole), 1 + spellingDistance(wantedModel, model));
    if (distance <= 1 + Math.floor(wantedModel.length / 5)) ranked.push({ id, distance });
  }
  ranked.sort((a, b) => a.distance - b.distance);
  return ranked.slice(0, 3).map(({ id }) => id);
}

function namesOf(setup: EngineSetup): readonly string[] {
  const names = [...setup.aliases.keys()];
  for (const place of setup.upstreams.values())
    for (const model of place.models.keys()) names.push(`${place.name}/${model}`);
  return names;
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll('_', '-').replaceAll(':', '-');
}

/** The least number of letters to insert, drop or change. */
function spellingDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
