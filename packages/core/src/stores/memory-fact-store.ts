import type { FactStore, ModelFacts, ModelKey } from './fact-store.ts';

/** Facts with the moment at which they were learnt, in milliseconds since 1970: what a store beyond the process keeps. */
export interface KeptFacts {
  readonly key: ModelKey;
  readonly facts: ModelFacts;
  readonly at: number;
}

export interface MemoryFactStoreOptions {
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Hears what is learnt, each time that it changes. */
  readonly learnt?: (kept: KeptFacts) => void;
}

/** Facts without a version count as long, in milliseconds: a server that was started anew may answer otherwise. */
export const lastsUnversioned = 24 * 60 * 60 * 1000;

/** The most models; those of which nothing was learnt for longest go first. */
const mostModels = 1000;

/** Facts in memory, one entry for a model. */
export class MemoryFactStore implements FactStore {
  readonly #options: MemoryFactStoreOptions;
  readonly #kept = new Map<string, KeptFacts>();

  constructor(options: MemoryFactStoreOptions = {}) {
    this.#options = options;
  }

  get(key: ModelKey): ModelFacts | undefined {
    return this.#standing(key)?.facts;
  }

  put(key: ModelKey, facts: ModelFacts): void {
    const { now = Date.now, learnt } = this.#options;
    // Before the list has been read, nobody knows the version: it is the one that was there.
    const version = key.version ?? this.#standing(key)?.key.version;
    const kept = { key: { ...key, version }, facts, at: now() };
    this.restore(kept);
    learnt?.(kept);
  }

  /** Every model of which something counts. */
  *all(): Iterable<KeptFacts> {
    for (const kept of this.#kept.values()) if (this.#standing(kept.key) !== undefined) yield kept;
  }

  #standing(key: ModelKey): KeptFacts | undefined {
    const kept = this.#kept.get(nameOfModel(key));
    if (kept === undefined) return undefined;
    const { version } = kept.key;
    if (version !== undefined && key.version !== undefined) return version === key.version ? kept : undefined;
    const { now = Date.now } = this.#options;
    return version !== undefined || now() - kept.at <= lastsUnversioned ? kept : undefined;
  }

  /** What was learnt before this process. */
  restore(kept: KeptFacts): void {
    const name = nameOfModel(kept.key);
    this.#kept.delete(name);
    this.#kept.set(name, kept);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > mostModels && oldest !== undefined) this.#kept.delete(oldest);
  }
}

/** No two models have the same one, whatever their names hold. */
export function nameOfModel({ upstream, address = '', model }: ModelKey): string {
  return `${upstream.length} ${upstream} ${address.length} ${address} ${model}`;
}
