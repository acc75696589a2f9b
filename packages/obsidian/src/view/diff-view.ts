import { el, hidden } from './dom.ts';
import { visibleText } from './visible-text.ts';

/** A longer diff is shown in part until its person wants all of it. Lines. */
const mostLines = 200;

interface DiffLine {
  readonly sign: '+' | '-' | ' ' | '@';
  readonly text: string;
  /** Where the line stands: in the new file, one that goes in the old one. */
  readonly number?: number;
}

/** Draws the lines of a unified diff: what goes, what comes and what is around it. */
export function drawDiff(diff: string, label: string): HTMLElement {
  const lines = readLines(diff);
  const code = el('code', {});
  const pre = el('pre', { class: 'dragoman-diff', tabindex: '0', role: 'group', 'aria-label': label }, code);
  const draw = (from: number, to: number) => code.append(...lines.slice(from, to).map(drawLine));
  draw(0, mostLines);
  if (lines.length <= mostLines) return pre;
  const rest = lines.length - mostLines;
  const more = el('button', { type: 'button', class: 'dragoman-link', onclick: showAll }, `Show ${rest} more lines`);
  function showAll(): void {
    more.remove();
    draw(mostLines, lines.length);
    pre.focus();
  }
  return el('div', {}, pre, more);
}

/** How many lines come and go. */
export function countChanges(diff: string): { readonly added: number; readonly removed: number } {
  const lines = readLines(diff);
  return {
    added: lines.filter(({ sign }) => sign === '+').length,
    removed: lines.filter(({ sign }) => sign === '-').length,
  };
}

function readLines(diff: string): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let before = 1;
  let after = 1;
  for (const line of diff.split('\n')) {
    if (line.startsWith('@@')) {
      [before, after] = startsOf(line);
      if (lines.length > 0) lines.push({ sign: '@', text: '⋯' });
    } else if (line.startsWith('+')) {
      lines.push({ sign: '+', text: line.slice(1), number: after });
      after += 1;
    } else if (line.startsWith('-')) {
      lines.push({ sign: '-', text: line.slice(1), number: before });
      before += 1;
    } else if (line.startsWith(' ')) {
      lines.push({ sign: ' ', text: line.slice(1), number: after });
      before += 1;
      after += 1;
    }
  }
  return lines;
}

/** `@@ -12,3 +12,4 @@` begins at 12 in both. */
function startsOf(line: string): [before: number, after: number] {
  const [, before = '', after = ''] = line.split(' ');
  return [Math.abs(Number.parseInt(before, 10)) || 1, Number.parseInt(after, 10) || 1];
}

const spoken = { '+': 'added: ', '-': 'removed: ', ' ': '', '@': '' } as const;
const kinds = { '+': 'is-added', '-': 'is-removed', ' ': '', '@': 'is-gap' } as const;

function drawLine({ sign, text, number }: DiffLine): HTMLElement {
  const mark = sign === '+' ? '+' : sign === '-' ? '−' : '';
  return el(
    'span',
    { class: `dragoman-diff-line ${kinds[sign]}` },
    el('span', { class: 'dragoman-diff-number', 'aria-hidden': 'true' }, number === undefined ? '' : String(number)),
    el('span', { class: 'dragoman-diff-sign', 'aria-hidden': 'true' }, mark),
    ...(spoken[sign] === '' ? [] : [hidden(spoken[sign])]),
    el('span', { class: 'dragoman-diff-text' }, text === '' ? ' ' : visibleText(text)),
  );
}
