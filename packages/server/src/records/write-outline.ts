import { isRecord } from '../is-record.ts';
import { harmless } from '../log/harmless.ts';

/**
 * A JSON value as people read it: a field in each line, what lies within it moved to the right, texts of several lines as
 * they are after a `|`. Nothing of it is left out.
 */
export function outline(value: unknown, margin = ''): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => itemLines(item, margin));
  if (isRecord(value)) return Object.entries(value).flatMap(([name, each]) => field(`${margin}${name}:`, each, margin));
  return [`${margin}${scalar(value)}`];
}

function itemLines(item: unknown, margin: string): readonly string[] {
  if (!isNested(item)) return field(`${margin}-`, item, margin);
  const [first = '', ...rest] = outline(item, `${margin}  `);
  return [`${margin}- ${first.slice(margin.length + 2)}`, ...rest];
}

function field(label: string, value: unknown, margin: string): readonly string[] {
  if (isNested(value)) return [label, ...outline(value, `${margin}  `)];
  if (typeof value === 'string' && value.includes('\n'))
    return [`${label} |`, ...value.split('\n').map((line) => `${margin}  ${harmless(line)}`)];
  return [`${label} ${scalar(value)}`];
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function scalar(value: unknown): string {
  return typeof value === 'string' ? harmless(value) || '""' : JSON.stringify(value);
}
