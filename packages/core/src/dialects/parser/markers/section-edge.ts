import { longestGap } from '../scanner.ts';
import { Edge } from '../text-outlet.ts';

/** An edge that also holds what opened a section: text if text follows, and no part of a call that follows. */
export class SectionEdge extends Edge {
  #section = '';
  /** A header with a name opened it, which is the call's: where that is none, all of it is text. */
  #headed = false;

  /** A section was opened, and no call has opened in it yet. */
  override get problem(): string | undefined {
    return this.#section === '' ? undefined : 'A section of calls was opened, but no call could be read in it.';
  }

  override get full(): boolean {
    return super.full || this.#section.length > longestGap;
  }

  override touch(): void {
    super.touch();
    this.#section = '';
    this.#headed = false;
  }

  /** `headed`: a header with a name is a part of it. */
  openSection(literal: string, headed: boolean): void {
    const anyHeader = this.#headed || headed;
    this.#section = this.takeText() + literal;
    this.#headed = anyHeader;
  }

  override takePadding(): string {
    const isCalls = this.#section === '' || this.#headed;
    const text = this.takeText();
    return isCalls ? text : '';
  }

  override takeText(): string {
    return this.#section + super.takeText();
  }
}
