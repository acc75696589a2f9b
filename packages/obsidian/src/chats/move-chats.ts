import { type DataAdapter, normalizePath } from 'obsidian';

/** What is in the folder of chats. */
export const chatEntries = ['chats', 'undo', 'index.json'] as const;

/**
 * Moves all chats and their changes to another folder. A file that is there already and says something else is left where it is:
 * another device may have brought it. Resolves with the paths of those that were left.
 */
export async function moveChats(
  adapter: DataAdapter,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<readonly string[]> {
  const left: string[] = [];
  for (const entry of chatEntries) {
    const top = normalizePath(`${from}/${entry}`);
    for (const path of await filesBelow(adapter, top)) {
      const target = normalizePath(`${to}/${path.slice(normalizePath(from).length + 1)}`);
      const text = await adapter.read(path);
      if (await adapter.exists(target)) {
        // Titles are read anew out of the chats.
        if (entry !== 'index.json' && (await adapter.read(target)) !== text) {
          left.push(path);
          continue;
        }
      } else {
        await makeFolders(adapter, target);
        await adapter.write(target, text);
      }
      await adapter.remove(path);
    }
  }
  return left;
}

/** The files of a folder and all below it, or the file itself; none where there is nothing. */
async function filesBelow(adapter: DataAdapter, path: string): Promise<readonly string[]> {
  const stat = await adapter.stat(path);
  if (stat === null) return [];
  if (stat.type === 'file') return [path];
  const { files, folders } = await adapter.list(path);
  const below = await Promise.all(folders.map((folder) => filesBelow(adapter, folder)));
  return [...files, ...below.flat()];
}

/** Makes the folders that a file needs. */
export async function makeFolders(adapter: DataAdapter, path: string): Promise<void> {
  const names = path.split('/').slice(0, -1);
  for (let depth = 1; depth <= names.length; depth += 1) {
    const each = names.slice(0, depth).join('/');
    if (await adapter.exists(each)) continue;
    // Another window may be faster.
    await adapter.mkdir(each).catch(async (error: unknown) => {
      if (!(await adapter.exists(each))) throw error;
    });
  }
}
