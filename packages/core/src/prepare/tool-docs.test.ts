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

  const features: readonly (readonly [string, unknown, string])[] = [
    [
      'nested objects',
      { type: 'object', properties: { inner: { type: 'object', properties: { deep: { type: 'number' } } } } },
      'deep (number)',
    ],
    ['arrays with items', { type: 'array', items: { type: 'string' } }, 'value (array of string)'],
    ['enums', { enum: ['a', 'b'] }, 'value ("a" | "b")'],
    ['anyOf', { anyOf: [{ type: 'string' }, { type: 'integer' }] }, 'value (string or integer)'],
    ['$ref', { $ref: '#/$defs/id' }, 'value (integer)'],
    ['a $ref to itself', { $ref: '#/$defs/loop' }, 'value (object)'],
    ['lists of types', { type: ['string', 'null'] }, 'value (string or null)'],
    ['defaults', { type: 'integer', default: 7 }, 'Default: 7.'],
    ['defaults that are objects', { type: 'object', default: { a: [1] } }, 'Default: {"a":[1]}.'],
    ['nothing at all', {}, 'value (any)'],
  ];

  it.each(features)('A-113 tells %s in every form', (_, value, told) => {
    const $defs = {
      id: { type: 'integer' },
      loop: { type: 'object', properties: { again: { $ref: '#/$defs/loop' } } },
    };
    const { inputSchema, ...named }: ToolDefinition = {
      name: 'do',
      inputSchema: { type: 'object', properties: { value }, $defs },
    };
    for (const form of ['line', 'signature', 'stub', 'schema'] as const) {
      const text = renderToolDoc({ ...named, inputSchema }, form);
      expect(text).toContain('do');
      expect(text).not.toContain('[object Object]');
    }
    expect(renderToolDoc({ ...named, inputSchema }, 'stub')).toContain(told);
  });
});
