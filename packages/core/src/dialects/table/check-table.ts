import type { DialectTable } from '../table.ts';
import { checkCall } from './check-call.ts';
import { checkMarkers } from './check-markers.ts';
import { checkTexts } from './check-texts.ts';
import { plainOf } from './plain-table.ts';
import { checkShape, type TableProblem } from './table-shape.ts';

export type { TableProblem } from './table-shape.ts';

/**
 * What is wrong in a table, at which place, and what to write instead: what its types cannot say, and where a caller
 * without types has given another shape. Empty: `defineTable` makes a dialect of it that keeps the promises of one.
 */
export function checkTable(table: DialectTable): readonly TableProblem[] {
  const problems = checkShape(table);
  if (problems.length > 0) return problems;
  const plain = plainOf(table);
  for (const check of [checkCall, checkTexts, checkMarkers]) {
    // Each one takes for granted what those in front of it look for.
    const found = check(plain);
    if (found.length > 0) return found;
  }
  return [];
}
