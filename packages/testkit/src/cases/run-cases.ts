import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Dialect } from '@dragoman/core';
import { DragomanError } from '@dragoman/core/errors';
import { runStage } from '@dragoman/core/stream/stage';
import { describe, expect, it } from 'vitest';
import { type Cuts, cutText, everySingleCut, nameCuts } from '../cutters/cut-text.ts';
import { sample } from '../how-much.ts';
import { findingsOf } from './finding.ts';
import { type ParseCase, readCasePage } from './read-case-page.ts';
import { writeFinding } from './read-finding.ts';

/** The half of a dialect that cases look at. */
export type ParsingDialect = Pick<Dialect, 'id' | 'createParser'>;

/** What a cut stream's end is told in tests. */
export function cutShort(): DragomanError {
  return new DragomanError('upstream-cut', 'The upstream stopped in the middle of its answer.');
}

/**
 * Registers one test for each case on the `.md` pages of `folder`. A case runs whole, in single UTF-16 units, at every
 * single cut and in eighteen seeded random cuts (a sample of these before a commit); the result must be the same each time.
 * `README.md` is not a page.
 */
export function runCases(dialect: ParsingDialect, folder: URL): void {
  const pages = readdirSync(folder).filter((file) => file.endsWith('.md') && file !== 'README.md');
  if (pages.length === 0) throw new Error(`no case pages in ${folder.href}`);
  for (const file of pages.sort()) {
    const path = new URL(file, folder);
    const page = readCasePage(readFileSync(path, 'utf8'), fileURLToPath(path));
    describe(`${dialect.id}/${file}: ${page.title}`, () => {
      for (const parseCase of page.cases) it(titleOf(parseCase), () => checkCase(dialect, parseCase));
    });
  }
}

/** The name of a case with the requirement ids that its reason mentions, so that they can be traced to a test. */
export function titleOf({ name, why }: Pick<ParseCase, 'name' | 'why'>): string {
  const ids = why.match(/\b[A-E]-\d{3}\b/g) ?? [];
  return ids.length === 0 ? name : `${name} (${ids.join(', ')})`;
}

/** How often a case is cut: at every single place and at random; only at random; not at all, and between all characters. */
export type HowOften = 'everywhere' | 'some' | 'few';

/** Runs one case in every cut and throws, naming the cut, at the first result that is not the expected one. */
export function checkCase(dialect: ParsingDialect, parseCase: ParseCase, howOften: HowOften = 'everywhere'): void {
  const expected = parseCase.expected.map(writeFinding);
  const wanted = expected.join('\n');
  for (const cuts of cutsOf(parseCase.output, howOften)) {
    const found = parseLines(dialect, parseCase, cuts);
    // A plain comparison first: a case runs hundreds of times, and only a failure needs a report.
    if (found.join('\n') !== wanted)
      expect(found, `${dialect.id}: ${parseCase.name}, cut ${nameCuts(cuts)}`).toEqual(expected);
  }
}

function parseLines(dialect: ParsingDialect, { context, cut, output }: ParseCase, cuts: Cuts): string[] {
  const spans = runStage(dialect.createParser(context), cutText(output, cuts), cut ? cutShort() : undefined);
  return findingsOf(spans).map(writeFinding);
}

function cutsOf(text: string, howOften: HowOften): Cuts[] {
  if (howOften === 'few') return ['whole', 'chars'];
  const seeded = Array.from({ length: 20 }, (_, index) => ({ seed: index + 1, max: 1 + (index % 10) * 3 }));
  // Pieces of one unit at most are those of 'chars', whatever the seed.
  const random = seeded.filter(({ max }) => max > 1);
  const every = howOften === 'everywhere' ? sample(everySingleCut(text), 4) : [];
  return ['whole', 'chars', ...every, ...sample(random, 1)];
}
