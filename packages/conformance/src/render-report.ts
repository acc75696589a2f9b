import type { Departure } from './departures.ts';
import type { ConformanceReport, Outcome, ReportRow } from './report.ts';
import type { WireId } from './wires/probe.ts';

/** Characters of a frame that are shown. */
const longestFrame = 300;

/** A report for people: the matrix, then what failed, what was noticed and what was skipped, then the sum. */
export function renderReport(report: ConformanceReport): string {
  const sections = [
    `${report.baseUrl}, model ${report.model}`,
    matrixOf(report),
    ...failuresOf(report),
    ...listOf(report, 'notes: allowed, but some client may stumble', notesOf),
    ...listOf(report, 'skipped', (outcome) => (outcome?.kind === 'skipped' ? [outcome.reason] : [])),
    sumOf(report),
  ];
  return `${sections.join('\n\n')}\n`;
}

/** One outcome as a word or two. */
export function cellOf(outcome: Outcome | undefined): string {
  switch (outcome?.kind) {
    case 'ok': {
      const count = distinct(outcome.notes).length;
      return count === 0 ? 'ok' : `ok, ${count} ${count === 1 ? 'note' : 'notes'}`;
    }
    case 'failed':
      return 'FAILED';
    case 'skipped':
      return 'skipped';
    case 'not-served':
      return 'not served';
    case 'none':
    case undefined:
      return '-';
  }
}

function matrixOf({ wires, rows }: ConformanceReport): string {
  const lines = [
    ['check', ...wires],
    ...rows
      .filter(({ outcomes }) => wires.some((wire) => outcomes[wire]?.kind !== 'none'))
      .map(({ check, outcomes }) => [check, ...wires.map((wire) => cellOf(outcomes[wire]))]),
  ];
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function failuresOf({ wires, rows }: ConformanceReport): readonly string[] {
  return wires.flatMap((wire) =>
    rows.flatMap(({ check, expects, outcomes }) => {
      const outcome = outcomes[wire];
      if (outcome?.kind !== 'failed') return [];
      const [first, ...more] = distinct(outcome.violations);
      return [
        [
          `FAILED  ${wire}  ${check}`,
          `  expected: ${expects}`,
          `  found: ${first === undefined ? '' : placed(first)}`,
          ...(first === undefined || first.frame === '' ? [] : [`  in: ${shortened(first.frame)}`]),
          ...more.map((violation) => `  also: ${placed(violation)}`),
        ].join('\n'),
      ];
    }),
  );
}

type Lines = (outcome: Outcome | undefined) => readonly string[];

function listOf({ wires, rows }: ConformanceReport, title: string, lines: Lines): readonly string[] {
  const told = wires.flatMap((wire) =>
    rows.flatMap(({ check, outcomes }) => lines(outcomes[wire]).map((line) => `  ${wire}  ${check}: ${line}`)),
  );
  return told.length === 0 ? [] : [[title, ...told].join('\n')];
}

function notesOf(outcome: Outcome | undefined): readonly string[] {
  return outcome?.kind === 'ok' || outcome?.kind === 'failed' ? distinct(outcome.notes).map(placed) : [];
}

function sumOf({ rows, wires, passed }: ConformanceReport): string {
  const all = rows.flatMap(({ outcomes }: ReportRow) => wires.map((wire) => outcomes[wire]?.kind));
  const count = (kind: Outcome['kind']) => all.filter((each) => each === kind).length;
  const absent = wires.filter((wire: WireId) => rows.every(({ outcomes }) => isAbsent(outcomes[wire])));
  const parts = [`${count('ok')} ok`, `${count('failed')} failed`, `${count('skipped')} skipped`];
  if (absent.length > 0) parts.push(`not served: ${absent.join(', ')}`);
  if (!passed && count('failed') === 0) parts.push('nothing could be checked');
  return parts.join(', ');
}

function isAbsent(outcome: Outcome | undefined): boolean {
  return outcome === undefined || outcome.kind === 'not-served' || outcome.kind === 'none';
}

/** The first departure from each rule: a stream repeats most of them in every frame. */
function distinct(departures: readonly Departure[]): readonly Departure[] {
  const seen = new Map<string, Departure>();
  for (const departure of departures) if (!seen.has(departure.what)) seen.set(departure.what, departure);
  return [...seen.values()];
}

function placed({ place, what }: Departure): string {
  return place < 0 ? what : `event ${place} ${what}`;
}

/** On one line, cut. */
function shortened(frame: string): string {
  const line = frame.trim().replaceAll('\r', '').replaceAll('\n', ' ⏎ ');
  return line.length <= longestFrame ? line : `${line.slice(0, longestFrame)}…`;
}
