import type { IssueCode } from '../chat/issue.ts';
import { type Repair, repairs } from './json-repairs.ts';
import type { ReaderOptions } from './reader-options.ts';

/** Tells what was changed in one JSON value: each kind of repair once, and of all else each kind once. */
export class JsonReports {
  /** What is read does not leave, so nothing about it is told. */
  muted = false;
  readonly #issue: ReaderOptions['issue'];
  readonly #told = new Set<string>();

  constructor(issue: ReaderOptions['issue']) {
    this.#issue = issue;
  }

  readonly mended = (repair: Repair): void => {
    this.#tell(repair, 'json-repaired', repairs[repair]);
  };

  report(code: IssueCode, message: string): void {
    this.#tell(code, code, message);
  }

  #tell(kind: string, code: IssueCode, message: string): void {
    if (this.muted || this.#told.has(kind)) return;
    this.#told.add(kind);
    this.#issue(code, message);
  }
}
