/**
 * JSON text without white space outside its strings: models write arguments over several lines, and a line of a stream
 * must be one line. Everything else stays as it was written. Linear; text that is not JSON gives something without a
 * meaning.
 */
export function compactJson(json: string): string {
  const pieces: string[] = [];
  let from = 0;
  let inString = false;
  for (let at = 0; at < json.length; at += 1) {
    const letter = json[at];
    if (inString) {
      if (letter === '\\') at += 1;
      else if (letter === '"') inString = false;
    } else if (letter === '"') inString = true;
    else if (letter === ' ' || letter === '\n' || letter === '\r' || letter === '\t') {
      pieces.push(json.slice(from, at));
      from = at + 1;
    }
  }
  return from === 0 ? json : pieces.join('') + json.slice(from);
}
