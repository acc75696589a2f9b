import { describe, expect, it } from 'vitest';
import { dialectOfModel, knownModels } from './models.ts';
import { dialects } from './registry.ts';

describe('what a name says about the dialect', () => {
  it.each([
    ['moonshotai/Kimi-K2-Instruct', 'kimi-k2'],
    ['NousResearch/Hermes-3-Llama-3.1-8B', 'hermes'],
    ['qwen2.5:7b-instruct', 'hermes'],
    ['Qwen/Qwen3-32B', 'hermes'],
    ['qwen3:8b', 'hermes'],
    ['qwen3-30b-a3b-thinking-2507', 'hermes'],
    ['Qwen/QwQ-32B', 'hermes'],
    ['ibm-granite/granite-4.0-h-small', 'hermes'],
    ['granite4:micro', 'hermes'],
  ])('%s writes %s', (name, dialect) => {
    expect(dialectOfModel(name)).toBe(dialect);
  });

  it.each([
    ['Qwen/Qwen3-Coder-30B-A3B-Instruct', 'another form of tags'],
    ['qwen3.5-35b-a3b', 'the form of Qwen3-Coder'],
    ['qwen3-max', 'native calls'],
    ['Qwen/Qwen2.5-VL-7B-Instruct', 'no tool calls of its own'],
    ['gpt-4o', 'native calls'],
    ['', 'nothing'],
  ])('%s is not known to write a dialect: %s', (name) => {
    expect(dialectOfModel(name)).toBeUndefined();
  });
});

describe('the table', () => {
  it('names registered dialects, in lower case', () => {
    for (const { part, dialect, except = [] } of knownModels) {
      expect([...dialects.keys()]).toContain(dialect);
      for (const text of [part, ...except]) expect(text).toBe(text.toLowerCase());
      for (const other of except) expect(other).toContain(part);
    }
  });

  it('knows every model that the summary of hermes names', () => {
    const summary = dialects.get('hermes')?.summary ?? '';
    for (const [said, name] of [
      ['Hermes 2', 'hermes-2-pro'],
      ['Qwen2.5', 'qwen2.5-7b'],
      ['Qwen3 (but Qwen3-Coder', 'qwen3-8b'],
      ['QwQ', 'qwq-32b'],
      ['Granite 4', 'granite-4.0'],
    ] as const) {
      expect(summary).toContain(said);
      expect(dialectOfModel(name)).toBe('hermes');
    }
  });
});
