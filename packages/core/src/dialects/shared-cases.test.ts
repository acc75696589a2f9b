import { readdirSync, readFileSync } from 'node:fs';
import { checkCase, exceptedIn, readCasePage, sample, sharedPage } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import { dialects } from './registry.ts';

const folder = new URL('./cases/', import.meta.url);
const pages = readdirSync(folder).filter((file) => file !== 'README.md');

/** One case of a page, as a page of its own. */
function pagesIn(markdown: string): readonly string[] {
  const [head = '', ...cases] = markdown.split(/^(?=## )/m);
  return cases.map((each) => head + each);
}

describe.each(pages)('cases/%s', (file) => {
  it.each(
    pagesIn(readFileSync(new URL(file, folder), 'utf8')).map((page, at) => ({
      name: page.split('\n## ')[1]?.split('\n')[0],
      page,
      at,
    })),
  )('$name', ({ page, at }) => {
    const excepted = exceptedIn(page);
    expect(excepted.filter((id) => !dialects.has(id))).toEqual([]);
    const numbered = [...dialects].map(([id, dialect], index) => ({ id, dialect, index }));
    for (const { id, dialect, index } of sample(numbered, 12)) {
      // Each dialect is cut everywhere in a third of the cases, each case in a third of the dialects.
      const everyCut = (index + at) % 3 === 0;
      const check = () => {
        for (const each of sharedPage(page, dialect).cases) checkCase(dialect, each, { everyCut });
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
          .map(({ name, output, context: { tools: _, ...context } }) => [JSON.stringify([output, context]), name]),
      );
      for (const one of pagesIn(page).filter((each) => !exceptedIn(each).includes(id))) {
        for (const {
          output,
          context: { tools: _, ...context },
        } of sharedPage(one, dialect).cases) {
          const found = outputs.get(JSON.stringify([output, context]));
          expect(found, `${id}: it is on ${file}`).toBeUndefined();
        }
      }
    }
  }
});
