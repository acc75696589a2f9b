import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Tool } from '@dragoman/agent';
import { readUserTools, type UserScript } from '@dragoman/agent/user-tools';
import { stateFolder } from '../state-folder.ts';
import { CommandError, type Terminal } from '../terminal.ts';
import { whyNoFolder } from './folder-vault.ts';
import { NodeFiles } from './node-files.ts';

/** Shows a person a script, and asks whether it may run. */
export type AskForScript = (script: UserScript) => Promise<boolean>;

export interface ScriptOptions {
  readonly folder: string;
  /** Nobody has to be asked. */
  readonly approvesAll: boolean;
  readonly ask: AskForScript;
}

/** A file for each script that a person has allowed, as it was then. */
const allowed = 'allowed-scripts';

/**
 * The tools of the scripts in a folder, each asked for once, and again when its text is another one. Rejects with CommandError
 * for a folder that cannot be read, and for a script that is no tool.
 */
export async function openScripts(
  terminal: Terminal,
  { folder, approvesAll, ask }: ScriptOptions,
): Promise<readonly Tool[]> {
  const files = new NodeFiles(stateFolder(terminal));
  const { tools, faults } = await readUserTools(
    await readScripts(resolve(terminal.cwd, folder)),
    async ({ id, ...script }) => {
      const mark = `${allowed}/${id}`;
      if (approvesAll || (await files.stat(mark)) !== undefined) return true;
      if (!(await ask(script))) return false;
      await files.write(mark, script.path);
      return true;
    },
  );
  if (faults.length > 0) throw new CommandError(faults.map(({ message }) => message).join('\n'));
  return tools;
}

async function readScripts(folder: string): Promise<readonly UserScript[]> {
  try {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.js')).sort();
    const paths = names.map((name) => join(folder, name));
    return await Promise.all(paths.map(async (path) => ({ path, text: await readFile(path, 'utf8') })));
  } catch (thrown) {
    throw new CommandError(`The tools in ${folder} cannot be read: ${whyNoFolder(thrown)}.`);
  }
}
