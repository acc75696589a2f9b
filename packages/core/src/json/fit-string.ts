import type { Fitting, Looked } from './fitting.ts';
import { formats } from './formats.ts';
import { type Misfit, misfitAt, quoteValue } from './misfit.ts';
import { type Keywords, own } from './schema-document.ts';

/** Whether a string has the length, the pattern and the format that its schema asks for. */
export function fitString(node: Keywords, { value, place }: Looked<string>, fitting: Fitting): Misfit | undefined {
  const [least, most] = [own(node, 'minLength'), own(node, 'maxLength')];
  if (typeof least === 'number' || typeof most === 'number') {
    fitting.spend(1 + value.length / 64);
    const length = codePoints(value);
    if (typeof least === 'number' && length < least) return misfitAt(place, `must have at least ${least} characters`);
    if (typeof most === 'number' && length > most) return misfitAt(place, `must have at most ${most} characters`);
  }
  const pattern = own(node, 'pattern');
  if (typeof pattern === 'string') {
    const matches = fitting.matches(pattern, value);
    if (matches === false) return misfitAt(place, `must match the pattern ${quoteValue(pattern)}`);
    if (matches === undefined) fitting.doubt();
  }
  const format = own(node, 'format');
  const known = typeof format === 'string' ? formats.get(format) : undefined;
  if (known === undefined || known(value, fitting)) return undefined;
  return misfitAt(place, `must be of the format ${quoteValue(format)}`);
}

/** A pair of surrogates is one character. */
function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
