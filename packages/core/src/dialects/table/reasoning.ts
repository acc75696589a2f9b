import type { ToolDefinition } from '../../chat/tool.ts';
import type { GrammarForm, ReasoningPair } from '../parser/grammar.ts';
import type { DialectTable, ReasoningTable } from '../table.ts';
import { listOf, readTexts, writtenText } from './literals.ts';

/** What a table says is around thinking, wherever it stands and at the start of a reply, beside what every dialect knows. */
export function reasoning(
  { reasoning: given }: DialectTable,
  tools: () => readonly ToolDefinition[],
): Pick<GrammarForm, 'reasoning' | 'headed'> {
  if (given === undefined) return {};
  const all = 'opener' in given ? [given] : given;
  const pairs = (tables: readonly ReasoningTable[]) => tables.flatMap((each) => reasoningPairs(each, tools));
  return {
    reasoning: pairs(all.filter(({ atStart }) => !atStart)),
    headed: pairs(all.filter(({ atStart }) => atStart)),
  };
}

/** The newline after an opener belongs to it where the template writes one; a model may leave it out. */
function reasoningPairs(
  { opener, closer, until }: ReasoningTable,
  tools: () => readonly ToolDefinition[],
): readonly ReasoningPair[] {
  const close = closer.trim();
  const next = readTexts(until, tools);
  const [first] = listOf(opener);
  const open = writtenText(opener);
  const own = typeof first === 'string' && open.trim() !== '' && open.endsWith('\n') ? [`${open.trim()}\n`] : [];
  return [...own, ...readTexts(opener, tools)].flatMap((each): readonly ReasoningPair[] => {
    if (close === '') return [];
    return [next.length === 0 ? [each, close] : [each, close, next]];
  });
}
