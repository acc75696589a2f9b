import { oneOf } from './rules.ts';

/** Bounds of so many digits are counted: numbers beyond them are no longer exact in JavaScript. */
const greatest = 10 ** 15 - 1;
/** Where there is no bound, so many digits after the first: a computer's whole numbers. */
const mostDigits = 19;

/** Whole numbers from one to another, both of them included, as a grammar; bounds that are infinite or very large are none. */
export function wholeNumbers(least: number, most: number): string {
  const [from, to] = [bounded(least), bounded(most)];
  const negative = from < 0 ? [`"-" ${naturals(Math.max(1, -to), -from)}`] : [];
  // A least number above the most: nothing fits, and validation says so.
  if (to < from) return naturals(0, Number.POSITIVE_INFINITY);
  return oneOf([...(to < 0 ? [] : [naturals(Math.max(0, from), to)]), ...negative]);
}

function bounded(value: number): number {
  return Math.abs(value) <= greatest ? value : Math.sign(value) * Number.POSITIVE_INFINITY;
}

function naturals(from: number, to: number): string {
  const forms: string[] = [];
  const first = String(from).length;
  const last = Number.isFinite(to) ? String(to).length : first;
  for (let length = first; length <= last; length += 1) {
    const low = length === first ? String(from) : `1${'0'.repeat(length - 1)}`;
    const high = Number.isFinite(to) && length === last ? String(to) : '9'.repeat(length);
    forms.push(sameLength(low, high));
  }
  if (!Number.isFinite(to)) forms.push(`[1-9] [0-9]{${first},${mostDigits}}`);
  return oneOf(forms);
}

/** Numbers of as many digits, from one to another. */
function sameLength(low: string, high: string): string {
  const rest = low.length - 1;
  const [lowest, highest] = [low[0] ?? '0', high[0] ?? '0'];
  const any = rest === 0 ? '' : ` [0-9]{${rest}}`;
  if (rest === 0 || (/^0*$/.test(low.slice(1)) && /^9*$/.test(high.slice(1)))) return `[${lowest}-${highest}]${any}`;
  if (lowest === highest) return `"${lowest}" ${sameLength(low.slice(1), high.slice(1))}`;
  const forms = [`"${lowest}" ${sameLength(low.slice(1), '9'.repeat(rest))}`];
  if (Number(highest) - Number(lowest) > 1) forms.push(`[${Number(lowest) + 1}-${Number(highest) - 1}]${any}`);
  forms.push(`"${highest}" ${sameLength('0'.repeat(rest), high.slice(1))}`);
  return oneOf(forms);
}
