import { readdir } from 'node:fs/promises';
import { type CodingTool, number, stringOf, text } from './coding-tool.ts';
import { planTools } from './plan-tools.ts';
import type { ScratchFolder } from './scratch-folder.ts';
import { searchTools } from './search-tools.ts';

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
