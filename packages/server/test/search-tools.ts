import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { type CodingTool, number, stringOf, text } from './coding-tool.ts';
import type { ScratchFolder } from './scratch-folder.ts';

/** `bash`, `glob`, `grep` and `webfetch`. */
export function searchTools(folder: ScratchFolder): CodingTool[] {
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
