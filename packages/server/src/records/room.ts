import type { RecordGap } from './exchange-record.ts';
import { type SaidText, wholeText } from './pack-body.ts';
import { cutPieces, joinPieces, type SaidPieces } from './said-pieces.ts';

/** The room that one record has, in characters. Whoever comes first gets what he needs; what does not fit is a gap. */
export class Room {
  #left: number;
  readonly gaps: RecordGap[] = [];

  constructor(size: number) {
    this.#left = size;
  }

  /** As much of a text as fits. `part` names it, should it be cut. */
  take<Text extends SaidText>(part: string, text: Text): Text | string {
    if (text.length <= this.#left) {
      this.#left -= text.length;
      return text;
    }
    const whole = wholeText(text);
    const kept = whole.slice(0, this.#left);
    this.miss(part, whole.length - kept.length);
    this.#left -= kept.length;
    return kept;
  }

  /** A value as it is, or undefined where its JSON does not fit. */
  takeValue<Value>(part: string, value: Value): Value | undefined {
    const { length } = JSON.stringify(value);
    if (length <= this.#left) {
      this.#left -= length;
      return value;
    }
    this.miss(part, length);
    return undefined;
  }

  /** As many of these pieces as fit, the last of them perhaps in part. */
  takePieces(part: string, pieces: SaidPieces): SaidPieces {
    const length = pieces.lengths.reduce((sum, each) => sum + each, 0);
    if (length <= this.#left) {
      this.#left -= length;
      return pieces;
    }
    this.miss(part, length - this.#left);
    const kept = cutPieces(pieces).map((piece) => {
      const fits = piece.slice(0, this.#left);
      this.#left -= fits.length;
      return fits;
    });
    return joinPieces(kept);
  }

  /** So many characters of a part are missing; none is no gap. */
  miss(part: string, missing: number): void {
    if (missing > 0) this.gaps.push({ part, why: 'too-long', missing });
  }
}
