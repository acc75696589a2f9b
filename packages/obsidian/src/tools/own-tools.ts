import { type Tool, withoutNamesakes } from '@dragoman/agent';
import { connectMcp, type McpConnection, readMcpServers } from '@dragoman/agent/mcp';
import { readUserTools, type UserScript } from '@dragoman/agent/user-tools';
import type { App } from 'obsidian';
import type { Settings } from '../settings.ts';

export interface OwnToolsOptions {
  readonly app: App;
  readonly settings: () => Settings;
  readonly version: string;
  readonly fetch: typeof fetch;
}

/** A script of the agent's folder, and whether it may run as it is now. */
export interface FoundScript extends UserScript {
  /** Another one as soon as the text changes. */
  readonly id: string;
  readonly isAllowed: boolean;
}

/** Tools beside those over the vault: scripts of the vault that a person allowed, and MCP servers over HTTP. */
export class OwnTools {
  readonly #options: OwnToolsOptions;
  #connections: readonly McpConnection[] = [];
  #tools: readonly Tool[] = [];

  constructor(options: OwnToolsOptions) {
    this.#options = options;
  }

  get tools(): readonly Tool[] {
    return this.#tools;
  }

  /** Reads scripts and connects to servers anew. Resolves with what went wrong, a sentence each. */
  async load(): Promise<readonly string[]> {
    await this.close();
    const scripts = await this.#loadScripts();
    const servers = await this.#loadServers();
    const { tools, problems } = withoutNamesakes([...scripts.tools, ...servers.tools]);
    this.#tools = tools;
    return [...scripts.problems, ...servers.problems, ...problems];
  }

  /** All scripts that there are. */
  async scripts(): Promise<readonly FoundScript[]> {
    const found: FoundScript[] = [];
    const { scripts } = this.#options.settings();
    await readUserTools(await this.#read(), async (script) => {
      found.push({ ...script, isAllowed: scripts[script.path] === script.id });
      return false;
    });
    return found;
  }

  async close(): Promise<void> {
    const open = this.#connections;
    this.#connections = [];
    await Promise.allSettled(open.map((connection) => connection.close()));
  }

  async #read(): Promise<readonly UserScript[]> {
    const { app, settings } = this.#options;
    const folder = app.vault.getFolderByPath(`${settings().folder}/tools`);
    const files = app.vault.getFiles().filter(({ parent, extension }) => extension === 'js' && parent === folder);
    if (folder === null) return [];
    return Promise.all(files.map(async (file) => ({ path: file.path, text: await app.vault.cachedRead(file) })));
  }

  async #loadScripts(): Promise<{ readonly tools: readonly Tool[]; readonly problems: readonly string[] }> {
    const { scripts } = this.#options.settings();
    const { tools, faults } = await readUserTools(await this.#read(), async ({ path, id }) => scripts[path] === id);
    return { tools, problems: faults.map(({ message }) => message) };
  }

  async #loadServers(): Promise<{ readonly tools: readonly Tool[]; readonly problems: readonly string[] }> {
    const { settings, version, fetch } = this.#options;
    if (settings().mcp.trim() === '') return { tools: [], problems: [] };
    try {
      const client = { name: 'dragoman-obsidian', version };
      const tried = await Promise.allSettled(
        readMcpServers(settings().mcp).map((server) =>
          connectMcp(server, { client, fetch: (url, init) => fetch(url, init) }),
        ),
      );
      const fulfilled = tried.filter((each) => each.status === 'fulfilled');
      this.#connections = fulfilled.map(({ value }) => value);
      return {
        tools: this.#connections.flatMap(({ tools }) => tools),
        problems: tried.filter((each) => each.status === 'rejected').map(({ reason }) => wordsOf(reason)),
      };
    } catch (error) {
      return { tools: [], problems: [wordsOf(error)] };
    }
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
