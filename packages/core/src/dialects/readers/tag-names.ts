import { isDigit, isHexDigit, isLetter } from '../../json/json-characters.ts';
/**
 * A tool's or parameter's name as a tag. A name that is legal in a tag stays itself: letters, digits and `_ . : -`, the
 * first one a letter or `_`. Any other character becomes `_xHEX_`, its UTF-16 unit in hexadecimal; so does an underscore
 * where the name itself has that form, so that no two names share a tag. The empty name becomes `_x_`.
 */
export function tagOf(name: string): string {
  if (name === '') return '_x_';
  if (name === '_x_') return '_x5f_x_';
  let tag = '';
  // From the end: whether an underscore looks like an escape depends on what will really come after it.
  for (let index = name.length - 1; index >= 0; index -= 1) {
    const letter = name.charAt(index);
    const code = name.charCodeAt(index);
    const literal = code === 95 ? escapeAt(letter + tag.slice(0, 6), 0) === undefined : isLegal(code, index);
    tag = (literal ? letter : `_x${code.toString(16)}_`) + tag;
  }
  return tag;
}

/** The name that a tag stands for: `decodeTag(tagOf(name))` is `name`. */
export function decodeTag(tag: string): string {
  if (tag === '_x_') return '';
  let name = '';
  for (let index = 0; index < tag.length; ) {
    const escaped = escapeAt(tag, index);
    name += escaped === undefined ? tag.charAt(index) : String.fromCharCode(escaped.code);
    index += escaped?.length ?? 1;
  }
  return name;
}

/** `_xHEX_`, with one to four digits, at `index`. */
function escapeAt(text: string, index: number): { readonly code: number; readonly length: number } | undefined {
  if (text[index] !== '_' || text[index + 1] !== 'x') return undefined;
  const digits = index + 2;
  let end = digits;
  while (end < digits + 4 && isHexDigit(text.charCodeAt(end))) end += 1;
  if (end === digits || text[end] !== '_') return undefined;
  return { code: Number.parseInt(text.slice(digits, end), 16), length: end + 1 - index };
}

/** A letter, or after the first place a digit or one of `. : -`. */
function isLegal(code: number, index: number): boolean {
  return isLetter(code) || (index > 0 && (isDigit(code) || '.:-'.includes(String.fromCharCode(code))));
}
