/**
 * Keeps a surrogate pair in one piece when deltas cut it: half a pair is not a character, and clients that aren't
 * written in JavaScript refuse it. Holds back at most one UTF-16 unit.
 */
export class WholeCharacters {
  #held = '';

  /** What may leave now. */
  push(text: string): string {
    const all = this.#held + text;
    const last = all.charCodeAt(all.length - 1);
    const isHalf = last >= 0xd800 && last <= 0xdbff;
    this.#held = isHalf ? all.slice(-1) : '';
    return isHalf ? all.slice(0, -1) : all;
  }

  /** What is left at the end of a block: a half that never got its other one. */
  flush(): string {
    const held = this.#held;
    this.#held = '';
    return held;
  }
}
