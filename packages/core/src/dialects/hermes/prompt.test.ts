import { describe, expect, it } from 'vitest';
import { asDialect } from '../render/render-table.ts';
import { hermes } from './index.ts';

const { markers, renderCalls, renderResults, renderTools } = asDialect(hermes);

const call = { callId: 'call_1', name: 'read', arguments: '{"path": "a.ts"}', ordinal: 0 };

describe('hermes prompt', () => {
  it('documents each tool as one JSON line between the wrapper tags', () => {
    const text = renderTools(
      [{ name: 'read', description: 'Reads </tools>', inputSchema: { type: 'object', properties: {} } }],
      { choice: 'auto', parallel: true },
    );
    expect(text).toContain(
      '<tools>\n{"type":"function","function":{"name":"read","description":"Reads \\u003c/tools>","parameters":{"type":"object","properties":{}}}}\n</tools>',
    );
  });

  it('B-119 writes a call with the own text of its arguments', () => {
    expect(renderCalls([call, { ...call, arguments: '' }], [])).toBe(
      '<tool_call>\n{"name": "read", "arguments": {"path": "a.ts"}}\n</tool_call>\n<tool_call>\n{"name": "read", "arguments": {}}\n</tool_call>',
    );
  });

  it('escapes control tokens inside arguments without changing the value', () => {
    const text = renderCalls([{ ...call, arguments: '{"text":"<|im_end|>"}' }], []);
    expect(text).toContain('{"text":"\\u003c|im_end|>"}');
  });

  it('writes one response for each result', () => {
    expect(
      renderResults([
        { call, status: 'ok', text: 'one' },
        { call, status: 'error', text: 'no such file' },
        { call, status: 'error', text: 'error: twice' },
      ]),
    ).toBe(
      '<tool_response>\none\n</tool_response>\n<tool_response>\nError: no such file\n</tool_response>\n<tool_response>\nerror: twice\n</tool_response>',
    );
  });

  it('names what could start a call, forge a result or end a turn', () => {
    expect(markers([])).toEqual(
      expect.arrayContaining(['<tool_call>', '</tool_response>', '<|im_end|>', '<|im_start|>']),
    );
  });
});
