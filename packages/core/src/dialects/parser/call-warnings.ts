import type { Warning, WarningCode } from '../../chat/warning.ts';
import { repairs as jsonRepairs } from '../../json/json-reports.ts';
import type { Sink } from '../../stream/stage.ts';
import type { ParseWatch, Span } from '../dialect.ts';

/** What calls of every form may report. */
export const notClosed = 'The call was not closed.';

/** What was wrong with the markup of a call that has only one reading all the same. A call reports each once. */
export const repairs = {
  closer: notClosed,
  section: 'The section around the call was missing.',
  opener: 'The opener of the call was missing.',
  separator: 'What separates the name from the arguments was missing.',
  characters: 'A marker was written in other characters.',
  tokens: 'The tokens in the tags of the call were missing.',
  json: 'The call was written as JSON inside the markers of tags.',
  otherCloser: 'A closer was not the one that belongs to its opener.',
  valueOpener: 'The opener of a value was missing.',
  keyCloser: 'The closer of a key was missing.',
  header: 'The markup between the opener of the call and its arguments was not whole.',
  quotes: 'A string had no tokens around it.',
  spelling: 'A marker was written in another way.',
} as const;

/** What a table calls one of these. */
export type RepairName = keyof typeof repairs;

/** A sentence of `repairs`. */
export type Repair = (typeof repairs)[keyof typeof repairs];

/** What is reported of a call: the code of the warning and its words. */
export interface Report {
  readonly code: WarningCode;
  readonly message: string;
}

/** Who gets what is found, and sees where it stands. */
export interface Receivers {
  readonly sink: Sink<Span>;
  readonly watch: ParseWatch | undefined;
}

/** Keeps the warnings of a call until they are reported at its end, where they are at the same place whatever the cuts. */
export class CallWarnings {
  readonly #to: Receivers;
  #warnings: Warning[] = [];
  #start = 0;
  #repairReported = false;
  #holdsQuotes = false;
  #doubtful = false;
  /** Why a call is being left out. */
  #dropped: Report | undefined;

  constructor(to: Receivers) {
    this.#to = to;
  }

  /** A call starts at this offset of the reply. */
  begin(at: number): void {
    this.#start = at;
    this.#repairReported = false;
    this.#holdsQuotes = false;
    this.#doubtful = false;
  }

  /** A string holds quotation marks that nobody escaped, which is reported if the call counts: only if all after them is whole. */
  holdQuotes(): void {
    this.#holdsQuotes = true;
  }

  /** What was repaired after such quotation marks leaves more than one reading. */
  get doubtful(): boolean {
    return this.#doubtful;
  }

  /** Of repairs of JSON only the first one of a call is reported. */
  add(code: WarningCode, message: string): void {
    if (code === 'json-repaired') {
      if (this.#repairReported) return;
      this.#repairReported = true;
    }
    this.#doubtful ||= this.#holdsQuotes && (code === 'call-repaired' || code === 'parameter-missing');
    const warning = this.#warning(code, message);
    this.#to.watch?.noticed(warning);
    this.#warnings.push(warning);
  }

  repair(repair: Repair): void {
    if (!this.#warnings.some(({ message }) => message === repair)) this.add('call-repaired', repair);
  }

  /** The call is left out, and nothing was repaired in it; what was written for it is reported when all of it has come. */
  drop(report: Report | undefined): void {
    this.#warnings = [];
    this.#dropped = report;
  }

  reportDropped(raw: string): void {
    const { code, message } = this.#dropped ?? { code: 'call-undeclared', message: '' };
    this.#to.sink({ kind: 'warning', warning: this.#warning(code, `${message}; it was left out: ${raw}`) });
  }

  /** The call is whole. */
  reportWhole(): void {
    if (this.#holdsQuotes) this.add('json-repaired', jsonRepairs.inner);
    this.report();
  }

  report(): void {
    for (const warning of this.#warnings) this.#to.sink({ kind: 'warning', warning });
    this.#warnings = [];
  }

  /** It is no call, and nothing was repaired in it. */
  forget(): void {
    this.#warnings = [];
  }

  /** The call is text: what its markup was repaired to is no call either. */
  forgetRepairs(): void {
    this.#warnings = this.#warnings.filter(({ code }) => code !== 'call-repaired');
  }

  #warning(code: WarningCode, message: string): Warning {
    return { code, message, at: this.#start };
  }
}
