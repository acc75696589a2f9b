import { describe, expect, it } from 'vitest';
import { readCasePage } from './read-case-page.ts';
import { readTools } from './read-tools.ts';

const page = `# Calls

What the page is about.

\`\`\`tools
read(path: string)
\`\`\`

## first case

Why it exists,
on two lines.

\`\`\`output
Hi.
<tool_call>
\`\`\`

\`\`\`spans
text "Hi."
warning call-undeclared
text "\\n<tool_call>"
\`\`\`

## second case

\`\`\`tools
list()
\`\`\`

\`\`\`context
{"opened": "reasoning", "cut": true, "policy": {"maxCalls": 1}}
\`\`\`

~~~output-json
"a\\r\\n\\n"
~~~

\`\`\`spans
\`\`\`

## output with fences

\`\`\`\`output
\`\`\`js
## not a case
\`\`\`
\`\`\`\`

\`\`\`spans
text "x"
\`\`\`
`;

describe('readCasePage', () => {
  const { title, cases } = readCasePage(page);

  it('reads the title and every case with its reason', () => {
    expect(title).toBe('Calls');
    expect(cases.map((one) => one.name)).toEqual(['first case', 'second case', 'output with fences']);
    expect(cases[0]?.why).toBe('Why it exists, on two lines.');
  });

  it('reads the output without the line break before its closing fence', () => {
    expect(cases[0]?.output).toBe('Hi.\n<tool_call>');
  });

  it('joins neighbouring texts, with the warning before them', () => {
    expect(cases[0]?.expected).toEqual([
      { kind: 'warning', code: 'call-undeclared' },
      { kind: 'text', text: 'Hi.\n<tool_call>' },
    ]);
  });

  it('takes tools from the page unless the case has its own', () => {
    expect(cases[0]?.context.tools.map((tool) => tool.name)).toEqual(['read']);
    expect(cases[1]?.context.tools.map((tool) => tool.name)).toEqual(['list']);
  });

  it('reads context, cut and an output written as JSON', () => {
    expect(cases[1]).toMatchObject({ cut: true, output: 'a\r\n\n', expected: [] });
    expect(cases[1]?.context).toMatchObject({ opened: 'reasoning', policy: { maxCalls: 1 } });
    expect(cases[0]?.cut).toBe(false);
  });

  it('lets a longer fence hold fences and headings', () => {
    expect(cases[2]?.output).toBe('```js\n## not a case\n```');
  });

  it.each([
    ['## a\n```output\nx\n', 'never closed'],
    ['## a\n```output\nx\n```\n```output\ny\n```', 'second output'],
    ['## a\n```expected\nx\n```', 'unknown fence "expected"'],
    ['## a\n```output\nx\n```', 'needs an output and a spans'],
    ['## a\n```output\nx\n```\n```spans\n```', 'tools fence'],
  ])('refuses a broken page: %j', (markdown, message) => {
    expect(() => readCasePage(markdown)).toThrow(message);
  });

  it('says where a page is broken, and what a code may have been meant to be', () => {
    const withCode = (code: string) => `## a\n\`\`\`spans\nwarning ${code}\n\`\`\``;
    expect(() => readCasePage(withCode('invented-result'), 'calls.md')).toThrow(
      /^calls\.md:2, a: unknown warning code in "warning invented-result" \(did you mean result-fabricated, .*\?\): docs\/errors\.md lists them all$/,
    );
    expect(() => readCasePage(withCode('call-repared'))).toThrow('line 2, a: ');
    expect(() => readCasePage(withCode('call-repared'))).toThrow('did you mean call-repaired');
    expect(() => readCasePage(withCode('klingon'))).toThrow('"warning klingon": docs/errors.md');
  });
});

describe('readTools', () => {
  it('reads the short notation', () => {
    const notation =
      'read-file(path: string, limit?: integer|null)\nset(mode: "on"|"off", items: string[], x?: any)\nl()';
    expect(readTools(notation)).toEqual([
      {
        name: 'read-file',
        inputSchema: {
          type: 'object',
          properties: { path: { type: 'string' }, limit: { type: ['integer', 'null'] } },
          required: ['path'],
        },
      },
      {
        name: 'set',
        inputSchema: {
          type: 'object',
          properties: { mode: { enum: ['on', 'off'] }, items: { type: 'array', items: { type: 'string' } }, x: {} },
          required: ['mode', 'items'],
        },
      },
      { name: 'l', inputSchema: { type: 'object', properties: {}, required: [] } },
    ]);
  });

  it('reads OpenAI tool objects', () => {
    const json = '[{"type":"function","function":{"name":"a","description":"d"}}]';
    expect(readTools(json)).toEqual([{ name: 'a', description: 'd', inputSchema: { type: 'object', properties: {} } }]);
  });

  it.each(['read', 'read(path)', 'read(path: text)', 'read(path: string|text)'])('refuses %s', (line) => {
    expect(() => readTools(line)).toThrow(line.split('(')[0]);
  });
});
