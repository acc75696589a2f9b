import { isPlainName } from '../../parser/calls/tool-table.ts';
import { afterFenceOpener } from '../../parser/documentation/fenced-code.ts';
import type { Scanner } from '../../parser/scanner.ts';
import type { BareCalls, Guard, JsonForm } from './call-object.ts';
import { blockOf, openBody } from './json-call.ts';

// What few forms have: headers, fences, openers that are words of prose, and calls without an opener.

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
    const block = blockOf({ ...form, closers: [], guard }, { opener: '', ends, repaired: () => [] });
    return ['{', '['].map((literal) => ({
      literal,
      place: 'line-start',
      open: (scanner, index) => openBody(block, scanner, { at: index }),
    }));
  };
}
