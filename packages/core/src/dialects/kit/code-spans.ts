import { isSpace } from './scanner.ts';

const tick = 96;
const tilde = 126;
const newline = 10;

/**
 * Follows Markdown code in visible text, one character at a time, so that documentation is not executed: fences as
 * CommonMark has them, at any indentation since models put them into lists, and code spans only as far as a call opener stands directly behind the back-ticks that open one.
 * Other back-ticks decide nothing, since an unbalanced one must not hide a call.
 */
export class CodeSpans {
  /** Columns of white space and of list or quotation marks on this line so far, or -1 once anything else has been seen. */
  #indent = 0;
  #runCode = 0;
  #run = 0;
  #runStartsLine = false;
  /** Length of the open fence, or 0. */
  #fence = 0;
  #fenceCode = 0;
  /** Still on the line that opened the fence: a back-tick here shows that it was a code span. */
  #infoLine = false;
  /** A closing run has been seen; only white space may follow on its line. */
  #closing = false;
  /** Back-ticks that opened a code span on this line, or 0. */
  #span = 0;
  #quoted = false;
  #number = 0;
  #last = newline;

  /** Tells one fence or quoted span from the next. */
  get number(): number {
    return this.#number;
  }

  /** White space, or the start of the text, stands directly before this place. */
  get afterSpace(): boolean {
    return isSpace(this.#last);
  }

  /** Nothing but white space stands before this place on its line. */
  get atLineStart(): boolean {
    return this.#indent >= 0 && this.#run === 0;
  }

  /**
   * A marker stands here: is it part of code? In a fence it is; in a code span it is from the first marker on that stands
   * directly behind the back-ticks that open the span.
   */
  holdsMarker(): boolean {
    const behindTicks = this.#run > 0 && this.#runCode === tick;
    if (this.#run > 0) this.#endRun();
    if (this.#fence > 0) return true;
    if (behindTicks && this.#span > 0 && !this.#quoted) {
      this.#quoted = true;
      this.#number += 1;
    }
    return this.#quoted;
  }

  /** The visible text goes on with this character. */
  read(code: number): void {
    this.#last = code;
    if (code === tick || code === tilde) {
      this.#readRun(code);
      return;
    }
    if (this.#run > 0) this.#endRun();
    if (code === newline) this.#endLine();
    else if (code === 32 || code === 9) {
      if (this.#indent >= 0) this.#indent += 1;
    } else this.#readOther(code);
  }

  /** Models put fences into lists and quotations, so their marks count as white space at the start of a line. */
  #readOther(code: number): void {
    this.#closing = false;
    const continues = this.#indent >= 0 && this.#fence === 0 && isListMark(code);
    this.#indent = continues ? this.#indent + 1 : -1;
  }

  #readRun(code: number): void {
    if (this.#run > 0 && code === this.#runCode) {
      this.#run += 1;
      return;
    }
    if (this.#run > 0) this.#endRun();
    if (this.#infoLine && code === tick && this.#fenceCode === tick) {
      this.#span = this.#fence;
      this.#fence = 0;
      this.#infoLine = false;
    }
    this.#runCode = code;
    this.#run = 1;
    this.#runStartsLine = this.#indent >= 0;
    this.#indent = -1;
    this.#closing = false;
  }

  #endRun(): void {
    const run = this.#run;
    this.#run = 0;
    if (this.#fence > 0) {
      this.#closing = this.#runStartsLine && this.#runCode === this.#fenceCode && run >= this.#fence;
    } else if (this.#runStartsLine && run >= 3) {
      this.#fence = run;
      this.#number += 1;
      this.#fenceCode = this.#runCode;
      this.#infoLine = true;
    } else if (this.#runCode === tick) {
      if (this.#span === 0) this.#span = run;
      else if (this.#span === run) this.#endSpan();
    }
  }

  #endLine(): void {
    if (this.#closing) this.#fence = 0;
    this.#closing = false;
    this.#infoLine = false;
    this.#indent = 0;
    this.#endSpan();
  }

  #endSpan(): void {
    this.#span = 0;
    this.#quoted = false;
  }
}

/** `>`, `-`, `*`, `+`, and the digits, dot and bracket of numbers. */
function isListMark(code: number): boolean {
  return (
    code === 62 || code === 45 || code === 42 || code === 43 || code === 46 || code === 41 || (code >= 48 && code <= 57)
  );
}
