import { ticks } from '../parser/documentation/fenced-code.ts';
import type { CallTable, DialectTable, Literals } from '../table.ts';
import { isMarker, isUnmistakable, ownFence } from './literal-makeup.ts';
import { fixedPart, listOf } from './literals.ts';
import { plainOf } from './plain-table.ts';
import { commonMarkers, type MarkerRole, type TableMarker, tableMarkers } from './table-literals.ts';
import type { TableProblem } from './table-shape.ts';

/** What counts only with a call after it, or is reported where it is left out. All others are dropped wherever they stand. */
const showsItself: readonly MarkerRole[] = ['call opener', 'section opener', 'key opener', 'result'];

/** What opens something with a call in it, and what ends something: of two on one side the parser tells which is meant. */
const sides: readonly (readonly MarkerRole[])[] = [
  ['call opener', 'section opener', 'key opener'],
  ['call closer', 'section closer', 'value closer', 'turn end', 'silent'],
];

/** A marker that prose could hold. */
export function checkProse({ path, role, literal }: TableMarker): readonly TableProblem[] {
  if (ownFence(literal) || (showsItself.includes(role) ? isMarker : isUnmistakable)(literal)) return [];
  const remedy = 'write a marker of three or more characters that holds a sign such as "<", "[" or "|"';
  return [{ path, reason: `${JSON.stringify(literal)} is in prose, too: ${remedy}` }];
}

/**
 * The ways to write a marker that are only read, and those of forms that are: whether prose could hold one, or it means
 * something else. What is in `{ text }` is taken as its author wrote it.
 */
export function checkSpellings(table: DialectTable): readonly TableProblem[] {
  const markers = [...tableMarkers(plainOf(table)), ...commonMarkers];
  return spellingsOf(table).flatMap((spelling) => {
    const [problem] = checkProse(spelling);
    if (problem !== undefined) return [problem];
    const other = markers.find(({ literal, role }) => literal === spelling.literal && !onOneSide(role, spelling.role));
    if (other === undefined) return [];
    const reason = `${JSON.stringify(spelling.literal)} is what opens or ends something else, too: ${other.role}`;
    return [{ path: spelling.path, reason }];
  });
}

function onOneSide(one: MarkerRole, other: MarkerRole): boolean {
  return one === other || sides.some((side) => side.includes(one) && side.includes(other));
}

function spellingsOf({ call, also = [], section, reasoning = [], strays }: DialectTable): readonly TableMarker[] {
  const thinking = 'opener' in reasoning ? [reasoning] : reasoning;
  return [
    ...ofCall(call, ['call'], 1),
    ...also.flatMap((each, at) => ofCall(each, ['also', at], 0)),
    ...ofAround(section, ['section'], 1),
    ...thinking.flatMap(({ opener }, at) =>
      spellings(opener, { path: ['reasoning', at, 'opener'], role: 'reasoning opener', from: 1 }),
    ),
    ...spellings(strays, { path: ['strays'], role: 'section closer', from: 0 }),
  ];
}

/** `from`: the first of several that no other check looks at. */
function ofCall(call: CallTable, path: TableProblem['path'], from: number): readonly TableMarker[] {
  const guarded = 'guarded' in call && call.guarded === true;
  return [
    ...(guarded ? [] : spellings(call.opener, { path: [...path, 'opener'], role: 'call opener', from })),
    ...spellings(call.closer, { path: [...path, 'closer'], role: 'call closer', from }),
    ...ofAround(call.block, [...path, 'block'], from),
    ...(call.form !== 'tags'
      ? []
      : [
          ...spellings(call.parameter.opener, { path: [...path, 'parameter', 'opener'], role: 'key opener', from }),
          ...spellings(call.parameter.closer, { path: [...path, 'parameter', 'closer'], role: 'value closer', from }),
        ]),
  ];
}

function ofAround(around: DialectTable['section'], path: TableProblem['path'], from: number): readonly TableMarker[] {
  return [
    ...spellings(around?.opener, { path: [...path, 'opener'], role: 'section opener', from }),
    ...spellings(around?.closer, { path: [...path, 'closer'], role: 'section closer', from }),
  ];
}

function spellings(
  literals: Literals | undefined,
  { path, role, from }: Pick<TableMarker, 'path' | 'role'> & { readonly from: number },
): readonly TableMarker[] {
  return listOf(literals).flatMap((text, at) => {
    if (at < from || typeof text !== 'string') return [];
    const literal = role.endsWith('opener') ? fixedPart(text) : text.trim();
    // To leave a marker out is one way to write it, and what closes a fence closes any.
    if (literal === '' || literal === ticks) return [];
    return [{ path: typeof literals === 'string' ? path : [...path, at], role, literal }];
  });
}
