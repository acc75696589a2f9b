import { expect, it } from 'vitest';
import { callSignature } from './long-numbers.ts';

it.each([
  ['{"a": 1, "b": [1.0, "x"]}', '{ "b":[1,"\\u0078"],"a":1e0 }'],
  ['', ' {} '],
  ['{"id": 9007199254740993}', '{"id":9007199254740993}'],
  ['{"a": "9007199254740993"}', '{"a":"\\u0039007199254740993"}'],
  ['{"id": 1e20}', '{"id":100000000000000000000}'],
])('one call, written in two ways: %s and %s', (one, other) => {
  expect(callSignature('read', one)).toBe(callSignature('read', other));
});

it.each([
  ['{"id": 9007199254740993}', '{"id": 9007199254740992}'],
  ['{"ids": [1234567890123456789]}', '{"ids": [1234567890123456788]}'],
  ['{"id": -9007199254740993}', '{"id": -9007199254740994}'],
  ['{"id": 9007199254740993}', '{"id": "9007199254740993"}'],
  ['{"a": 1}', '{"a": "1"}'],
])('two calls: %s and %s', (one, other) => {
  expect(callSignature('read', one)).not.toBe(callSignature('read', other));
});

it.each(['{"id": 12345678901234567890', '{"a": "9007199254740993', 'NaN', '9007199254740993-'])(
  'arguments that are no JSON do not throw: %s',
  (text) => {
    expect(callSignature('read', text)).not.toBe(callSignature('read', `${text}1`));
  },
);
