import { isObject } from './read-values.ts';

/** Where a value is in JSON: names of fields and numbers of items, from the outside in. */
export type JsonPath = readonly string[];

/** What is at a path; undefined where the path leads nowhere. Only a value's own fields and items count. */
export function valueAt(value: unknown, path: JsonPath): unknown {
  let found: unknown = value;
  for (const step of path) {
    if (Array.isArray(found)) found = found[Number(step)];
    else if (isObject(found) && Object.hasOwn(found, step)) found = found[step];
    else return undefined;
  }
  return found;
}

/** A text, or a number as text, at a path; undefined for anything else, and for an empty text. */
export function textAt(value: unknown, path: JsonPath | undefined): string | undefined {
  const found = path === undefined ? undefined : valueAt(value, path);
  if (typeof found === 'number') return String(found);
  return typeof found === 'string' && found !== '' ? found : undefined;
}
