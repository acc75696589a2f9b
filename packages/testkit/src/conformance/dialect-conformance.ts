import { asDialect, type Dialect, type TableParser } from '@dragoman/core';
import { describe } from 'vitest';
import type { ConformanceOptions } from './conformance-options.ts';
import { describeCalls } from './describe-calls.ts';
import { describeConservation } from './describe-conservation.ts';
import { describeContext } from './describe-context.ts';
import { describeCuts } from './describe-cuts.ts';
import { describeLesson } from './describe-lesson.ts';
import { describeParts } from './describe-parts.ts';
import { describeText } from './describe-text.ts';
import { describeTruncation } from './describe-truncation.ts';
import { describeWork } from './describe-work.ts';

/**
 * Registers the tests that hold a dialect to the promises of the interface, over random replies: nothing is lost, cuts
 * don't matter, work and memory are bounded, and what is rendered is read back. A failure prints the seed and the
 * smallest reply that shows it. Call it from the dialect's `index.test.ts`.
 */
export function describeDialect(given: Dialect | TableParser, options: ConformanceOptions = {}): void {
  const dialect = asDialect(given);
  describe(`${dialect.id} keeps the promises of a dialect`, () => {
    describeParts(given);
    describeCuts(dialect);
    describeTruncation(dialect, options);
    describeConservation(dialect, options);
    describeText(dialect, options);
    describeCalls(dialect, options);
    describeContext(dialect);
    describeLesson(dialect);
    describeWork(dialect);
  });
}
