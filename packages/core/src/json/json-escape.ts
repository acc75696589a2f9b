const newline = 10;
const quote = 34;
const backslash = 92;

/**
 * The inside of a JSON string that holds `text`, without its quotes. A lone surrogate becomes `\udXXX`, so that the
 * result survives UTF-8; a pair that two pieces share has to be joined before.
 *
 * Called for every streamed piece: most pieces need no escape and come back as they are.
 */
export function escapeJson(text: string): string {
  for (let index = 0; index < text.length; index += 1) {
    if (isEscaped(text.charCodeAt(index))) {
      return text.length > longestPiece ? JSON.stringify(text).slice(1, -1) : escapePiece(text);
    }
  }
  return text;
}

/** In what is longer, the engine's own way is the faster one. In UTF-16 units. */
const longestPiece = 16;

function isEscaped(code: number): boolean {
  return code < 0x20 || code === quote || code === backslash || (code >= 0xd800 && code <= 0xdfff);
}

function escapePiece(text: string): string {
  let escaped = '';
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (!isEscaped(code)) escaped += text.charAt(index);
    else if (code === newline) escaped += '\\n';
    else if (code === quote || code === backslash) escaped += `\\${text.charAt(index)}`;
    else return JSON.stringify(text).slice(1, -1);
  }
  return escaped;
}

/** The text of a whole JSON string. */
export function textOfString(json: string): string {
  if (!json.includes('\\')) return json.slice(1, -1);
  const text: unknown = JSON.parse(json);
  return typeof text === 'string' ? text : '';
}
