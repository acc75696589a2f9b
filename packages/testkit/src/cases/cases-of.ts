import { readdirSync, readFileSync } from 'node:fs';
import { dialects, type TableDialect } from '@dragoman/core';
import { type ParseCase, readCasePage } from './read-case-page.ts';
import { exceptedIn, sharedPages, singleCases } from './shared-cases.ts';

/** A case and where it is: `hermes/calls.md: no arguments`, or `hermes/all/calls.md: no arguments` on a page of all dialects. */
export interface PlacedCase extends ParseCase {
  readonly place: string;
}

const folder = new URL('../../../core/src/dialects/', import.meta.url);

/**
 * The cases of one dialect: all of its own pages, and a third of those that hold for every dialect, as it writes them. Others
 * for the next dialect, so that each of them is a case of many; which ones is decided by their names, so that a new case moves none.
 */
export function casesOf(dialect: TableDialect): readonly PlacedCase[] {
  const { id } = dialect;
  const turn = [...dialects.keys()].indexOf(id);
  const own = pagesIn(`${id}/cases/`).flatMap(({ file, markdown }) =>
    readCasePage(markdown, `${id}/cases/${file}`).cases.map((each) => ({
      ...each,
      place: `${id}/${file}: ${each.name}`,
    })),
  );
  const shared = pagesIn('cases/').flatMap(({ file, markdown }) =>
    singleCases(markdown)
      .filter((one) => (numberOf(one) + turn) % 3 === 0 && !exceptedIn(one).includes(id))
      .flatMap((one) => sharedPages(one, dialect).slice(0, 1))
      .flatMap(({ cases }) => cases.map((each) => ({ ...each, place: `${id}/all/${file}: ${each.name}` }))),
  );
  return [...own, ...shared];
}

/** A number that the name of a page's case has. */
function numberOf(page: string): number {
  const [, name = ''] = /^## (.*)$/m.exec(page) ?? [];
  return [...name].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521, 0);
}

function pagesIn(path: string): readonly { readonly file: string; readonly markdown: string }[] {
  const pages = new URL(path, folder);
  const files = readdirSync(pages).filter((file) => file.endsWith('.md') && file !== 'README.md');
  return files.map((file) => ({ file, markdown: readFileSync(new URL(file, pages), 'utf8') }));
}
