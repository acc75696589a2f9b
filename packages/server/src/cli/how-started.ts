import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../package-folder.ts';

const isClone = existsSync(join(packageFolder, '..', '..', 'scripts', 'ensure.mjs'));

/** What people type to run another command as they ran this one. */
export const ownCommand = isClone ? 'npx --no dragoman' : 'npx dragoman';

/** Where a page of the documents can be read, such as `clients/codex`: in the clone, or beside what npm has installed. */
export function docPage(name: string): string {
  return isClone ? `docs/${name}.md` : join(packageFolder, 'docs', ...`${name}.md`.split('/'));
}
