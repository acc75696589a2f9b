import type { IssueCode } from '../chat/issue.ts';
import { unfenced } from './fence-around.ts';
import { JsonReader } from './json-reader.ts';
import type { ReaderOptions } from './reader-options.ts';

/**
 * Reads a text that is one JSON value of any kind, in a code fence or not. Returns the value, and tells what was mended;
 * undefined, and nothing told, where the text is something else.
 */
export function readWholeValue(text: string, { schema, issue }: Omit<ReaderOptions, 'emit'>): string | undefined {
  const inside = unfenced(text);
  const issues: [code: IssueCode, message: string][] = [];
  let json = '';
  const reader = new JsonReader({
    schema,
    emit: (piece) => {
      json += piece;
    },
    issue: (code, message) => issues.push([code, message]),
  });
  const end = reader.read(inside, 0);
  reader.end();
  if (reader.state !== 'done' || end < inside.length) return undefined;
  for (const [code, message] of issues) issue(code, message);
  if (inside !== text.trim()) issue('text-dropped', 'The code fence around the JSON was left out.');
  return json;
}
