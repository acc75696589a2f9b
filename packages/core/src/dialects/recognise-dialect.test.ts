import { expect, it } from 'vitest';
import { findCalls, recogniseDialect } from './recognise-dialect.ts';
import { dialects } from './registry.ts';

const tools = [{ name: 'read', inputSchema: { type: 'object', properties: { path: { type: 'string' } } } }];
const past = { callId: 'c', name: 'read', arguments: '{"path": "a.md"}', ordinal: 0 };

it.each([...dialects.values()].map((dialect) => [dialect.id, dialect] as const))(
  'recognises what %s writes as a form in which the call is read',
  (_, dialect) => {
    const text = `So.\n${dialect.renderCalls([past], tools)}`;
    const found = recogniseDialect(text, { tools });
    const [call] = found === undefined ? [] : findCalls(text, found, { tools });
    expect(call).toMatchObject({ name: 'read' });
    expect(text.slice(call?.from, call?.to)).toContain('a.md');
  },
);

it.each(['hermes', 'qwen3-coder', 'glm', 'kimi-k2', 'anthropic-xml', 'deepseek-v3.1', 'gemma4'])(
  'recognises %s by its own form, also where no tool is declared',
  (id) => {
    const dialect = dialects.get(id);
    const text = dialect?.renderCalls([past], tools) ?? '';
    expect(recogniseDialect(text, { tools: [] })?.id).toBe(id);
  },
);

it.each(['pythonic', 'llama3-json', 'cline-xml'])('recognises %s, which has no markers, only by the tools', (id) => {
  const text = dialects.get(id)?.renderCalls([past], tools) ?? '';
  expect(recogniseDialect(text, { tools: [] })).toBeUndefined();
  expect(recogniseDialect(text, { tools })?.id).toBe(id);
});

it('recognises nothing in prose', () => {
  expect(recogniseDialect('Write <tool_call> in front of a call.', { tools })).toBeUndefined();
});
