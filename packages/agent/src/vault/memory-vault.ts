import type { Vault, VaultEntry } from './vault.ts';

/** A vault that ends with its process: for tests, and for trying things. */
export class MemoryVault implements Vault {
  readonly files: Map<string, string>;
  #active: string | undefined;

  constructor(files: Readonly<Record<string, string>> = {}, { active }: { readonly active?: string } = {}) {
    this.files = new Map(Object.entries(files));
    this.#active = active;
  }

  async list(folder: string): Promise<readonly VaultEntry[]> {
    const prefix = folder === '' ? '' : `${folder}/`;
    const entries = new Map<string, VaultEntry>();
    for (const [path, text] of this.files) {
      if (!path.startsWith(prefix)) continue;
      entries.set(path, { path, kind: 'file', size: text.length });
      for (const parent of parentsOf(path)) {
        if (parent.startsWith(prefix)) entries.set(parent, { path: parent, kind: 'folder' });
      }
    }
    return [...entries.values()];
  }

  async stat(path: string): Promise<VaultEntry | undefined> {
    const text = this.files.get(path);
    if (text !== undefined) return { path, kind: 'file', size: text.length };
    const isFolder = path === '' || [...this.files.keys()].some((each) => each.startsWith(`${path}/`));
    return isFolder ? { path, kind: 'folder' } : undefined;
  }

  async read(path: string): Promise<string> {
    const text = this.files.get(path);
    if (text === undefined) throw new Error(`There is no file "${path}".`);
    return text;
  }

  async write(path: string, text: string): Promise<void> {
    this.files.set(path, text);
  }

  async rename(from: string, to: string): Promise<void> {
    this.files.set(to, await this.read(from));
    this.files.delete(from);
  }

  async delete(path: string): Promise<void> {
    if (!this.files.delete(path)) throw new Error(`There is no file "${path}".`);
  }

  active(): string | undefined {
    return this.#active;
  }
}

function parentsOf(path: string): readonly string[] {
  const names = path.split('/');
  return names.slice(1).map((_, at) => names.slice(0, at + 1).join('/'));
}
