import * as vscode from 'vscode';
import type { LineSink } from './logger.ts';

/** Beyond so many characters a session goes on in another file: VS Code's file system writes only whole files. */
const longest = 500_000;
/** Lines wait so long to be written together, in milliseconds. */
const delay = 1000;
/** Files of so many days are kept. */
const days = 7;

/**
 * One file for each session in the folder that VS Code gives extensions for logs, through VS Code's own file system, so
 * that it works where there is no disk. Old ones are removed at the start.
 */
export class LogFiles implements LineSink {
  readonly #folder: vscode.Uri;
  readonly #stamp: string;
  readonly #now: () => number;
  #count = 1;
  #text = '';
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(folder: vscode.Uri, now: () => number = Date.now) {
    this.#folder = folder;
    this.#now = now;
    this.#stamp = new Date(now()).toISOString().replaceAll(':', '-');
  }

  appendLine(line: string): void {
    this.#text += `${line}\n`;
    this.#timer ??= setTimeout(() => void this.flush(), delay);
  }

  /** Writes what waits. A disk that is full breaks no chat. */
  async flush(): Promise<void> {
    if (this.#timer !== undefined) clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#text === '') return;
    const text = this.#text;
    const file = vscode.Uri.joinPath(
      this.#folder,
      `dragoman-${this.#stamp}-${String(this.#count).padStart(3, '0')}.log`,
    );
    if (text.length > longest) {
      this.#text = '';
      this.#count += 1;
    }
    try {
      await vscode.workspace.fs.createDirectory(this.#folder);
      await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));
    } catch {
      this.#text = '';
    }
  }

  /** Removes what is older than seven days. */
  async prune(): Promise<void> {
    for (const file of await this.#files()) {
      const { mtime } = await vscode.workspace.fs.stat(file);
      if (this.#now() - mtime > days * 86_400_000) await vscode.workspace.fs.delete(file);
    }
  }

  async clear(): Promise<void> {
    this.#text = '';
    for (const file of await this.#files()) await vscode.workspace.fs.delete(file);
  }

  /** The last lines of all sessions, the newest session last. */
  async read(lines: number): Promise<readonly string[]> {
    await this.flush();
    const texts = await Promise.all((await this.#files()).map((file) => vscode.workspace.fs.readFile(file)));
    const all = texts.flatMap((text) =>
      new TextDecoder()
        .decode(text)
        .split('\n')
        .filter((line) => line !== ''),
    );
    return all.slice(-lines);
  }

  /** Their names sort by time. */
  async #files(): Promise<readonly vscode.Uri[]> {
    try {
      const entries = await vscode.workspace.fs.readDirectory(this.#folder);
      const names = entries
        .map(([name]) => name)
        .filter((name) => name.startsWith('dragoman-') && name.endsWith('.log'));
      return names.sort().map((name) => vscode.Uri.joinPath(this.#folder, name));
    } catch {
      return [];
    }
  }
}
