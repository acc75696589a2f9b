import { readdirSync, readFileSync } from 'node:fs';
import { checkCase, exceptedIn, readCasePage, sample, sharedPages, singleCases, titleOf } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import { dialects } from './registry.ts';

const folder = new URL('./cases/', import.meta.url);
const pages = readdirSync(folder).filter((file) => file !== 'README.md');

describe.each(pages)('cases/%s', (file) => {
  const cases = singleCases(readFileSync(new URL(file, folder), 'utf8')).map((page, at) => {
    const [, name = '', why = ''] = /^## (.*)\n\n(.*)/m.exec(page) ?? [];
    return [titleOf({ name, why }), { page, at }] as const;
  });
  it.each(cases)('%s', (_, { page, at }) => {
    const excepted = exceptedIn(page);
    expect(excepted.filter((id) => !dialects.has(id))).toEqual([]);
    const numbered = [...dialects].map(([id, dialect], index) => ({ id, dialect, index }));
    const about = numbered.filter(({ id, dialect }) => excepted.includes(id) || sharedPages(page, dialect).length > 0);
    expect(about.length - excepted.length, 'a page of its own would do').toBeGreaterThan(5);
    for (const { id, dialect, index } of sample(about, 12)) {
      // Each dialect is cut everywhere in a third of the cases, each case in a third of the dialects.
      const often = (index + at) % 3 === 0 ? 'everywhere' : 'some';
      const check = () => {
        for (const [each, { cases }] of sharedPages(page, dialect).entries()) {
          for (const one of cases) checkCase(dialect, one, each === 0 ? often : 'few');
        }
      };
      // Who is excepted has another case on a page of its own; once it reads this one, too, the exception goes.
      if (excepted.includes(id)) expect(check, `${id} is excepted`).toThrow();
      else expect(check, id).not.toThrow();
    }
  });
});

it('a shared case is no case of one dialect', () => {
  for (const file of pages) {
    const page = readFileSync(new URL(file, folder), 'utf8');
    for (const [id, dialect] of dialects) {
      const own = new URL(`./${id}/cases/`, import.meta.url);
      const outputs = new Map(
        readdirSync(own)
          .flatMap((name) => readCasePage(readFileSync(new URL(name, own), 'utf8')).cases)
          .map(({ name, output, cut, context: { tools: _, ...context } }) => [
            JSON.stringify([output, cut, context]),
            name,
          ]),
      );
      for (const one of singleCases(page).filter((each) => !exceptedIn(each).includes(id))) {
        for (const {
          output,
          cut,
          context: { tools: _, ...context },
        } of sharedPages(one, dialect).flatMap(({ cases }) => cases)) {
          const found = outputs.get(JSON.stringify([output, cut, context]));
          expect(found, `${id}: it is on ${file}`).toBeUndefined();
        }
      }
    }
  }
});
