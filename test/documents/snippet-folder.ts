import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';

/** A folder inside the repository, so that packages resolve, for code taken out of documents. */
export interface SnippetFolder {
  readonly path: string;
  /** Writes a file and returns where it is. */
  write(name: string, text: string): string;
  /** Writes files that belong at `name` in the repository; what they import relatively is found in the real tree. */
  writeAsIf(files: ReadonlyMap<string, string>): ReadonlyMap<string, string>;
  remove(): void;
}

export function createSnippetFolder(root: string): SnippetFolder {
  const path = mkdtempSync(join(root, 'test', '.snippets-'));
  const write = (name: string, text: string) => {
    const file = join(path, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  return {
    path,
    write,
    writeAsIf: (files) => {
      const written = new Map<string, string>();
      for (const [name, text] of files) {
        const rewritten = name.endsWith('.ts') ? redirect(text, { name, files, root, at: join(path, name) }) : text;
        // Under a test's own name another run of the tests would find it.
        written.set(name, write(name.replace('.test.ts', '.check.ts'), rewritten));
      }
      return written;
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

interface Redirection {
  readonly name: string;
  readonly files: ReadonlyMap<string, string>;
  readonly root: string;
  readonly at: string;
}

function redirect(text: string, { name, files, root, at }: Redirection): string {
  return text.replace(/ from '(\.[^']*)'/g, (whole, specifier: string) => {
    const target = posix.join(posix.dirname(name), specifier);
    if (files.has(target)) return whole;
    return ` from '${relative(dirname(at), join(root, target)).replaceAll('\\', '/')}'`;
  });
}
