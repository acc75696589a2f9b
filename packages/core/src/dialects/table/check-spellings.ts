import { backticks } from '../parser/documentation/fenced-code.ts';
import type { CallTable, DialectTable, Literals } from '../table.ts';
import { isMarker, isUnmistakable, ownFence } from './literal-makeup.ts';
import { fixedPart, listOf } from './literals.ts';
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
  const markers = [...tableMarkers(table), ...commonMarkers];
  return spellingsOf(table).flatMap((spelling) => {
    const [problem] = checkProse(spelling);
    if (problem !== undefined) return [problem];
    const other = markers.find(({ literal, role }) => literal === spelling.literal && !onOneSide(role, spelling.role));
    if (other === undefined) return [];
    const reason = `${JSON.stringify(spelling.literal)} is what opens or ends something else, too: ${other.role}`;
    return [{ path: spelling.path, reason }];
  });
}

type Path = TableProblem['path'];

function onOneSide(one: MarkerRole, other: MarkerRole): boolean {
  return one === other || sides.some((side) => side.includes(one) && side.includes(other));
}

/** What is never written, and no other check looks at. */
const onlyRead: Path = ['also', 'strays'];

function spellingsOf({ call, also = [], section, reasoning = [], strays }: DialectTable): readonly TableMarker[] {
  const thinking = 'opener' in reasoning ? [reasoning] : reasoning;
  return [
    ...ofCall(call, ['call']),
    ...also.flatMap((each, at) => ofCall(each, ['also', at])),
    ...ofAround(section, ['section']),
    ...thinking.flatMap(({ opener }, at) => spellings(opener, ['reasoning', at, 'opener'], 'reasoning opener')),
    ...spellings(strays, ['strays'], 'section closer'),
  ];
}

function ofCall(call: CallTable, path: Path): readonly TableMarker[] {
  const guarded = 'guarded' in call && call.guarded;
  const { opener, closer } = call.form === 'tags' ? call.parameter : {};
  return [
    ...(guarded ? [] : spellings(call.opener, [...path, 'opener'], 'call opener')),
    ...spellings(call.closer, [...path, 'closer'], 'call closer'),
    ...ofAround(call.block, [...path, 'block']),
    ...spellings(opener, [...path, 'parameter', 'opener'], 'key opener'),
    ...spellings(closer, [...path, 'parameter', 'closer'], 'value closer'),
  ];
}

function ofAround(around: DialectTable['section'], path: Path): readonly TableMarker[] {
  return [
    ...spellings(around?.opener, [...path, 'opener'], 'section opener'),
    ...spellings(around?.closer, [...path, 'closer'], 'section closer'),
  ];
}

function spellings(literals: Literals | undefined, path: Path, role: MarkerRole): readonly TableMarker[] {
  return listOf(literals).flatMap((text, at) => {
    const literal = typeof text !== 'string' ? '' : role.endsWith('opener') ? fixedPart(text) : text.trim();
    // What is written is checked as such.
    if (at === 0 && !path.some((key) => onlyRead.includes(key))) return [];
    // To leave a marker out is one way to write it, and what closes a fence closes any.
    if (literal === '' || literal === backticks) return [];
    return [{ path: typeof literals === 'string' ? path : [...path, at], role, literal }];
  });
}
