/** The characters that JSON is built of, as UTF-16 units. */
export const doubleQuote = 0x22;
export const singleQuote = 0x27;
export const comma = 0x2c;
export const colon = 0x3a;
export const backslash = 0x5c;
export const openBracket = 0x5b;
export const closeBracket = 0x5d;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;

/** Space, newline, carriage return, tab: what JSON and markup allow between tokens. */
export function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** Index of the first character from `from` on that is no such space, or the text's length. */
export function skipSpace(text: string, from: number): number {
  let index = from;
  while (index < text.length && isSpace(text.charCodeAt(index))) index += 1;
  return index;
}

/** Of ASCII, in either letter case. */
export function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
}

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Whether a text is nothing but digits, of which there is one. */
export function isDigits(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (!isDigit(text.charCodeAt(at))) return false;
  return text !== '';
}

/** In either letter case. */
export function isHexDigit(code: number): boolean {
  return isDigit(code) || (code >= 0x41 && code <= 0x46) || (code >= 0x61 && code <= 0x66);
}

/** Letters and digits of ASCII, and `_`: what words of code are made of. */
export function isWordCharacter(code: number): boolean {
  return isLetter(code) || isDigit(code) || code === 0x5f;
}

/** These, and `-`: what names of tools are made of in all APIs. */
export function isPlainCharacter(code: number): boolean {
  return isWordCharacter(code) || code === 0x2d;
}

/** What a key without quotation marks may start with: a letter, `_` or `$`. */
export function startsName(code: number): boolean {
  return isLetter(code) || code === 0x5f || code === 0x24;
}

/** Letters, digits, `_` and `$`. */
export function continuesName(code: number): boolean {
  return isWordCharacter(code) || code === 0x24;
}

/** Its last unit is the first half of a pair. */
export function endsInHalf(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff;
}
