import { asDialect, type TableParser } from '@dragoman/core';
import { dialects } from '@dragoman/core/dialects';
import { expect, it } from 'vitest';

/** `deepseek-v3.1` is `deepseekV31`. */
function exportOf(id: string): string {
  const [first = '', ...others] = id.replaceAll('.', '').split('-');
  return first + others.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('');
}

it.each([...dialects])('@dragoman/core/dialects/%s exports it under its name', async (id, dialect) => {
  const entry: Record<string, TableParser> = await import(`../src/dialects/${id}/index.ts`);
  const parser = entry[exportOf(id)] ?? expect.fail('no such export');
  expect(asDialect(parser)).toBe(dialect);
  // Whoever only reads loads nothing of what writes.
  expect('renderCalls' in parser).toBe(false);
});
