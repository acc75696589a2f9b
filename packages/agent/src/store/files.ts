/** What is known of a file. */
export interface FileStat {
  /** Changes with every write; two equal ones of a path mean the same content. */
  readonly version: string;
}

/**
 * The folder that chats are kept in. Paths are relative to it, with `/`. A host writes an adapter of some lines for its own
 * files. What is asked of a path that is not there rejects; only `stat` tells it by `undefined`.
 */
export interface Files {
  read(path: string): Promise<string>;
  /** Makes folders that are missing. */
  write(path: string, text: string): Promise<void>;
  /** In one step where the host can: whoever reads sees the old file or the new one. Replaces what is at `to`. */
  rename(from: string, to: string): Promise<void>;
  /** The names of the files directly in a folder; none where there is no folder. */
  list(folder: string): Promise<readonly string[]>;
  delete(path: string): Promise<void>;
  stat(path: string): Promise<FileStat | undefined>;
}

/** Files that end with their process. */
export class MemoryFiles implements Files {
  readonly #files = new Map<string, { readonly text: string; readonly version: number }>();
  #writes = 0;

  async read(path: string): Promise<string> {
    const file = this.#files.get(path);
    if (file === undefined) throw new Error(`There is no file "${path}".`);
    return file.text;
  }

  async write(path: string, text: string): Promise<void> {
    this.#writes += 1;
    this.#files.set(path, { text, version: this.#writes });
  }

  async rename(from: string, to: string): Promise<void> {
    await this.write(to, await this.read(from));
    this.#files.delete(from);
  }

  async list(folder: string): Promise<readonly string[]> {
    const prefix = folder === '' ? '' : `${folder}/`;
    const below = [...this.#files.keys()].filter((path) => path.startsWith(prefix));
    return below.map((path) => path.slice(prefix.length)).filter((name) => !name.includes('/'));
  }

  async delete(path: string): Promise<void> {
    if (!this.#files.delete(path)) throw new Error(`There is no file "${path}".`);
  }

  async stat(path: string): Promise<FileStat | undefined> {
    const file = this.#files.get(path);
    return file === undefined ? undefined : { version: String(file.version) };
  }
}

/**
 * Writes a file so that it is the old or the new one, whenever the program ends: what is written gets its name last. False
 * where `isStill` says at that moment that the file is no more what it was; nothing is written then.
 */
export async function writeAtomically(
  files: Files,
  { path, text, isStill }: { readonly path: string; readonly text: string; readonly isStill?: () => Promise<boolean> },
): Promise<boolean> {
  const random = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
  // Not `.json`: what is left of a program that ended is no chat. Random: two windows don't share it.
  const half = `${path}.${random.toString(36)}.part`;
  try {
    await files.write(half, text);
    if (isStill === undefined || (await isStill())) {
      await files.rename(half, path);
      return true;
    }
    await files.delete(half);
    return false;
  } catch (error) {
    await files.delete(half).catch(() => {});
    throw error;
  }
}
