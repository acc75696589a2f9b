import type { WarningCode } from '../chat/warning.ts';
import { type Repair, repairs } from './json-repairs.ts';
import type { ReaderOptions } from './reader-options.ts';

/** Tells what was changed in one JSON value: each kind of repair once, and of all else each kind once. */
export class JsonReports {
  /** What is read does not leave, so nothing about it is told. */
  muted = false;
  readonly #warning: ReaderOptions['warning'];
  readonly #told = new Set<string>();

  constructor(warning: ReaderOptions['warning']) {
    this.#warning = warning;
  }

  readonly repaired = (repair: Repair): void => {
    this.#report(repair, 'json-repaired', repairs[repair]);
  };

  report(code: WarningCode, message: string): void {
    this.#report(code, code, message);
  }

  #report(kind: string, code: WarningCode, message: string): void {
    if (this.muted || this.#told.has(kind)) return;
    this.#told.add(kind);
    this.#warning(code, message);
  }
}
