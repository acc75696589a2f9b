import { describe, expect, it } from 'vitest';
import { dialects } from '../registry.ts';
import { alsoReadBy, dialectSample } from './dialect-sample.ts';

const dialect = (id: string) => dialects.get(id) ?? expect.fail(id);

describe('dialectSample', () => {
  it.each([...dialects.keys()])('shows the same tool in %s: its lesson, a call and a result', (id) => {
    const { tools, call, result } = dialectSample(dialect(id));
    expect(tools).toContain('read');
    expect(call).toContain('README.md');
    expect(result).toContain('# Dragoman');
  });
});

describe('alsoReadBy', () => {
  it('tells whose calls are read in the same form or as another form, and never the dialect itself', () => {
    const ids = (id: string) => alsoReadBy(dialect(id), dialects.values()).map((other) => other.id);
    expect(ids('deepseek-v3')).toContain('deepseek-v3.1');
    expect(ids('mistral-args')).toContain('mistral-json');
    expect(ids('hermes')).not.toContain('hermes');
    expect(ids('hermes')).not.toContain('anthropic-xml');
  });
});
