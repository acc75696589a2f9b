const quote = '"';
const units = { quote: 34, backslash: 92 };

/** JSON text with every string value in it escaped; names of members, numbers and layout stay as they are written. */
export function escapeStrings(json: string, escaping: (text: string) => string): string {
  const pieces: string[] = [];
  let done = 0;
  for (let at = json.indexOf(quote); at >= 0; at = json.indexOf(quote, at)) {
    const end = endOfString(json, at);
    const value = isName(json, end) ? undefined : readString(json.slice(at, end));
    const escaped = value === undefined ? undefined : escaping(value);
    if (escaped !== undefined && escaped !== value) {
      pieces.push(json.slice(done, at), JSON.stringify(escaped));
      done = end;
    }
    at = end;
  }
  return done === 0 ? json : pieces.join('') + json.slice(done);
}

function endOfString(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at += 1) {
    const unit = json.charCodeAt(at);
    if (unit === units.quote) return at + 1;
    if (unit === units.backslash) at += 1;
  }
  return json.length + 1;
}

/** A colon comes after the string. */
function isName(json: string, end: number): boolean {
  let at = end;
  while (at < json.length && ' \n\r\t'.includes(json.charAt(at))) at += 1;
  return json[at] === ':';
}

/** What a client sends as arguments may be no JSON. */
function readString(json: string): string | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
