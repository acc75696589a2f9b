import {
  DragomanError,
  type ListedModel,
  type OtherModel,
  readList,
  type Transport,
  toDragomanError,
  type UpstreamWire,
} from '@dragoman/core';
import type { After } from '../after.ts';
import type { UpstreamConfig } from '../config/schema.ts';
import type { Log } from '../log/create-log.ts';

/**
 * Milliseconds before an upstream that gave no list is asked again, or one whose models run with what is known only while
 * they run; unless its list is old sooner.
 */
const soon = 10_000;

/** Milliseconds for the whole list. */
const timeout = 10_000;

/** What asking takes besides the upstream. */
export interface Surroundings {
  /** Milliseconds since any fixed point. */
  readonly now: () => number;
  readonly after: After;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

export interface UpstreamModelsOptions {
  /** The upstream's name in the configuration. */
  readonly name: string;
  readonly transport: Transport;
  readonly wire: UpstreamWire;
  readonly rules: UpstreamConfig['discovery'];
  /** Milliseconds from which on its list is asked for anew. */
  readonly ttl: number;
  /** It is asked only where somebody has to know what it is, and seldom; nobody is told where it does not say. */
  readonly onDemand?: boolean;
  /** What it was heard to list before. Default: nothing. */
  readonly before?: ReadonlyMap<string, ListedModel>;
}

/**
 * The models that one upstream lists. It is asked at most once at a time, and never but by `freshen`. A list that cannot be
 * had leaves the last good one standing, and is told once.
 */
export class UpstreamModels {
  readonly #options: UpstreamModelsOptions;
  #list: ReadonlyMap<string, ListedModel>;
  #others: readonly OtherModel[] = [];
  #failure: DragomanError | undefined;
  /** Until then the list counts as new, and a failure as not repaired. */
  #freshUntil = Number.NEGATIVE_INFINITY;
  #asking: { readonly over: Promise<void>; readonly stop: AbortController } | undefined;
  #told: 'nothing' | 'list' | 'failure' = 'nothing';

  constructor(options: UpstreamModelsOptions) {
    this.#options = options;
    this.#list = options.before ?? new Map();
  }

  get name(): string {
    return this.#options.name;
  }

  get onDemand(): boolean {
    return this.#options.onDemand === true;
  }

  /** Models of the list that answer no chat. */
  get others(): readonly OtherModel[] {
    return this.#others;
  }

  /** Why the last question had no answer; undefined where it had one. */
  get failure(): DragomanError | undefined {
    return this.#failure;
  }

  /** What was last listed; empty before. Only looks. */
  readonly listed = (): ReadonlyMap<string, ListedModel> => this.#list;

  /** Asks if the list is too old. Resolves when the question is answered, at once if there is none; never rejects. */
  freshen(surroundings: Surroundings): Promise<void> {
    if (this.#asking === undefined && surroundings.now() >= this.#freshUntil) this.#ask(surroundings);
    return this.#asking?.over ?? Promise.resolve();
  }

  /** The same, but resolves after `discovery.wait` at the latest. */
  async freshenShortly(surroundings: Surroundings): Promise<void> {
    const { wait } = this.#options.rules;
    let stop = () => {};
    const waited = new Promise<void>((resolve) => {
      stop = surroundings.after(wait, resolve);
    });
    await Promise.race([this.freshen(surroundings), waited]);
    stop();
  }

  /** Gives up a question under way. */
  close(): void {
    this.#asking?.stop.abort(new DragomanError('draining', 'The gateway is shutting down.'));
  }

  #ask(surroundings: Surroundings): void {
    const stop = new AbortController();
    const over = this.#read(stop, surroundings).finally(() => {
      this.#asking = undefined;
    });
    this.#asking = { stop, over };
  }

  async #read(stop: AbortController, surroundings: Surroundings): Promise<void> {
    const { name, transport, wire, rules, ttl } = this.#options;
    const { now, after, log } = surroundings;
    const sooner = this.onDemand ? ttl : Math.min(ttl, soon);
    const cancel = after(timeout, () =>
      stop.abort(new DragomanError('total-timeout', `The list did not come within ${timeout} ms.`)),
    );
    try {
      if (wire.models === undefined) throw new DragomanError('config-invalid', `${wire.id} has no list of models.`);
      const others: OtherModel[] = [];
      this.#list = await readList({
        upstream: name,
        transport,
        wire,
        listing: wire.models,
        signal: stop.signal,
        before: this.#list,
        other: (model) => void others.push(model),
        ...(rules.path === undefined ? {} : { path: rules.path }),
      });
      this.#others = others;
      this.#failure = undefined;
      this.#freshUntil = now() + (wire.models.running === undefined ? ttl : sooner);
      if (this.#told !== 'list') log.info(`the upstream "${name}" lists ${count(this.#list.size)}`);
      this.#told = 'list';
    } catch (thrown) {
      this.#freshUntil = now() + sooner;
      this.#failure = toDragomanError(thrown);
      const { code, message } = this.#failure;
      if (this.#told !== 'failure' && code !== 'draining' && !this.onDemand) log.warn(this.#complaint(message));
      this.#told = 'failure';
    } finally {
      cancel();
    }
  }

  #complaint(message: string): string {
    const { name } = this.#options;
    const instead = this.#list.size === 0 ? 'models without a rule are not listed' : 'the last one counts on';
    return `the list of models of the upstream "${name}" cannot be read, ${instead}: ${message}`;
  }
}

function count(models: number): string {
  return models === 1 ? '1 model' : `${models} models`;
}
