import type { WarningCode } from '../chat/warning.ts';
import { unfenced } from './fence-around.ts';
import { JsonReader } from './json-reader.ts';
import type { ReaderOptions } from './reader-options.ts';

/**
 * Reads a text that is one JSON value of any kind, in a code fence or not. Returns the value, and tells what was repaired;
 * undefined, and nothing told, where the text is something else.
 */
export function readWholeValue(text: string, { schema, warning }: Omit<ReaderOptions, 'emit'>): string | undefined {
  const inside = unfenced(text);
  const warnings: [code: WarningCode, message: string][] = [];
  let json = '';
  const reader = new JsonReader({
    schema,
    emit: (piece) => {
      json += piece;
    },
    warning: (code, message) => warnings.push([code, message]),
  });
  const end = reader.read(inside, 0);
  reader.end();
  if (reader.state !== 'done' || end < inside.length) return undefined;
  for (const [code, message] of warnings) warning(code, message);
  if (inside !== text.trim()) warning('text-dropped', 'The code fence around the JSON was left out.');
  return json;
}
