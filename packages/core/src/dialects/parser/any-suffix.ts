/**
 * In a literal: one to `longestSuffix` letters, digits, `_` or `-` of ASCII, whichever the model writes. It is no character
 * that a text may hold, and what follows it in a literal is none that it stands for, so that there is one way to match it.
 */
export const anySuffix = '\uffff';

/** In characters. What is longer is no suffix. */
export const longestSuffix = 24;

/** What every spelling of the literal begins with, whatever the suffix. */
export function literalStart(literal: string): string {
  return literal.split(anySuffix, 1)[0] ?? '';
}

/** May this character be part of what `anySuffix` stands for? */
export function isSuffixCharacter(code: number): boolean {
  if (code === 95 || code === 45) return true;
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

/** Index behind the literal that stands at `index`; `more` when what has arrived may still become it. */
export function behindLiteral(text: string, index: number, literal: string): number | 'no' | 'more' {
  let at = index;
  for (let from = 0; ; ) {
    const sign = literal.indexOf(anySuffix, from);
    const end = behindFixed(text, at, sign < 0 ? literal.slice(from) : literal.slice(from, sign));
    if (typeof end === 'string' || sign < 0) return end;
    at = behindSuffix(text, end);
    if (at === text.length && at - end <= longestSuffix) return 'more';
    if (at === end || at - end > longestSuffix) return 'no';
    from = sign + 1;
  }
}

function behindFixed(text: string, index: number, literal: string): number | 'no' | 'more' {
  if (text.startsWith(literal, index)) return index + literal.length;
  return text.length - index < literal.length && literal.startsWith(text.slice(index)) ? 'more' : 'no';
}

/** Index behind the suffix at `index`, or one more where it is too long. */
function behindSuffix(text: string, index: number): number {
  let end = index;
  while (end - index <= longestSuffix && end < text.length && isSuffixCharacter(text.charCodeAt(end))) end += 1;
  return end;
}

/** The first place from `from` on where the literal stands. */
export function findLiteral(
  text: string,
  literal: string,
  from: number,
): { readonly at: number; readonly end: number } | undefined {
  const head = literalStart(literal);
  for (let at = text.indexOf(head, from); at >= 0; at = text.indexOf(head, at + 1)) {
    const end = behindLiteral(text, at, literal);
    if (typeof end === 'number') return { at, end };
  }
  return undefined;
}
