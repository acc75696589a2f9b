import type { SchemaView } from '../../../json/schema.ts';
import { isPlainName } from '../../parser/calls/tool-table.ts';
import { afterFenceOpener } from '../../parser/documentation/fenced-code.ts';
import type { Look, Scanner } from '../../parser/scanner.ts';
import { lookFirstKey } from './call-keys.ts';
import type { BareCalls, Guard, JsonForm, KeyedCalls } from './call-object.ts';
import { blockOf, openBody } from './json-call.ts';

// What few forms have: headers, fences, openers that are words of prose, calls without an opener, and keys of another meaning.

/** Reads a header that begins at `start`. `name`: the tool that it names, or nothing; a name in the JSON counts for more. */
export type JsonHeader = (
  scanner: Scanner,
  start: number,
) => { readonly end: number; readonly name: string } | 'no' | 'more';

/** After an opener that is a word of prose: more white space could not be escaped in what users and tools write. */
const mostSpaceAfterWord = 2;

/** Between opener and JSON a header may be, and the opener of a Markdown fence. */
export function readBetween({
  header,
  fenced = false,
}: {
  readonly header?: JsonHeader | undefined;
  readonly fenced?: boolean | undefined;
}): NonNullable<JsonForm['readBetween']> {
  return (scanner, start, opener) => {
    const named = header?.(scanner, start) ?? { end: start, name: '' };
    if (typeof named === 'string') return named;
    const next = scanner.afterSpace(named.end);
    if (isPlainName(opener) && Number(next) - named.end > mostSpaceAfterWord) return 'no';
    const at = fenced && typeof next === 'number' ? afterFenceOpener(scanner, next) : next;
    return typeof at === 'string' ? at : { at, header: named.name, inFence: at !== next };
  };
}

/** Calls without an opener, at the start of a line, where `guard` says so. */
export function bareCalls(guard: Guard): BareCalls {
  return (form, ends) => {
    const block = blockOf({ ...form, closers: [], guard }, { opener: '', ends });
    return ['{', '['].map((literal) => ({
      literal,
      place: 'line-start',
      open: (scanner, index) => openBody(block, scanner, { at: index }),
    }));
  };
}

/** The first key of an object is the name of a tool, and so is each after whole arguments. */
export const keyedCalls: KeyedCalls = {
  keyOf: (key, fields) => (fields.any ? key : fields.setName(key)),
  next: (scanner, fields) => {
    if (!fields.argumentsRead) return 'no';
    const next = scanner.afterSpace(scanner.at + 1);
    if (typeof next === 'string') return next;
    const quote = scanner.text[next];
    return quote === '"' || quote === "'" ? next : 'no';
  },
};

/** Keys of schemas: arguments begin with one of them only where the tool has a parameter of that name. */
const schemaKeys: readonly string[] = [
  ...['type', 'properties', 'required', 'additionalProperties'],
  ...['$schema', '$defs', 'title', 'description'],
];

/** Does an object begin at the scanner whose first key is one of a schema? */
export function beginsSchema(scanner: Scanner, schema: SchemaView): Look {
  const first = lookFirstKey(scanner, scanner.at);
  if (typeof first === 'string') return first;
  return schemaKeys.includes(first.text) && !schema.known(first.text) ? 'yes' : 'no';
}
