import { DragomanError } from '../errors.ts';
import { parsedJson } from '../json/parsed-json.ts';

/** Whether two JSON texts of arguments, or two texts, say the same: JSON in other white space does, and so does text at whose edges it differs. */
export function saysSame(one: string, other: string, { json }: { readonly json: boolean }): boolean {
  if (one === other) return true;
  if (!json) return one.trim() === other.trim();
  const [first, second] = [parsedJson(one), parsedJson(other)];
  return first !== undefined && JSON.stringify(first) === JSON.stringify(second);
}

/** For a reply that says a part of itself twice, in pieces and as a whole, when what has left is not what the whole says. */
export function saidOtherwise(what: string): DragomanError {
  return new DragomanError(
    'upstream-cut',
    `The upstream sent ${what} in pieces and as a whole, and the two differ: a piece was lost or changed on the way.`,
  );
}
