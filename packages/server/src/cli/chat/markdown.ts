import { withoutStateLines } from '@dragoman/agent';
import { readInline } from './inline.ts';
import { Prose, type Span } from './prose.ts';
import { type Screen, shown, widthOf } from './screen.ts';

/** A line whose words are shown while they come. `text` is what comes after its mark. */
type ShownBlock =
  | { readonly kind: 'prose' | 'quote'; readonly indent: string; readonly text: string }
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'item'; readonly indent: string; readonly mark: string; readonly text: string };

/** What a line is. The second half is known by the whole line only. */
type Block = ShownBlock | { readonly kind: 'fence' | 'row' | 'rule' | 'blank' | 'state' };

/** Nothing of a line is shown before it is known what it is; longer beginnings are prose. */
const longestBeginning = 200;
const codeMargin = '    ';

/**
 * Shows Markdown while it is written. Words appear as soon as they are whole and stay where they are: what waits is the beginning of a
 * line, a mark whose end has not come, a line of code, and a table until it is over.
 */
export class MarkdownStream {
  readonly #screen: Screen;
  readonly #prose: Prose;
  /** The first half of a character of two units. */
  #half = '';
  /** The beginning of a line, until it is known what it is. */
  #beginning = '';
  /** The line whose words are being shown, and what of them waits. */
  #open: ShownBlock | undefined;
  #rest = '';
  /** Nothing of the open line is shown but its mark. */
  #isBare = false;
  /** The letter before what waits. */
  #before = '';
  /** The marks that end the block of code. */
  #fence: string | undefined;
  #rows: string[] = [];
  #hasContent = false;
  #isSpaced = false;

  constructor(screen: Screen) {
    this.#screen = screen;
    this.#prose = new Prose(screen);
  }

  push(text: string): void {
    const known = this.#half + text;
    const last = known.charCodeAt(known.length - 1);
    const isHalf = last >= 0xd800 && last <= 0xdbff;
    this.#half = isHalf ? known.slice(-1) : '';
    const [first = '', ...others] = known
      .slice(0, isHalf ? -1 : undefined)
      .replaceAll('\r', '')
      .split('\n');
    this.#take(first);
    for (const line of others) {
      this.#endLine();
      this.#take(line);
    }
  }

  /** Shows what still waits: the text is over. */
  end(): void {
    this.#take(this.#half);
    this.#half = '';
    if (this.#open !== undefined || this.#beginning !== '') this.#endLine();
    this.#table();
    this.#fence = undefined;
    this.#isSpaced = false;
    this.#hasContent = false;
  }

  #take(text: string): void {
    if (text === '') return;
    if (this.#open !== undefined) {
      this.#rest += text;
      this.#show(false);
      return;
    }
    this.#beginning += text;
    if (this.#fence !== undefined) return;
    const block = blockOf(this.#beginning, this.#beginning.length > longestBeginning);
    if (block === undefined || !('text' in block)) return;
    this.#openLine(block);
    this.#show(false);
  }

  #endLine(): void {
    if (this.#open === undefined) this.#wholeLine(this.#beginning);
    else this.#show(true);
    this.#beginning = '';
  }

  #wholeLine(line: string): void {
    if (this.#fence !== undefined) {
      const bare = line.trim();
      if (bare.startsWith(this.#fence) && runOf(bare) === bare.length) this.#fence = undefined;
      else this.#screen.line(`${codeMargin}${this.#screen.paint('cyan', shown(line))}`);
      return;
    }
    const block = blockOf(line, true);
    if (block?.kind !== 'row') this.#table();
    if (block === undefined) return;
    switch (block.kind) {
      case 'state':
        return;
      case 'blank':
        this.#isSpaced = this.#hasContent;
        return;
      case 'fence': {
        const bare = line.trim();
        this.#space();
        this.#fence = bare.slice(0, runOf(bare));
        return;
      }
      case 'row':
        this.#rows.push(line);
        return;
      case 'rule':
        this.#space();
        this.#screen.line(this.#screen.paint('dim', '─'.repeat(Math.min(40, this.#screen.proseWidth))));
        return;
      default:
        this.#openLine(block);
        this.#show(true);
    }
  }

  #openLine(block: ShownBlock): void {
    this.#table();
    this.#space();
    this.#open = block;
    this.#isBare = true;
    this.#before = '';
    this.#rest = block.text;
    if (block.kind === 'item') {
      this.#prose.begin({ text: `${block.indent}${block.mark} `, look: 'dim' });
    } else if (block.kind === 'quote') {
      this.#prose.begin({ text: `${block.indent}│ `, look: 'dim' }, `${block.indent}│ `);
    } else if (block.kind === 'prose' && block.indent !== '') this.#prose.begin({ text: block.indent });
  }

  /** Shows what can be shown of the open line, and ends it where it is whole. */
  #show(isWhole: boolean): void {
    const open = this.#open;
    if (open === undefined) return;
    // Spaces after a mark say nothing.
    if (this.#isBare) this.#rest = this.#rest.trimStart();
    this.#isBare &&= this.#rest === '';
    const { spans, rest } = readInline(this.#rest, { isWhole, before: this.#before });
    if (rest.length < this.#rest.length) this.#before = this.#rest.charAt(this.#rest.length - rest.length - 1);
    this.#rest = rest;
    for (const span of spans) this.#prose.write(looksIn(open.kind, span));
    if (!isWhole) return;
    this.#prose.end();
    this.#open = undefined;
  }

  /** One empty line where there were some. */
  #space(): void {
    if (this.#isSpaced) this.#screen.gap();
    this.#isSpaced = false;
    this.#hasContent = true;
  }

  #table(): void {
    const rows = this.#rows;
    if (rows.length === 0) return;
    this.#rows = [];
    this.#space();
    for (const line of tableLines(rows, this.#screen)) this.#screen.line(line);
  }
}

function looksIn(kind: ShownBlock['kind'], span: Span): Span {
  if (kind === 'heading') return { text: span.text, look: ['bold', 'cyan'] };
  if (kind === 'quote' && span.look === undefined) return { text: span.text, look: 'dim' };
  return span;
}

/** Undefined: more of the line has to come. */
function blockOf(line: string, isWhole: boolean): Block | undefined {
  const text = line.trimStart();
  const indent = line
    .slice(0, line.length - text.length)
    .replaceAll('\t', '    ')
    .slice(0, 20);
  if (text === '') return isWhole ? { kind: 'blank' } : undefined;
  const prose: Block = { kind: 'prose', indent, text };
  const run = runOf(text);
  const isOpen = run === text.length && !isWhole;
  switch (text.charAt(0)) {
    case '#': {
      if (isOpen) return undefined;
      return run <= 6 && text.charAt(run) === ' ' ? { kind: 'heading', text: text.slice(run) } : prose;
    }
    case '`':
    case '~':
      if (isOpen) return undefined;
      if (run < 3) return prose;
      return isWhole ? { kind: 'fence' } : undefined;
    case '|':
      return isWhole ? { kind: 'row' } : undefined;
    case '>':
      if (isOpen) return undefined;
      return { kind: 'quote', indent, text: text.slice(1) };
    case '-':
    case '*':
    case '+':
    case '_':
      if (isOpen) return undefined;
      if (run >= 3 && run === text.trimEnd().length) return { kind: 'rule' };
      if (run !== 1 || text.charAt(1) !== ' ' || text.startsWith('_')) return prose;
      return { kind: 'item', indent, mark: '•', text: text.slice(2) };
    default:
      return numberedOf(text, { indent, isWhole }) ?? stateOf(line, { text, isWhole, prose });
  }
}

/** An item with a number; undefined for what is none, or not yet. */
function numberedOf(
  text: string,
  { indent, isWhole }: { readonly indent: string; readonly isWhole: boolean },
): Block | undefined {
  let digits = 0;
  while (digits < 9 && text.charAt(digits) >= '0' && text.charAt(digits) <= '9') digits += 1;
  const end = text.charAt(digits);
  if (digits === 0 || !['.', ')'].includes(end) || text.charAt(digits + 1) !== ' ') return undefined;
  if (!isWhole && text.length < digits + 2) return undefined;
  return { kind: 'item', indent, mark: text.slice(0, digits + 1), text: text.slice(digits + 2) };
}

const stateMarks = ['STATE:', 'NEEDS_CONFIRMATION:'];

/** Lines that older prompts asked for are not shown, so a line that may be one waits; all others are prose at once. */
function stateOf(
  line: string,
  { text, isWhole, prose }: { readonly text: string; readonly isWhole: boolean; readonly prose: Block },
): Block | undefined {
  if (isWhole) return withoutStateLines(line) === '' ? { kind: 'state' } : prose;
  const isNumber = [...text].every((letter) => (letter >= '0' && letter <= '9') || letter === '.' || letter === ')');
  const mayBeState = stateMarks.some((mark) => mark.startsWith(text) || text.startsWith(mark));
  return isNumber || mayBeState ? undefined : prose;
}

function runOf(text: string): number {
  let end = 1;
  while (end < text.length && text.charAt(end) === text.charAt(0)) end += 1;
  return end;
}

/** A table with its columns one under the other; as it was written where that is too wide. */
function tableLines(rows: readonly string[], screen: Screen): readonly string[] {
  const cells = rows.map((row) => cellsOf(row).map((cell) => readInline(cell, { isWhole: true }).spans));
  const isLine = (row: string) => row.includes('-') && [...row].every((letter) => '|-: \t'.includes(letter));
  const hasHead = rows.length > 1 && isLine(rows[1] ?? '');
  const isRight = hasHead ? cellsOf(rows[1] ?? '').map((cell) => cell.endsWith(':') && !cell.startsWith(':')) : [];
  const wide = (spans: readonly Span[]) => spans.reduce((sum, { text }) => sum + widthOf(shown(text)), 0);
  const body = cells.filter((_, at) => !(hasHead && at === 1));
  const columns = Math.max(...body.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, at) => Math.max(0, ...body.map((row) => wide(row[at] ?? []))));
  const total = widths.reduce((sum, width) => sum + width + 3, 1);
  if (total > screen.width) return rows.map((row) => shown(row));
  return body.flatMap((row, at) => {
    const isHead = hasHead && at === 0;
    const told = widths.map((width, column) => {
      const spans = row[column] ?? [];
      const words = spans.map(({ text, look }) => {
        const safe = shown(text);
        if (isHead) return screen.paint('bold', safe);
        return look === undefined ? safe : screen.paint(look, safe);
      });
      const space = ' '.repeat(width - wide(spans));
      return isRight[column] === true ? space + words.join('') : words.join('') + space;
    });
    const line = told.join(screen.paint('dim', ' │ ')).trimEnd();
    return isHead ? [line, screen.paint('dim', widths.map((width) => '─'.repeat(width)).join('─┼─'))] : [line];
  });
}

function cellsOf(row: string): readonly string[] {
  const inner = row.trim();
  const end = inner.length > 1 && inner.endsWith('|') ? -1 : undefined;
  return inner
    .slice(1, end)
    .split('|')
    .map((cell) => cell.trim());
}
