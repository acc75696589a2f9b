import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Tool } from '@dragoman/agent';
import { connectMcp, type McpConnection, readMcpServers } from '@dragoman/agent/mcp';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { version } from '../../version.ts';
import { CommandError, type Terminal } from '../terminal.ts';

/** The tools of the MCP servers in a file. */
export interface McpTools {
  readonly tools: readonly Tool[];
  close(): Promise<void>;
}

/** Starts or reaches all of them. Rejects with CommandError, which names the one that does not answer; none runs then. */
export async function openMcp({ cwd, env }: Terminal, file: string): Promise<McpTools> {
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
