import type { Mend } from '../call-warnings.ts';
import type { CallOpener, CallsForm } from '../create-grammar.ts';
import type { Open } from '../grammar.ts';
import type { MendOf } from './repaired-literals.ts';

/** What this form reads, told as mended where it is not what the dialect's own template writes. */
export function mendedCalls(form: CallsForm, mendOf: MendOf): CallsForm {
  return (around) => {
    const markers = form(around);
    return { ...markers, openers: mendedOpeners(markers.openers, mendOf) };
  };
}

/** Openers that tell what is wrong with them. */
export function mendedOpeners(openers: readonly CallOpener[], mendOf: MendOf): readonly CallOpener[] {
  return openers.map((opener) => {
    const mend = mendOf(opener.literal);
    return mend === undefined ? opener : { ...opener, open: openMended(opener.open, mend) };
  });
}

function openMended(open: Open, mend: Mend): Open {
  return (scanner, index, length, shown) => {
    const opening = open(scanner, index, length, shown);
    if (typeof opening === 'string' || !('read' in opening)) return opening;
    return { ...opening, mends: [mend, ...(opening.mends ?? [])] };
  };
}
