import type { Memory } from '../models/learnt-limits.ts';

/** What was estimated of a request, without any correction, and what the server counted, in tokens. */
export interface Counted {
  readonly estimate: number;
  readonly actual: number;
}

/** Of so many requests the worst counts: of large ones, and of small ones. */
const remembered = 20;
/** From so many tokens on it hardly matters what a template adds to every request. */
const large = 1000;
const key = 'dragoman.counted';

/**
 * How far estimates are off, for each model. Large requests tell by which factor, which is the tokenizer's and that of what a
 * dialect teaches. Small ones are mostly what the server adds to each request, such as a system prompt of its own: five
 * tokens may be forty, and of that nothing may be concluded for twenty thousand. No estimate is below what was counted for
 * any of the last requests.
 */
export class Calibration {
  readonly #memory: Memory;
  readonly #counted: Map<string, readonly Counted[]>;

  constructor(memory: Memory) {
    this.#memory = memory;
    this.#counted = new Map(Object.entries(memory.get<Record<string, Counted[]>>(key) ?? {}));
  }

  /** Of a request or a message, in tokens, rounded up. */
  apply(modelId: string, estimate: number): number {
    const counted = this.#counted.get(modelId) ?? [];
    const factor = this.#factor(modelId);
    const added = Math.max(0, ...counted.map((each) => each.actual - each.estimate * factor));
    const ratio = Math.max(factor, ...counted.map((each) => each.actual / each.estimate));
    return Math.ceil(Math.min(estimate * ratio, estimate * factor + added));
  }

  /** Of a text within a message, to which no server adds anything. */
  applyToText(modelId: string, estimate: number): number {
    return Math.ceil(estimate * this.#factor(modelId));
  }

  /** 1 for a model that nobody has asked much yet. */
  #factor(modelId: string): number {
    const ratios = (this.#counted.get(modelId) ?? []).filter(isLarge).map((each) => each.actual / each.estimate);
    return ratios.length === 0 ? 1 : Math.max(...ratios);
  }

  /** No turn waits until it is kept. */
  learn(modelId: string, counted: Counted): void {
    if (counted.estimate <= 0 || counted.actual <= 0) return;
    const all = [...(this.#counted.get(modelId) ?? []), counted];
    const kept = new Set([...all.filter(isLarge).slice(-remembered), ...all.filter(isSmall).slice(-remembered)]);
    this.#counted.set(
      modelId,
      all.filter((each) => kept.has(each)),
    );
    // Without it the next window only estimates anew.
    this.#memory.update(key, Object.fromEntries(this.#counted)).then(undefined, () => {});
  }

  async forget(): Promise<void> {
    this.#counted.clear();
    await this.#memory.update(key, {});
  }
}

const isLarge = ({ estimate }: Counted) => estimate >= large;
const isSmall = (counted: Counted) => !isLarge(counted);
