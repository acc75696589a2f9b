import { quoteName, type WarningCode } from '../../../chat/warning.ts';
import { SchemaView } from '../../../json/schema.ts';
import type { Sink } from '../../../stream/stage.ts';
import type { ParseLimits, ParsePolicy, ParseWatch, Span } from '../../dialect.ts';
import { CallWarnings, type Repair, type Report } from '../call-warnings.ts';
import type { Resume, StillOpen } from '../markers/closers.ts';
import { AnswerText } from './answer-text.ts';
import { CallDecisions, type DecidedOutcome, type Naming } from './call-decision.ts';
import type { ToolTable } from './tool-table.ts';

/**
 * Writes the spans of one call after the other. Grammars say what they read; this keeps the raw text beside it, so that
 * a call that turns out not to be one, or breaks off, is delivered as the text it was written as.
 */
export class CallWriter {
  /** Character references in its string values are decoded, where they are written as text. */
  readonly decodes: boolean;
  /** The model's own id of the call, where it came after the arguments. */
  lateId: string | undefined;
  /** Why the call cannot be read, should it end here: its reader may know more than where it stopped. */
  failure: string | undefined;
  readonly #sink: Sink<Span>;
  /** Which tool a name stands for, and what becomes of its calls. */
  readonly decisions: CallDecisions;
  readonly #limits: ParseLimits;
  readonly #answered: () => void;
  readonly #warnings: CallWarnings;
  #outcome: CallOutcome = 'idle';
  #name = '';
  readonly #written = new WrittenCall();
  #answer: AnswerText | undefined;
  #of: string | undefined;
  #count = 0;

  constructor(options: {
    readonly sink: Sink<Span>;
    readonly tools: ToolTable;
    readonly policy: ParsePolicy;
    readonly limits: ParseLimits;
    /** The model marks its final answer. */
    readonly answered: () => void;
    readonly watch: ParseWatch | undefined;
  }) {
    this.#answered = options.answered;
    this.#warnings = new CallWarnings(options);
    this.#sink = options.sink;
    this.decodes = options.policy.entities === 'decode';
    this.decisions = new CallDecisions(options);
    this.#limits = options.limits;
  }

  /** Calls that have fired so far. */
  get count(): number {
    return this.#count;
  }

  /** What is read is no call, and leaves as text while it is read. */
  get isText(): boolean {
    return this.#outcome === 'muted';
  }

  /** It is a call, and what is read of it leaves at once. */
  get leaves(): boolean {
    return this.#outcome === 'live';
  }

  /**
   * A call may start here, at this offset of the reply. `padding` comes before it and is text if it is none; `of` is
   * the neighbour in whose form it is written.
   */
  begin(at: number, { padding = '', of }: { readonly padding?: string; readonly of?: string | undefined }): void {
    this.#outcome = 'unnamed';
    this.#written.begin(at, padding);
    this.#of = of;
    this.#name = '';
    this.failure = undefined;
    this.lateId = undefined;
    this.#warnings.begin(at);
  }

  /**
   * The markup of the call holds text, which is shown before it, once it is known to be a call, or after it. `end`:
   * offset of the reply up to where it says nothing else.
   */
  aside(text: string, place: 'lead' | 'trail', end?: number): void {
    this.#written.aside(text, place, end);
  }

  /** The model's own characters for this call, in order. */
  raw(text: string): void {
    if (text === '' || this.#outcome === 'answer') return;
    if (this.#outcome === 'muted') this.text(text);
    // What has left is kept only as far as a call may go, to find out where a broken one ends.
    this.#written.add(this.#outcome === 'muted' ? text.slice(0, this.#room) : text);
  }

  /** How many more characters the call may have; of what leaves as text, how many may be looked at before they do. */
  get allowance(): number {
    if (this.#outcome === 'answer') return Number.POSITIVE_INFINITY;
    return this.isText ? this.#limits.callLength : this.#room;
  }

  get #room(): number {
    return Math.max(0, this.#limits.callLength - this.#written.length);
  }

  /** The call is longer than it may be: it is cut, and the rest of it is text. What has left as text needs no cut. */
  exceed(): void {
    if (!this.kept) return;
    this.warning('limit-reached', `The call is longer than ${this.#limits.callLength} characters.`);
    this.cut('it is too long');
    this.#outcome = 'muted';
  }

  /** The name is known. Returns the schema of the arguments; the call may have become text, which needs no care. */
  named(written: string, naming: Naming = {}): SchemaView {
    if (this.#outcome !== 'unnamed') return SchemaView.any;
    const { outcome, tool, report } = this.decisions.of(written, naming, this.#count);
    if (outcome === 'muted') return this.#mute(report);
    // What was written for a call that is left out is reported when all of it has come.
    if (outcome === 'dropped') this.#warnings.drop(report);
    else if (report !== undefined) this.warning(report.code, report.message);
    this.text(this.#written.takeLead());
    this.#outcome = outcome;
    if (outcome === 'held-answer') this.#answer = new AnswerText((text) => this.#letOut(text));
    if (outcome !== 'live') return outcome === 'held-answer' ? answerSchema : SchemaView.any;
    this.#count += 1;
    this.#name = tool?.name ?? written;
    this.#sink({
      kind: 'call',
      name: this.#name,
      ...(naming.nativeId === undefined ? {} : { nativeId: naming.nativeId }),
      ...(this.#of === undefined ? {} : { of: this.#of }),
    });
    return tool?.schema ?? SchemaView.any;
  }

  /** What is read defines the tool of this name instead of calling it: a model that lists its tools calls none. */
  defines(written: string): void {
    if (this.#outcome === 'unnamed') this.#mute(this.decisions.ofDefinition(written));
  }

  /** A string of the arguments holds quotation marks that nobody escaped. What was written from this offset of the reply on. */
  holdQuotes(from: number): { readonly text: string; readonly end: number } {
    this.#warnings.holdQuotes();
    return this.#written.since(from);
  }

  /** A slice of the arguments' JSON text. */
  arguments(text: string): void {
    if (this.#outcome === 'live' && text !== '') this.#sink({ kind: 'arguments', text });
    else this.#answer?.push(text);
  }

  /** The first text of an answer commits to it: from now on nothing of the call is kept. */
  #letOut(text: string): void {
    if (this.#outcome === 'held-answer') {
      this.#answered();
      this.#warnings.forgetRepairs();
      this.#outcome = 'answer';
      this.#written.forget();
    }
    this.text(text);
  }

  /** Text that the user sees. */
  text(text: string): void {
    if (text !== '') this.#sink({ kind: 'text', text });
  }

  /** Something was repaired, dropped or ignored. Of repairs of JSON only the first one of a call is reported. */
  warning(code: WarningCode, message: string): void {
    if (this.#reports) this.#warnings.add(code, message);
  }

  /** The markup of the call was repaired. */
  repair(repair: Repair): void {
    if (this.#reports) this.#warnings.repair(repair);
  }

  get #reports(): boolean {
    return this.#outcome !== 'muted' && this.#outcome !== 'dropped';
  }

  /** The call is whole. Returns whether it was delivered as the text it was written as. */
  finish(): boolean {
    if (this.#outcome === 'live' && this.#warnings.doubtful) {
      this.cut('nobody can tell where a string of it ends');
      return true;
    }
    if (this.#outcome === 'live') {
      this.#warnings.reportWhole();
      this.#sink({ kind: 'call-end', ...(this.lateId !== undefined && { nativeId: this.lateId }) });
    } else if (this.#outcome === 'unnamed') this.cut('it has no name');
    else if (this.#outcome === 'dropped') this.#warnings.reportDropped(this.#written.text);
    else if (this.#outcome === 'held-answer') this.#letAnswerOut();
    else if (this.#outcome === 'answer' && this.#answer?.hasMore === true) {
      this.warning('field-ignored', 'What was beside the text of an answer was not delivered.');
    }
    const asText = this.#outcome === 'muted';
    if (!asText && this.#outcome !== 'idle') this.text(this.#written.trail);
    this.#close();
    return asText;
  }

  #letAnswerOut(): void {
    this.#warnings.forgetRepairs();
    this.#warnings.report();
    const answer = this.#answer?.only;
    if (answer !== undefined) {
      this.#answered();
      this.text(answer);
    } else this.#mute(this.decisions.ofNoAnswer());
  }

  /**
   * The call broke off: what was written for it becomes text, but only up to the place where `resume` goes on; `rest` is what
   * is to be read again, the others say what is open after it.
   */
  cut(reason: string, resume?: (raw: string) => Resume): StillOpen & { readonly rest: string } {
    const raw = this.#written.text;
    const found = resume?.(raw) ?? { open: 1 };
    const end = 'at' in found && this.kept ? found.at : raw.length;
    if (this.kept) this.#cutRaw(raw.slice(0, end), reason);
    this.#close();
    return { open: 0, ...('open' in found && found), rest: raw.slice(end) };
  }

  /** What the model wrote for the call is kept and has not left as text. */
  get kept(): boolean {
    return this.#outcome !== 'idle' && this.#outcome !== 'muted' && this.#outcome !== 'answer';
  }

  #cutRaw(text: string, reason: string): void {
    if (this.#outcome === 'dropped') {
      this.#warnings.reportDropped(text);
      return;
    }
    this.#warnings.forgetRepairs();
    const name = this.#name === '' ? 'A call' : `The call of ${quoteName(this.#name)}`;
    this.warning('call-cut', `${name} could not be read: ${reason}. It was delivered as text.`);
    this.#warnings.report();
    if (this.#outcome === 'live') {
      this.#count -= 1;
      this.#sink({ kind: 'call-cut', text });
    } else this.text(this.#written.asText(text));
  }

  /** It is no call, and nothing was repaired in it. */
  #mute(report: Report | undefined): SchemaView {
    this.#warnings.forget();
    if (report !== undefined) this.warning(report.code, report.message);
    this.#warnings.report();
    this.#outcome = 'muted';
    this.text(this.#written.asText());
    return SchemaView.any;
  }

  #close(): void {
    this.#warnings.report();
    this.#outcome = 'idle';
    this.#written.forget();
    this.#answer = undefined;
  }
}

/** What is said in an answer is text, whatever it looks like. */
const answerSchema = SchemaView.of({ additionalProperties: { type: 'string' } });

/** So much of a call is gathered into one string, in UTF-16 units. */
const pieceLength = 1024;

/** What the model has written for a call so far, and the text that its markup holds. */
class WrittenCall {
  /** What the model says inside the markup of the call, before it and after it. */
  lead = '';
  trail = '';
  /** Offset of the reply where the lead ends, if nothing but the lead was said up to there. */
  #leadEnd: number | undefined;
  /** Offset of the reply where the call begins. */
  #at = 0;
  /** So many of its characters have left as the lead. */
  #left = 0;
  #padding = '';
  #pieces: string[] = [];
  /** What came after them. */
  #recent = '';
  #length = 0;

  /** A call begins at this offset of the reply. `padding` comes before it, and is text if it is none. */
  begin(at: number, padding: string): void {
    this.#at = at;
    this.#left = 0;
    this.#leadEnd = undefined;
    this.#padding = padding;
    this.lead = '';
    this.trail = '';
    this.#pieces = [];
    this.#recent = '';
    this.#length = 0;
  }

  add(text: string): void {
    this.#recent += text;
    this.#length += text.length;
    if (this.#recent.length >= pieceLength) this.#gather();
  }

  /** What a model writes comes in hundreds of thousands of small strings, which weigh ten times their text. */
  #gather(): void {
    if (this.#recent === '') return;
    // Engines join what was added up when somebody looks at it.
    this.#recent.charCodeAt(0);
    this.#pieces.push(this.#recent);
    this.#recent = '';
  }

  /** The markup holds text. `end`: offset of the reply up to where it says nothing else. */
  aside(text: string, place: 'lead' | 'trail', end?: number): void {
    this[place] += text;
    if (text !== '') this.#leadEnd = end ?? this.#leadEnd;
  }

  /** The lead leaves. Where the call breaks off, what it was in is not shown again. */
  takeLead(): string {
    const { lead } = this;
    if (this.#leadEnd !== undefined) this.#left = this.#leadEnd - this.#at;
    this.lead = '';
    return lead;
  }

  /** In UTF-16 units, without the padding. */
  get length(): number {
    return this.#length;
  }

  /** The model's own characters for the call, without the padding and without what has left as the lead. */
  get text(): string {
    return (this.#pieces.join('') + this.#recent).slice(this.#left);
  }

  /** What was written from this offset of the reply on, and the offset where it ends. */
  since(offset: number): { readonly text: string; readonly end: number } {
    this.#gather();
    const end = this.#at + this.#length;
    let [at, index] = [end, this.#pieces.length];
    while (at > offset && index > 0) {
      index -= 1;
      at -= this.#pieces[index]?.length ?? 0;
    }
    return {
      text: this.#pieces
        .slice(index)
        .join('')
        .slice(Math.max(0, offset - at)),
      end,
    };
  }

  /** `text`, or all that was written, as it leaves if it is no call. */
  asText(text = this.text): string {
    return this.#padding + text;
  }

  /** The call has ended, or left as text: nothing is kept of it. */
  forget(): void {
    this.#pieces = [];
    this.#recent = '';
    this.#left = 0;
  }
}

/** What has become of the call that is being read. */
type CallOutcome =
  /** No call is open. */
  | 'idle'
  /** Opened, the name not known yet: everything is kept, nothing has left. */
  | 'unnamed'
  | DecidedOutcome
  /** An answer of which text has left, as it does while it is read; its markup does not leave at all. */
  | 'answer';
