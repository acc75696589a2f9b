import type { WarningCode } from '../chat/warning.ts';
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

  readonly repaired = (repair: JsonRepair): void => {
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

/** What may be repaired in JSON text, because only one reading is possible; each with the sentence that reports it. */
export const repairs = {
  control: 'A raw control character inside a string was escaped.',
  escape: 'An escape that JSON does not know was read literally.',
  quotes: 'Single quotes were read as double quotes.',
  inner: 'Quotation marks inside a string were escaped.',
  comma: 'A trailing comma was dropped.',
  word: 'A Python literal was read as JSON.',
  comment: 'A comment was left out.',
  key: 'A key without quotes was quoted.',
  braces: 'Doubled outer braces were read as one pair.',
} as const;

/** One kind of repair. */
export type JsonRepair = keyof typeof repairs;
