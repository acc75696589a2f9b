import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Tool } from '@dragoman/agent';
import type { McpConnection } from '@dragoman/agent/mcp';
import type { UserScript } from '@dragoman/agent/user-tools';
import { version } from '../../version.ts';
import { stateFolder } from '../state-folder.ts';
import { CommandError, type Terminal } from '../terminal.ts';
import { whyNoFolder } from './folder-vault.ts';
import { NodeFiles } from './node-files.ts';

/** The tools of the MCP servers in a file. */
export interface McpTools {
  readonly tools: readonly Tool[];
  close(): Promise<void>;
}

/** Starts or reaches all of them. Rejects with CommandError, which names the one that does not answer; none runs then. */
export async function openMcp({ cwd, env }: Terminal, file: string): Promise<McpTools> {
  const { connectMcp, readMcpServers } = await import('@dragoman/agent/mcp');
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
  const opened: McpConnection[] = [];
  const close = async () => {
    await Promise.all(opened.map((each) => each.close()));
  };
  try {
    for (const server of readMcpServers(readList(resolve(cwd, file)), env)) {
      opened.push(
        await connectMcp(server, {
          client: { name: 'dragoman', version },
          start: ({ command, args, env: own }) =>
            // What it logs would be in the middle of answers.
            new StdioClientTransport({ command, args: [...args], env: { ...own }, stderr: 'ignore', cwd }),
        }),
      );
    }
    return { tools: opened.flatMap(({ tools }) => tools), close };
  } catch (thrown) {
    await close();
    throw new CommandError(wordsOf(thrown));
  }
}

function readList(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (thrown) {
    throw new CommandError(`The list of MCP servers cannot be read: ${wordsOf(thrown)}`);
  }
}

function wordsOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Shows a person a script, and asks whether it may run. */
export type AskForScript = (script: UserScript) => Promise<boolean>;

interface ScriptOptions {
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
  const { readUserTools } = await import('@dragoman/agent/user-tools');
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
