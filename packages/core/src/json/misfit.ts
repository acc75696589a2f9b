import { quoteName } from '../chat/warning.ts';

/** Where a value stands: the whole value, or under a key or at an index of another one. */
export type ValuePosition =
  | undefined
  | { readonly in: ValuePosition; readonly key: string | number; readonly depth: number };

/** The place under a key or at an index of what is at `place`. */
export function inside(place: ValuePosition, key: string | number): ValuePosition {
  return { in: place, key, depth: depthOf(place) + 1 };
}

/** How many keys and indexes lead there. */
export function depthOf(place: ValuePosition): number {
  return place?.depth ?? 0;
}

/** Why a value does not fit its schema. */
export interface Misfit {
  /** The value that does not fit. */
  readonly place: ValuePosition;
  /** What is wrong with it, to be read after its path: `must be a string, not a number`. */
  readonly problem: string;
}

export function misfitAt(place: ValuePosition, problem: string): Misfit {
  return { place, problem };
}

/** A longer path loses its middle, in UTF-16 units. */
const longestPath = 200;

/** A place as `$.cities[0].name`; `$` is the whole value. */
export function pathOf(place: ValuePosition): string {
  const steps: string[] = [];
  for (let each = place; each !== undefined; each = each.in) steps.push(stepOf(each.key));
  const path = `$${steps.reverse().join('')}`;
  const half = longestPath / 2;
  return path.length > longestPath ? `${path.slice(0, half)}…${path.slice(-half)}` : path;
}

/** The misfit in words: where and what. Without a full stop. */
export function misfitWords({ place, problem }: Misfit): string {
  return `${pathOf(place)} ${problem}`;
}

function stepOf(key: string | number): string {
  if (typeof key === 'number') return `[${key}]`;
  return isPlainKey(key) ? `.${key}` : `[${quoteName(key)}]`;
}

/** Letters, digits, `_` and `$`, and not too many of them. */
function isPlainKey(key: string): boolean {
  if (key === '' || key.length > 40) return false;
  for (const character of key) if (!plainCharacters.includes(character)) return false;
  return !digits.includes(key.charAt(0));
}

const digits = '0123456789';
const plainCharacters = `abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$${digits}`;

/** A JSON value for a message, however long it is. */
export function quoteValue(value: unknown): string {
  if (typeof value === 'string') return quoteName(value);
  if (typeof value !== 'object' || value === null) return String(value);
  return Array.isArray(value) ? 'a certain list' : 'a certain object';
}

/** A few of the values, for a message. */
export function quoteSome(values: readonly unknown[]): string {
  const shown = values.slice(0, 8).map(quoteValue);
  return `${shown.join(', ')}${values.length > shown.length ? ', …' : ''}`;
}
