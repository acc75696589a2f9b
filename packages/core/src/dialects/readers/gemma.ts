import { gemmaDeclaration } from '../render/gemma-declaration.ts';
import { gemmaLiteral } from '../render/literals.ts';
import { resultLine } from '../render/result-line.ts';
import type { TableReader } from '../table/parts.ts';
import type { DialectTable } from '../table.ts';

/** Declarations of tools and texts of results in Gemma's own literals. */
export const gemmaLiterals: TableReader = {
  describe: (tool, literals, table) => tool.name + gemmaDeclaration(tool, { quote: quoteOf(table), literals }),
  resultText: (result, literals, table) =>
    gemmaLiteral(JSON.stringify({ value: resultLine(result) }), { quote: quoteOf(table), literals }),
};

function quoteOf({ call }: DialectTable): string {
  return call.form === 'gemma' ? call.quote : '"';
}
