import { DragomanError } from '@dragoman/core';
import { describe, expect, it } from 'vitest';
import { createAuthenticate } from './authenticate.ts';

const authenticate = createAuthenticate([
  { name: 'me', key: 'sk-first' },
  { name: 'you', key: 'sk-secönd' },
]);

function codeOf(header: string | undefined): string {
  try {
    return authenticate(header);
  } catch (thrown) {
    return thrown instanceof DragomanError ? thrown.code : String(thrown);
  }
}

describe('authenticate', () => {
  it('A-010 A-013: knows several keys by name', () => {
    expect(authenticate('Bearer sk-first')).toBe('me');
    expect(authenticate('bearer  sk-secönd ')).toBe('you');
  });

  it('A-011: missing and malformed headers are missing keys, others wrong ones', () => {
    for (const header of [undefined, '', 'Bearer', 'Bearer ', 'Basic c2stZmlyc3Q=', 'sk-first', 'Bearersk-first']) {
      expect(codeOf(header), String(header)).toBe('key-missing');
    }
    const longer = `Bearer sk-secönd${'d'.repeat(100)}`;
    for (const header of ['Bearer sk-firs', 'Bearer sk-first2', 'Bearer SK-FIRST', 'Bearer sk-secånd', longer]) {
      expect(codeOf(header), header).toBe('key-wrong');
    }
  });

  it('A-010: takes x-api-key beside a bearer, and either of the two', () => {
    expect(authenticate(undefined, 'sk-first')).toBe('me');
    expect(authenticate('Bearer ', ' sk-first ')).toBe('me');
    expect(authenticate('Basic x', 'sk-first')).toBe('me');
    expect(authenticate('Bearer sk-first', 'something else')).toBe('me');
    expect(authenticate('Bearer none', 'sk-secönd')).toBe('you');
    expect(() => authenticate(undefined, 'sk-wrong')).toThrow('not known');
    expect(() => authenticate(undefined, '')).toThrow('No API key');
  });

  it('A-013: says nothing of the key that was sent', () => {
    try {
      authenticate('Bearer sk-guess-guess');
      expect.unreachable();
    } catch (thrown) {
      expect(String(thrown)).not.toMatch(/sk-g|gues/);
    }
  });
});
