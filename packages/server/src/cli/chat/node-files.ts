import { mkdir, readdir, readFile, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FileStat, Files } from '@dragoman/agent';
import { codeOf } from '../../code-of.ts';

/** The files of chats in a folder of ours, for nobody but their person. */
export class NodeFiles implements Files {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  read(path: string): Promise<string> {
    return readFile(this.#at(path), 'utf8');
  }

  async write(path: string, text: string): Promise<void> {
    const place = this.#at(path);
    await mkdir(dirname(place), { recursive: true, mode: 0o700 });
    await writeFile(place, text, { mode: 0o600 });
  }

  rename(from: string, to: string): Promise<void> {
    return rename(this.#at(from), this.#at(to));
  }

  async list(folder: string): Promise<readonly string[]> {
    try {
      const found = await readdir(this.#at(folder), { withFileTypes: true });
      return found.filter((entry) => entry.isFile()).map(({ name }) => name);
    } catch (thrown) {
      if (isMissing(thrown)) return [];
      throw thrown;
    }
  }

  delete(path: string): Promise<void> {
    return unlink(this.#at(path));
  }

  async stat(path: string): Promise<FileStat | undefined> {
    try {
      const { mtimeNs, size, ino } = await stat(this.#at(path), { bigint: true });
      return { version: `${mtimeNs}-${size}-${ino}` };
    } catch (thrown) {
      if (isMissing(thrown)) return undefined;
      throw thrown;
    }
  }

  #at(path: string): string {
    return join(this.#folder, path);
  }
}

function isMissing(thrown: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(codeOf(thrown));
}
