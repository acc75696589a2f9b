import { expect, it } from 'vitest';
import { isAllowedOrigin } from './cors.ts';

const local = { host: '127.0.0.1', port: 0 };
const open = { host: '0.0.0.0', port: 0 };

it.each([
  ['http://localhost:3000', local, undefined, true],
  ['http://127.0.0.1:5173', local, undefined, true],
  ['app://obsidian.md', local, undefined, true],
  ['app://obsidian.md', open, undefined, false],
  ['https://evil.example', local, undefined, false],
  ['http://localhost.evil.example', local, undefined, false],
  ['null', local, undefined, false],
  ['http://localhost:3000', open, undefined, false],
  ['https://app.example', open, ['https://app.example'], true],
  ['https://app.example:1', open, ['https://app.example'], false],
  ['https://any.example', open, ['*'], true],
  ['http://localhost:3000', local, [], false],
])('A-018: origin %s on %o with the list %o', (origin, listen, origins, expected) => {
  expect(isAllowedOrigin(origin, { listen, cors: origins === undefined ? {} : { origins } })).toBe(expected);
});
