import type { Issue, IssueCode } from '../../chat/issue.ts';
import { repairs as jsonRepairs } from '../../json/json-repairs.ts';
import type { Sink } from '../../stream/stage.ts';
import type { ParseWatch, Span } from '../dialect.ts';

/** What was wrong with the markup of a call that has only one reading all the same. A call is told of each once. */
export const mends = {
  closer: 'The call was not closed.',
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
  quotes: 'A string stood without the tokens around it.',
  spelling: 'A marker was written in another way.',
} as const;

/** What a table calls one of these. */
export type RepairName = keyof typeof mends;

/** A sentence of `mends`. */
export type Mend = (typeof mends)[keyof typeof mends];

/** Keeps the issues of a call until they are told at its end, where they stand at the same place whatever the cuts. */
export class CallIssues {
  readonly #sink: Sink<Span>;
  readonly #watch: ParseWatch | undefined;
  #issues: Issue[] = [];
  #start = 0;
  #repairTold = false;
  #holdsQuotes = false;
  #doubtful = false;
  /** Why a call is being left out. */
  #dropped: { readonly code: IssueCode; readonly reason: string } = { code: 'call-undeclared', reason: '' };

  constructor({ sink, watch }: { readonly sink: Sink<Span>; readonly watch: ParseWatch | undefined }) {
    this.#sink = sink;
    this.#watch = watch;
  }

  /** A call starts at this offset of the reply. */
  begin(at: number): void {
    this.#start = at;
    this.#repairTold = false;
    this.#holdsQuotes = false;
    this.#doubtful = false;
  }

  /** A string holds quotation marks that nobody escaped, which is told if the call counts: only if all behind them is whole. */
  holdQuotes(): void {
    this.#holdsQuotes = true;
  }

  /** What was mended behind such quotation marks leaves more than one reading. */
  get doubtful(): boolean {
    return this.#doubtful;
  }

  /** Of repairs of JSON only the first one of a call is told. */
  add(code: IssueCode, message: string): void {
    if (code === 'json-repaired') {
      if (this.#repairTold) return;
      this.#repairTold = true;
    }
    this.#doubtful ||= this.#holdsQuotes && (code === 'call-mended' || code === 'parameter-missing');
    const issue = this.#issue(code, message);
    this.#watch?.noticed(issue);
    this.#issues.push(issue);
  }

  mend(mend: Mend): void {
    if (!this.#issues.some(({ message }) => message === mend)) this.add('call-mended', mend);
  }

  /** The call is left out, and nothing was mended in it; what was written for it is told when all of it has come. */
  drop(code: IssueCode, reason: string): void {
    this.#issues = [];
    this.#dropped = { code, reason };
  }

  tellDropped(raw: string): void {
    const { code, reason } = this.#dropped;
    this.#sink({ kind: 'issue', issue: this.#issue(code, `${reason}; it was left out: ${raw}`) });
  }

  /** The call is whole. */
  tellWhole(): void {
    if (this.#holdsQuotes) this.add('json-repaired', jsonRepairs.inner);
    this.tell();
  }

  tell(): void {
    for (const issue of this.#issues) this.#sink({ kind: 'issue', issue });
    this.#issues = [];
  }

  /** It is no call, and nothing was mended in it. */
  forget(): void {
    this.#issues = [];
  }

  /** The call is text: what its markup was mended to is no call either. */
  forgetMends(): void {
    this.#issues = this.#issues.filter(({ code }) => code !== 'call-mended');
  }

  #issue(code: IssueCode, message: string): Issue {
    return { code, message, at: this.#start };
  }
}
