import { type DialectFacts, dialectFacts, dialects } from '@dragoman/core';
import { harmless } from '../log/harmless.ts';
import { readDialects } from './read-dialects.ts';
import type { DialectFlags } from './show-dialect.ts';
import type { Terminal } from './terminal.ts';

/** So many models of a dialect are named in the table. */
const mostModels = 3;

/** The facts of a dialect, and whether it is one of the configuration. */
interface ListedDialect extends DialectFacts {
  readonly own: boolean;
}

/** `dragoman dialects`: what each can say, as a table or as JSON. Those of the configuration come first. */
export function listDialects(terminal: Terminal, { json, config }: DialectFlags): number {
  const { stdout } = terminal;
  const { own } = readDialects(terminal, config === undefined ? {} : { config });
  const facts = [
    ...[...own.values()].map((dialect) => ({ ...dialectFacts(dialect), own: true })),
    ...[...dialects.values()].map((dialect) => ({ ...dialectFacts(dialect), own: false })),
  ];
  if (json === true) {
    stdout.write(`${JSON.stringify(facts)}\n`);
    return 0;
  }
  const rows = [['id', 'form', 'ids', 'parallel', 'streams', 'models', 'a call'], ...facts.map(rowOf)];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  for (const row of rows) {
    const line = row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
    stdout.write(`${harmless(line.trimEnd())}\n`);
  }
  return 0;
}

function rowOf({ id, form = '', ids, parallel, streams, models, summary, own }: ListedDialect): readonly string[] {
  const more = models.length > mostModels ? ` +${models.length - mostModels}` : '';
  const named = models.slice(0, mostModels).join(', ') + more;
  return [id, form, yes(ids), yes(parallel), yes(streams), own ? 'of the configuration' : named, summary];
}

function yes(holds: boolean): string {
  return holds ? 'yes' : '-';
}
