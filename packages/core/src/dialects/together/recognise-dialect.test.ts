import { sample } from '@dragoman/testkit';
import { expect, it } from 'vitest';
import { dialects } from '../registry.ts';
import { findCalls, recogniseDialect } from './recognise-dialect.ts';

const tools = [{ name: 'read', inputSchema: { type: 'object', properties: { path: { type: 'string' } } } }];
const hermes = '<tool_call>\n{"name": "read", "arguments": {"path": "a.md"}}\n</tool_call>';
const past = { callId: 'c', name: 'read', arguments: '{"path": "a.md"}', ordinal: 0 };

it.each(sample([...dialects.values()], 10).map((dialect) => [dialect.id, dialect] as const))(
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

it.each([
  ['hermes', '<tool_call>\n{"name": "read", "arguments": {"path": "a.md"}}'],
  ['hermes', '<tool_call>\n{"name": "read", "arguments": {"path": "a.m'],
  ['hermes', `${hermes}\nIt says hello.\n<tool_response>\nhello\n</tool_response>\nSo it does.`],
  ['hermes', `${hermes}\n<tool_call>\n{"name": "read", "arguments": {"path": }}\n</tool_call>`],
  ['anthropic-xml', '<function_calls>\n<invoke name="read">\n<parameter name="path">a.md'],
  ['glm', '<tool_call>read\n<arg_key>path</arg_key>\n<arg_value>a.m'],
  ['qwen3-coder', '<tool_call>\n<function=read>\n<parameter=path>\na.m'],
  ['kimi-k2', '<|tool_calls_section_begin|><|tool_call_begin|>functions.read:0<|tool_call_argument_begin|>{"path": "a'],
])('recognises %s where the reply breaks off or goes on too long: %s', (id, text) => {
  expect(recogniseDialect(text, { tools })?.id).toBe(id);
});

it('recognises nothing in prose', () => {
  expect(recogniseDialect('Write <tool_call> before a call.', { tools })).toBeUndefined();
});
