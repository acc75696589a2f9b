import { continuesName, isSpace } from '../../../json/json-characters.ts';
import type { CharacterSet } from '../scanner.ts';
import { CodeSpans, HtmlTags } from './code-spans.ts';
import { FencedCode, type FenceRun } from './fenced-code.ts';
import type { MentionPlace } from './mention.ts';

const newline = 10;
const carriageReturn = 13;
const less = 60;
const more = 62;
const tick = 96;
const tilde = 126;
const fenceLength = 3;

/** In the middle of a line only these characters matter. */
export const markdownMarks: readonly number[] = [newline, carriageReturn, less, tick, tilde];

/** Where in Markdown a text is shown and not meant, in the words of a warning. */
export type ShownPlace =
  | 'a code fence'
  | 'a code span'
  | 'an HTML element for code'
  | 'an HTML comment'
  | 'a quotation'
  | 'indented code'
  | MentionPlace;

/**
 * Follows Markdown in visible text, one character at a time, so that documentation is not executed: what is in code, in
 * a quotation or in an HTML comment was shown, not meant. CommonMark's rules, with what `CodeSpans` and `FencedCode` say.
 */
export class Markdown {
  readonly #strict: boolean;
  readonly #line = new LineStart();
  readonly #fence = new FencedCode();
  readonly #spans: CodeSpans;
  readonly #tags = new HtmlTags();
  /** What is open was opened in a quotation, and ends with it. */
  #inQuotation = false;
  /** The run that is being read. */
  #run: FenceRun | undefined;
  #last = newline;
  /** What the marker that is here opens or closes is known. */
  #isNested = false;
  #tagStartsLine = false;
  /** Nothing but white space is between here and a marker that counted, or the start of the reply. */
  #followsMarker: boolean;
  #placeNumber = 0;
  /** Where the last call was mentioned. */
  #mention: MentionPlace = 'a sentence';
  /** In the middle of a line, where only `markdownMarks` matter. */
  #isQuiet = false;

  /** `strict`: a line that is indented as code is, and back-ticks that are open, always hide calls. */
  constructor(strict: boolean) {
    this.#strict = strict;
    this.#spans = new CodeSpans(strict);
    this.#followsMarker = !strict;
  }

  /** Tells one place from the next. */
  get placeNumber(): number {
    return this.#placeNumber;
  }

  /** White space, or the start of the text, stands directly before this place. */
  get afterSpace(): boolean {
    return isSpace(this.#last);
  }

  /** Nothing but white space and marks of lists and quotations stands before this place on its line. */
  get atLineStart(): boolean {
    return !this.#line.hasBegun;
  }

  /** The mark of a list item stands before this place on its line. */
  get inItem(): boolean {
    return this.#line.isItem;
  }

  /** A run of this character goes on here: a marker that begins with it is none. */
  isInRun(code: number): boolean {
    return this.#run?.code === code;
  }

  /** Where a marker that is here is only shown, if it is. Several markers may begin here. */
  findShown(): ShownPlace | undefined {
    this.#endRun(less);
    if (!this.#line.hasBegun) this.#crossQuotation();
    if (this.#fence.holdsMarker()) return 'a code fence';
    if (this.#spans.holdsMarker()) return this.#spanPlace();
    if (this.#line.isQuoted) return 'a quotation';
    if (this.#followsMarker) return undefined;
    return (this.#strict ? this.#line.isIndented : this.#line.isCode) ? 'indented code' : undefined;
  }

  /** The call that is here is only mentioned, and so is what comes after it, to the end of its line or its own. */
  openMention(place: MentionPlace): void {
    this.#isQuiet = false;
    this.#mention = place;
    this.#open();
    this.#spans.openMention();
  }

  /** A marker that is here opens a call or a section (1), or closes one (-1), if it means anything. */
  nest(by: 1 | -1): void {
    this.#endRun(less);
    if (!this.#isNested) this.#spans.nest(by);
    this.#isNested = true;
  }

  /**
   * The visible text goes on with what is at `from`: reads it up to the next of `stops`, which `markdownMarks` are among,
   * if only these matter here. Returns the index of what is not read yet.
   */
  skip(text: string, from: number, stops: Pick<CharacterSet, 'find'>): number {
    if (!this.#isQuiet) return from;
    const end = stops.find(text, from);
    if (end === from) return from;
    this.#last = text.charCodeAt(end - 1);
    this.#isNested = false;
    return end;
  }

  /** The visible text goes on with this character. */
  read(code: number): void {
    const before = this.#last;
    this.#last = code;
    this.#isNested = false;
    if (code === tick || code === tilde) {
      this.#isQuiet = false;
      this.#readRun(code, before);
      return;
    }
    if (this.#run !== undefined) this.#endRun(code);
    // Either ends a line, and so do both together, once.
    if (code === carriageReturn || (code === newline && before !== carriageReturn)) this.#endLine();
    else if (code !== newline) this.#readOther(code);
    this.#isQuiet = this.#line.hasBegun && this.#isSteady;
  }

  /** A marker was here that counted, and is not delivered. What is indented after it is meant as it was. */
  passMarker(): void {
    this.passBlock();
    this.#followsMarker = true;
  }

  /** A block of text was here that is not delivered. */
  passBlock(): void {
    this.#isQuiet = false;
    this.#line.passMarker();
    this.#tags.reset();
    this.#spans.close();
    this.#followsMarker = false;
  }

  /** A fence was opened by something that was not read here, and is still open. */
  openFence(): void {
    this.#isQuiet = false;
    this.#run = undefined;
    this.#line.read(tick, 'none');
    this.#spans.close();
    this.#open();
    this.#fence.openByCall();
  }

  /** No character but `markdownMarks` changes anything that is open. */
  get #isSteady(): boolean {
    return this.#spans.isSteady && this.#tags.isIdle && !this.#fence.isClosing && !this.#followsMarker;
  }

  #spanPlace(): ShownPlace {
    if (this.#spans.kind === 'mention') return this.#mention;
    if (this.#spans.kind === 'comment') return 'an HTML comment';
    return this.#spans.kind === 'span' ? 'a code span' : 'an HTML element for code';
  }

  #readOther(code: number): void {
    if (code === less) this.#tagStartsLine = !this.#line.hasBegun;
    if (!this.#line.hasBegun) this.#readBeginning(code);
    if (!isSpace(code)) {
      this.#followsMarker = false;
      this.#fence.readOther();
    }
    this.#spans.read(code);
    this.#readTag(code);
  }

  #readTag(code: number): void {
    const tag = this.#tags.read(code);
    if (tag === undefined || this.#fence.isOpen) return;
    this.#spans.closeTag(tag);
    const isWhole = code === more || tag === '<!--';
    if (!this.#line.isCode && this.#spans.openTag(tag, { startsLine: this.#tagStartsLine, isWhole })) this.#open();
  }

  #readRun(code: number, before: number): void {
    if (this.#run?.code === code) {
      this.#run.length += 1;
      return;
    }
    this.#endRun(code);
    this.#followsMarker = false;
    const startsLine = !this.#line.hasBegun;
    if (startsLine) this.#readBeginning(code);
    this.#tags.reset();
    this.#run = { code, length: 1, startsLine, afterWord: continuesName(before) };
  }

  #endRun(after: number): void {
    const run = this.#run;
    if (run === undefined) return;
    this.#run = undefined;
    if (this.#fence.isSpanWith(run)) {
      this.#fence.close();
      this.#spans.readRun(this.#fence.opener, tick);
    }
    if (this.#fence.isOpen) this.#fence.readRun(run);
    else if (this.#opensFence(run)) {
      this.#spans.close();
      this.#open();
      this.#fence.open(run);
    } else if (run.code === tick && !this.#line.goesOnWithCode) {
      if (this.#spans.kind === 'none') this.#open();
      this.#spans.readRun(run, after);
    } else this.#spans.read(run.code);
  }

  /** No line begins anything in what is open. */
  get #hidesMarkdown(): boolean {
    return this.#spans.isBlock || this.#spans.quotes;
  }

  #opensFence(run: FenceRun): boolean {
    const isFence = run.startsLine && run.length >= fenceLength && !this.#line.goesOnWithCode;
    return isFence && !this.#hidesMarkdown && !this.#spans.closesWith(run);
  }

  #open(): void {
    this.#inQuotation = this.#line.isQuoted;
    this.#placeNumber += 1;
  }

  #readBeginning(code: number): void {
    this.#line.read(code, this.#lineMarks());
    if (!this.#line.hasBegun) return;
    this.#crossQuotation();
    const isPlain = !this.#line.isQuoted && !this.#line.isIndented;
    if (isPlain && !this.#fence.isOpen && this.#spans.kind === 'none') this.#placeNumber += 1;
  }

  #lineMarks(): LineMarks {
    if (!this.#fence.isOpen && !this.#hidesMarkdown) return 'all';
    return this.#inQuotation ? 'quotation' : 'none';
  }

  /** Where a quotation ends, or one begins, a paragraph ends, and so does what was opened in the quotation. */
  #crossQuotation(): void {
    if (this.#inQuotation === this.#line.isQuoted) return;
    if (this.#inQuotation) this.#fence.close();
    if (this.#inQuotation || !this.#spans.isBlock) this.#spans.close();
    this.#inQuotation = this.#line.isQuoted;
  }

  #endLine(): void {
    this.#readTag(newline);
    if (this.#line.isBlank) this.#crossQuotation();
    const wasCode = this.#fence.isOpen || this.#spans.isBlock;
    this.#fence.endLine();
    this.#spans.endLine(this.#line.isBlank);
    this.#line.end(wasCode);
  }
}

const tab = 9;
const hash = 35;
const dot = 46;
const bracket = 41;
const quotation = 62;
const zero = 48;
const nine = 57;
const bullets: ReadonlySet<number> = new Set([...'-*+'].map((mark) => mark.charCodeAt(0)));

/** From so many columns on, Markdown takes an indented line for code. */
const codeIndent = 4;

/** Which marks count before a line: in code inside a quotation only those of quotations, in other code none. */
type LineMarks = 'all' | 'quotation' | 'none';

/** What the beginning of a line has shown. */
type State =
  /** White space and whole marks. */
  | 'space'
  /** Digits, which may number a list item. */
  | 'number'
  /** `-`, `*`, `+`, or a number with its dot or bracket: white space makes it the mark of a list item. */
  | 'bullet'
  /** The line's own text. */
  | 'begun';

/**
 * Follows how the lines of a Markdown text begin: the quotation or list they are in, and how far they are indented.
 * `read` gets every character of a line until the line has begun, `end` is called at every line break.
 */
class LineStart {
  #state: State = 'space';
  /** Columns of white space after the last mark. */
  #columns = 0;
  #isQuoted = false;
  #isItem = false;
  #isHeading = false;
  #afterMarker = false;
  #afterBlank = true;
  /** The line before is text that an indented line would go on with. */
  #inParagraph = false;
  #inList = false;
  #inCode = false;

  /** More than white space and marks of lists and quotations stands on this line. */
  get hasBegun(): boolean {
    return this.#state === 'begun';
  }

  /** Nothing stands on this line. */
  get isBlank(): boolean {
    return this.#state === 'space' && !this.#isQuoted && !this.#isItem;
  }

  /** The line is the first one of a list item. */
  get isItem(): boolean {
    return this.#isItem;
  }

  /** The line is one of a quotation. */
  get isQuoted(): boolean {
    return this.#isQuoted;
  }

  /** The line is indented as far as code is. */
  get isIndented(): boolean {
    return this.#columns >= codeIndent && !this.#afterMarker;
  }

  /** That makes it code: it goes on with no paragraph and is in no list, where models indent what they mean. */
  get isCode(): boolean {
    return this.isIndented && !this.#inParagraph && !this.#inList;
  }

  /** So are the lines before, which opened nothing that this one could close. */
  get goesOnWithCode(): boolean {
    return this.#inCode && this.isCode;
  }

  /** The line goes on with this character. */
  read(code: number, marks: LineMarks): void {
    if (isSpace(code)) this.#readSpace(code);
    else if (code === quotation && this.#state === 'space' && marks !== 'none') {
      this.#isQuoted = true;
      this.#columns = 0;
    } else if (marks !== 'all' || !this.#readMark(code)) this.#begin(code);
  }

  /** A marker was read here: what follows on its line is no beginning of one. */
  passMarker(): void {
    this.#afterMarker = true;
    this.#inParagraph = false;
  }

  /** The line is over. `wasCode`: it was code between marks that stand on other lines. */
  end(wasCode: boolean): void {
    this.#afterBlank = this.isBlank;
    if (!this.isBlank) this.#inCode = this.isCode && !wasCode;
    this.#inParagraph = !this.isBlank && !wasCode && !this.#isHeading && !this.isCode;
    this.#state = 'space';
    this.#columns = 0;
    this.#isQuoted = false;
    this.#isItem = false;
    this.#isHeading = false;
    this.#afterMarker = false;
  }

  #readSpace(code: number): void {
    if (this.#state === 'bullet') {
      this.#isItem = true;
      this.#inList = true;
      this.#columns = 0;
      this.#state = 'space';
    } else if (this.#state === 'number') this.#begin(code);
    else this.#columns += code === tab ? codeIndent - (this.#columns % codeIndent) : 1;
  }

  #readMark(code: number): boolean {
    const isDigit = code >= zero && code <= nine;
    if (this.#state === 'space' && bullets.has(code)) this.#state = 'bullet';
    else if (this.#state !== 'bullet' && isDigit) this.#state = 'number';
    else if (this.#state === 'number' && (code === dot || code === bracket)) this.#state = 'bullet';
    else return false;
    return true;
  }

  /** Text at the margin after a blank line ends a list. */
  #begin(code: number): void {
    this.#state = 'begun';
    this.#isHeading = code === hash;
    if (this.#afterBlank && !this.#isItem && this.#columns < 2) this.#inList = false;
  }
}
