import { describe, expect, it } from 'vitest';
import { dialects } from '../registry.ts';
import type { CallTable, DialectTable } from '../table.ts';
import { readTexts } from './literals.ts';

/** Of several closers, one may belong to another opener. */
function hasClosers(call: CallTable): boolean {
  return call.form === 'json' && readTexts(call.closer).length > 1;
}

function reports(table: DialectTable): boolean {
  const { call, also = [] } = table;
  return JSON.stringify(table).includes('"repair":') || [call, ...also].some(hasClosers);
}

describe('a dialect hands over what reports how its markers are written', () => {
  it.each([...dialects].filter(([, { table }]) => reports(table)))('%s', (_, { parts }) => {
    expect(parts.markerRepairs).toBeDefined();
  });

  it('and no other one does', () => {
    const others = [...dialects.values()].filter(({ table }) => !reports(table));
    expect(others.filter(({ parts }) => parts.markerRepairs).map(({ id }) => id)).toEqual([]);
    expect(others.map(({ id }) => id)).toContain('hermes');
  });
});
