import type { Dialect, DialectTable, TableParser } from '@dragoman/core';
import { expect, it } from 'vitest';

/** What a parser of a table is given beside forms and readers. Where one of those is missing it throws, without these it reads less. */
const files = { sections: 'sections.ts', reasoning: 'reasoning.ts', markerRepairs: 'marker-repairs.ts' };

type Part = keyof typeof files;

/** Registers the test that a dialect of a table is given every part that the table needs. */
export function describeParts(given: Dialect | TableParser): void {
  if (!('table' in given)) return;
  it('is given every part that its table needs', () => {
    const missing = neededParts(given.table)
      .filter(({ part }) => given.parts[part] === undefined)
      .map(({ part, field }) => `the table has "${field}": add "${part}" from ../table/${files[part]} beside the form`);
    expect(missing).toEqual([]);
  });
}

/** The parts without which fields of this table have no effect, each with such a field. */
export function neededParts(table: DialectTable): readonly { readonly part: Part; readonly field: string }[] {
  const { call, also = [], section, strays, reasoning } = table;
  const forms = [call, ...also];
  const block = forms.find((form) => form.block !== undefined)?.block;
  // Of several closers, one may belong to another opener.
  const closers = forms.find(({ form, closer = '' }) => {
    return form === 'json' && typeof closer !== 'string' && closer.filter((each) => each !== '').length > 1;
  });
  const repair = JSON.stringify(table).includes('"repair":') || undefined;
  const fields: Readonly<Record<Part, object>> = {
    sections: { section, block, strays },
    reasoning: { reasoning },
    markerRepairs: { repair, 'several closers': closers },
  };
  return (['sections', 'reasoning', 'markerRepairs'] as const).flatMap((part) => {
    const [field] = Object.entries(fields[part]).find(([, value]) => value !== undefined) ?? [];
    return field === undefined ? [] : [{ part, field }];
  });
}
