import type { CallsForm } from '../parser/grammar.ts';
import { readLiterals, readTexts } from '../table/literals.ts';
import { withRepairs } from '../table/marker-repairs.ts';
import type { GemmaTable } from '../table.ts';
import { literalCalls } from './literals/literal-call.ts';
import { gemma as syntaxOf } from './literals/literal-syntax.ts';

/** Calls in Gemma's own literals, with a token for quotation marks: `call:read{path:<|"|>a<|"|>,limit:1}`. */
export function gemma({ quote, opener, closer }: GemmaTable): CallsForm {
  const openers = readLiterals(opener);
  const texts = openers.map(({ text }) => text);
  return withRepairs(literalCalls({ syntax: syntaxOf(quote), openers: texts, closers: readTexts(closer) }), openers);
}
