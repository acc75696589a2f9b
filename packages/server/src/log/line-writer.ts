import { write, writeSync } from 'node:fs';

/** Bytes of lines that wait while nobody reads them; what comes then is lost. */
const mostWaiting = 16 * 1024 * 1024;

/** Milliseconds after which a pipe that is full is tried again. */
const fullPause = 100;

/** Milliseconds for which lines gather: each write is a turn of a thread, which costs more than a line. */
const gathering = 10;

/** Writes lines to a file descriptor, in order, without anybody waiting for it. What cannot be written is lost. */
export class LineWriter {
  readonly #descriptor: number;
  #lines: string[] = [];
  #length = 0;
  /** Lines gather, or are being written. */
  #isUnderWay = false;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  write(line: string): void {
    if (this.#length + line.length > mostWaiting) return;
    this.#lines.push(line);
    this.#length += line.length;
    if (!this.#isUnderWay) this.#gather();
  }

  /** Writes at once what has not been begun. */
  flush(): void {
    const bytes = this.#take();
    for (let from = 0; from < bytes.length; ) from += writeSync(this.#descriptor, bytes, from);
  }

  #take(): Uint8Array {
    const bytes = Buffer.from(this.#lines.join(''));
    this.#lines = [];
    this.#length = 0;
    return bytes;
  }

  #gather(): void {
    this.#isUnderWay = this.#lines.length > 0;
    if (this.#isUnderWay) setTimeout(() => this.#writeRest(this.#take()), gathering);
  }

  #writeRest(rest: Uint8Array): void {
    write(this.#descriptor, rest, (error, written) => {
      if (error?.code === 'EAGAIN') setTimeout(() => this.#writeRest(rest), fullPause).unref();
      else if (error === null && written < rest.length) this.#writeRest(rest.subarray(written));
      else this.#gather();
    });
  }
}
