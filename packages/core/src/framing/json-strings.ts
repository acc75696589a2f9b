const backslash = 0x5c;

/**
 * Index of the quotation mark that closes the string whose first character stands at `from`, or the text's length.
 * Linear over all calls: a backslash is counted once, in front of the quotation mark that follows it.
 */
export function endOfString(json: string, from: number): number {
  let at = json.indexOf('"', from);
  while (at >= 0) {
    let before = at;
    while (before > from && json.charCodeAt(before - 1) === backslash) before -= 1;
    if ((at - before) % 2 === 0) return at;
    at = json.indexOf('"', at + 1);
  }
  return json.length;
}
