import { withoutStateLines } from '@dragoman/agent';
import { Prose } from './prose.ts';
import { type Screen, shown } from './screen.ts';

/** Nothing of a line is shown before it is known what it is; longer beginnings are prose. */
const longestBeginning = 200;
/** What begins a line that is shown when it is whole: code, a row of a table, and what older prompts asked for. */
const wholeLines = ['```', '~~~', '|', 'STATE:', 'NEEDS_CONFIRMATION:'];

type Colour = 'bold' | 'cyan';

/**
 * Shows Markdown as it was written, with colours, while it is written. Words appear as soon as they are whole and stay where they
 * are. No mark is taken away, so that none can be misread: the worst is a colour until the end of a line.
 */
export class MarkdownStream {
  readonly #screen: Screen;
  readonly #prose: Prose;
  /** What of the line is not shown yet. */
  #waiting = '';
  /** How the words of the open line look; undefined until it is known what the line is. */
  #look: readonly Colour[] | undefined;
  /** The marks that end the block of code. */
  #fence: string | undefined;
  /** The marks that end the code in the line. */
  #code = '';
  #isBold = false;

  constructor(screen: Screen) {
    this.#screen = screen;
    this.#prose = new Prose(screen);
  }

  push(text: string): void {
    const [first = '', ...others] = text.replaceAll('\r', '').split('\n');
    this.#take(first);
    for (const line of others) {
      this.#endLine();
      this.#take(line);
    }
  }

  /** Shows what still waits: the text is over. */
  end(): void {
    if (this.#look !== undefined || this.#waiting !== '') this.#endLine();
    this.#fence = undefined;
  }

  #take(text: string): void {
    if (text === '') return;
    this.#waiting += text;
    if (this.#look === undefined) {
      const start = this.#waiting.trimStart();
      const isKnown = start.includes(' ') || this.#waiting.length > longestBeginning;
      if (this.#fence !== undefined || !isKnown || wholeLines.some((mark) => start.startsWith(mark))) return;
      this.#openLine();
    }
    this.#show(false);
  }

  #endLine(): void {
    if (this.#look === undefined) this.#wholeLine(this.#waiting);
    else this.#show(true);
    this.#waiting = '';
  }

  #wholeLine(line: string): void {
    const bare = line.trim();
    if (this.#fence !== undefined) {
      const isEnd = bare.startsWith(this.#fence) && runAt(bare, 0) === bare.length;
      if (isEnd) this.#fence = undefined;
      this.#screen.line(this.#screen.paint(isEnd ? 'dim' : 'cyan', shown(line)));
    } else if (bare === '') this.#screen.gap();
    else if (bare.startsWith('```') || bare.startsWith('~~~')) {
      this.#fence = bare.slice(0, runAt(bare, 0));
      this.#screen.line(this.#screen.paint('dim', shown(line)));
    } else if (bare.startsWith('|')) this.#screen.line(shown(line));
    else if (withoutStateLines(line) !== '') {
      this.#openLine();
      this.#show(true);
    }
  }

  /** What a line goes on with stands below its text: after the mark of an item, with that of a quotation. */
  #openLine(): void {
    const text = this.#waiting.trimStart();
    const indent = this.#waiting
      .slice(0, this.#waiting.length - text.length)
      .replaceAll('\t', '    ')
      .slice(0, 20);
    const space = text.indexOf(' ');
    const mark = space > 0 && space <= 10 ? text.slice(0, space) : '';
    const isQuote = mark === '>';
    const hasLead = isQuote || isItem(mark);
    const lead = hasLead ? `${indent}${mark} ` : indent;
    if (isQuote) this.#prose.begin({ text: lead, look: 'dim' }, lead);
    else if (lead !== '') this.#prose.begin({ text: lead, look: 'dim' });
    this.#waiting = hasLead ? text.slice(space + 1) : text;
    const isHeading = mark.startsWith('#') && runAt(mark, 0) === mark.length && mark.length <= 6;
    this.#look = isHeading ? ['bold', 'cyan'] : [];
  }

  /** Shows what can be shown of the open line, and ends it where it is whole. */
  #show(isWhole: boolean): void {
    const text = this.#waiting;
    let at = 0;
    while (at < text.length) {
      const run = runOfText(text, at);
      const end = at + run;
      // What is last may go on: marks, and a character of two units.
      const isLast = end === text.length && !isWhole;
      if (isLast && isMark(text.charAt(at))) break;
      const half = isLast && isHighSurrogate(text.charCodeAt(end - 1)) ? 1 : 0;
      this.#write(text.slice(at, end - half), text.charAt(end));
      at = end - half;
      if (half > 0) break;
    }
    this.#waiting = text.slice(at);
    if (!isWhole) return;
    this.#prose.end();
    this.#look = undefined;
    this.#code = '';
    this.#isBold = false;
  }

  /** Writes marks, or text without one. */
  #write(text: string, next: string): void {
    const wasCode = this.#code !== '';
    const wasBold = this.#isBold;
    if (text.startsWith('`')) {
      if (!wasCode) this.#code = text;
      else if (text === this.#code) this.#code = '';
    } else if (text.startsWith('**') && !wasCode) this.#isBold = !wasBold && next.trim() !== '';
    const look = new Set(this.#look);
    if (wasBold || this.#isBold) look.add('bold');
    if (wasCode || this.#code !== '') look.add('cyan');
    this.#prose.write(look.size === 0 ? { text } : { text, look: [...look] });
  }
}

/** Of the same marks, or of text up to the next mark. */
function runOfText(text: string, at: number): number {
  if (isMark(text.charAt(at))) return runAt(text, at);
  let end = at;
  while (end < text.length && !isMark(text.charAt(end))) end += 1;
  return end - at;
}

function runAt(text: string, at: number): number {
  let end = at;
  while (end < text.length && text.charAt(end) === text.charAt(at)) end += 1;
  return end - at;
}

function isMark(letter: string): boolean {
  return letter === '`' || letter === '*';
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isItem(mark: string): boolean {
  if (['-', '*', '+'].includes(mark)) return true;
  const digits = [...mark.slice(0, -1)];
  return (
    (mark.endsWith('.') || mark.endsWith(')')) &&
    digits.length > 0 &&
    digits.every((each) => '0123456789'.includes(each))
  );
}
