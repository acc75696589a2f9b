import { describe, expect, it } from 'vitest';
import type { ToolDefinition } from '../chat/tool.ts';
import { renderToolDoc } from './tool-docs.ts';

const tool: ToolDefinition = {
  name: 'read_file',
  description: 'Reads a file.\nReturns its text.',
  inputSchema: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'Where it is' },
      mode: { enum: ['text', 'bytes'], default: 'text' },
      limits: { type: 'object', properties: { lines: { type: 'integer' } } },
    },
    required: ['path'],
  },
};

describe('renderToolDoc', () => {
  it('A-112 has four forms', () => {
    expect(renderToolDoc(tool, 'line')).toBe('read_file: Reads a file.');
    expect(renderToolDoc(tool, 'signature')).toBe('read_file(path: string, mode?: "text" | "bytes", limits?: object)');
    expect(renderToolDoc(tool, 'stub')).toBe(`function read_file(path: string, mode?: "text" | "bytes", limits?: object)
  """
  Reads a file.
  Returns its text.
  path (string): Where it is
  mode ("text" | "bytes"): Default: "text".
  limits (object):
    lines (integer):
  """`);
    expect(JSON.parse(renderToolDoc(tool, 'schema'))).toEqual({
      name: tool.name,
      description: tool.description,
      parameters: tool.inputSchema,
    });
  });

  it('A-113 copes with a tool that says nothing', () => {
    const bare: ToolDefinition = { name: 'now', inputSchema: { type: 'object', properties: {} } };
    expect(renderToolDoc(bare, 'line')).toBe('now: no description');
    expect(renderToolDoc(bare, 'signature')).toBe('now()');
    expect(renderToolDoc({ name: 'any', inputSchema: true }, 'stub')).toContain('function any()');
  });
});
