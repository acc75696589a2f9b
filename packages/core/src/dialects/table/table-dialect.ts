import { madeOnce } from '../../chat/made-once.ts';
import type { Dialect, DialectParser } from '../dialect.ts';
import { createGrammar } from '../parser/create-grammar.ts';
import type { GrammarForm } from '../parser/grammar.ts';
import { createSpanParser } from '../parser/reply-parser.ts';
import type { DialectTable } from '../table.ts';
import type { TableParts } from './parts.ts';
import { tableGrammar } from './table-grammar.ts';

/** The half of a dialect that reads, with the table that the other half writes by: `withRenderer` makes a dialect of it. */
export interface TableParser extends DialectParser {
  readonly table: DialectTable;
  readonly parts: TableParts;
  readonly grammar: NonNullable<DialectParser['grammar']>;
}

/** A dialect that says what it was made of. */
export interface TableDialect extends Dialect, TableParser {
  readonly grammar: TableParser['grammar'];
}

/** The parser of a table and of the forms and readers that the table names. Nothing is made of the table before it is asked. */
export function tableDialect(id: string, table: DialectTable, parts: TableParts): TableParser {
  let made: TableParser['grammar'] | undefined;
  const formOf: TableParser['grammar'] = (context) => {
    made ??= tableGrammar(table, parts);
    return made(context);
  };
  const grammarOf = madeOnce((form: GrammarForm) => createGrammar(form));
  return {
    id,
    table,
    parts,
    grammar: formOf,
    createParser: (context) => createSpanParser(grammarOf(formOf(context)), context),
  };
}
