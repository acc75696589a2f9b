import { expect, it } from 'vitest';
import { requestParams } from './request-params.ts';

it('sends the bytes of a body where they are there, and its JSON where they are not', () => {
  const to = { upstream: 'up', path: '/chat/completions' };
  const bytes = Buffer.from('{"model": "m", "seed": 1.0, "user": "ö"}');
  expect(requestParams({ ...to, body: undefined, bytes }, {}).body).toBe('{"model": "m", "seed": 1.0, "user": "ö"}');
  expect(requestParams({ ...to, body: { model: 'm' } }, {}).body).toBe('{"model":"m"}');
});
