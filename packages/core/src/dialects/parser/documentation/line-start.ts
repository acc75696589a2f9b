import { isSpace } from '../scanner.ts';

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

/** Which marks count in front of a line: in code inside a quotation only those of quotations, in other code none. */
export type LineMarks = 'all' | 'quotation' | 'none';

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
 * Follows how the lines of a Markdown text begin: the quotation or list they stand in, and how far they are indented.
 * `read` is told every character of a line until the line has begun, `end` every line break.
 */
export class LineStart {
  #state: State = 'space';
  /** Columns of white space behind the last mark. */
  #columns = 0;
  #isQuoted = false;
  #isItem = false;
  #isHeading = false;
  #behindMarker = false;
  #behindBlank = true;
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
    return this.#columns >= codeIndent && !this.#behindMarker;
  }

  /** That makes it code: it goes on with no paragraph and stands in no list, where models indent what they mean. */
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
    this.#behindMarker = true;
    this.#inParagraph = false;
  }

  /** The line is over. `wasCode`: it was code between marks that stand on other lines. */
  end(wasCode: boolean): void {
    this.#behindBlank = this.isBlank;
    if (!this.isBlank) this.#inCode = this.isCode && !wasCode;
    this.#inParagraph = !this.isBlank && !wasCode && !this.#isHeading && !this.isCode;
    this.#state = 'space';
    this.#columns = 0;
    this.#isQuoted = false;
    this.#isItem = false;
    this.#isHeading = false;
    this.#behindMarker = false;
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

  /** Text at the margin behind a blank line ends a list. */
  #begin(code: number): void {
    this.#state = 'begun';
    this.#isHeading = code === hash;
    if (this.#behindBlank && !this.#isItem && this.#columns < 2) this.#inList = false;
  }
}
