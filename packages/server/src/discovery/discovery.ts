import { type After, afterTimeout } from '../after.ts';
import type { Surroundings, UpstreamModels } from './upstream-models.ts';

/** All upstreams that are asked for their models. Chat requests look at what is known; they ask only what a server is. */
export class Discovery {
  readonly #upstreams: readonly UpstreamModels[];
  readonly #onDemand: readonly UpstreamModels[];
  #surroundings: Surroundings | undefined;

  constructor(upstreams: readonly UpstreamModels[]) {
    this.#upstreams = upstreams.filter(({ onDemand }) => !onDemand);
    this.#onDemand = upstreams.filter(({ onDemand }) => onDemand);
  }

  /** Begins to ask, in the background. Before that nobody is asked. */
  start(surroundings: Omit<Surroundings, 'after'> & { readonly after?: After }): void {
    this.#surroundings = { after: afterTimeout, ...surroundings };
    void this.complete();
  }

  /** What is known of one upstream's models; undefined for one that is not asked. */
  of(upstream: string): UpstreamModels | undefined {
    return this.#upstreams.find(({ name }) => name === upstream);
  }

  /** For whoever tells of models: asks for what is too old, and waits for it a short while. */
  async freshen(): Promise<void> {
    const surroundings = this.#surroundings;
    if (surroundings === undefined) return;
    await Promise.all(this.#upstreams.map((each) => each.freshenShortly(surroundings)));
  }

  /** For a request that depends on what its server is, where the upstream is not asked for its models: asks it, and waits a short while. */
  async identify(upstream: string): Promise<void> {
    const models = this.#onDemand.find(({ name }) => name === upstream);
    if (this.#surroundings !== undefined) await models?.freshenShortly(this.#surroundings);
  }

  /** The same as `freshen`, but waits until every upstream has answered or failed. */
  async complete(): Promise<void> {
    const surroundings = this.#surroundings;
    if (surroundings === undefined) return;
    await Promise.all(this.#upstreams.map((each) => each.freshen(surroundings)));
  }

  /** Gives up what is under way and asks nobody any more. */
  close(): void {
    this.#surroundings = undefined;
    for (const upstream of [...this.#upstreams, ...this.#onDemand]) upstream.close();
  }
}
