import { confinedPath, isShortName } from './confined-path.ts';
import { ToolFault, type Vault, type VaultEntry } from './vault.ts';

/** What tools see of a vault. There is no way to write in it, nor from it to what can. */
export interface ReadView {
  /** Everything below a folder that is not hidden, in order of the paths. */
  list(folder: string): Promise<readonly VaultEntry[]>;
  stat(path: string): Promise<VaultEntry | undefined>;
  read(path: string): Promise<string>;
  active(): string | undefined;
  /** The path as the vault has it. Throws ToolFault for what is not open to tools. */
  confine(path: string): Promise<string>;
}

/** A view of plain functions: what they close over cannot be reached through them. */
export function createReadView(vault: Vault, isHidden: (path: string) => boolean): ReadView {
  const confine = async (written: string) => {
    const path = confinedPath(written, isHidden);
    const names = path.split('/');
    for (const [at, name] of names.entries()) {
      // What is really called so is there; else it may be what is hidden.
      if (!isShortName(name) || (await vault.stat(names.slice(0, at + 1).join('/'))) !== undefined) continue;
      throw new ToolFault(
        `The path ${JSON.stringify(path)} may be the short name of another one on Windows. Give the whole name.`,
      );
    }
    if (vault.resolve === undefined || path === '') return path;
    const real = await vault.resolve(path);
    if (real === undefined)
      throw new ToolFault(`The path ${JSON.stringify(path)} is a link that leads out of the folder.`);
    confinedPath(real, isHidden);
    return path;
  };
  const view: ReadView = {
    confine,
    list: async (folder) => {
      const entries = await vault.list(await confine(folder), isHidden);
      const isOpen = ({ path }: VaultEntry) =>
        !path.split('/').some((_, at, names) => isHidden(names.slice(0, at + 1).join('/')));
      return entries.filter(isOpen).sort((one, other) => (one.path < other.path ? -1 : 1));
    },
    stat: async (path) => vault.stat(await confine(path)),
    read: async (path) => vault.read(await confine(path)),
    active: () => {
      const path = vault.active?.();
      return path === undefined || path.split('/').some((_, at, names) => isHidden(names.slice(0, at + 1).join('/')))
        ? undefined
        : path;
    },
  };
  return Object.freeze(view);
}
