/** A JSON object that stands in a text. */
export interface FoundJson {
  readonly value: unknown;
  /** Where it begins and where the text goes on behind it. */
  readonly from: number;
  readonly to: number;
}

/** The deepest nesting that is followed. It also keeps the search linear: no character is looked at more often. */
const deepest = 64;

/** Finds the JSON objects of a text, outermost ones only. Prose with braces is passed over. */
export function findJson(text: string): FoundJson[] {
  const found: FoundJson[] = [];
  let from = text.indexOf('{');
  while (from !== -1) {
    const to = endOfObject(text, from);
    const value = to === -1 ? undefined : parse(text.slice(from, to));
    if (value === undefined) {
      from = text.indexOf('{', from + 1);
      continue;
    }
    found.push({ value, from, to });
    from = text.indexOf('{', to);
  }
  return found;
}

/** Where the object that opens at `from` ends; -1 when a character comes that JSON does not allow, or no end. */
function endOfObject(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (character === '"') {
      at = endOfString(text, at);
      if (at === -1) return -1;
    } else if (character === '{' || character === '[') {
      depth += 1;
      if (depth > deepest) return -1;
    } else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (!allowedOutsideStrings.has(character)) return -1;
  }
  return -1;
}

/** Where the string that opens at `from` closes; -1 when it does not on its line, since JSON allows no raw line break. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    const character = text[at];
    if (character === '\\') at += 1;
    else if (character === '"') return at;
    else if (character === '\n') return -1;
  }
  return -1;
}

/** White space, punctuation, and the letters of numbers, `true`, `false` and `null`. */
const allowedOutsideStrings = new Set(' \n\r\t,:+-.0123456789eEtrufalsn');

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
