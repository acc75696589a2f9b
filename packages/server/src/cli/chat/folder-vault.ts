import type { Dirent } from 'node:fs';
import { lstat, mkdir, open, readdir, realpath, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { ToolFault, type Vault, type VaultEntry } from '@dragoman/agent';
import ignore from 'ignore';
import { codeOf } from '../../code-of.ts';

/** Files that are larger are not read: bytes. */
const largestFile = 5_000_000;
/** The most entries of a list. */
const mostEntries = 50_000;
/** Folders that are gone through only for whoever asks for what is in them. */
const passedOver: ReadonlySet<string> = new Set(['node_modules']);

/**
 * A folder on the disk. Links are followed as long as they stay in it. Only text in UTF-8 is read: what would come back
 * altered when it is written is refused.
 */
export class FolderVault implements Vault {
  /** Without links. */
  readonly #root: string;

  private constructor(root: string) {
    this.#root = root;
  }

  /** Rejects with Node's own error for what is no folder. */
  static async open(folder: string): Promise<FolderVault> {
    const root = await realpath(folder);
    await readdir(root);
    return new FolderVault(root);
  }

  /** The whole path of the folder. */
  get root(): string {
    return this.#root;
  }

  /** What `.gitignore` names is left out, unless the folder itself is: whoever asks for that wants it. */
  async list(folder: string, isHidden: (path: string) => boolean): Promise<readonly VaultEntry[]> {
    const entries: VaultEntry[] = [];
    const waiting = [{ path: folder, outer: await this.#ignoredAbove(folder) }];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const ignored = await this.#ignoredIn(next.path, next.outer);
      for (const found of await readdir(await this.#inside(next.path), { withFileTypes: true })) {
        const path = next.path === '' ? found.name : `${next.path}/${found.name}`;
        if (isHidden(path) || ignored.ignores(path, found.isDirectory())) continue;
        const entry = await this.#entryOf(path, found);
        if (entry === undefined) continue;
        entries.push(entry);
        if (entries.length > mostEntries) {
          throw new ToolFault(`There are more than ${mostEntries} files here. Name a folder further down.`);
        }
        // Links to folders are not gone through: they may lead in circles.
        if (found.isDirectory() && !passedOver.has(found.name)) waiting.push({ path, outer: ignored });
      }
    }
    return entries;
  }

  async stat(path: string): Promise<VaultEntry | undefined> {
    const found = await stat(await this.#inside(path)).catch(ifMissing);
    if (found === undefined) return undefined;
    return found.isDirectory() ? { path, kind: 'folder' } : { path, kind: 'file', size: found.size };
  }

  async read(path: string): Promise<string> {
    const place = await this.#inside(path);
    // Before it is opened: to open a pipe is to wait for whoever writes into it.
    if (!(await stat(place)).isFile()) throw new ToolFault(`"${path}" is not a file that can be read.`);
    const file = await open(place);
    try {
      const { size } = await file.stat();
      if (size > largestFile) {
        const told = (size / 1e6).toFixed(1);
        throw new ToolFault(`"${path}" has ${told} MB. Files of more than ${largestFile / 1e6} MB are not read.`);
      }
      return textOf(await file.readFile(), path);
    } finally {
      await file.close();
    }
  }

  async write(path: string, text: string): Promise<void> {
    const place = await this.#inside(path);
    await mkdir(dirname(place), { recursive: true });
    // In its place, so that rights, links and whoever watches it stay as they are; the log of changes has the old text.
    await writeFile(place, text);
  }

  async rename(from: string, to: string): Promise<void> {
    const [place, target] = [await this.#entrance(from), await this.#entrance(to)];
    if ((await lstat(target).catch(ifMissing)) !== undefined) throw new ToolFault(`There is something at "${to}".`);
    await mkdir(dirname(target), { recursive: true });
    await rename(place, target);
  }

  async delete(path: string): Promise<void> {
    await unlink(await this.#entrance(path));
  }

  async resolve(path: string): Promise<string | undefined> {
    const place = await this.#followed(path);
    if (place === undefined) return undefined;
    const inner = relative(this.#root, place);
    if (inner === '..' || inner.startsWith(`..${sep}`) || join(this.#root, inner) !== place) return undefined;
    return inner.split(sep).join('/');
  }

  async #ignoredAbove(folder: string): Promise<GitIgnore> {
    const names = folder === '' ? [] : folder.split('/');
    let ignored = GitIgnore.nothing;
    for (const depth of names.keys()) {
      ignored = await this.#ignoredIn(names.slice(0, depth).join('/'), ignored);
      if (ignored.ignores(names.slice(0, depth + 1).join('/'), true)) return GitIgnore.nothing;
    }
    return ignored;
  }

  async #ignoredIn(folder: string, outer: GitIgnore): Promise<GitIgnore> {
    const file = folder === '' ? '.gitignore' : `${folder}/.gitignore`;
    // A link out, or no text, ignores nothing.
    const text = await this.read(file).catch(() => '');
    return text === '' ? outer : outer.with(folder, text);
  }

  /** The whole path with all links followed. Throws ToolFault where it leads out. */
  async #inside(path: string): Promise<string> {
    const real = await this.resolve(path);
    if (real === undefined) throw new ToolFault(`"${path}" is a link that leads out of the folder.`);
    return join(this.#root, real);
  }

  /** The same, but of a link the link itself: it is what moves or goes. */
  async #entrance(path: string): Promise<string> {
    const slash = path.lastIndexOf('/');
    const name = (await this.#onDisk(path)).at(-1) ?? '';
    return join(await this.#inside(slash === -1 ? '' : path.slice(0, slash)), name);
  }

  /** Undefined for a link that leads nowhere: what is written there would make its target. */
  async #followed(path: string): Promise<string | undefined> {
    const names = await this.#onDisk(path);
    for (let length = names.length; length >= 0; length -= 1) {
      const place = join(this.#root, ...names.slice(0, length));
      const found = await lstat(place).catch(ifMissing);
      if (found === undefined) continue;
      const real = await realpath(place).catch(ifMissing);
      return real === undefined ? undefined : join(real, ...names.slice(length));
    }
    return undefined;
  }

  /** The names as the disk has them: it may hold letters in two pieces that a path has in one. */
  async #onDisk(path: string): Promise<readonly string[]> {
    const names: string[] = [];
    for (const name of path === '' ? [] : path.split('/')) {
      const folder = join(this.#root, ...names);
      const isAlike = (each: string) => each.normalize('NFC') === name.normalize('NFC');
      const isThere = (await lstat(join(folder, name)).catch(ifMissing)) !== undefined;
      const others = isThere || name.normalize('NFD') === name ? [] : await readdir(folder).catch(() => []);
      names.push(others.find(isAlike) ?? name);
    }
    return names;
  }

  async #entryOf(path: string, found: Dirent): Promise<VaultEntry | undefined> {
    if (found.isDirectory()) return { path, kind: 'folder' };
    if (!found.isFile() && !found.isSymbolicLink()) return undefined;
    if (found.isSymbolicLink() && (await this.resolve(path)) === undefined) return undefined;
    return this.stat(path);
  }
}

/** Why something is no folder to work with, in words. */
export function whyNoFolder(thrown: unknown): string {
  const code = codeOf(thrown);
  if (code === 'ENOENT') return 'there is no such folder';
  return code === 'ENOTDIR' ? 'it is not a folder' : String(thrown);
}

function ifMissing(thrown: unknown): undefined {
  if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(codeOf(thrown))) return undefined;
  throw thrown;
}

function textOf(bytes: Uint8Array, path: string): string {
  try {
    if (!bytes.includes(0)) return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Told below.
  }
  throw new ToolFault(`"${path}" is not text in UTF-8, and is neither read nor changed.`);
}

type Matcher = ReturnType<typeof ignore>;

/** The patterns of one `.gitignore`, and the folder that they count from. */
interface Level {
  readonly folder: string;
  readonly matcher: Matcher;
}

/** A longer pattern, or one with more stars, could be matched for ever, and is passed over. */
const longestPattern = 256;
const mostStars = 4;
/** Each is looked at for each file. */
const mostPatterns = 2_000;

/** What the `.gitignore` files from the root down to a folder say. */
class GitIgnore {
  static readonly nothing = new GitIgnore([]);
  readonly #levels: readonly Level[];

  private constructor(levels: readonly Level[]) {
    this.#levels = levels;
  }

  /** With the file of a folder further down. */
  with(folder: string, text: string): GitIgnore {
    const patterns = text
      .split('\n')
      .filter((line) => line.length <= longestPattern && line.split('*').length - 1 <= mostStars)
      .slice(0, mostPatterns);
    return new GitIgnore([{ folder, matcher: ignore().add(patterns) }, ...this.#levels]);
  }

  /** Whether a path below all of these folders is ignored: the nearest file that says something counts. */
  ignores(path: string, isFolder: boolean): boolean {
    for (const { folder, matcher } of this.#levels) {
      const inner = folder === '' ? path : path.slice(folder.length + 1);
      const { ignored, unignored } = matcher.test(isFolder ? `${inner}/` : inner);
      if (ignored || unignored) return ignored;
    }
    return false;
  }
}
