/** A titled text of the demonstration. */
export interface Panel {
  readonly title: string;
  readonly lines: readonly string[];
}

export interface Layout {
  /** Characters in a line of the terminal. */
  readonly width: number;
  /** Dresses a title, such as in bold. */
  readonly emphasise: (text: string) => string;
  /** Dresses what only frames, such as dimmed. */
  readonly dim: (text: string) => string;
}

/** From this width on, two panels stand side by side. */
const wide = 120;
const gap = ' │ ';

/** Lays out two panels: side by side on a wide terminal, one below the other otherwise. Long lines are wrapped. */
export function layOut(left: Panel, right: Panel, layout: Layout): string {
  if (layout.width < wide) return [left, right].map((panel) => section(panel, layout)).join('\n');
  const width = Math.floor((layout.width - gap.length) / 2);
  const columns = [left, right].map((panel) => panel.lines.flatMap((line) => wrap(line, width)));
  const [one = [], two = []] = columns;
  const rows = [pad(left.title, width), layout.dim(gap), right.title];
  const head = `${layout.emphasise(rows[0] ?? '')}${rows[1]}${layout.emphasise(rows[2] ?? '')}`;
  const rule = layout.dim(`${'─'.repeat(width)}─┼─${'─'.repeat(width)}`);
  const count = Math.max(one.length, two.length);
  const body = Array.from({ length: count }, (_, row) =>
    `${pad(one[row] ?? '', width)}${layout.dim(gap)}${two[row] ?? ''}`.trimEnd(),
  );
  return [head, rule, ...body, ''].join('\n');
}

function section(panel: Panel, layout: Layout): string {
  const lines = panel.lines.flatMap((line) => wrap(line, layout.width));
  return [layout.emphasise(`── ${panel.title} ──`), ...lines, ''].join('\n');
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - [...text].length));
}

/** Breaks a line into pieces of at most `width` code points, between words where a piece has more than one. */
export function wrap(line: string, width: number): string[] {
  const characters = [...plain(line)];
  const pieces: string[] = [];
  let from = 0;
  while (characters.length - from > width) {
    const space = lastSpace(characters, { from, to: from + width });
    const end = space ?? from + width;
    pieces.push(characters.slice(from, end).join(''));
    // The space at which a line is broken is not shown.
    from = space === undefined ? end : end + 1;
  }
  if (from < characters.length || from === 0) pieces.push(characters.slice(from).join(''));
  return pieces;
}

/** The last space at which a piece can end; not one of those that indent it. */
function lastSpace(
  characters: readonly string[],
  { from, to }: { readonly from: number; readonly to: number },
): number | undefined {
  let first = from;
  while (first < to && characters[first] === ' ') first += 1;
  for (let at = to; at > first; at -= 1) if (characters[at] === ' ') return at;
  return undefined;
}

/** Without control characters: files and replies must not steer the terminal. */
function plain(line: string): string {
  let text = '';
  for (const character of line) {
    const code = character.codePointAt(0) ?? 0;
    if (character === '\t') text += '  ';
    else if (code >= 0x20 && (code < 0x7f || code > 0x9f)) text += character;
  }
  return text;
}
