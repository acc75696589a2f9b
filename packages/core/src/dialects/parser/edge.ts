import { longestGap } from './scanner.ts';

/**
 * What stands between the last marker, or the start of the reply, and the place that is read: white space, turn ends, and
 * what opened a section. All of it is padding if a marker follows, and text if text follows.
 */
export class Edge {
  /** Nothing but padding stands between here and the last marker. */
  open = true;
  /** Nothing but padding has come in the whole reply. */
  untouched = true;
  #padding = '';
  #section = '';
  /** A header with a name opened it, which is the call's: where that is none, all of it is text. */
  #headed = false;

  /** A section was opened, and no call has opened in it yet. */
  get inSection(): boolean {
    return this.#section !== '';
  }

  /** More is held back than a look-ahead crosses: it must leave. */
  get full(): boolean {
    return this.#padding.length > longestGap || this.#section.length > longestGap;
  }

  /** A marker has been read. */
  touch(): void {
    this.untouched = false;
    this.open = true;
    this.#padding = '';
    this.#section = '';
    this.#headed = false;
  }

  /** Text has been read. */
  close(): void {
    this.untouched = false;
    this.open = false;
  }

  pad(text: string): void {
    this.open = true;
    this.#padding += text;
  }

  /** `headed`: a header with a name is a part of it. */
  openSection(literal: string, headed: boolean): void {
    const section = this.#section + this.#padding + literal;
    const anyHeader = this.#headed || headed;
    this.touch();
    this.#section = section;
    this.#headed = anyHeader;
  }

  /** The padding in front of a call that opens here. What opened a section is not the call's, unless a header did. */
  takePadding(): string {
    const padding = this.#section === '' || this.#headed ? this.#section + this.#padding : '';
    this.touch();
    return padding;
  }

  /** All of it, as the text that it turned out to be. */
  takeText(): string {
    const text = this.#section + this.#padding;
    this.touch();
    this.open = false;
    return text;
  }
}
