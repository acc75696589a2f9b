/**
 * JSON text in one spelling: no white space between tokens, strings escaped as `JSON.stringify` does, numbers as they
 * stand. Two texts that mean the same, to the last digit, become equal. Throws when `json` is not valid.
 */
export function normalJson(json: string): string {
  JSON.parse(json);
  let normal = '';
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at] ?? '';
    if (character === '"') {
      const end = endOfString(json, at);
      normal += JSON.stringify(JSON.parse(json.slice(at, end)));
      at = end - 1;
    } else if (!' \t\r\n'.includes(character)) {
      normal += character;
    }
  }
  return normal;
}

/** The index after the string that starts at `start` of valid JSON. */
function endOfString(json: string, start: number): number {
  let at = start + 1;
  while (json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at + 1;
}
