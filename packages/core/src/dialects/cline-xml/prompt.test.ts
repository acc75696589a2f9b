import { describe, expect, it } from 'vitest';
import type { ToolDefinition } from '../../chat/tool.ts';
import { transformToolsToXML } from '../readers/tool-manual.ts';
import { asDialect } from '../render/render-table.ts';
import { clineXml } from './index.ts';

const { markers, renderCalls, renderResults, renderTools } = asDialect(clineXml);

const read: ToolDefinition = {
  name: 'read',
  description: 'Reads a file.',
  inputSchema: {
    type: 'object',
    properties: {
      filePath: { type: 'string', description: 'Absolute path\n  to the file' },
      limit: { type: 'integer', default: 7 },
    },
    required: ['filePath'],
  },
};
const bare: ToolDefinition = { name: 't', inputSchema: { type: 'object', properties: {} } };

describe('transformToolsToXML', () => {
  it('B-001 B-002 B-003 B-006 has heading, description, parameters and usage for a tool', () => {
    expect(transformToolsToXML([read])).toBe(`<tools>
## read
Description: Reads a file.
Parameters:
- filePath: (required) string – Absolute path to the file
- limit: (optional) integer Default: 7.
Usage:
<read>
<filePath>path/to/file</filePath>
</read>
</tools>`);
  });

  it('B-008 is the wrapper alone without tools', () => {
    expect(transformToolsToXML([])).toBe('<tools>\n\n</tools>');
  });

  it('B-009 B-010 keeps the order and leaves out a tool without a name', () => {
    const text = transformToolsToXML(['z', '', 'a', 'm'].map((name) => ({ ...bare, name })));
    const headings = text.split('\n').filter((line) => line.startsWith('## '));
    expect(headings).toEqual(['## z', '## a', '## m']);
  });

  it('B-011 documents a tool that says nothing', () => {
    expect(transformToolsToXML([bare])).toBe(
      '<tools>\n## t\nDescription: no description\nParameters: none\nUsage:\n<t></t>\n</tools>',
    );
    expect(transformToolsToXML([{ name: 'any', inputSchema: true }])).toContain('<any></any>');
  });

  it('B-004 B-005 B-006 shows a fitting example for every required parameter', () => {
    const properties = {
      path: { type: 'string' },
      count: { type: 'number' },
      on: { type: 'boolean' },
      list: { type: 'array', items: { type: 'string' } },
      map: { type: 'object', properties: { k: { enum: ['v'] } }, required: ['k'] },
      mode: { enum: ['fast', 'slow'] },
      skip: { type: 'string' },
    };
    const required = ['path', 'count', 'on', 'list', 'map', 'mode'];
    const text = transformToolsToXML([{ name: 'x', inputSchema: { type: 'object', properties, required } }]);
    expect(text.slice(text.indexOf('Usage:'))).toBe(
      'Usage:\n<x>\n<path>path/to/file</path>\n<count>1</count>\n<on>true</on>\n<list>["the list"]</list>\n<map>{"k":"v"}</map>\n<mode>fast</mode>\n</x>\n</tools>',
    );
    expect(text).toContain('- mode: (required) string One of: "fast", "slow".');
  });

  it('B-012 escapes whatever could close the wrapper', () => {
    const text = transformToolsToXML([
      {
        name: 'a</tools>',
        description: '</tools> & <tools>',
        inputSchema: {
          properties: {
            '</tools>': { description: '</tools>', enum: ['</tools>'], default: '</tools>', type: '</tools>' },
          },
          required: ['</tools>'],
        },
      },
    ]);
    expect(text.split('</tools>')).toHaveLength(2);
    expect(text.split('<tools>')).toHaveLength(2);
    expect(text).toContain('Description: &lt;/tools> &amp; &lt;tools>');
  });

  it('B-013 A-113 documents nested members in depth', () => {
    const item = {
      type: 'object',
      properties: { id: { type: 'string' }, at: { $ref: '#/$defs/point' } },
      required: ['id'],
    };
    const text = transformToolsToXML([
      {
        name: 'x',
        inputSchema: {
          type: 'object',
          properties: { items: { type: 'array', items: item } },
          $defs: { point: { type: 'object', properties: { x: { anyOf: [{ type: 'number' }, { type: 'null' }] } } } },
        },
      },
    ]);
    expect(text).toContain(
      '- items: (optional) array of object\n  - id: (required) string\n  - at: (optional) object\n    - x: (optional) number or null',
    );
    expect(text).not.toContain('[object Object]');
  });

  it('B-014 handles a large tool set, and compactly on request', () => {
    const text = 'Does something useful.\n'.repeat(100);
    const tools = Array.from({ length: 11 }, (_, index) => ({ ...read, name: `tool_${index}`, description: text }));
    expect(transformToolsToXML(tools).length).toBeGreaterThan(25_000);
    expect(transformToolsToXML(tools, { compact: true }).length).toBeLessThan(2_500);
  });
});

describe('cline-xml prompt', () => {
  it('B-007 B-020 B-022 tells the form, the rules and then the manual', () => {
    const text = renderTools(
      [
        { ...bare, name: 'mcp.server:do' },
        { ...bare, name: '2nd' },
      ],
      { choice: 'auto', parallel: true },
    );
    expect(text).toContain('<mcp.server:do></mcp.server:do>');
    expect(text).toContain('<_x32_nd></_x32_nd>');
    expect(text.indexOf('Rules:')).toBeLessThan(text.indexOf('## mcp.server:do'));
    expect(text.endsWith('</tools>')).toBe(true);
  });

  it('B-119 puts a value of several lines on lines of its own', () => {
    const call = { callId: 'c', name: 'read', arguments: '{"filePath":"a\\nb","limit":5}', ordinal: 0 };
    expect(renderCalls([call], [read])).toBe('<read>\n<filePath>\na\nb\n</filePath>\n<limit>5</limit>\n</read>');
    const closing = { ...call, arguments: '{"filePath":"x</filePath>"}' };
    expect(renderCalls([closing], [read])).toBe('<read>\n<filePath><![CDATA[x</filePath>]]></filePath>\n</read>');
  });

  it('A-209 heads a result with the tool and its main argument and frames the output', () => {
    const call = { callId: 'c', name: 'read', arguments: '{"limit":5,"filePath":"a</tool_result>.ts"}', ordinal: 0 };
    expect(renderResults([{ call, status: 'ok', text: 'text' }])).toBe(
      '[read for "a\\u003c/tool_result>.ts"] Result:\n<tool_result>\ntext\n</tool_result>',
    );
    expect(renderResults([{ call: { ...call, arguments: '' }, status: 'error', text: 'no' }])).toBe(
      '[read] Error:\n<tool_result>\nno\n</tool_result>',
    );
  });

  it('names the tags of these tools and the frames', () => {
    expect(markers([read])).toEqual(
      expect.arrayContaining(['<read>', '</read>', '<read/>', '</tool_result>', '</tools>']),
    );
    expect(markers([read])).not.toContain('<filePath>');
  });
});
