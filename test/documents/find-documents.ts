import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const leftOut = new Set(['node_modules', 'dist', 'cases', '.git', 'corpus']);
/** What prepack copies there when a package is packed. */
const copied = 'packages/server/docs';

/** Every Markdown document of the repository, but for pages of cases, which have a test of their own. */
export function findDocuments(root: string, folder = ''): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => !leftOut.has(entry.name) && !entry.name.startsWith('.snippets-'))
    .flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return path === copied ? [] : findDocuments(root, path);
      return entry.name.endsWith('.md') ? [path] : [];
    })
    .sort();
}
