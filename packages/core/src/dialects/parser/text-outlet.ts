import type { WarningCode } from '../../chat/warning.ts';
import type { Receivers } from './call-warnings.ts';
import type { Markdown } from './documentation/markdown.ts';
import type { Mentions } from './documentation/mention.ts';
import { longestGap, type Scanner } from './scanner.ts';

/**
 * Lets visible text out. The padding before it is text, too, unless a marker has taken it; what is reported of the text
 * comes after all that was in front.
 */
export class TextOutlet {
  /** What is between the last marker, or the start of the reply, and the text. */
  edge = new Edge();
  readonly #to: Receivers;
  readonly #mentions: Mentions | undefined;

  /** `mentions`: hears what has left. */
  constructor(to: Receivers, mentions: Mentions | undefined) {
    this.#to = to;
    this.#mentions = mentions;
  }

  /** Only white space is between `index` and the last marker, or the start of the reply. */
  atEdge(scanner: Scanner, index: number): boolean {
    return this.edge.open && index === scanner.at;
  }

  /** Takes the white space that is here. */
  readPadding(scanner: Scanner, markdown: Markdown): void {
    const { text } = scanner;
    const end = scanner.skipSpace(scanner.at);
    for (let index = scanner.at; index < end; index += 1) markdown.read(text.charCodeAt(index));
    this.edge.pad(text.slice(scanner.at, end));
    scanner.at = end;
    if (this.edge.full) this.emitPadding(scanner);
  }

  /** The padding is text after all. */
  emitPadding(scanner: Scanner): void {
    const { problem } = this.edge;
    if (problem !== undefined) this.#warn('call-cut', problem, scanner.position());
    const text = this.edge.takeText();
    this.edge.close();
    if (text !== '') this.#letOut(text, scanner.position() - text.length);
  }

  /** Delivers the text before `to`, with the padding before it. */
  emit(scanner: Scanner, to: number): void {
    if (to <= scanner.at) return;
    if (this.edge.open) this.emitPadding(scanner);
    this.#letOut(scanner.text.slice(scanner.at, to), scanner.position());
    scanner.at = to;
  }

  /** `at`: offset of the reply where the text begins. */
  #letOut(text: string, at: number): void {
    this.#mentions?.keep(text);
    this.#to.sink({ kind: 'text', text });
    this.#to.watch?.range(at, at + text.length);
  }

  /** Reports what is at `index`, after the text before it. */
  report(code: WarningCode, message: string, scanner: Scanner, index: number): void {
    this.emit(scanner, index);
    this.#warn(code, message, scanner.position(index));
  }

  #warn(code: WarningCode, message: string, at: number): void {
    this.#to.sink({ kind: 'warning', warning: { code, message, at } });
  }
}

/**
 * What is between the last marker, or the start of the reply, and the place that is read: white space, and turn ends. All of it is
 * padding if a marker follows, and text if text follows.
 */
export class Edge {
  /** Nothing but padding is between here and the last marker. */
  open = true;
  /** Nothing but padding has come in the whole reply. */
  untouched = true;
  #padding = '';

  /** What is reported where all of it turns out to be text. */
  get problem(): string | undefined {
    return undefined;
  }

  /** More is held back than a look-ahead crosses: it must leave. */
  get full(): boolean {
    return this.#padding.length > longestGap;
  }

  /** A marker has been read. */
  touch(): void {
    this.untouched = false;
    this.open = true;
    this.#padding = '';
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

  /** The padding before a call that opens here. */
  takePadding(): string {
    return this.takeText();
  }

  /** All of it. */
  takeText(): string {
    const text = this.#padding;
    this.touch();
    return text;
  }
}
