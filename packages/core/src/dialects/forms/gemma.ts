import { gemmaLiteral } from '../render/literals.ts';
import { pastArguments } from '../render/past-calls.ts';
import { readLiterals, readTexts, withRepairs } from '../table/literals.ts';
import type { CallForm } from '../table/parts.ts';
import type { GemmaTable } from '../table.ts';
import { literalCalls } from './literals/literal-call.ts';
import { gemma as syntaxOf } from './literals/literal-syntax.ts';

/** Calls in Gemma's own literals, with a token for quotation marks: `call:read{path:<|"|>a<|"|>,limit:1}`. */
export const gemma: CallForm<GemmaTable> = {
  read({ quote, opener, closer }) {
    const openers = readLiterals(opener);
    const texts = openers.map(({ text }) => text);
    return withRepairs(literalCalls({ syntax: syntaxOf(quote), openers: texts, closers: readTexts(closer) }), openers);
  },
  write({ quote }, { call, literals }) {
    const json = pastArguments(call, literals);
    const given = json.startsWith('"') ? `{"arguments":${json}}` : json;
    return `call:${call.name}${gemmaLiteral(given, { quote, literals })}`;
  },
  values: ({ quote }) => `A string is between two ${quote}, as it is; any other value is as JSON with bare keys.`,
};
