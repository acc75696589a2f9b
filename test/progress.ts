import type { Reporter, TestModule, TestSpecification } from 'vitest/node';

interface Surroundings {
  /** The time in milliseconds. */
  readonly now: () => number;
  readonly write: (line: string) => void;
}

/** A line is written when so many milliseconds have passed since the one before. */
const between = 10_000;

/** Says while tests run how far they are, as one line every ten seconds: `tests: 120 of 500 files, 1 failed`. */
export class Progress implements Reporter {
  readonly #now: () => number;
  readonly #write: (line: string) => void;
  #files = 0;
  #done = 0;
  #failed = 0;
  #written = 0;

  constructor(
    { now, write }: Surroundings = { now: () => performance.now(), write: (line) => process.stderr.write(line) },
  ) {
    this.#now = now;
    this.#write = write;
  }

  onTestRunStart(files: readonly Pick<TestSpecification, 'moduleId'>[]): void {
    this.#files = files.length;
    this.#done = 0;
    this.#failed = 0;
    this.#written = this.#now();
  }

  onTestModuleEnd(file: Pick<TestModule, 'ok'>): void {
    this.#done += 1;
    if (!file.ok()) this.#failed += 1;
    if (this.#now() - this.#written < between) return;
    this.#written = this.#now();
    this.#write(`tests: ${this.#done} of ${this.#files} files, ${this.#failed} failed\n`);
  }
}
