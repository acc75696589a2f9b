import { harmless } from '../log/harmless.ts';

/** Rows of cells as lines in which the columns stand below each other. */
export function columns(rows: readonly (readonly string[])[]): readonly string[] {
  const most = Math.max(0, ...rows.map(({ length }) => length));
  const widths = Array.from({ length: most }, (_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row) =>
    harmless(
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    ),
  );
}
