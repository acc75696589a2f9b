import { expect, it } from 'vitest';
import type { Dialect, ParseContext } from '../dialect.ts';
import { dialects } from '../registry.ts';
import { withOpenersIn } from './recognise-dialect.ts';

const context: ParseContext = { tools: [{ name: 'read', inputSchema: {} }] };
const idsIn = (text: string, of: readonly Dialect[] = [...dialects.values()]) =>
  withOpenersIn(text, of, context).map(({ id }) => id);

it('finds no dialect in prose', () => {
  expect(idsIn('Words, and a < b.')).toEqual([]);
});

it('finds those that share what opens a call, and those whose opener begins it, in their order', () => {
  const found = idsIn('So.\n<tool_call>');
  for (const id of ['glm', 'hermes', 'qwen3-coder']) expect(found).toContain(id);
  expect(found).not.toContain('kimi-k2');
  expect(found).toEqual([...dialects.keys()].filter((id) => found.includes(id)));
});

it('finds those without markers by what an object or a list begins with', () => {
  expect(idsIn('{')).toContain('llama3-json');
  expect(idsIn('[')).toContain('pythonic');
});

it('finds a dialect whatever the letter case, which only its grammar decides', () => {
  expect(idsIn('<TOOL_CALL>')).toContain('hermes');
});

it('finds every dialect in what it writes itself', () => {
  const past = { callId: 'c', name: 'read', arguments: '{"path": "a.md"}', ordinal: 0 };
  for (const dialect of dialects.values()) {
    expect(idsIn(dialect.renderCalls([past], context.tools), [dialect])).toEqual([dialect.id]);
  }
});

it('leaves in what has a parser of its own', () => {
  const hermes = dialects.get('hermes') ?? expect.fail();
  const { grammar: _, ...own } = hermes;
  expect(idsIn('Words.', [own])).toEqual(['hermes']);
});
