import { readFileSync } from 'node:fs';
import { promptTemplates, promptVariables } from '@dragoman/core';
import { expect, it } from 'vitest';
import { chooseTemplate } from '../packages/core/src/prepare/prompt-by-template.ts';

const page = readFileSync(new URL('../docs/prompts.md', import.meta.url), 'utf8');

/** The rows below the table's head that begins like this, as cells. */
function rowsBelow(head: string): readonly (readonly string[])[] {
  const [, rest = ''] = page.split(`\n| ${head}`);
  const rows = rest.split('\n\n')[0]?.split('\n').slice(2) ?? [];
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

it('A-110: the table of docs/prompts.md is the choice, and leaves nothing open', () => {
  const rows = rowsBelow('new conversation');
  const either = [true, false];
  const fits = (cell: string | undefined, value: boolean) => cell === '' || cell === (value ? 'yes' : 'no');
  for (const isNew of either)
    for (const hasTools of either)
      for (const hasResults of either)
        for (const hasChanged of either) {
          const values = [isNew, hasTools, hasResults, hasChanged];
          const found = rows.filter((cells) => values.every((value, at) => fits(cells[at], value)));
          const chosen = chooseTemplate({ isNew, hasTools, hasResults, hasChanged });
          expect(found.map((cells) => cells[4])).toEqual([`\`${chosen}\``]);
        }
});

it('A-100: docs/prompts.md tells every variable as the program does', () => {
  expect(Object.fromEntries(rowsBelow('variable').map(([name = '', text]) => [name.slice(1, -1), text]))).toEqual(
    promptVariables,
  );
  for (const name of Object.keys(promptTemplates)) expect(page).toContain(`| \`${name}\``);
});
