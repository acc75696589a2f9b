import { callSignature } from '../json/long-numbers.ts';

/**
 * Calls whose twin, which comes another way, has not come. What they call is looked at only when one is asked for. Linear in
 * their text, however many there are.
 */
export class UnpairedCalls {
  readonly #unread: (readonly [name: string, json: string])[] = [];
  readonly #counts = new Map<string, number>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(name: string, json: string): void {
    this.#unread.push([name, json]);
    this.#size += 1;
  }

  /** Takes a call of this signature out; false if there is none. */
  take(signature: string): boolean {
    for (const call of this.#unread.splice(0)) this.#count(callSignature(...call), 1);
    if ((this.#counts.get(signature) ?? 0) === 0) return false;
    this.#count(signature, -1);
    this.#size -= 1;
    return true;
  }

  #count(signature: string, more: 1 | -1): void {
    this.#counts.set(signature, (this.#counts.get(signature) ?? 0) + more);
  }
}
