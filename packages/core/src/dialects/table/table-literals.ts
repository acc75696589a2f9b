import { attributeOpener, fixedPart } from './literals.ts';
import type { PlainTable } from './plain-table.ts';
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

/** All markers of a table that are not empty, in its order. */
export function tableMarkers({
  call,
  section,
  reasoning,
  result,
  turnEnds,
  silent,
}: PlainTable): readonly TableMarker[] {
  const around = (path: TableProblem['path'], roles: readonly [MarkerRole, MarkerRole], of: Opened | undefined) =>
    of === undefined
      ? []
      : [marker([...path, 'opener'], roles[0], of.opener), marker([...path, 'closer'], roles[1], of.closer)];
  const all = [
    opening(['call', 'opener'], 'call opener', call),
    marker(['call', 'closer'], 'call closer', call.closer),
    ...(call.form === 'gemma' ? [marker(['call', 'quote'], 'string quote', call.quote)] : []),
    ...around(['call', 'block'], ['section opener', 'section closer'], call.block),
    ...(call.form === 'tags'
      ? [
          // Where tags are in tags, the opener of a key is how every tag begins.
          ...(call.nested ? [] : [opening(['call', 'parameter', 'opener'], 'key opener', call.parameter)]),
          marker(['call', 'parameter', 'closer'], 'value closer', call.parameter.closer),
        ]
      : []),
    ...around(['section'], ['section opener', 'section closer'], section),
    ...around(['reasoning'], ['reasoning opener', 'reasoning closer'], reasoning),
    ...(result === undefined ? [] : [marker(['result', 'opener'], 'result', fixedFront(result.opener))]),
    ...(turnEnds ?? []).map((token, at) => marker(['turnEnds', at], 'turn end', token)),
    ...(silent ?? []).map((token, at) => marker(['silent', at], 'silent', token)),
  ];
  return all.filter(({ literal }) => literal !== '');
}

interface Opened {
  readonly opener: string;
  readonly closer: string;
}

function marker(path: TableProblem['path'], role: MarkerRole, text: string): TableMarker {
  return { path, role, literal: text.trim() };
}

/** An opener that may end inside an attribute. */
function opening(path: TableProblem['path'], role: MarkerRole, { opener }: Opened): TableMarker {
  const literal = fixedPart(opener);
  return { path, role, literal, isTag: attributeOpener(opener) !== undefined || opener.trimEnd() !== opener };
}
