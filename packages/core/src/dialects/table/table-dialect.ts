import type { Dialect } from '../dialect.ts';
import { createGrammar } from '../parser/create-grammar.ts';
import type { GrammarForm } from '../parser/grammar.ts';
import { rememberedFor } from '../parser/remembered.ts';
import { createFrame } from '../parser/reply-parser.ts';
import { renderTableCalls, tablePrompt } from '../render/render-table.ts';
import type { DialectTable } from '../table.ts';
import type { TableParts } from './parts.ts';
import { tableGrammar } from './table-grammar.ts';

/** A dialect that says what it was made of. */
export interface TableDialect extends Dialect {
  readonly table: DialectTable;
}

/** A dialect of a table and of the forms and readers that the table names. */
export function tableDialect(id: string, table: DialectTable, parts: TableParts): TableDialect {
  const formOf = tableGrammar(table, parts);
  const grammarOf = rememberedFor((form: GrammarForm) => createGrammar(form));
  return {
    id,
    summary: table.summary ?? summaryOf(table, parts),
    table,
    ...tablePrompt(table, parts),
    grammar: formOf,
    createParser: (context) => createFrame(grammarOf(formOf(context)), context),
  };
}

/** The form of a call on one line. */
function summaryOf(table: DialectTable, parts: TableParts): string {
  const call = { callId: 'example', name: 'NAME', arguments: '{"KEY": "VALUE"}', ordinal: 0 };
  return `\`${renderTableCalls(table, parts, { calls: [call], tools: [] }).replaceAll('\n', ' ')}\``;
}
