import type { Memory } from '../models/learnt-limits.ts';

/** Of so many requests the worst counts. */
const remembered = 20;
const key = 'dragoman.calibration';

/**
 * How far estimates are off, for each model: the largest of the last ratios of what the server counted to what was
 * estimated. An estimate times this factor is not below the truth for any of those requests, and what a tokenizer or a
 * prompt of a dialect adds is in it.
 */
export class Calibration {
  readonly #memory: Memory;
  readonly #ratios: Map<string, readonly number[]>;

  constructor(memory: Memory) {
    this.#memory = memory;
    this.#ratios = new Map(Object.entries(memory.get<Record<string, number[]>>(key) ?? {}));
  }

  /** 1 for a model that nobody has asked yet. */
  factor(modelId: string): number {
    const ratios = this.#ratios.get(modelId) ?? [];
    return ratios.length === 0 ? 1 : Math.max(...ratios);
  }

  isCalibrated(modelId: string): boolean {
    return this.#ratios.has(modelId);
  }

  /** Tokens, rounded up. */
  apply(modelId: string, estimate: number): number {
    return Math.ceil(estimate * this.factor(modelId));
  }

  /** What was estimated, without the factor, and what the server counted. No turn waits until it is kept. */
  learn(modelId: string, { estimate, actual }: { readonly estimate: number; readonly actual: number }): void {
    if (estimate <= 0 || actual <= 0) return;
    const ratios = [...(this.#ratios.get(modelId) ?? []), actual / estimate].slice(-remembered);
    this.#ratios.set(modelId, ratios);
    // Without it the next window only estimates anew.
    this.#memory.update(key, Object.fromEntries(this.#ratios)).then(undefined, () => {});
  }

  async forget(): Promise<void> {
    this.#ratios.clear();
    await this.#memory.update(key, {});
  }
}
