import { madeOnce } from '../../chat/made-once.ts';
import type { ToolDefinition } from '../../chat/tool.ts';
import type { ParseContext, ParsePolicy } from '../dialect.ts';
import type { CallsForm, GrammarForm } from '../parser/grammar.ts';
import type { DialectTable, ResultTable } from '../table.ts';
import { readLiterals, readTexts } from './literals.ts';
import { partsOf, readCalls, type TableParts, type TableReading } from './parts.ts';

/** What the parser of a table is made of. The same form for the same tools, and for all of them where it does not depend on any. */
export function tableGrammar(table: DialectTable, parts: TableParts): (context: ParseContext) => GrammarForm {
  let asked = false;
  const ask = <Answer>(answer: Answer): Answer => {
    asked = true;
    return answer;
  };
  const plain = formOf(table, {
    parts,
    get tools() {
      return ask([]);
    },
    get policy() {
      return ask({});
    },
  });
  if (!asked) return () => plain;
  const knownFor = madeOnce((_: readonly ToolDefinition[]) => new Map<ParsePolicy['names'] | undefined, GrammarForm>());
  return ({ tools, policy = {} }) => {
    const byNames = knownFor(tools);
    const form = byNames.get(policy.names) ?? formOf(table, { tools, policy, parts });
    byNames.set(policy.names, form);
    return form;
  };
}

function formOf(table: DialectTable, reading: TableReading): GrammarForm {
  const { answerTags, names } = table;
  const tools = () => reading.tools;
  const read = (literals: DialectTable['silent']) => readTexts(literals, tools);
  const form: GrammarForm = {
    calls: callsOf(table, reading),
    sections: reading.parts.sections?.(table),
    ...reading.parts.reasoning?.(table, tools),
    ...resultsOf(table, tools),
    turnEnds: read(table.turnEnds),
    silent: read(table.silent),
    labels: read(table.labels),
    answerTags,
    names,
  };
  const whole = partsOf(table, reading.parts, 'grammar').reduce((known, add) => add(known, reading), form);
  return reading.parts.markerRepairs?.form(whole, table, tools) ?? whole;
}

function callsOf({ call, also = [] }: DialectTable, reading: TableReading): readonly CallsForm[] {
  const others = also.filter(({ first }) => !first);
  return [...also.filter(({ first }) => first), { repair: undefined, ...call }, ...others].map((each) => {
    const form = readCalls(each, reading);
    return reading.parts.markerRepairs?.calls(form, [], each.repair) ?? form;
  });
}

function resultsOf(
  { result = plainResult, otherTurns }: DialectTable,
  tools: () => readonly ToolDefinition[],
): Pick<GrammarForm, 'results' | 'resultsAfterCall'> {
  const own = result.read ?? [fixedFront(result.around?.opener ?? result.opener)];
  const all = [...readLiterals(own, tools), ...readLiterals(otherTurns, tools)];
  const textsOf = (isAfterCall: boolean) =>
    all.flatMap(({ text, afterCall = false }) => (afterCall === isAfterCall ? text : []));
  return { results: textsOf(false), resultsAfterCall: textsOf(true) };
}

/** Around a result where the table says nothing of it. */
export const plainResult: ResultTable = { opener: '<tool_response>\n', closer: '\n</tool_response>' };

/** What of an opener comes before what differs from result to result. */
export function fixedFront(opener: string): string {
  const slots = ['{name}', '{quoted}', '{id}', '{number}'].map((slot) => opener.indexOf(slot)).filter((at) => at >= 0);
  return slots.length === 0 ? opener : opener.slice(0, Math.min(...slots));
}
