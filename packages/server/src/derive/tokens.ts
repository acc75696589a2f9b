/** The brackets that tokens of chat templates are in. */
const brackets: readonly (readonly [string, string])[] = [
  ['<', '>'],
  ['[', ']'],
];

/** The token that the place `at` is inside of, from its bracket to the one that closes it; undefined outside of all. */
function tokenAround(text: string, at: number): { readonly start: number; readonly end: number } | undefined {
  for (const [open, close] of brackets) {
    const start = at === 0 ? -1 : text.lastIndexOf(open, at - 1);
    if (start < 0) continue;
    const end = text.indexOf(close, start);
    if (end >= at && !text.slice(start + 1, end).includes(open)) return { start, end: end + 1 };
  }
  return undefined;
}

/** How long the beginning is that both texts share, ended before a token that they share only in part. */
export function sharedFront(text: string, other: string): number {
  let length = 0;
  while (length < text.length && text[length] === other[length]) length += 1;
  const tokens = [text, other].map((each) => tokenAround(each, length)?.start ?? opensAt(each, length) ?? length);
  return Math.min(length, ...tokens);
}

/** A token has begun, and its end may stand beyond the text. */
function opensAt(text: string, at: number): number | undefined {
  const start = text.slice(0, at).lastIndexOf('<');
  return start >= 0 && text.indexOf('>', start) < 0 ? start : undefined;
}

/** How long the end is that both texts share, begun after a token that they share only in part. */
export function sharedBack(text: string, other: string): number {
  let length = 0;
  while (length < Math.min(text.length, other.length) && text.at(-1 - length) === other.at(-1 - length)) length += 1;
  const starts = [text, other].map((each) => {
    const cut = each.length - length;
    const token = tokenAround(each, cut);
    return token === undefined ? length : each.length - token.end;
  });
  return Math.max(0, Math.min(length, ...starts));
}

/** The tokens in a text, in their order. */
export function tokensIn(text: string): readonly string[] {
  const found: string[] = [];
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
    const end = text.indexOf('>', at);
    if (end < 0) break;
    found.push(text.slice(at, end + 1));
    at = end;
  }
  return found;
}
