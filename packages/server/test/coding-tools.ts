import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import type { ScratchFolder } from './scratch-folder.ts';

export type Arguments = Readonly<Record<string, unknown>>;

/** A tool of a coding agent, declared as OpenCode declares its own and executed for real in a scratch folder. */
export interface CodingTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: {
    readonly type: 'object';
    readonly properties: Readonly<Record<string, object>>;
    readonly required: string[];
  };
  /** Runs it. Rejects with what the agent would tell the model. */
  run(values: Arguments): Promise<string>;
}

const text = (description: string) => ({ type: 'string', description });
const number = (description: string) => ({ type: 'number', description });

/** OpenCode's set of eleven, nested parameters included. */
export function codingTools(folder: ScratchFolder): readonly CodingTool[] {
  return [...fileTools(folder), ...searchTools(folder), ...planTools()];
}

function fileTools(folder: ScratchFolder): CodingTool[] {
  return [
    {
      name: 'read',
      description: 'Reads a file from the local filesystem and returns its lines.',
      parameters: {
        type: 'object',
        properties: {
          filePath: text('The path to the file to read'),
          offset: number('The line to start reading at, from 0'),
          limit: number('How many lines to read (defaults to 2000)'),
        },
        required: ['filePath'],
      },
      run: async (values) => {
        const lines = (await folder.read(stringOf(values, 'filePath'))).split('\n');
        const from = typeof values.offset === 'number' ? values.offset : 0;
        const count = typeof values.limit === 'number' ? values.limit : 2000;
        return lines.slice(from, from + count).join('\n');
      },
    },
    {
      name: 'write',
      description: 'Writes a file to the local filesystem. An existing file is overwritten.',
      parameters: {
        type: 'object',
        properties: { filePath: text('The path to the file to write'), content: text('All of its new content') },
        required: ['filePath', 'content'],
      },
      run: async (values) => {
        const path = stringOf(values, 'filePath');
        await folder.write(path, stringOf(values, 'content'));
        return `Wrote ${path}.`;
      },
    },
    {
      name: 'edit',
      description: 'Replaces one exact piece of text in a file by another. The old text has to occur in the file.',
      parameters: {
        type: 'object',
        properties: {
          filePath: text('The path to the file to modify'),
          oldString: text('The text to replace'),
          newString: text('The text to replace it with'),
          replaceAll: { type: 'boolean', description: 'Replace every occurrence (default false)' },
        },
        required: ['filePath', 'oldString', 'newString'],
      },
      run: async (values) => {
        const path = stringOf(values, 'filePath');
        const before = await folder.read(path);
        const [old, fresh] = [stringOf(values, 'oldString'), stringOf(values, 'newString')];
        if (!before.includes(old)) throw new Error(`The text was not found in ${path}.`);
        // A function, so that "$&" in the new text is no pattern.
        await folder.write(
          path,
          values.replaceAll === true ? before.split(old).join(fresh) : before.replace(old, () => fresh),
        );
        return `Edited ${path}.`;
      },
    },
    {
      name: 'list',
      description: 'Lists the files and directories in a given path.',
      parameters: {
        type: 'object',
        properties: {
          path: text('The directory to list'),
          ignore: { type: 'array', items: { type: 'string' }, description: 'Glob patterns to leave out' },
        },
        required: [],
      },
      run: async (values) => {
        const path = typeof values.path === 'string' ? values.path : '.';
        return (await readdir(folder.inside(path))).sort().join('\n');
      },
    },
  ];
}

function searchTools(folder: ScratchFolder): CodingTool[] {
  /** Files whose own name fits the last part of a pattern, in which one star stands for anything. */
  const filesOf = async (pattern: string): Promise<string[]> => {
    const [before = '', after] = basename(pattern).split('*');
    const fits = (name: string) =>
      after === undefined ? name === before : name.startsWith(before) && name.endsWith(after);
    const paths = await readdir(folder.path, { recursive: true });
    return paths.filter((path) => fits(basename(path)) && basename(path).includes('.')).sort();
  };
  return [
    {
      name: 'bash',
      description: 'Executes a bash command in a shell session and returns what it printed.',
      parameters: {
        type: 'object',
        properties: {
          command: text('The command to execute'),
          timeout: number('The most milliseconds it may take'),
          description: text('What the command does, in five to ten words'),
        },
        required: ['command', 'description'],
      },
      run: async (values) => {
        const command = stringOf(values, 'command');
        const { stdout, stderr } = await promisify(execFile)('sh', ['-c', command], {
          cwd: folder.path,
          timeout: 5000,
        });
        return stdout + stderr;
      },
    },
    {
      name: 'glob',
      description: 'Finds files by a name pattern such as "**/*.ts".',
      parameters: {
        type: 'object',
        properties: { pattern: text('The glob pattern to match files against'), path: text('The directory to search') },
        required: ['pattern'],
      },
      run: async (values) => (await filesOf(stringOf(values, 'pattern'))).join('\n'),
    },
    {
      name: 'grep',
      description: 'Searches the contents of files for a text.',
      parameters: {
        type: 'object',
        properties: {
          pattern: text('The text to search for'),
          path: text('The directory to search'),
          include: text('Which files to search, as a glob pattern'),
        },
        required: ['pattern'],
      },
      run: async (values) => {
        const pattern = stringOf(values, 'pattern');
        const hits: string[] = [];
        for (const path of await filesOf('**/*')) {
          for (const line of (await folder.read(path)).split('\n'))
            if (line.includes(pattern)) hits.push(`${path}: ${line}`);
        }
        return hits.join('\n');
      },
    },
    {
      name: 'webfetch',
      description: 'Fetches the content of a URL.',
      parameters: {
        type: 'object',
        properties: {
          url: text('The URL to fetch'),
          format: { type: 'string', enum: ['text', 'markdown', 'html'], description: 'The form to return it in' },
          timeout: number('The most seconds to wait'),
        },
        required: ['url', 'format'],
      },
      run: async (values) => (await fetch(stringOf(values, 'url'))).text(),
    },
  ];
}

function planTools(): CodingTool[] {
  let todos: unknown = [];
  const todo = {
    type: 'object',
    properties: {
      content: text('What is to be done'),
      status: { type: 'string', enum: ['pending', 'in_progress', 'completed', 'cancelled'] },
      priority: { type: 'string', enum: ['high', 'medium', 'low'] },
      id: text('A name for it that no other has'),
    },
    required: ['content', 'status', 'priority', 'id'],
    additionalProperties: false,
  };
  return [
    {
      name: 'todowrite',
      description: 'Replaces the structured task list of this session.',
      parameters: {
        type: 'object',
        properties: { todos: { type: 'array', items: todo, description: 'The whole new list' } },
        required: ['todos'],
      },
      run: async (values) => {
        if (!Array.isArray(values.todos)) throw new Error('todos is not a list');
        todos = values.todos;
        return JSON.stringify(todos);
      },
    },
    {
      name: 'todoread',
      description: 'Returns the task list of this session.',
      parameters: { type: 'object', properties: {}, required: [] },
      run: async () => JSON.stringify(todos),
    },
    {
      name: 'task',
      description: 'Launches another agent that works on a piece of work by itself.',
      parameters: {
        type: 'object',
        properties: {
          description: text('The work in three to five words'),
          prompt: text('What the agent is to do'),
          subagent_type: text('Which agent to use'),
        },
        required: ['description', 'prompt', 'subagent_type'],
      },
      run: async (values) => `The agent ${stringOf(values, 'subagent_type')} is done.`,
    },
  ];
}

function stringOf(values: Arguments, name: string): string {
  const value = values[name];
  if (typeof value !== 'string') throw new Error(`${name} is not a string`);
  return value;
}
