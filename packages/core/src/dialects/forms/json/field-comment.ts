import { JsonComment, startsComment } from '../../../json/json-comment.ts';
import { repairs } from '../../../json/json-repairs.ts';
import { SourceSlices } from '../../../json/source-slices.ts';
import type { CallWriter } from '../../parser/calls/call-writer.ts';
import type { Scanner } from '../../parser/scanner.ts';

/** Leaves out comments between the fields of a call object, one after the other. Nothing of them is held back. */
export class FieldComment {
  readonly #slices = new SourceSlices();
  readonly #comment: JsonComment;

  constructor(call: CallWriter) {
    this.#comment = new JsonComment(this.#slices, () => call.issue('json-repaired', repairs.comment));
  }

  /** A comment has begun and is not over. */
  get isOpen(): boolean {
    return this.#comment.state !== 'closed';
  }

  /** Whether one begins in front of the scanner; then it is open. */
  opens(scanner: Scanner): boolean {
    if (!startsComment(scanner.text.charCodeAt(scanner.at))) return false;
    scanner.at = this.#comment.open(scanner.at);
    return true;
  }

  /** Reads on in the open comment. False where it turns out to be none. */
  read(scanner: Scanner): boolean {
    this.#slices.open(scanner.text, scanner.at);
    scanner.at = this.#comment.read(scanner.text, scanner.at);
    this.#slices.close(scanner.at);
    return this.#comment.state !== 'wrong';
  }
}
