import { isDigit } from './json-characters.ts';

/** Up to so many digits, every whole number is one that JavaScript holds. */
const safeDigits = 15;

/** Whether a number begins with this character, in valid JSON outside of strings. */
export function startsNumber(code: number): boolean {
  return code === 0x2d || isDigit(code);
}

/** Where the number ends that begins at `from`, in valid JSON. */
export function numberEnd(json: string, from: number): number {
  let at = from;
  while (at < json.length && isInNumber(json.charCodeAt(at))) at += 1;
  return at;
}

/**
 * Whether JavaScript writes the number between two indexes as it is there. A number that comes back written otherwise
 * counts as changed, also where only its form is another: `1.0` is not of the type of `1` everywhere.
 */
export function isKeptAsWritten(json: string, from: number, to: number): boolean {
  if (to - from <= safeDigits && json.charCodeAt(from) !== 0x2d && isWhole(json, from, to)) return true;
  const number = json.slice(from, to);
  return String(Number(number)) === number;
}

function isWhole(json: string, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (!isDigit(json.charCodeAt(at))) return false;
  return true;
}

/** Digits, sign, point and exponent. */
function isInNumber(code: number): boolean {
  return startsNumber(code) || code === 0x2b || code === 0x2e || code === 0x65 || code === 0x45;
}
