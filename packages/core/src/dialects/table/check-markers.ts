import { ticks } from '../parser/markers/fence.ts';
import { isMarker, isUnmistakable, ownFence } from './marker-signs.ts';
import type { PlainTable } from './plain-table.ts';
import { commonMarkers, type MarkerRole, type TableMarker, tableMarkers } from './table-literals.ts';
import type { TableProblem } from './table-shape.ts';

/**
 * What may be written alike: where either is found, the other may be meant, and the parser tells by what stands around it.
 * Of what ends a turn it matters only that it does.
 */
const alike: readonly (readonly [MarkerRole, MarkerRole])[] = [
  ['call closer', 'section closer'],
  ['call closer', 'turn end'],
  ['section closer', 'turn end'],
  ['reasoning closer', 'turn end'],
  ['silent', 'answer'],
  ['turn end', 'turn end'],
  ['silent', 'silent'],
];

/** What counts only with a call behind it, or is told where it is left out. All others are dropped wherever they stand. */
const showsItself: readonly MarkerRole[] = ['call opener', 'section opener', 'key opener', 'result'];

/** Markers that prose could hold, and markers that cannot be told from each other. */
export function checkMarkers(table: PlainTable): readonly TableProblem[] {
  // What closes a fence is no marker: it closes any.
  const markers = tableMarkers(table).filter(({ literal }) => literal !== ticks);
  const { guarded } = table.call;
  const plain = markers.filter(({ role, literal }) => {
    if (role === 'call opener' && guarded) return false;
    if (ownFence(literal)) return false;
    return !(showsItself.includes(role) ? isMarker : isUnmistakable)(literal);
  });
  if (plain.length > 0) {
    return plain.map(({ path, literal }) => ({
      path,
      reason: `${JSON.stringify(literal)} stands in prose, too: write a marker of three or more characters that holds a sign such as "<", "[" or "|"`,
    }));
  }
  return markers.flatMap((marker, at) =>
    [...markers.slice(0, at), ...commonMarkers].flatMap((other) => collision(marker, other)).slice(0, 1),
  );
}

function collision(marker: TableMarker, other: TableMarker): readonly TableProblem[] {
  const { path, literal } = marker;
  const what = other.path.length === 0 ? `what every dialect knows as ${other.role}` : `"${other.path.join('.')}"`;
  if (literal === other.literal) {
    if (mayBeAlike(marker, other)) return [];
    return [{ path, reason: `${JSON.stringify(literal)} is ${what}, too: each needs a marker of its own` }];
  }
  const [inner, outer] = literal.length < other.literal.length ? [marker, other] : [other, marker];
  if (!holds(outer.literal, inner)) return [];
  const held = `${JSON.stringify(inner.literal)} stands inside ${JSON.stringify(outer.literal)}`;
  return [{ path, reason: `cannot be told from ${what}: ${held}; write the whole markers, one at each place` }];
}

function mayBeAlike(one: TableMarker, other: TableMarker): boolean {
  // The table's own pair of thinking may be the common one.
  if (other.path.length === 0 && one.role === other.role) return true;
  return alike.some(([a, b]) => (one.role === a && other.role === b) || (one.role === b && other.role === a));
}

/** Does `text` hold the marker? A tag is not held by a longer tag: `<invoke` counts only with white space behind it. */
function holds(text: string, { literal, isTag }: TableMarker): boolean {
  for (let at = text.indexOf(literal); at >= 0; at = text.indexOf(literal, at + 1)) {
    const behind = text.charAt(at + literal.length);
    if (isTag !== true || behind === '' || behind.trim() === '') return true;
  }
  return false;
}
