/**
 * Follows the arguments of a call that is being sent, to be able to spoil them: many clients complete JSON that breaks
 * off and would run a call that was cut, with half a file in it.
 */
export class BrokenArguments {
  #inString = false;
  #escaped = false;

  push(text: string): void {
    for (let at = 0; at < text.length; at += 1) {
      const letter = text[at];
      if (this.#escaped) this.#escaped = false;
      else if (letter === '"') this.#inString = !this.#inString;
      else if (letter === '\\' && this.#inString) this.#escaped = true;
    }
  }

  /** What makes everything so far something that no reader takes for JSON, however forgiving it is. */
  spoil(): string {
    const ending = this.#escaped ? '\\"' : '"';
    return `${this.#inString ? ending : ''} …cut`;
  }
}
