import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isJsonNumber, isWholeNumber, repairNumber } from './json-number.ts';

test.each(['0', '-0', '7', '42.0', '1e3', '1E+3', '-1.5e-7', '1234567890123456789', '0.10'])(
  '%s is a number',
  (text) => {
    expect(isJsonNumber(text)).toBe(true);
  },
);

test.each([
  '',
  '-',
  '007',
  '+5',
  '.5',
  '5.',
  '1e',
  '1e+',
  '0x1f',
  'NaN',
  'Infinity',
  '1_000',
  '1,5',
  ' 1',
  '1 ',
  '--1',
])('"%s" is no JSON number', (text) => {
  expect(isJsonNumber(text)).toBe(false);
});

test('every double is written as a number', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(isJsonNumber(JSON.stringify(value))).toBe(true);
    }),
  );
});

test('whole numbers are told by value, not by spelling', () => {
  for (const text of ['0', '-0', '0.000', '0e-5', '42', '42.0', '-42.00', '1e3', '1.5e1', '100e-2', '1e999999999999']) {
    expect(isWholeNumber(text), text).toBe(true);
  }
  for (const text of ['0.5', '42.01', '15e-1', '1.25e1', '1e-999999999999'])
    expect(isWholeNumber(text), text).toBe(false);
  fc.assert(
    fc.property(fc.double({ min: -1e9, max: 1e9, noNaN: true }), (value) => {
      expect(isWholeNumber(JSON.stringify(value))).toBe(Number.isInteger(value));
    }),
  );
});

test('numbers with one reading are repaired', () => {
  const readings = { '+5': '5', '.5': '0.5', '-.5': '-0.5', '5.': '5.0', '+.5': '0.5', '7': '7' };
  for (const [text, repaired] of Object.entries(readings)) expect(repairNumber(text), text).toBe(repaired);
});

test('numbers with two readings or none are not repaired', () => {
  for (const text of ['007', '+-5', '--5', '.', '+', '-', '+.', '-.', '', '1.2.3', '0x10', '1e']) {
    expect(repairNumber(text), text).toBeUndefined();
  }
});
