/** A JSON object in a text, and where it stands. */
export interface FoundJson {
  readonly start: number;
  readonly end: number;
  readonly value: Readonly<Record<string, unknown>>;
}

/** The first object in a text that is whole JSON and is `wanted`; the outermost of those that begin first. */
export function findJson(text: string, wanted: (value: FoundJson['value']) => boolean): FoundJson | undefined {
  for (let start = text.indexOf('{'); start >= 0; start = text.indexOf('{', start + 1)) {
    const end = balancedEnd(text, start);
    const value = end === undefined ? undefined : objectOf(text.slice(start, end));
    if (end !== undefined && value !== undefined && wanted(value)) return { start, end, value };
  }
  return undefined;
}

/** An object of JSON text. */
export function objectOf(text: string): FoundJson['value'] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function balancedEnd(text: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"') {
      at += 1;
      while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
    } else if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}
