/** Work that others may have their turn in, at each `yield`, and what it comes to. */
export type Steps<Result> = Generator<undefined, Result>;

/** All of it at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  return new InSteps(steps).result;
}

/** What is made once for all who need it: each goes on where another one has stopped. */
export class InSteps<Result> {
  #left: Steps<Result> | undefined;
  #made: { readonly result: Result } | undefined;

  constructor(steps: Steps<Result>) {
    this.#left = steps;
  }

  get isMade(): boolean {
    return this.#made !== undefined;
  }

  /** Goes on until it is made, or for so many milliseconds. Whether it is made now. */
  goOn(milliseconds: number): boolean {
    const end = performance.now() + milliseconds;
    do this.#step();
    while (!this.isMade && performance.now() < end);
    return this.isMade;
  }

  /** What it comes to: what is left is done at once. */
  get result(): Result {
    while (this.#made === undefined) this.#step();
    return this.#made.result;
  }

  #step(): void {
    if (this.isMade) return;
    const steps = this.#left;
    if (steps === undefined) throw new Error('It could not be made.');
    // What throws is not begun again.
    this.#left = undefined;
    const { done, value } = steps.next();
    if (done === true) this.#made = { result: value };
    else this.#left = steps;
  }
}
