import { type Look, type Screen, shown, widthOf } from './screen.ts';

/** A piece of text that looks the same all over. */
export interface Span {
  readonly text: string;
  readonly look?: Look;
}

/**
 * Writes text that comes in pieces, word by word: each as soon as it is whole, on the next line where it does not fit. What is
 * written stays where it is.
 */
export class Prose {
  readonly #screen: Screen;
  #column = 0;
  /** What lines that go on begin with. */
  #margin = '';
  #word: Span[] = [];
  #wordWidth = 0;
  /** Spaces between the last word and this one. */
  #gap: Span = { text: '' };

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  /** Whether nothing is in this line yet. */
  get isFresh(): boolean {
    return this.#column === 0 && this.#word.length === 0;
  }

  /** Begins a line with what comes before its text; where it goes on, that is left free. */
  begin(lead: Span, margin = ' '.repeat(widthOf(lead.text))): void {
    this.#margin = margin;
    this.#put(lead);
  }

  write(span: Span): void {
    let rest = shown(span.text);
    while (rest !== '') {
      const space = rest.indexOf(' ');
      const word = space === -1 ? rest : rest.slice(0, space);
      if (word !== '') this.#add({ ...span, text: word });
      if (space === -1) return;
      this.#flush();
      this.#gap = { ...span, text: `${this.#gap.text} ` };
      rest = rest.slice(space + 1);
    }
  }

  /** Ends the line. */
  end(): void {
    this.#flush();
    if (this.#column > 0) this.#screen.write('\n');
    this.#column = 0;
    this.#margin = '';
    this.#gap = { text: '' };
  }

  #add(span: Span): void {
    const last = this.#word.at(-1);
    // Pieces that look the same are one, however they came.
    if (last !== undefined && String(last.look) === String(span.look)) {
      this.#word[this.#word.length - 1] = { ...last, text: last.text + span.text };
    } else this.#word.push(span);
    this.#wordWidth += widthOf(span.text);
    // A word without an end is written, too.
    if (this.#wordWidth > this.#screen.proseWidth) this.#flush();
  }

  #flush(): void {
    if (this.#word.length === 0) return;
    const width = this.#screen.proseWidth;
    const isFirst = this.#column <= widthOf(this.#margin);
    if (!isFirst && this.#column + this.#gap.text.length + this.#wordWidth > width) {
      this.#screen.write(`\n${this.#margin}`);
      this.#column = widthOf(this.#margin);
    } else this.#put(this.#gap);
    this.#gap = { text: '' };
    for (const span of this.#word) this.#put(span);
    this.#word = [];
    this.#wordWidth = 0;
  }

  #put({ text, look }: Span): void {
    if (text === '') return;
    this.#screen.write(look === undefined ? text : this.#screen.paint(look, text));
    this.#column += widthOf(text);
  }
}

/** Whole sentences of ours, indented. */
export function report(screen: Screen, text: string, look?: Look): void {
  const prose = new Prose(screen);
  for (const line of text.split('\n')) {
    prose.begin({ text: '  ' });
    prose.write(look === undefined ? { text: line } : { text: line, look });
    prose.end();
  }
}
