import type { Warning } from '../chat/warning.ts';

/** Text that is shorter may be at two places by chance: while more is to come, and where nothing more comes. */
const telling = { midway: 8, atEnd: 4 };

/** So many pieces that begin with all text before them and go on are no chance, whatever they hold. */
const surelyGrown = 8;

/** So many pieces wait at most. */
const mostHeld = 16;

/** How the pieces of a stream go on: each repeats all text so far (`whole`), or holds only what is new (`new`). */
type Form = 'open' | 'new' | 'whole';

/**
 * Finds out whether the pieces of a stream repeat all text so far, as some servers send them whatever they were asked for,
 * and gives back what is new in each. One stream has one form, so its texts (`growing`) share one of these.
 *
 * Nearly every stream is known at its second piece, which does not begin with the first. One that does is no proof: "ha"
 * and "haha" may be three times the same word. Such pieces wait for the next ones, and repeat all text so far if two go on
 * after it and it is telling: a few characters, or the same ones over and over, prove nothing.
 */
export class PieceForm {
  form: Form;

  /** `repeats`: what is known beforehand. */
  constructor(repeats?: boolean) {
    this.form = repeats === undefined ? 'open' : repeats ? 'whole' : 'new';
  }

  /** One text of the stream. */
  growing(): GrowingText {
    return new GrowingText(this);
  }
}

/** One text of a stream. */
export class GrowingText {
  readonly #stream: PieceForm;
  /** All text, if pieces repeat it: the latest piece. */
  #latest = '';
  /** Pieces that have not left, because they begin with all text before them. */
  #held: string[] = [];
  #first = '';
  /** What the last piece that went on began with. */
  #before = '';
  #grown = 0;

  constructor(stream: PieceForm) {
    this.#stream = stream;
  }

  /** What is new with a piece. Undefined: the piece takes back what came before. */
  push(piece: string): string | undefined {
    if (piece === '') return '';
    switch (this.#stream.form) {
      case 'new':
        return this.#asNew() + piece;
      case 'whole':
        return this.#asWhole(piece);
      case 'open':
        return this.#compare(piece);
      default:
        throw new Error(`no rule for the form ${this.#stream.form satisfies never}`);
    }
  }

  /** What has waited, now that the text is over: by what is more likely. */
  end(): string {
    const repeats = this.#stream.form === 'open' && isTelling(this.#before, telling.atEnd);
    return repeats || this.#stream.form === 'whole' ? (this.#asWhole(this.#latest) ?? '') : this.#asNew();
  }

  #compare(piece: string): string | undefined {
    const before = this.#latest;
    if (before === '') {
      this.#first = piece;
      this.#latest = piece;
      return piece;
    }
    if (!piece.startsWith(before) || this.#held.length === mostHeld) {
      this.#stream.form = 'new';
      return this.#asNew() + piece;
    }
    this.#held.push(piece);
    this.#latest = piece;
    if (piece.length > before.length) {
      this.#before = before;
      this.#grown += 1;
    }
    const isSure = this.#grown >= surelyGrown || (this.#grown >= 2 && isTelling(this.#before, telling.midway));
    if (!isSure) return '';
    this.#stream.form = 'whole';
    return this.#asWhole(piece);
  }

  #asNew(): string {
    const held = this.#held.join('');
    this.#held = [];
    return held;
  }

  #asWhole(piece: string): string | undefined {
    const shown = this.#held.length > 0 ? this.#first : this.#latest;
    this.#held = [];
    if (!piece.startsWith(shown)) return undefined;
    this.#latest = piece;
    return piece.slice(shown.length);
  }
}

/** Long enough, and not the same few characters over and over. */
function isTelling(text: string, least: number): boolean {
  return text.length >= least && `${text}${text}`.indexOf(text, 1) === text.length;
}

/** The warning of a piece that takes back what came before. */
export const textTakenBack: Warning = {
  code: 'event-unreadable',
  message: 'The upstream changed text that it had sent before; the change was left out.',
};
