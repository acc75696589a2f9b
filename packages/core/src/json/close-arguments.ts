import { ArgumentsReader } from './arguments-reader.ts';
import { SchemaView } from './schema.ts';

/**
 * The arguments of a call that whoever sent it calls whole, as JSON text of an object: repaired as `ArgumentsReader` does, with
 * the brackets that are missing at their end. Undefined where more is missing: a string that breaks off is never closed, for
 * half a file would be written.
 */
export function closeArguments(text: string): string | undefined {
  let json = '';
  const reader = new ArgumentsReader({
    schema: SchemaView.any,
    emit: (piece) => {
      json += piece;
    },
    warning: () => {},
  });
  // A character that can be nowhere shows what is open.
  reader.read(text.trim() === '' ? '' : `${text})`, 0);
  if (!reader.closeContainers()) reader.end();
  return reader.state === 'done' ? json : undefined;
}
