import type { Dialect } from '@dragoman/core';
import { describe } from 'vitest';
import { describeCalls } from './describe-calls.ts';
import { describeContext } from './describe-context.ts';
import { describeCuts } from './describe-cuts.ts';
import { describeText } from './describe-text.ts';

/**
 * Registers the tests that hold a dialect to the promises of the interface, over random replies: nothing is lost, cuts
 * don't matter, work and memory are bounded, and what is rendered is read back. A failure prints the seed and the
 * smallest reply that shows it. Call it from the dialect's `index.test.ts`.
 */
export function describeDialect(dialect: Dialect): void {
  describe(`${dialect.id} keeps the promises of a dialect`, () => {
    describeCuts(dialect);
    describeText(dialect);
    describeCalls(dialect);
    describeContext(dialect);
  });
}
