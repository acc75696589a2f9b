import { type Files, readChat } from '@dragoman/agent';
import type { App, DataAdapter } from 'obsidian';

export interface Import {
  /** How many chats were taken over. */
  readonly taken: number;
  /** Files that are no chats. */
  readonly left: readonly string[];
}

/** A folder with chats of another plugin. */
export interface OldChats {
  readonly folder: string;
  readonly count: number;
}

/** What plugins call the folder that they keep chats in. */
const names: readonly string[] = ['chats', 'conversations', 'chat-history', 'sessions'];

/**
 * Folders in which another plugin has left chats: in its own folder, or in the vault. Chats of this plugin, in `own`, are none of
 * them.
 */
export async function findOldChats(app: App, own: readonly string[]): Promise<readonly OldChats[]> {
  const { adapter, configDir } = app.vault;
  const plugins = `${configDir}/plugins`;
  const installed = (await adapter.exists(plugins)) ? (await adapter.list(plugins)).folders : [];
  const inPlugins = installed.flatMap((plugin) => names.map((name) => `${plugin}/${name}`));
  const inVault = app.vault
    .getAllFolders()
    .flatMap(({ name, path }) => (names.includes(name.toLowerCase()) ? [path] : []));
  const found: OldChats[] = [];
  for (const folder of new Set([...inPlugins, ...inVault])) {
    if (own.some((each) => folder.startsWith(`${each}/`)) || !(await adapter.exists(folder))) continue;
    let count = 0;
    for (const path of (await adapter.list(folder)).files) {
      if (path.endsWith('.json') && isChat(await adapter.read(path), path)) count += 1;
    }
    if (count > 0) found.push({ folder, count });
  }
  return found;
}

/**
 * Takes over chats that another plugin has left in a folder, one file of JSON each. They are copied, so the folder stays as it
 * is; the store brings them into today's form when it reads them. A chat that is here already is not taken again.
 */
export async function importChats(
  folder: string,
  { adapter, files }: { readonly adapter: DataAdapter; readonly files: Files },
): Promise<Import> {
  const here = new Set(await files.list('chats'));
  const left: string[] = [];
  let taken = 0;
  for (const path of (await adapter.list(folder)).files) {
    const name = nameOf(path);
    if (!name.endsWith('.json') || here.has(name)) continue;
    const text = await adapter.read(path);
    if (!isChat(text, path)) {
      left.push(path);
      continue;
    }
    await files.write(`chats/${name}`, text);
    taken += 1;
  }
  return { taken, left };
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/** A list of chats is none itself. */
function isChat(text: string, path: string): boolean {
  const reading = readChat(text, { id: nameOf(path).slice(0, -'.json'.length), now: Date.now() });
  return 'chat' in reading && reading.chat.messages.length > 0;
}
