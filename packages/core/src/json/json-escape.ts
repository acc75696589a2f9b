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
  let escaped = '';
  let from = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (!isEscaped(code)) continue;
    const replacement = text.length > longestPiece ? undefined : shortEscape(code);
    if (replacement === undefined) return JSON.stringify(text).slice(1, -1);
    escaped += text.slice(from, index) + replacement;
    from = index + 1;
  }
  return from === 0 ? text : escaped + text.slice(from);
}

/** In what is longer, the engine's own way is the faster one. In UTF-16 units. */
const longestPiece = 128;

/** What is escaped of ASCII. */
export const escapedAscii: readonly number[] = Array.from({ length: 128 }, (_, code) => code).filter(isEscaped);

function isEscaped(code: number): boolean {
  return code < 0x20 || code === quote || code === backslash || (code >= 0xd800 && code <= 0xdfff);
}

/** Of the characters that source code is full of. */
function shortEscape(code: number): string | undefined {
  if (code === newline) return '\\n';
  if (code === quote) return '\\"';
  return code === backslash ? '\\\\' : undefined;
}

/** The text of a whole JSON string. */
export function textOfString(json: string): string {
  if (!json.includes('\\')) return json.slice(1, -1);
  const text: unknown = JSON.parse(json);
  return typeof text === 'string' ? text : '';
}
