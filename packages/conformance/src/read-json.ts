/** A JSON object that was not checked yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a JSON text; undefined when it is none. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a text is one JSON object. */
export function isObjectText(text: string): boolean {
  return isFields(readJson(text));
}

/** Whether every surrogate of a text has its other half. */
export function isWellFormed(text: string): boolean {
  try {
    encodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
