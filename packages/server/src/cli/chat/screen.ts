import type { Writable } from 'node:stream';
import { styleText } from 'node:util';
import stringWidth from 'string-width';
import { harmless } from '../../log/harmless.ts';

/** What a piece of text is, and so how it looks. */
export type Look = Parameters<typeof styleText>[0];

/** No line of prose is longer, however wide the window is. */
const widestProse = 100;
const narrowest = 20;
const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const frameTime = 80;

/** Columns that a text takes. */
export function widthOf(text: string): number {
  return stringWidth(text);
}

/** A tab is as wide as four spaces wherever it stands, and what would control the terminal is told by its number. */
export function shown(text: string): string {
  return harmless(text.replaceAll('\t', '    '));
}

/**
 * A terminal that is written from top to bottom and never redrawn, but for one line at its end that says what is under way and
 * goes when something else is written.
 */
export class Screen {
  readonly #output: Writable;
  readonly #hasColour: boolean;
  #status: string | undefined;
  #frame = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(output: Writable, env: Readonly<Record<string, string | undefined>>) {
    this.#output = output;
    this.#hasColour = (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb';
  }

  get output(): Writable {
    return this.#output;
  }

  /** Columns of the window. */
  get width(): number {
    const columns = 'columns' in this.#output ? this.#output.columns : undefined;
    return typeof columns === 'number' && columns > 0 ? Math.max(columns, narrowest) : 80;
  }

  get proseWidth(): number {
    return Math.min(this.width, widestProse);
  }

  paint(look: Look, text: string): string {
    return this.#hasColour && text !== '' ? styleText(look, text) : text;
  }

  write(text: string): void {
    if (text === '') return;
    this.#wipe();
    this.#status = undefined;
    this.#output.write(text);
  }

  line(text = ''): void {
    this.write(`${text}\n`);
  }

  /** Says what is under way. Only at the beginning of a line. */
  status(text: string): void {
    this.#wipe();
    this.#status = text;
    this.#timer = setInterval(() => this.#draw(), frameTime);
    this.#draw();
  }

  /** Nothing is under way any more. */
  quiet(): void {
    this.#wipe();
    this.#status = undefined;
  }

  #draw(): void {
    if (this.#status === undefined) return;
    this.#frame = (this.#frame + 1) % frames.length;
    // It must never wrap: only one line can be wiped.
    const text = cutTo(shown(this.#status), this.width - 5);
    this.#output.write(`\r\x1b[2K  ${this.paint('cyan', frames[this.#frame] ?? '')} ${this.paint('dim', text)}`);
  }

  #wipe(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (this.#status !== undefined) this.#output.write('\r\x1b[2K');
  }
}

/** The beginning of a text that is too wide. */
export function cutTo(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let cut = '';
  let used = 0;
  for (const letter of text) {
    used += widthOf(letter);
    if (used > width - 1) break;
    cut += letter;
  }
  return `${cut}…`;
}
