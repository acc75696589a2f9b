/** Where in a JSON number the reader stands; `stop`: the character cannot continue the number. */
export type NumberState =
  | 'start'
  | 'minus'
  | 'zero'
  | 'whole'
  | 'point'
  | 'fraction'
  | 'e'
  | 'sign'
  | 'exponent'
  | 'stop';

const zero = 0x30;
const nine = 0x39;

function afterDigits(state: 'zero' | 'whole' | 'fraction', code: number): NumberState {
  if (code === 0x65 || code === 0x45) return 'e';
  return code === 0x2e && state !== 'fraction' ? 'point' : 'stop';
}

/** One step of the JSON grammar of numbers. */
export function numberStep(state: NumberState, code: number): NumberState {
  const digit = code >= zero && code <= nine;
  switch (state) {
    case 'start':
      if (code === 0x2d) return 'minus';
      return digit ? (code === zero ? 'zero' : 'whole') : 'stop';
    case 'minus':
      return digit ? (code === zero ? 'zero' : 'whole') : 'stop';
    case 'zero':
      return afterDigits(state, code);
    case 'whole':
    case 'fraction':
      return digit ? state : afterDigits(state, code);
    case 'point':
      return digit ? 'fraction' : 'stop';
    case 'e':
      if (code === 0x2b || code === 0x2d) return 'sign';
      return digit ? 'exponent' : 'stop';
    case 'sign':
    case 'exponent':
      return digit ? 'exponent' : 'stop';
    case 'stop':
      return 'stop';
  }
}

/** Whether a number may end here. */
export function numberMayEnd(state: NumberState): boolean {
  return state === 'zero' || state === 'whole' || state === 'fraction' || state === 'exponent';
}

/** Whether `text` is one JSON number and nothing else. */
export function isJsonNumber(text: string): boolean {
  let state: NumberState = 'start';
  for (let index = 0; index < text.length && state !== 'stop'; index += 1) {
    state = numberStep(state, text.charCodeAt(index));
  }
  return numberMayEnd(state);
}

/**
 * Whether the value of a JSON number is whole: `42`, `42.0`, `1e3` and `1.5e1` are, `0.5` and `15e-1` are not. Decided
 * on the text, since a double would round long numbers.
 */
export function isWholeNumber(text: string): boolean {
  // An exponent beyond what a double can count is still far larger than any text is long.
  const [digits = '', exponent = 0] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = digits.split('.');
  const all = whole + fraction;
  let end = all.length;
  while (all[end - 1] === '0') end -= 1;
  const onlyZeros = end === (all.startsWith('-') ? 1 : 0);
  return onlyZeros || Number(exponent) - fraction.length + all.length - end >= 0;
}

/**
 * A number that is not quite JSON and has one reading: a leading `+`, a missing zero before or after the point.
 * Leading zeros have two readings (octal) and are not touched. Returns undefined when there is nothing to repair.
 */
export function repairNumber(text: string): string | undefined {
  const negative = text.startsWith('-');
  let digits = negative || text.startsWith('+') ? text.slice(1) : text;
  if (digits.startsWith('-')) return undefined;
  if (digits.startsWith('.')) digits = `0${digits}`;
  if (digits.endsWith('.')) digits = `${digits}0`;
  const repaired = negative ? `-${digits}` : digits;
  // `.` alone has no digits at all.
  return text !== '.' && text !== '-.' && text !== '+.' && isJsonNumber(repaired) ? repaired : undefined;
}
