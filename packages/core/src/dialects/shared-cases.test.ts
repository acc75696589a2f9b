import { readdirSync, readFileSync } from 'node:fs';
import {
  checkCase,
  exceptedIn,
  isAbout,
  type ParseCase,
  readCasePage,
  sample,
  sharedPages,
  singleCases,
  titleOf,
} from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import { dialects } from './registry.ts';

const folder = new URL('./cases/', import.meta.url);
const pages = readdirSync(folder).filter((file) => file !== 'README.md');

const keyOf = ({ output, cut, context: { tools: _, ...context } }: ParseCase) => JSON.stringify([output, cut, context]);

/** The cases on a dialect's own pages, by what they are made of. */
const ownCases = new Map<string, ReadonlyMap<string, string>>();

function ownCasesOf(id: string): ReadonlyMap<string, string> {
  const known = ownCases.get(id);
  if (known !== undefined) return known;
  const own = new URL(`./${id}/cases/`, import.meta.url);
  const cases = readdirSync(own).flatMap(
    (name) => readCasePage(readFileSync(new URL(name, own), 'utf8'), `${id}/cases/${name}`).cases,
  );
  const named = new Map(cases.map((one) => [keyOf(one), one.name]));
  ownCases.set(id, named);
  return named;
}

const sharedCases = pages.flatMap((file) =>
  singleCases(readFileSync(new URL(file, folder), 'utf8')).map((page) => ({ file, page })),
);

it.each([...dialects])('%s has at least 70 cases, five of them its own, failures among them', (id, dialect) => {
  const shared = sharedCases.filter(({ page }) => isAbout(page, dialect) && !exceptedIn(page).includes(id));
  const own = ownCasesOf(id);
  const ownPages = readdirSync(new URL(`./${id}/cases/`, import.meta.url));
  const all = shared.length + own.size;
  const wanted = `add cases to dialects/${id}/cases: there are ${all}, ${own.size} of them its own`;
  expect(all, `${wanted}; 70 are needed`).toBeGreaterThanOrEqual(70);
  expect(own.size, `${wanted}; five of its own are needed`).toBeGreaterThanOrEqual(5);
  const ofFailures = [...ownPages, ...shared.map(({ file }) => file)].filter((file) => file.startsWith('err-'));
  expect(ofFailures, `add a page err-*.md to dialects/${id}/cases`).not.toEqual([]);
});

describe.each(pages)('cases/%s', (file) => {
  const cases = singleCases(readFileSync(new URL(file, folder), 'utf8')).map((page, at) => {
    const [, name = '', why = ''] = /^## (.*)\n\n(.*)/m.exec(page) ?? [];
    return [titleOf({ name, why }), { page, at }] as const;
  });
  it.each(cases)('%s', (_, { page, at }) => {
    const excepted = exceptedIn(page);
    expect(excepted.filter((id) => !dialects.has(id))).toEqual([]);
    const numbered = [...dialects].map(([id, dialect], index) => ({ id, dialect, index }));
    const about = numbered.filter(({ id, dialect }) => excepted.includes(id) || isAbout(page, dialect));
    expect(about.length - excepted.length, 'a page of its own would do').toBeGreaterThan(2);
    for (const { id, dialect, index } of sample(about, 12)) {
      // Each dialect is cut everywhere in a third of the cases, each case in a third of the dialects.
      const often = (index + at) % 3 === 0 ? 'everywhere' : 'some';
      const check = () => {
        const shared = sharedPages(page, dialect);
        for (const [each, { cases }] of shared.entries()) {
          for (const one of cases) checkCase(dialect, one, each === 0 ? often : 'few');
        }
        return shared.flatMap(({ cases }) => cases);
      };
      // Who is excepted has another case on a page of its own; once it reads this one, too, the exception goes.
      if (excepted.includes(id)) {
        expect(check, `${id} is excepted`).toThrow();
        continue;
      }
      const own = ownCasesOf(id);
      for (const one of check()) expect(own.get(keyOf(one)), `${id}: it is a case of its own, too`).toBeUndefined();
    }
  });
});
