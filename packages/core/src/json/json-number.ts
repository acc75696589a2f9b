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

/** One step of the JSON grammar of numbers. */
export function numberStep(state: NumberState, code: number): NumberState {
  const isDigit = code >= zero && code <= nine;
  switch (state) {
    case 'start':
    case 'minus':
      if (isDigit) return code === zero ? 'zero' : 'whole';
      return code === 0x2d && state === 'start' ? 'minus' : 'stop';
    case 'zero':
    case 'whole':
    case 'fraction':
      if (isDigit) return state === 'zero' ? 'stop' : state;
      if (code === 0x65 || code === 0x45) return 'e';
      return code === 0x2e && state !== 'fraction' ? 'point' : 'stop';
    case 'point':
      return isDigit ? 'fraction' : 'stop';
    case 'e':
    case 'sign':
    case 'exponent':
      if (isDigit) return 'exponent';
      return state === 'e' && (code === 0x2b || code === 0x2d) ? 'sign' : 'stop';
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
  const sign = text.startsWith('-') ? '-' : '';
  const digits = sign !== '' || text.startsWith('+') ? text.slice(1) : text;
  const repaired = `${sign}${digits.startsWith('.') ? '0' : ''}${digits}${digits.endsWith('.') ? '0' : ''}`;
  // `.` alone has no digits at all, and a sign after `+` is a second one.
  return digits !== '.' && !digits.startsWith('-') && isJsonNumber(repaired) ? repaired : undefined;
}
