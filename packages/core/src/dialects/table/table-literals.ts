import type { DialectTable, Literal, Literals, MarkedAround } from '../table.ts';
import { attributeOpener, fixedPart, listOf, writtenText } from './literals.ts';
import { fixedFront } from './table-grammar.ts';
import type { TableProblem } from './table-shape.ts';

/** What a marker of a table means to the parser. */
export type MarkerRole =
  | 'call opener'
  | 'call closer'
  | 'section opener'
  | 'section closer'
  | 'key opener'
  | 'value closer'
  | 'string quote'
  | 'reasoning opener'
  | 'reasoning closer'
  | 'result'
  | 'turn end'
  | 'silent'
  | 'answer';

/** A marker as the parser finds it: without the white space around it, and without what differs from call to call. */
export interface TableMarker {
  /** In the table; empty for what every dialect knows. */
  readonly path: TableProblem['path'];
  readonly role: MarkerRole;
  readonly literal: string;
  /** It counts only with white space after it, as a tag before an attribute does. */
  readonly isTag?: boolean;
}

/** What every dialect knows, whatever its table says. */
export const commonMarkers: readonly TableMarker[] = [
  ...['<think>', '<thinking>'].map((literal) => ({ path: [], role: 'reasoning opener', literal }) as const),
  ...['</think>', '</thinking>'].map((literal) => ({ path: [], role: 'reasoning closer', literal }) as const),
  ...['<final_answer>', '</final_answer>'].map((literal) => ({ path: [], role: 'answer', literal }) as const),
];

/**
 * What is around calls, thinking and results as it is written: what else is read has a check of its own (`check-spellings.ts`), and what is
 * in `{ text }` is taken as its author wrote it.
 */
export function aroundCalls({
  section,
  reasoning,
  result,
}: DialectTable): Pick<DialectTable, 'section' | 'result'> & { readonly reasoning?: MarkedAround | undefined } {
  const thinking = reasoning === undefined || 'opener' in reasoning ? reasoning : reasoning[0];
  const isPlain = thinking !== undefined && !thinking.atStart && typeof listOf(thinking.opener)[0] === 'string';
  return {
    ...(section && !section.optional && { section }),
    ...(isPlain && { reasoning: thinking }),
    ...(result && result.read === undefined && { result: { opener: result.opener, closer: result.closer ?? '' } }),
  };
}

/** The markers that a table writes and that are not empty, in its order. */
export function tableMarkers(table: DialectTable): readonly TableMarker[] {
  const { call, turnEnds = [], silent = [] } = table;
  const { section, reasoning, result } = aroundCalls(table);
  const around = (
    path: TableProblem['path'],
    roles: readonly [MarkerRole, MarkerRole],
    of: MarkedAround | undefined,
  ) =>
    of === undefined
      ? []
      : [marker([...path, 'opener'], roles[0], of.opener), marker([...path, 'closer'], roles[1], of.closer)];
  const all = [
    opening(['call', 'opener'], 'call opener', call.opener),
    marker(['call', 'closer'], 'call closer', call.closer),
    ...(call.form === 'gemma' ? [marker(['call', 'quote'], 'string quote', call.quote)] : []),
    ...around(['call', 'block'], ['section opener', 'section closer'], call.block),
    ...(call.form === 'tags'
      ? [
          // Where tags are in tags, the opener of a key is how every tag begins.
          ...(call.nested ? [] : [opening(['call', 'parameter', 'opener'], 'key opener', call.parameter.opener)]),
          marker(['call', 'parameter', 'closer'], 'value closer', call.parameter.closer),
        ]
      : []),
    ...around(['section'], ['section opener', 'section closer'], section),
    ...around(['reasoning'], ['reasoning opener', 'reasoning closer'], reasoning),
    ...(result === undefined ? [] : [marker(['result', 'opener'], 'result', fixedFront(result.opener))]),
    ...tokens('turnEnds', 'turn end', turnEnds),
    ...tokens('silent', 'silent', silent),
  ];
  return all.filter(({ literal }) => literal !== '');
}

function marker(path: TableProblem['path'], role: MarkerRole, literals: Literals | undefined): TableMarker {
  return { path, role, literal: writtenText(literals).trim() };
}

function tokens(key: string, role: MarkerRole, literals: readonly Literal[]): readonly TableMarker[] {
  return literals.flatMap((token, at) => (typeof token === 'string' ? [marker([key, at], role, token)] : []));
}

/** An opener that may end inside an attribute. */
function opening(path: TableProblem['path'], role: MarkerRole, literals: Literals | undefined): TableMarker {
  const opener = writtenText(literals);
  const literal = fixedPart(opener);
  return { path, role, literal, isTag: attributeOpener(opener) !== undefined || opener.trimEnd() !== opener };
}
