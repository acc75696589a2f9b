import { type Dialect, dialects, type ToolChoice } from '@dragoman/core';
import { describe, expect, it } from 'vitest';
import { readPrompt } from './read-prompt.ts';
import { readTools } from './read-tools.ts';

const all = [...dialects.values()].map((dialect) => [dialect.id, dialect] as const);
const hermes = dialects.get('hermes') ?? expect.fail('hermes is not there');

const tools = [
  {
    name: 'read_file',
    description: 'Reads a "file" with {braces}.\n## Notes\nBe careful.',
    inputSchema: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'The file' },
        mode: { type: 'string', enum: ['fast', 'slow'], default: 'fast' },
        options: { type: 'object', properties: { depth: { type: 'integer' } }, required: ['depth'] },
      },
      required: ['path', 'options'],
    },
  },
  { name: 'ls', description: 'Lists.', inputSchema: { type: 'object', properties: { path: { type: 'string' } } } },
];

function promptOf(dialect: Dialect, choice: ToolChoice = 'auto', parallel = true): string {
  return `Be kind.\n\n${dialect.renderTools(tools, { choice, parallel })}\n\nGo on.`;
}

describe.each(all)('%s', (_, dialect) => {
  it('finds the tools of a prompt, and what they take', () => {
    const found = readTools(promptOf(dialect), dialect);
    expect(found.map(({ name }) => name)).toEqual(['read_file', 'ls']);
    expect(found[0]).toMatchObject({
      description: expect.stringContaining('Reads a "file" with {braces}.'),
      inputSchema: {
        properties: {
          path: { type: 'string' },
          mode: { enum: ['fast', 'slow'], default: 'fast' },
          options: { type: 'object', properties: { depth: { type: 'integer' } }, required: ['depth'] },
        },
        required: ['path', 'options'],
      },
    });
  });

  it('reads the rules of a prompt', () => {
    const rules = (choice: ToolChoice, parallel = true) => {
      const { demand, oneAtATime } = readPrompt(
        [{ role: 'system', text: promptOf(dialect, choice, parallel) }],
        dialect,
      );
      return [demand, oneAtATime];
    };
    expect(rules('auto')).toEqual(['none', false]);
    expect(rules('required', false)).toEqual(['any', true]);
    expect(rules({ name: 'ls' })).toEqual([{ name: 'ls' }, false]);
  });

  it('tells two results apart, and which of them failed', () => {
    const calls = ['read_file', 'ls'].map((name, ordinal) => ({
      callId: '',
      name,
      arguments: '{"path":"x"}',
      ordinal,
    }));
    const said = [
      { call: calls[0] ?? expect.fail(), status: 'ok' as const, text: '# Title\n\n"text"' },
      { call: calls[1] ?? expect.fail(), status: 'error' as const, text: 'no such folder' },
    ];
    const messages = [
      { role: 'system', text: promptOf(dialect) },
      { role: 'user', text: 'Go.' },
      { role: 'assistant', text: dialect.renderCalls(calls, tools) },
      { role: 'user', text: dialect.renderResults(said) },
    ];
    const [{ results } = { results: [] }] = readPrompt(messages, dialect).exchanges;
    expect(results).toEqual([
      { text: '# Title\n\n"text"', failed: false },
      { text: expect.stringMatching(/^(Error: )?no such folder$/), failed: true },
    ]);
  });

  it('reads a result to its end, whatever it holds that could end it', () => {
    const text = '{"a": "b"} \\"} and {"c": ["d"]}';
    const call = { callId: '', name: 'ls', arguments: '{"path":"x"}', ordinal: 0 };
    const messages = [
      { role: 'system', text: promptOf(dialect) },
      { role: 'user', text: 'Go.' },
      { role: 'assistant', text: dialect.renderCalls([call], tools) },
      { role: 'user', text: dialect.renderResults([{ call, status: 'ok', text }]) },
    ];
    expect(readPrompt(messages, dialect).exchanges.map(({ results }) => results)).toEqual([[{ text, failed: false }]]);
  });
});

describe('readPrompt', () => {
  it.each([
    ['Read a.md', 'Read a.md'],
    ['<context>\nThe date is today.\n</context>\n<userRequest>\nRead a.md\n</userRequest>', 'Read a.md'],
    ['<system_context>\nYou are X.\n<userRequest>no</userRequest>\n</system_context>\n\nRead a.md', 'Read a.md'],
    ['<task>Read a.md</task>\n<environment_details>\nfiles\n</environment_details>', 'Read a.md'],
    ['"Read the file a.md and tell me the code."', 'Read the file a.md and tell me the code.'],
    ['"Read a.md and replace \\"x\\" with \\"y\\""', 'Read a.md and replace "x" with "y"'],
    ['"Read C:\\new and say \\"hi\\""', 'Read C:\\new and say "hi"'],
    ['"', '"'],
    ['"a b" and "c"', '"a b" and "c"'],
    ['<b>only a block</b>', '<b>only a block</b>'],
    ['if a < b then <unclosed> c', 'if a < b then <unclosed> c'],
  ])('finds the request in %j', (text, request) => {
    expect(readPrompt([{ role: 'user', text }], hermes).exchanges.at(-1)?.request).toBe(request);
  });

  it('keeps what the user says after the results', () => {
    const call = { callId: '', name: 'ls', arguments: '{}', ordinal: 0 };
    const messages = [
      { role: 'system', text: promptOf(hermes) },
      { role: 'user', text: 'Go.' },
      { role: 'assistant', text: hermes.renderCalls([call], tools) },
      { role: 'user', text: '<tool_response>\na\n</tool_response>\n\nNow stop.' },
    ];
    const exchanges = readPrompt(messages, hermes).exchanges;
    expect(exchanges.map(({ request, results }) => [request, results.length])).toEqual([
      ['Go.', 1],
      ['Now stop.', 0],
    ]);
  });

  it('reads the working directory', () => {
    const read = (text: string) => readPrompt([{ role: 'system', text }], hermes).directory;
    expect(read('<env>\n  Working directory: /home/me/my project\n  Platform: linux\n</env>')).toBe(
      '/home/me/my project',
    );
    expect(read('Your working directory is nice. See a/b.')).toBeUndefined();
  });

  it('takes no other JSON for a tool, nor the example of a call', () => {
    const texts = [
      '{"name": "TOOL_NAME", "parameters": {"PARAMETER": "VALUE"}}',
      '{"name": "dragoman", "version": "1"} {"parameters": {}} { not json {"a": }',
    ];
    for (const text of texts) expect(readTools(text, hermes)).toEqual([]);
  });

  it('stays linear on text that looks like JSON or like blocks but never ends', () => {
    const hostile = [
      '{"a":'.repeat(40_000),
      `{"${'x'.repeat(300_000)}`,
      'declaration:'.repeat(20_000),
      '## a\nDescription:'.repeat(10_000),
    ];
    for (const text of hostile) expect(readTools(text, hermes)).toEqual([]);
    const openers = Array.from({ length: 30_000 }, (_, index) => `<t${index}>`).join('\n');
    for (const text of ['<a>\n'.repeat(50_000), openers]) {
      expect(readPrompt([{ role: 'user', text }], hermes).exchanges).toHaveLength(1);
    }
  });
});
