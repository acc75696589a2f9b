import { foldedPath, startsWithDot, ToolFault, type Vault, type VaultEntry } from '@dragoman/agent';
import { type App, normalizePath, type TAbstractFile, TFile, TFolder } from 'obsidian';
import { chatEntries } from '../chats/move-chats.ts';

/**
 * The vault as the agent sees it. It goes through Obsidian, so that open editors show what was written, links follow what is
 * moved, and what is deleted goes where the user wants deleted files to go.
 */
export function createObsidianVault(app: App): Vault {
  const fileAt = (path: string): TFile => {
    const file = app.vault.getFileByPath(path);
    if (file === null) throw new ToolFault(`There is no file "${path}".`);
    return file;
  };
  return {
    list: async (folder, isHidden) => {
      const top = folder === '' ? app.vault.getRoot() : app.vault.getFolderByPath(folder);
      return top === null ? [] : [...below(top, isHidden)];
    },
    stat: async (path) => {
      const file = path === '' ? app.vault.getRoot() : app.vault.getAbstractFileByPath(path);
      return file === null ? undefined : entryOf(file);
    },
    read: async (path) => {
      const file = fileAt(path);
      const text = await app.vault.cachedRead(file);
      if (text.includes('\0')) throw new ToolFault(`"${path}" is not text.`);
      return text;
    },
    write: async (path, text) => {
      const file = app.vault.getFileByPath(path);
      if (file !== null) {
        const known = await app.vault.cachedRead(file);
        await app.vault.process(file, (now) => {
          // Another program may have written it before Obsidian has seen that.
          if (now !== known) throw new ToolFault(`"${path}" has changed meanwhile. Read it again.`);
          return text;
        });
        return;
      }
      const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
      if (folder !== '' && app.vault.getFolderByPath(folder) === null) await app.vault.createFolder(folder);
      await app.vault.create(path, text);
    },
    rename: async (from, to) => {
      const folder = to.slice(0, Math.max(0, to.lastIndexOf('/')));
      if (folder !== '' && app.vault.getFolderByPath(folder) === null) await app.vault.createFolder(folder);
      await app.fileManager.renameFile(fileAt(from), to);
    },
    delete: async (path) => {
      await app.fileManager.trashFile(fileAt(path));
    },
    active: () => app.workspace.getActiveFile()?.path,
  };
}

/**
 * Names that begin with a dot, the folder of Obsidian's configuration, which may be called otherwise, and chats that are kept in
 * the vault: what was said there is no note, and nobody is asked before a chat is saved.
 */
export function hiddenIn(app: App, chats = ''): (path: string) => boolean {
  const own = chats === '' ? [] : chatEntries.map((name) => normalizePath(`${chats}/${name}`));
  const hidden = [app.vault.configDir, ...own].map(foldedPath);
  return (path) => {
    const folded = foldedPath(path);
    return startsWithDot(path) || hidden.some((each) => folded === each || folded.startsWith(`${each}/`));
  };
}

function* below(folder: TFolder, isHidden: (path: string) => boolean): Generator<VaultEntry> {
  for (const child of folder.children) {
    if (isHidden(child.path)) continue;
    yield entryOf(child);
    if (child instanceof TFolder) yield* below(child, isHidden);
  }
}

function entryOf(file: TAbstractFile): VaultEntry {
  if (file instanceof TFile) return { path: file.path, kind: 'file', size: file.stat.size };
  return { path: file.path === '/' ? '' : file.path, kind: 'folder' };
}
