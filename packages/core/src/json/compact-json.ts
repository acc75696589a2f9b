import { endOfString } from './end-of-string.ts';
import { isSpace } from './json-characters.ts';
/**
 * JSON text without white space outside its strings: models write arguments over several lines, and a line of a stream
 * must be one line. Everything else stays as it was written. Linear; text that is not JSON gives something without a
 * meaning.
 */
export function compactJson(json: string): string {
  const pieces: string[] = [];
  let from = 0;
  for (let at = 0; at < json.length; at += 1) {
    if (json[at] === '"') at = endOfString(json, at + 1);
    else if (isSpace(json.charCodeAt(at))) {
      pieces.push(json.slice(from, at));
      from = at + 1;
    }
  }
  return from === 0 ? json : pieces.join('') + json.slice(from);
}
