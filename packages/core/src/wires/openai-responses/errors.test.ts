import { describe, expect, it } from 'vitest';
import { errorKinds } from '../../error-kinds.ts';
import { DragomanError } from '../../errors.ts';
import { readError } from '../read-upstream-error.ts';
import { writeError } from './errors.ts';

describe('the errors of this wire', () => {
  it('C-136 have four strings, whatever the code, and one of the five types', () => {
    for (const code of Object.keys(errorKinds) as (keyof typeof errorKinds)[]) {
      const { error } = writeError(new DragomanError(code, 'words'));
      expect(Object.values(error).every((value) => typeof value === 'string')).toBe(true);
      expect(['invalid_request', 'not_found', 'too_many_requests', 'model_error', 'server_error']).toContain(
        error.type,
      );
    }
  });

  it('C-136 map bad requests, unknown things, rate limits and our own mistakes to their status and type', () => {
    const pair = (code: keyof typeof errorKinds) => [
      errorKinds[code].status,
      writeError(new DragomanError(code, '')).error.type,
    ];
    expect(pair('bad-request')).toEqual([400, 'invalid_request']);
    expect(pair('response-unknown')).toEqual([404, 'not_found']);
    expect(pair('upstream-rate-limited')).toEqual([429, 'too_many_requests']);
    expect(pair('internal')).toEqual([500, 'server_error']);
  });

  it('carry the words that clients look for', () => {
    const code = (ours: keyof typeof errorKinds) => writeError(new DragomanError(ours, '')).error.code;
    expect(code('context-too-long')).toBe('context_length_exceeded');
    expect(code('previous-response-unknown')).toBe('previous_response_not_found');
    expect(code('upstream-rate-limited')).toBe('rate_limit_exceeded');
  });

  it('of an upstream are known by status and code, and overflow also by the known words of a refusal', () => {
    const code = (status: number, body: unknown) => readError(status, body).code;
    expect(code(400, { error: { code: 'context_length_exceeded', message: 'x' } })).toBe('context-too-long');
    expect(code(400, { error: { message: 'The maximum context length is 8 tokens.' } })).toBe('context-too-long');
    expect(readError(401, { error: { message: 'Wrong key: sk-1234' } }).message).not.toContain('sk-1234');
    expect(code(401, {})).toBe('upstream-unauthorized');
    expect(code(429, {})).toBe('upstream-rate-limited');
    expect(code(500, 'oops')).toBe('upstream-failed');
    expect(readError(502, '<html>secret</html>').message).not.toContain('secret');
  });
});
