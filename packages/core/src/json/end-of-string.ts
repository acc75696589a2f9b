const backslash = 0x5c;

const quote = 0x22;

/**
 * Index of the quotation mark that closes the string whose first character is at `from`, or the text's length. A string
 * without escapes is passed over at the speed of `indexOf`, one with escaped quotation marks unit by unit.
 */
export function endOfString(json: string, from: number): number {
  const end = json.indexOf('"', from);
  if (end < 0) return json.length;
  if (end === from || json.charCodeAt(end - 1) !== backslash) return end;
  let at = end - 1;
  while (at > from && json.charCodeAt(at - 1) === backslash) at -= 1;
  while (at < json.length) {
    const code = json.charCodeAt(at);
    if (code === quote) return at;
    at += code === backslash ? 2 : 1;
  }
  return json.length;
}
