import type { Files } from '@dragoman/agent';
import { type DataAdapter, normalizePath } from 'obsidian';
import { makeFolders } from '../chats/move-chats.ts';

/** What a file is called for the moment in which another one takes its name. */
const before = '.before';

/**
 * The folder that chats are kept in. Obsidian renames onto no file that is there, so a file steps aside first; where Obsidian ends
 * at that moment, it gets its name back when the folder is listed next. `folder` may be another one from one call to the next.
 */
export function createPluginFiles(adapter: DataAdapter, folder: () => string): Files {
  const at = (path: string) => normalizePath(`${folder()}/${path}`);

  const takeBack = async (path: string) => {
    const aside = `${path}${before}`;
    if (!(await adapter.exists(aside))) return;
    if (await adapter.exists(path)) await adapter.remove(aside);
    else await adapter.rename(aside, path);
  };

  return {
    read: (path) => adapter.read(at(path)),
    write: async (path, text) => {
      await makeFolders(adapter, at(path));
      await adapter.write(at(path), text);
    },
    rename: async (from, to) => {
      await makeFolders(adapter, at(to));
      const target = at(to);
      await takeBack(target);
      if (await adapter.exists(target)) await adapter.rename(target, `${target}${before}`);
      await adapter.rename(at(from), target);
      await takeBack(target);
    },
    list: async (path) => {
      const where = at(path);
      if (!(await adapter.exists(where))) return [];
      const { files } = await adapter.list(where);
      const names = new Set(files.map((file) => file.slice(file.lastIndexOf('/') + 1)));
      for (const name of [...names].filter((each) => each.endsWith(before))) {
        const own = name.slice(0, -before.length);
        names.delete(name);
        if (names.has(own)) continue;
        await takeBack(`${where}/${own}`);
        names.add(own);
      }
      return [...names];
    },
    delete: (path) => adapter.remove(at(path)),
    stat: async (path) => {
      const stat = await adapter.stat(at(path));
      return stat === null ? undefined : { version: `${stat.mtime}-${stat.size}` };
    },
  };
}
