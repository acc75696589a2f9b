import type { Writable } from 'node:stream';
import stringWidth from 'string-width';
import { harmless } from '../../log/harmless.ts';

/** The codes that begin and end a look. */
const codes = {
  bold: [1, 22],
  dim: [2, 22],
  italic: [3, 23],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

/** How a piece of text looks. */
export type Look = keyof typeof codes | readonly (keyof typeof codes)[];

/** No line of prose is longer, however wide the window is. */
const widestProse = 100;
const narrowest = 20;
const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const frameTime = 80;
/** Seconds after which it is told how long something takes. */
const longWait = 5;

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
  /** It takes back nothing that it has shown. */
  readonly #isDumb: boolean;
  #status: string | undefined;
  #frame = 0;
  /** When the status began. Milliseconds. */
  #since = 0;
  #timer: ReturnType<typeof setInterval> | undefined;
  /** The last two characters: whether an empty line is there. */
  #tail = '\n\n';

  constructor(output: Writable, env: Readonly<Record<string, string | undefined>>) {
    this.#output = output;
    this.#isDumb = env.TERM === 'dumb';
    this.#hasColour = (env.NO_COLOR ?? '') === '' && !this.#isDumb;
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
    if (!this.#hasColour || text === '') return text;
    return [look].flat().reduceRight((inner, each) => `\x1b[${codes[each][0]}m${inner}\x1b[${codes[each][1]}m`, text);
  }

  write(text: string): void {
    if (text === '') return;
    this.#wipe();
    this.#status = undefined;
    this.#output.write(text);
    this.#tail = (this.#tail + text).slice(-2);
  }

  line(text = ''): void {
    this.write(`${text}\n`);
  }

  /** One empty line, where there is none yet. */
  gap(): void {
    if (this.#tail !== '\n\n') this.write(this.#tail.endsWith('\n') ? '\n' : '\n\n');
  }

  /** A line was typed, which is there now. */
  typed(): void {
    this.#tail = '.\n';
  }

  /** Says what is under way. Only at the beginning of a line. */
  status(text: string): void {
    if (this.#isDumb) return;
    this.#wipe();
    this.#status = text;
    this.#since = performance.now();
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
    const seconds = Math.floor((performance.now() - this.#since) / 1000);
    const time = seconds < longWait ? '' : ` ${seconds} s`;
    const text = cutTo(shown(this.#status), this.width - 5 - time.length) + time;
    this.#output.write(`\r\x1b[2K  ${this.paint('cyan', frames[this.#frame] ?? '')} ${this.paint('dim', text)}`);
  }

  #wipe(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (this.#status !== undefined) this.#output.write('\r\x1b[2K');
  }
}

const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** A text in rows that are no wider than this, whole words where they are not too long. */
export function* rowsOf(text: string, width: number): Generator<string> {
  let row = '';
  let used = 0;
  for (const { segment } of letters.segment(text)) {
    const wide = widthOf(segment);
    if (used + wide > width && row !== '') {
      const space = row.lastIndexOf(' ') + 1;
      const end = space > row.length / 2 ? space : row.length;
      yield row.slice(0, end);
      row = row.slice(end);
      used = widthOf(row);
    }
    row += segment;
    used += wide;
  }
  yield row;
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
