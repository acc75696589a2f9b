/** Work that others may have their turn in, at each `yield`, and what it comes to. */
export type Steps<Result> = Generator<undefined, Result>;

/** All of it at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  return new InSteps(() => steps).result;
}

/** What is made once for all who need it: each goes on where another one has stopped. */
export class InSteps<Result> {
  readonly #begin: () => Steps<Result>;
  #left: Steps<Result> | undefined;
  #made: { readonly result: Result } | undefined;

  constructor(begin: () => Steps<Result>) {
    this.#begin = begin;
  }

  get isMade(): boolean {
    return this.#made !== undefined;
  }

  /** Goes on until it is made, or for so many milliseconds. */
  goOn(milliseconds: number): void {
    const end = performance.now() + milliseconds;
    do this.#step();
    while (!this.isMade && performance.now() < end);
  }

  /** What it comes to: what is left is done at once. */
  get result(): Result {
    while (this.#made === undefined) this.#step();
    return this.#made.result;
  }

  #step(): void {
    if (this.isMade) return;
    const steps = this.#left ?? this.#begin();
    // Where it throws, whoever needs it next begins anew, and hears of the same reason.
    this.#left = undefined;
    const { done, value } = steps.next();
    if (done === true) this.#made = { result: value };
    else this.#left = steps;
  }
}
