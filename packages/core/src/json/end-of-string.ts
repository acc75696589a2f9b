import { backslash, colon, skipSpace } from './json-characters.ts';

/**
 * Index of the quotation mark that closes the string whose first character is at `from`, or the text's length. What stands between
 * quotation marks is passed over at the speed of `indexOf`.
 */
export function endOfString(json: string, from: number): number {
  let start = from;
  let end = json.indexOf('"', start);
  // After an odd number of backslashes it is escaped.
  while (end >= 0 && (end - startOfBackslashes(json, start, end)) % 2 === 1) {
    start = end + 1;
    end = json.indexOf('"', start);
  }
  return end < 0 ? json.length : end;
}

/** Whether the string that ends before `end` is a key: a colon comes after it. */
export function isKey(json: string, end: number): boolean {
  return json.charCodeAt(skipSpace(json, end)) === colon;
}

/** Where the backslashes begin that end before `end`, `start` at the earliest. */
function startOfBackslashes(json: string, start: number, end: number): number {
  let at = end;
  while (at > start && json.charCodeAt(at - 1) === backslash) at -= 1;
  return at;
}
