import type { ToolDefinition } from '@dragoman/core';
import { describe, expect, it } from 'vitest';
import { knowTool } from './choose-tool.ts';
import { fillArguments } from './fill-arguments.ts';
import { type Demand, planCalls } from './plan-calls.ts';
import { Supply } from './supply.ts';

type Properties = Readonly<Record<string, unknown>>;

const tool = (
  name: string,
  description: string,
  properties: Properties,
  required: readonly string[],
): ToolDefinition => ({
  name,
  description,
  inputSchema: { type: 'object', properties, required },
});
const text = { type: 'string' };

/** The tools of a coding agent and some others, as their makers describe them. */
const tools = [
  tool(
    'bash',
    'Executes a bash command in a shell session.',
    { command: text, description: text, timeout: { type: 'number' } },
    ['command', 'description'],
  ),
  tool(
    'read',
    'Reads a file from the local filesystem.',
    { filePath: text, offset: { type: 'number' }, limit: { type: 'number' } },
    ['filePath'],
  ),
  tool('glob', 'Fast file pattern matching tool', { pattern: text, path: text }, ['pattern']),
  tool('grep', 'Fast content search tool using regular expressions', { pattern: text, path: text }, ['pattern']),
  tool('list', 'Lists files and directories in a given path.', { path: text, recursive: { type: 'boolean' } }, []),
  tool(
    'edit',
    'Performs exact string replacements in files.',
    { filePath: text, oldString: text, newString: text, replaceAll: { type: 'boolean' } },
    ['filePath', 'oldString', 'newString'],
  ),
  tool('write', 'Writes a file to the local filesystem.', { filePath: text, content: text }, ['filePath', 'content']),
  tool(
    'webfetch',
    'Fetches content from a specified URL',
    { url: text, format: { enum: ['text', 'markdown'], default: 'markdown' } },
    ['url', 'format'],
  ),
  tool(
    'get_weather',
    'Get the weather in a given location',
    { location: text, unit: { type: 'string', enum: ['celsius', 'fahrenheit'] } },
    ['location'],
  ),
  tool('add', 'Adds two numbers', { a: { type: 'number' }, b: { type: 'number' } }, ['a', 'b']),
];

function plan(request: string, options: { readonly demand?: Demand; readonly known?: readonly ToolDefinition[] } = {}) {
  const known = (options.known ?? tools).map(knowTool);
  return planCalls(request, known, options.demand ?? 'none').map(({ tool: chosen, clause, mentions, step }) => {
    const supply = new Supply({ clause, mentions, latestResult: 'the latest result' });
    return [step, chosen.definition.name, fillArguments(chosen.definition.inputSchema, supply)];
  });
}

describe('planCalls', () => {
  it.each([
    [
      'Read README.md and package.json',
      [
        [0, 'read', { filePath: 'README.md' }],
        [0, 'read', { filePath: 'package.json' }],
      ],
    ],
    [
      'Please open `src/a.ts`, "my notes.txt" and ./d.',
      [
        [0, 'read', { filePath: 'src/a.ts' }],
        [0, 'read', { filePath: 'my notes.txt' }],
        [0, 'read', { filePath: './d' }],
      ],
    ],
    ['What is in package.json?', [[0, 'read', { filePath: 'package.json' }]]],
    ['What does /etc/hosts say?', [[0, 'read', { filePath: '/etc/hosts' }]]],
    ['Read README.md limit 5', [[0, 'read', { filePath: 'README.md', limit: 5 }]]],
    [
      'List the src folder recursively, then read src/index.ts',
      [
        [0, 'list', { path: 'src', recursive: true }],
        [1, 'read', { filePath: 'src/index.ts' }],
      ],
    ],
    ['list files', [[0, 'list', {}]]],
    [
      'list files, read a.md, and show b.md',
      [
        [0, 'list', {}],
        [0, 'read', { filePath: 'a.md' }],
        [0, 'read', { filePath: 'b.md' }],
      ],
    ],
    ['Run `npm test` and tell me what fails', [[0, 'bash', { command: 'npm test', description: 'Run `npm test`' }]]],
    [
      "Run the command 'cat /tmp/w/note.txt'",
      [[0, 'bash', { command: 'cat /tmp/w/note.txt', description: "Run the command 'cat /tmp/w/note.txt'" }]],
    ],
    ['run ls -la', [[0, 'bash', { command: 'ls -la', description: 'run ls -la' }]]],
    ['Search for TODO comments in src', [[0, 'grep', { pattern: 'TODO comments' }]]],
    ['find all files matching **/*.ts', [[0, 'glob', { pattern: '**/*.ts' }]]],
    ['Write "hello world" to out.txt', [[0, 'write', { filePath: 'out.txt', content: 'hello world' }]]],
    ['Create a file called notes.md saying buy milk', [[0, 'write', { filePath: 'notes.md', content: 'buy milk' }]]],
    [
      'Read a.txt then write its contents to b.txt',
      [
        [0, 'read', { filePath: 'a.txt' }],
        [1, 'write', { filePath: 'b.txt', content: 'the latest result' }],
      ],
    ],
    ['Replace "foo" with "bar" in a.ts', [[0, 'edit', { filePath: 'a.ts', oldString: 'foo', newString: 'bar' }]]],
    ['change foo to bar in a.ts', [[0, 'edit', { filePath: 'a.ts', oldString: 'foo', newString: 'bar' }]]],
    [
      'fetch https://example.com/x and https://b.org as text',
      [
        [0, 'webfetch', { url: 'https://example.com/x', format: 'text' }],
        [0, 'webfetch', { url: 'https://b.org', format: 'text' }],
      ],
    ],
    ['Read https://example.com', [[0, 'webfetch', { url: 'https://example.com', format: 'markdown' }]]],
    [
      "What's the weather in Paris and New York in celsius?",
      [
        [0, 'get_weather', { location: 'Paris', unit: 'celsius' }],
        [0, 'get_weather', { location: 'New York', unit: 'celsius' }],
      ],
    ],
    ['weather in berlin please', [[0, 'get_weather', { location: 'berlin' }]]],
    ['add 2 and 3.5', [[0, 'add', { a: 2, b: 3.5 }]]],
    [
      'Weather for Tokyo. Also read a.md!',
      [
        [0, 'get_weather', { location: 'Tokyo' }],
        [0, 'read', { filePath: 'a.md' }],
      ],
    ],
    ['Hello, who are you?', []],
    ['', []],
  ])('%s', (request, expected) => {
    expect(plan(request)).toEqual(expected);
  });

  it('calls the best tool when a call is demanded, and the named one when it is named', () => {
    expect(plan('Hello!', { demand: 'any' })).toHaveLength(1);
    expect(plan('Read a.md', { demand: { name: 'bash' } })).toMatchObject([[0, 'bash', {}]]);
  });

  it('fills what the request does not name from default, enum, examples and minimum, references resolved', () => {
    const known = [
      tool(
        'report',
        'Makes a report',
        {
          kind: { enum: ['short', 'long'] },
          style: { type: 'string', default: 'plain' },
          title: { type: 'string', examples: ['Weekly'] },
          pages: { type: 'integer', minimum: 3 },
          loud: { type: 'boolean' },
          owner: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/owner' }] },
          tags: { type: 'array', items: { type: 'string', default: 'x' } },
          nothing: { type: 'null' },
        },
        ['kind', 'style', 'title', 'pages', 'loud', 'owner', 'tags', 'nothing'],
      ),
    ].map((each) => ({
      ...each,
      inputSchema: {
        ...(each.inputSchema as object),
        $defs: { owner: { type: 'object', properties: { id: { const: 7, type: 'integer' } }, required: ['id'] } },
      },
    }));
    expect(plan('report', { known })).toEqual([
      [
        0,
        'report',
        {
          kind: 'short',
          style: 'plain',
          title: 'Weekly',
          pages: 3,
          loud: false,
          owner: { id: 7 },
          tags: ['x'],
          nothing: null,
        },
      ],
    ]);
  });

  it('comes to an end with a schema that contains itself', () => {
    const node = {
      type: 'object',
      properties: { child: { $ref: '#/properties/node' }, n: { type: 'integer' } },
      required: ['child', 'n'],
    };
    const [call] = plan('grow 4', { known: [tool('grow', 'Grows', { node }, ['node'])] });
    expect(JSON.stringify(call)).toContain('"n":4');
  });

  it('gives an array parameter all objects in one call', () => {
    const known = [tool('read_files', 'Reads files', { paths: { type: 'array', items: text } }, ['paths'])];
    expect(plan('Read a.md and b.md', { known })).toEqual([[0, 'read_files', { paths: ['a.md', 'b.md'] }]]);
  });

  it('fills an edit that requires only its path, and no edit where nothing is to be replaced', () => {
    const edit = tool('edit', 'Edits a file', { path: text, old_str: text, new_str: text }, ['path']);
    expect(plan("replace 'a' with 'b' in c.ts", { known: [edit] })).toEqual([
      [0, 'edit', { path: 'c.ts', old_str: 'a', new_str: 'b' }],
    ]);
    expect(plan("edit 'my file.ts'", { known: [edit] })).toEqual([[0, 'edit', { path: 'my file.ts' }]]);
  });

  it('fills the old text and the new one in whatever order a schema has them, and when only one is required', () => {
    const editor = tool('edit', 'Edits', { path: text, new_text: text, old_text: text }, ['path', 'new_text']);
    expect(plan("replace 'a' with 'b' in c.ts", { known: [editor] })).toEqual([
      [0, 'edit', { path: 'c.ts', new_text: 'b', old_text: 'a' }],
    ]);
  });

  it('plans at most twelve calls', () => {
    const files = Array.from({ length: 40 }, (_, index) => `f${index}.md`).join(', ');
    expect(plan(`Read ${files}`)).toHaveLength(12);
  });
});
