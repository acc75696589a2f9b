import { describe, expect, it } from 'vitest';
import { readError } from './read-error.ts';

const read = (body: unknown, status = 400, headers: Record<string, string> = {}) =>
  readError(body, { status, headers: new Headers(headers) });
const nested = JSON.stringify({
  error: {
    message: 'prompt is too long: 210000 tokens > 200000 maximum',
    type: 'invalid_request_error',
    code: 'too_long',
  },
});

describe('C-117 the text of an error', () => {
  it.each([
    [
      'OpenAI',
      { error: { message: 'No such model.', type: 'invalid_request_error', code: 'model_not_found' } },
      'No such model.',
      'model_not_found',
    ],
    ['a string', { error: 'No such model.' }, 'No such model.', 'http_400'],
    ['flat', { message: 'No such model.', code: 'x' }, 'No such model.', 'x'],
    ['FastAPI', { detail: 'Not Found' }, 'Not Found', 'http_400'],
    [
      'FastAPI’s list',
      { detail: [{ loc: ['body', 'model'], msg: 'field required' }, { msg: 'too short' }] },
      'field required; too short',
      'http_400',
    ],
    ['plain text', 'upstream connect error', 'upstream connect error', 'http_400'],
    [
      'OpenRouter',
      { error: { message: 'Provider returned error', code: 400, metadata: { raw: nested, provider_name: 'A' } } },
      'prompt is too long: 210000 tokens > 200000 maximum',
      'too_long',
    ],
    [
      'JSON in the message',
      { error: { message: nested, type: 'model_error' } },
      'prompt is too long: 210000 tokens > 200000 maximum',
      'too_long',
    ],
    [
      'JSON after words',
      { error: { message: `undefined: AI_APICallError: 400 ${nested}` } },
      'prompt is too long: 210000 tokens > 200000 maximum',
      'too_long',
    ],
    [
      'twice',
      { error: { message: JSON.stringify({ error: { message: nested } }) } },
      'prompt is too long: 210000 tokens > 200000 maximum',
      'too_long',
    ],
    [
      'an event that failed',
      { type: 'response.failed', response: { error: { code: 'server_error', message: 'Boom.' } } },
      'Boom.',
      'server_error',
    ],
    ['only a type', { error: { message: 'No.', type: 'model_error', code: null, param: null } }, 'No.', 'model_error'],
  ])('is found where a server says it as %s', (_, body, message, code) => {
    expect(read(body)).toMatchObject({ message, code });
  });

  it.each([
    ['undefined: No credit.', 'No credit.'],
    ['undefined: undefined: No credit.', 'No credit.'],
    ['[object Object]: null: No credit.', 'No credit.'],
    ['Error: No credit.', 'No credit.'],
    ['No\n  credit.\t', 'No credit.'],
    ['undefined behaviour', 'undefined behaviour'],
    ['undefined', 'The server answered 402 without a message.'],
    ['', 'The server answered 402 without a message.'],
    ['{"a":', '{"a":'],
  ])('is cleaned: %j', (message, clean) => {
    expect(read({ error: { message } }, 402).message).toBe(clean);
  });

  it('is bounded, as is its nesting', () => {
    expect(read({ error: { message: 'x'.repeat(5000) } }).message).toHaveLength(1001);
    let deep: unknown = { message: 'far down' };
    for (let at = 0; at < 5000; at += 1) deep = { error: deep };
    expect(read(deep).message).toBe('The server answered 400 without a message.');
  });

  it('is ours where a page came', () => {
    expect(read('<html><body>nginx', 502).message).toBe(
      'The server answered 502 with a web page instead of JSON. Check the address.',
    );
  });
});

describe('C-116 what else is known', () => {
  it.each([
    [{ 'retry-after': '7' }, 7],
    [{ 'retry-after': '1.2' }, 2],
    [{ 'retry-after-ms': '1500', 'retry-after': '9' }, 2],
    [{ 'retry-after': new Date(Date.now() + 60_000).toUTCString() }, expect.closeTo(60, -1)],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
    [{ 'retry-after': '99999999999' }, 86_400],
  ])('%j is when to ask again', (headers, seconds) => {
    expect(read({}, 429, headers).retryAfter).toEqual(seconds);
  });

  it('stands also in an event', () => {
    const error = {
      type: 'too_many_requests',
      code: 'slow',
      message: 'Slow.',
      param: null,
      headers: { 'Retry-After': '3' },
    };
    expect(read({ type: 'error', error }, 200)).toMatchObject({
      retryAfter: 3,
      code: 'slow',
      type: 'too_many_requests',
      status: 200,
    });
  });

  it('is what a person can tell the server’s owner', () => {
    expect(read({}, 500, { 'request-id': 'r2' })).toMatchObject({ requestId: 'r2', status: 500, type: 'server_error' });
  });
});
