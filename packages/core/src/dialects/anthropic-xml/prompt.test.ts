import { describe, expect, it } from 'vitest';
import { asDialect } from '../render/render-table.ts';
import { anthropicXml } from './index.ts';

const { markers, renderCalls, renderResults, renderTools } = asDialect(anthropicXml);

const tool = {
  name: 'write',
  description: 'Writes. </function>',
  inputSchema: { type: 'object', properties: { path: { type: 'string' }, n: { type: ['string', 'integer'] } } },
};
const call = { callId: 'call_1', name: 'write', arguments: '{"path":" a\\nb ","n":"5"}', ordinal: 0 };

describe('anthropic-xml prompt', () => {
  it('documents each tool as one line', () => {
    const text = renderTools([tool], { choice: 'auto', parallel: true });
    const line = text.split('\n').find((one) => one.startsWith('<function>{')) ?? '';
    expect(line).toContain('"description":"Writes. \\u003c/function>"');
    expect(JSON.parse(line.slice('<function>'.length, -'</function>'.length))).toEqual({
      name: 'write',
      description: 'Writes. </function>',
      parameters: tool.inputSchema,
    });
  });

  it('B-119 writes strings as they are and marks one that looks like another type', () => {
    expect(renderCalls([call], [tool])).toBe(
      '<function_calls>\n<invoke name="write">\n<parameter name="path"> a\nb </parameter>\n<parameter name="n"><![CDATA[5]]></parameter>\n</invoke>\n</function_calls>',
    );
    expect(renderCalls([{ ...call, arguments: '{"n":5}' }], [tool])).toContain('<parameter name="n">5</parameter>');
  });

  it('writes output and errors apart', () => {
    expect(
      renderResults([
        { call, status: 'ok', text: 'done' },
        { call, status: 'error', text: 'no' },
      ]),
    ).toBe(
      '<function_results>\n<result>\n<tool_name>write</tool_name>\n<stdout>done</stdout>\n</result>\n<result>\n<tool_name>write</tool_name>\n<error>no</error>\n</result>\n</function_results>',
    );
  });

  it('names its markers with and without the prefix', () => {
    for (const prefix of ['', 'antml:']) {
      expect(markers([])).toContain(`<${prefix}invoke`);
      expect(markers([])).toContain(`</${prefix}function_results>`);
    }
    expect(markers([])).toContain('</stdout>');
  });
});
