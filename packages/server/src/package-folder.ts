import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where this package's `package.json`, programs and prompts are. Sources, build and bundle lie differently deep below it. */
export const packageFolder: string = folderOf(dirname(fileURLToPath(import.meta.url)));

function folderOf(below: string): string {
  return existsSync(join(below, 'package.json')) ? below : folderOf(dirname(below));
}
