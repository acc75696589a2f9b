import type { Extra } from './message.ts';

/**
 * Joins what the deltas of one text tell. Lists of one field, such as the probabilities of tokens, become one list; of
 * anything else the last counts. What it was given is never changed.
 */
export class JoinedExtra {
  #joined: { [wireId: string]: { [field: string]: unknown } } | undefined;
  /** The lists that are ours to add to. */
  readonly #lists = new Map<string, unknown[]>();

  add(extra: Extra): void {
    this.#joined ??= {};
    for (const [wireId, fields] of Object.entries(extra)) {
      const own = this.#joined[wireId] ?? {};
      this.#joined[wireId] = own;
      for (const [field, value] of Object.entries(fields)) {
        own[field] = Array.isArray(value) ? this.#append(`${wireId} ${field}`, value) : value;
      }
    }
  }

  /** All that came since the last time; undefined when nothing did. */
  take(): Extra | undefined {
    const joined = this.#joined;
    this.#joined = undefined;
    this.#lists.clear();
    return joined;
  }

  #append(key: string, value: readonly unknown[]): unknown[] {
    const list = this.#lists.get(key) ?? [];
    this.#lists.set(key, list);
    for (const one of value) list.push(one);
    return list;
  }
}
