import type { ListedModel } from './read-model.ts';

/** How long a list is good, in milliseconds. */
const lifetime = 5 * 60_000;

interface Cached {
  models: readonly ListedModel[];
  at: number;
  /** The question that is under way, which everybody who asks meanwhile shares. */
  asked?: Promise<readonly ListedModel[]>;
}

export interface ModelListOptions {
  /** Milliseconds. */
  readonly now?: () => number;
  /** Is told why a list could not be had. */
  readonly failed: (endpointId: string, error: unknown) => void;
}

/**
 * The lists of models of all endpoints, each for five minutes. VS Code asks often; a server is asked once. Where it does not
 * answer, the last list stays, so that no model disappears because of one failure.
 */
export class ModelLists {
  readonly #lists = new Map<string, Cached>();
  readonly #now: () => number;
  readonly #failed: ModelListOptions['failed'];

  constructor({ now = Date.now, failed }: ModelListOptions) {
    this.#now = now;
    this.#failed = failed;
  }

  async get(endpointId: string, ask: () => Promise<readonly ListedModel[]>): Promise<readonly ListedModel[]> {
    const cached = this.#lists.get(endpointId) ?? { models: [], at: Number.NEGATIVE_INFINITY };
    this.#lists.set(endpointId, cached);
    if (this.#now() - cached.at < lifetime) return cached.models;
    cached.asked ??= this.#ask(endpointId, cached, ask);
    return cached.asked;
  }

  async #ask(endpointId: string, cached: Cached, ask: () => Promise<readonly ListedModel[]>) {
    try {
      cached.models = await ask();
      cached.at = this.#now();
    } catch (error) {
      this.#failed(endpointId, error);
    } finally {
      delete cached.asked;
    }
    return cached.models;
  }

  /** After a change of keys or addresses, or when a person asks for it: the next question goes to the server. */
  clear(): void {
    for (const cached of this.#lists.values()) cached.at = Number.NEGATIVE_INFINITY;
  }

  /** What was known of an endpoint that is gone. */
  drop(endpointId: string): void {
    this.#lists.delete(endpointId);
  }
}
