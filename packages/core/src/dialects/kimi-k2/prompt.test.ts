import { describe, expect, it } from 'vitest';
import { asDialect } from '../render/render-table.ts';
import { kimiK2 } from './index.ts';

const { markers, renderCalls, renderResults, renderTools } = asDialect(kimiK2);

const call = { callId: 'call_1', name: 'read.file', arguments: '{"path":"a.ts"}', ordinal: 4 };

describe('kimi-k2 prompt', () => {
  it('declares the tools as one JSON list', () => {
    const tool = { name: 'read.file', inputSchema: { type: 'object', properties: {} } };
    const text = renderTools([tool, { ...tool, name: 'b' }], { choice: 'auto', parallel: true });
    const list: unknown = JSON.parse(text.slice(text.indexOf('['), text.lastIndexOf(']') + 1));
    expect(list).toMatchObject([{ function: { name: 'read.file' } }, { function: { name: 'b' } }]);
    expect(text).toContain('tool_declare');
  });

  it('writes a call under its native id, else under its place in the conversation', () => {
    expect(renderCalls([call, { ...call, nativeId: 'functions.read.file:7', arguments: '' }], [])).toBe(
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.read.file:4<|tool_call_argument_begin|>{"path":"a.ts"}<|tool_call_end|>' +
        '<|tool_call_begin|>functions.read.file:7<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>',
    );
    expect(renderCalls([], [])).toBe('');
  });

  it('writes a result under the id of its call', () => {
    const named = { ...call, nativeId: 'functions.read.file:7' };
    expect(
      renderResults([
        { call, status: 'ok', text: 'one' },
        { call: named, status: 'missing', text: 'no result' },
      ]),
    ).toBe('## Return of functions.read.file:4\none\n\n## Return of functions.read.file:7\nError: no result');
  });

  it('names what could start a call, forge a result or end a turn', () => {
    expect(markers([])).toEqual(expect.arrayContaining(['<|tool_call_begin|>', '## Return of', '<|im_end|>', '[EOS]']));
  });
});
