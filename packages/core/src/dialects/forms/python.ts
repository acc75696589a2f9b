import type { CallsForm } from '../parser/grammar.ts';
import { leftOut, readLiterals, readTexts } from '../table/literals.ts';
import { withRepairs } from '../table/marker-repairs.ts';
import type { TableReading } from '../table/parts.ts';
import type { PythonTable } from '../table.ts';
import { literalCalls } from './literals/literal-call.ts';
import { python as syntax } from './literals/literal-syntax.ts';

/** Calls as Python writes them: `read(path="a", limit=1)`. */
export function python(table: PythonTable, reading: TableReading): CallsForm {
  const { prefix = '', suffix = '', wrappers } = table;
  const openers = readLiterals(table.opener);
  const bare = leftOut(table.opener);
  const form = literalCalls({
    syntax: { ...syntax, prefix, suffix },
    openers: openers.map(({ text }) => text),
    closers: readTexts(table.closer),
    ...(bare && { bare: reading.tools.map(({ name }) => name) }),
    ...(wrappers && { wrappers }),
  });
  return withRepairs(form, openers, bare?.repair);
}
