import type { DialectTable } from '@dragoman/core';
import { checkTable, defineTable } from '@dragoman/core/dialects/table/define-table';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyTable } from '../tables/any-table.ts';
import { readsBack } from './describe-calls.ts';
import { accountsForAll } from './describe-conservation.ts';
import { sameInEveryCut } from './describe-cuts.ts';
import { deliversProse } from './describe-text.ts';
import { holds } from './holds.ts';

/** Examples of each promise for one table. */
const perTable = 4;

/** Registers the tests that a table is refused with place and remedy, or keeps the promises of a dialect. */
export function describeTables(): void {
  describe('any table', () => {
    holds(
      'is refused with its place and a remedy, or keeps the promises of a dialect',
      60,
      fc.property(anyTable, fc.nat(), (table, seed) => {
        const problems = checkTable(table);
        for (const { path, reason } of problems) {
          expect(path[0]).toMatch(/^(call|section|reasoning|result|turnEnds|silent)$/);
          expect(reason).not.toBe('');
        }
        if (problems.length === 0) keepsPromises(table, seed);
      }),
    );

    it('holds for tables of both kinds', () => {
      const tables = fc.sample(anyTable, { numRuns: 300, seed: 1 });
      const accepted = tables.filter((table) => checkTable(table).length === 0).length;
      expect(Math.min(accepted, tables.length - accepted)).toBeGreaterThan(20);
    });
  });
}

function keepsPromises(table: DialectTable, seed: number): void {
  const dialect = defineTable('own', table);
  const options = { callsStartLine: table.call.opener === undefined || String(table.call.opener).trim() === '' };
  for (const property of [
    readsBack(dialect, options),
    sameInEveryCut(dialect),
    accountsForAll(dialect, options),
    deliversProse(dialect),
  ]) {
    fc.assert(property, { seed, numRuns: perTable });
  }
}
