import { describe, expect, it } from 'vitest';
import { showDifference } from './show-difference.ts';

describe('what connect shows of a change', () => {
  it('values of secrets are left out, also those that stay', () => {
    const before = '{\n  "apiKey": "sk-one",\n  "name": "a"\n}\n';
    const after = '{\n  "apiKey": "sk-one",\n  "name": "b",\n  "authToken": "t-1",\n  "password": 1234\n}\n';
    const shown = showDifference(before, after);
    expect(shown).toContain('   "apiKey": "…"');
    expect(shown).toContain('+  "authToken": "…"');
    expect(shown).toContain('+  "password": …');
    for (const secret of ['sk-one', 't-1', '1234']) expect(shown).not.toContain(secret);
  });

  it('counts of tokens are no secrets', () => {
    const shown = showDifference('', '{"maxInputTokens": 28672,\n"tokens": "a-secret"}\nmaxTokens: 4096\n');
    expect(shown).toContain('"maxInputTokens": 28672,');
    expect(shown).toContain('maxTokens: 4096');
    expect(showDifference('', '"TOKENS_REMINDER": "off"\n')).toContain('"off"');
    expect(shown).not.toContain('a-secret');
  });
});
