import { describe, expect, it } from 'vitest';
import { errorKinds } from '../../error-kinds.ts';
import { DragomanError, type ErrorCode } from '../../errors.ts';
import { readError, readStreamError } from '../read-upstream-error.ts';
import { writeError } from './errors.ts';

const isCode = (word: string): word is ErrorCode => word in errorKinds;
const codes = Object.keys(errorKinds).filter(isCode);

describe('writeError', () => {
  it('gives every error the shape of this API', () => {
    for (const code of codes) {
      expect(writeError(new DragomanError(code, 'What is wrong.'))).toEqual({
        type: 'error',
        error: {
          type: expect.stringMatching(/^[a-z_]+(_error|_too_large)$/),
          message: expect.stringContaining('What is wrong.'),
        },
      });
    }
  });

  it.each<[ErrorCode, string]>([
    ['bad-request', 'invalid_request_error'],
    ['key-missing', 'authentication_error'],
    ['key-wrong', 'permission_error'],
    ['model-unknown', 'not_found_error'],
    ['body-too-large', 'request_too_large'],
    ['upstream-rate-limited', 'rate_limit_error'],
    ['upstream-overloaded', 'overloaded_error'],
    ['draining', 'overloaded_error'],
    ['idle-timeout', 'timeout_error'],
    ['upstream-cut', 'api_error'],
    ['upstream-refused', 'invalid_request_error'],
    ['internal', 'api_error'],
  ])('%s is %s', (code, type) => {
    expect(writeError(new DragomanError(code, 'x')).error.type).toBe(type);
  });

  it('tells overflow in the words that agents look for, once', () => {
    const said = (message: string) => writeError(new DragomanError('context-too-long', message)).error.message;
    expect(said('At most 8192 tokens fit.')).toBe('prompt is too long: At most 8192 tokens fit.');
    const own = 'The upstream answered 400: prompt is too long: 9 tokens > 8 maximum';
    expect(said(own)).toBe(own);
  });
});

it('tells the SDK that threads are not kept, in the form that makes it go on without', () => {
  const error = new DragomanError('unsupported-field', 'thread: no.', { param: 'thread' });
  expect(writeError(error).error.details).toEqual({
    error_code: 'thread_unsupported_request',
    unsupported: ['thread'],
  });
  expect(writeError(new DragomanError('unsupported-field', 'n', { param: 'n' })).error).not.toHaveProperty('details');
});

describe('readError', () => {
  const body = (type: string, message = 'words') => ({ type: 'error', error: { type, message } });

  it('keeps to itself what an upstream says about our credentials', () => {
    const error = readError(401, { error: { type: 'authentication_error', message: 'bad key sk-abc***xyz' } });
    expect(error.message).not.toContain('sk-abc');
  });

  it.each<[number, unknown, ErrorCode]>([
    [400, body('invalid_request_error'), 'upstream-refused'],
    [400, body('invalid_request_error', 'prompt is too long: 9 tokens > 8 maximum'), 'context-too-long'],
    [401, body('authentication_error'), 'upstream-unauthorized'],
    [403, body('permission_error'), 'upstream-unauthorized'],
    [404, body('not_found_error'), 'upstream-refused'],
    [413, body('request_too_large'), 'context-too-long'],
    [429, body('rate_limit_error'), 'upstream-rate-limited'],
    [500, body('api_error'), 'upstream-failed'],
    [503, 'busy', 'upstream-overloaded'],
    [529, body('overloaded_error'), 'upstream-overloaded'],
    [529, {}, 'upstream-overloaded'],
    [408, null, 'upstream-failed'],
    [418, { error: 'teapot' }, 'upstream-refused'],
  ])('%i %j is %s', (status, answer, code) => {
    expect(readError(status, answer)).toMatchObject({ code, upstreamStatus: status });
  });

  it('passes words on, bounded, and never a web page', () => {
    expect(readError(400, body('invalid_request_error', 'x'.repeat(5000))).message.length).toBeLessThan(1100);
    expect(readError(502, '<html>secret</html>').message).not.toContain('secret');
    expect(readError(400, { detail: 'from a proxy' }).message).toContain('from a proxy');
  });

  it('reads errors inside a stream by their type', () => {
    expect(readStreamError(body('overloaded_error', 'Overloaded'))).toMatchObject({ code: 'upstream-overloaded' });
    expect(readStreamError(body('api_error'))).toMatchObject({ code: 'upstream-failed' });
    expect(readStreamError({ error: 'broken' }).message).toContain('broken');
  });
});
