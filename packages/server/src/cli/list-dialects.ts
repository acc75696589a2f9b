import { type DialectFacts, dialectFacts, dialects } from '@dragoman/core';
import type { Terminal } from './terminal.ts';

/** So many models of a dialect are named in the table. */
const mostModels = 3;

/** `dragoman dialects`: what each can say, as a table or as JSON. */
export function listDialects({ stdout }: Terminal, { json }: { readonly json?: boolean }): number {
  const facts = [...dialects.values()].map(dialectFacts);
  if (json === true) {
    stdout.write(`${JSON.stringify(facts)}\n`);
    return 0;
  }
  const rows = [['id', 'kernel', 'ids', 'parallel', 'streams', 'models', 'form'], ...facts.map(rowOf)];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  for (const row of rows) {
    stdout.write(
      `${row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
    );
  }
  return 0;
}

function rowOf({ id, kernel = '', ids, parallel, streams, models, summary }: DialectFacts): readonly string[] {
  const more = models.length > mostModels ? ` +${models.length - mostModels}` : '';
  const named = models.slice(0, mostModels).join(', ') + more;
  return [id, kernel, yes(ids), yes(parallel), yes(streams), named, summary];
}

function yes(holds: boolean): string {
  return holds ? 'yes' : '-';
}
