/**
 * The inside of a JSON string that holds `text`, without its quotes. A lone surrogate becomes `\udXXX`, so that the
 * result survives UTF-8; a pair that two pieces share has to be joined before.
 *
 * Called for every streamed piece: most pieces need no escape and come back as they are.
 */
export function escapeJson(text: string): string {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || code === 0x22 || code === 0x5c || (code >= 0xd800 && code <= 0xdfff)) {
      return JSON.stringify(text).slice(1, -1);
    }
  }
  return text;
}

/** The text of a whole JSON string. */
export function textOfString(json: string): string {
  if (!json.includes('\\')) return json.slice(1, -1);
  const text: unknown = JSON.parse(json);
  return typeof text === 'string' ? text : '';
}
