import type { Departures, Level } from '../departures.ts';

/** Checks token counts; `level`: how much it weighs that they do not add up. */
export function checkTotal(parts: readonly unknown[], total: unknown, out: Departures, level: Level): void {
  if (![...parts, total].every((count) => typeof count === 'number')) {
    out.violate('usage does not have all three numbers');
  } else if (parts.reduce((sum: number, count) => sum + Number(count), 0) !== total) {
    out.report(level, 'usage does not add up');
  }
}

/** Checks the id and the name of a call, and takes the id for used. */
export function checkCallHead(id: unknown, name: unknown, used: Set<string>, out: Departures): void {
  if (typeof id !== 'string' || id === '') out.violate('the id of a call is empty or missing');
  else if (used.has(id)) out.violate('the id of a call was used before');
  else used.add(id);
  if (typeof name !== 'string' || name === '') out.violate('a call has no name');
}
