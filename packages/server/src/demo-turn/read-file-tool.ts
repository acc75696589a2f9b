import { readFile, realpath } from 'node:fs/promises';
import { resolve, sep } from 'node:path';

/** The one tool of the demonstration, as a client declares it. */
export const readFileTool = {
  type: 'function',
  function: {
    name: 'read_file',
    description: 'Reads a text file of this repository.',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string', description: 'The path of the file, from the root of the repository' } },
      required: ['path'],
    },
  },
} as const;

/** Longer files are cut here, in characters. */
const longestFile = 65_536;

export interface ToolOutcome {
  readonly text: string;
  readonly ok: boolean;
}

/**
 * Runs a call to `read_file` for real. Only files inside `root` are read, links followed before that is judged.
 * A call that cannot be run gives an error text, as a tool does; it never throws.
 */
export async function runReadFile(
  call: { readonly name: string; readonly arguments: string },
  root: string,
): Promise<ToolOutcome> {
  const path = pathOf(call.arguments);
  if (call.name !== readFileTool.function.name) return failure(`there is no tool ${call.name}`);
  if (path === undefined) return failure('the arguments hold no path');
  try {
    const inside = await realpath(root);
    const file = await realpath(resolve(inside, path));
    if (!file.startsWith(inside + sep)) return failure(`${path} is outside of the repository`);
    const text = await readFile(file, 'utf8');
    return { text: text.length > longestFile ? `${text.slice(0, longestFile)}\n[cut here]` : text, ok: true };
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'unknown';
    return failure(code === 'ENOENT' ? `there is no file ${path}` : `${path} cannot be read (${code})`);
  }
}

function failure(reason: string): ToolOutcome {
  return { text: `Error: ${reason}.`, ok: false };
}

function pathOf(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('path' in value)) return undefined;
    return typeof value.path === 'string' ? value.path : undefined;
  } catch {
    return undefined;
  }
}
