import { type Mend, mends } from '../parser/call-warnings.ts';
import type { CallsForm } from '../parser/create-grammar.ts';
import { mendedCalls } from '../parser/markers/repaired-calls.ts';
import type { Literals } from '../table.ts';
import { listOf, type ReadLiteral } from './literals.ts';

/** Calls of which is told what is wrong with their opener. `bare`: with one that stands without an opener. */
export function withRepairs(form: CallsForm, openers: readonly ReadLiteral[], bare?: Mend): CallsForm {
  if (bare === undefined && openers.every(({ mend }) => mend === undefined)) return form;
  const known = new Map(openers.map(({ text, mend }) => [text, mend]));
  return mendedCalls(form, (literal) => (known.has(literal) ? known.get(literal) : bare));
}

/** The openers of a form that finds `part` of each. */
export function openersOf(literals: Literals, part: (opener: string) => string): readonly ReadLiteral[] {
  return listOf(literals).map((literal) => {
    const { text, repair = undefined } = typeof literal === 'string' ? { text: literal } : literal;
    return { text: part(text), ...(repair === undefined ? {} : { mend: mends[repair] }) };
  });
}
