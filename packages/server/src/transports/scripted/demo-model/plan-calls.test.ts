import type { ToolDefinition } from '@dragoman/core';
import { describe, expect, it } from 'vitest';
import { fillArguments } from './fill-arguments.ts';
import { planCalls } from './plan-calls.ts';
import type { Demand } from './read-prompt.ts';

const text = { type: 'string' };
const number = { type: 'number' };

function tool(name: string, description: string, properties: object, required: readonly string[]): ToolDefinition {
  return { name, description, inputSchema: { type: 'object', properties, required } };
}

/** The tools of a coding agent and some others, as their makers describe them. */
const tools = [
  tool('bash', 'Executes a bash command in a shell session.', { command: text, description: text, timeout: number }, [
    'command',
    'description',
  ]),
  tool('read', 'Reads a file from the local filesystem.', { filePath: text, limit: number }, ['filePath']),
  tool('glob', 'Fast file pattern matching tool', { pattern: text, path: text }, ['pattern']),
  tool('grep', 'Fast content search tool using regular expressions', { pattern: text, path: text }, ['pattern']),
  tool('list', 'Lists files and directories in a given path.', { path: text, recursive: { type: 'boolean' } }, []),
  tool('edit', 'Performs exact string replacements in files.', { filePath: text, oldString: text, newString: text }, [
    'filePath',
    'oldString',
    'newString',
  ]),
  tool('write', 'Writes a file to the local filesystem.', { filePath: text, content: text }, ['filePath', 'content']),
  tool('get_weather', 'Get the weather', { location: text, unit: { enum: ['celsius', 'fahrenheit'] } }, ['location']),
];

function plan(request: string, options: { readonly demand?: Demand; readonly known?: readonly ToolDefinition[] } = {}) {
  const supply = { latestResult: 'the latest result', directory: '/home/me' };
  return planCalls(request, options.known ?? tools, options.demand ?? 'none').map(({ tool: chosen, order, step }) => [
    step,
    chosen.name,
    fillArguments(chosen.inputSchema, { ...supply, order }),
  ]);
}

describe('planCalls', () => {
  const read = (filePath: string, step = 0) => [step, 'read', { filePath }];
  const weather = (location: string) => [0, 'get_weather', { location }];
  it.each([
    ['Read README.md and package.json', [read('README.md'), read('package.json')]],
    ['Read `src/a.ts`, "my notes.txt" and ./d.', [read('src/a.ts'), read('my notes.txt'), read('./d')]],
    ['What is in package.json?', [read('package.json')]],
    ['List all files, then read src/index.ts', [[0, 'list', {}], read('src/index.ts', 1)]],
    ['list the files, read a.md, and read b.md', [[0, 'list', {}], read('a.md'), read('b.md')]],
    [
      "Run the command 'cat /tmp/w/note.txt'",
      [[0, 'bash', { command: 'cat /tmp/w/note.txt', description: 'cat /tmp/w/note.txt' }]],
    ],
    ['run ls -la', [[0, 'bash', { command: 'ls -la', description: 'ls -la' }]]],
    ['Search for TODO comments in src', [[0, 'grep', { pattern: 'TODO comments' }]]],
    ['Find files that match **/*.ts', [[0, 'glob', { pattern: '**/*.ts' }]]],
    ['Write "hello world" to out.txt', [[0, 'write', { filePath: 'out.txt', content: 'hello world' }]]],
    [
      'Read a.txt then write its contents to b.txt',
      [read('a.txt'), [1, 'write', { filePath: 'b.txt', content: 'the latest result' }]],
    ],
    [
      'Read a.txt and write it to b.txt',
      [read('a.txt'), [1, 'write', { filePath: 'b.txt', content: 'the latest result' }]],
    ],
    ['Replace "foo" with "bar" in a.ts', [[0, 'edit', { filePath: 'a.ts', oldString: 'foo', newString: 'bar' }]]],
    ["What's the weather in New York?", [weather('New York')]],
    ['Weather in Tokyo. Also read a.md!', [weather('Tokyo'), read('a.md')]],
    ['Hello, who are you?', []],
    ['', []],
  ])('%s', (request, expected) => {
    expect(plan(request)).toEqual(expected);
  });

  it('calls the first tool when a call is demanded, and the named one when it is named', () => {
    expect(plan('Hello!', { demand: 'any' })).toHaveLength(1);
    expect(plan('Read a.md', { demand: { name: 'bash' } })).toMatchObject([[0, 'bash', {}]]);
  });

  it('fills what the request does not name from default, enum and minimum', () => {
    const properties = {
      kind: { enum: ['short', 'long'] },
      style: { type: 'string', default: 'plain' },
      pages: { type: 'integer', minimum: 3 },
      loud: { type: 'boolean' },
      owner: { type: 'object', properties: { id: { const: 7, type: 'integer' } }, required: ['id'] },
      tags: { type: 'array', items: { type: 'string', default: 'x' } },
      nothing: { type: 'null' },
    };
    const known = [tool('report', 'Makes a report', properties, Object.keys(properties))];
    const filled = {
      kind: 'short',
      style: 'plain',
      pages: 3,
      loud: false,
      owner: { id: 7 },
      tags: ['x'],
      nothing: null,
    };
    expect(plan('report', { known })).toEqual([[0, 'report', filled]]);
  });

  it('gives an array parameter all objects in one call', () => {
    const known = [tool('read_files', 'Reads files', { paths: { type: 'array', items: text } }, ['paths'])];
    expect(plan('Read a.md and b.md', { known })).toEqual([[0, 'read_files', { paths: ['a.md', 'b.md'] }]]);
  });

  it('gives an absolute path where the tool wants one', () => {
    const path = { type: 'string', description: 'The absolute path' };
    const known = [tool('read', 'Reads a file', { path }, ['path'])];
    expect(plan('Read src/a.md', { known })).toEqual([[0, 'read', { path: '/home/me/src/a.md' }]]);
  });

  it('fills the old text and the new one in whatever order a schema has them, and when only the path is required', () => {
    const known = [tool('edit', 'Edits a file', { path: text, new_text: text, old_text: text }, ['path'])];
    expect(plan("replace 'a' with 'b' in c.ts", { known })).toEqual([
      [0, 'edit', { path: 'c.ts', new_text: 'b', old_text: 'a' }],
    ]);
  });

  it('plans at most twelve calls', () => {
    const files = Array.from({ length: 40 }, (_, index) => `f${index}.md`).join(', ');
    expect(plan(`Read ${files}`)).toHaveLength(12);
  });
});
