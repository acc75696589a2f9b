import {
  type FactStore,
  type KeptFacts,
  MemoryFactStore,
  type ModelFacts,
  type ModelKey,
} from '../endpoints/connect.ts';
import type { Memory } from './learnt-limits.ts';

const key = 'dragoman.learntFacts';

/** What answers have shown of models, and how they call tools by it. It holds over restarts, until models are refreshed. */
export class LearntFacts implements FactStore {
  readonly #memory: Memory;
  #facts = this.#empty();

  constructor(memory: Memory) {
    this.#memory = memory;
    for (const kept of memory.get<readonly KeptFacts[]>(key) ?? []) this.#facts.restore(kept);
  }

  get(model: ModelKey): ModelFacts | undefined {
    return this.#facts.get(model);
  }

  put(model: ModelKey, facts: ModelFacts): void {
    this.#facts.put(model, facts);
  }

  async forget(): Promise<void> {
    this.#facts = this.#empty();
    await this.#memory.update(key, []);
  }

  #empty(): MemoryFactStore {
    // No turn waits until it is kept; without it the next window only learns anew.
    const learnt = () => this.#memory.update(key, [...this.#facts.all()]).then(undefined, () => {});
    return new MemoryFactStore({ learnt });
  }
}
