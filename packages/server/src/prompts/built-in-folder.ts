import { join } from 'node:path';
import { packageFolder } from '../package-folder.ts';

/** The prompts that come with Dragoman, as the files that a user starts from. */
export const builtInFolder = join(packageFolder, 'prompts');

/** Where a template is found in a folder of prompts. */
export function fileNameOf(template: string): string {
  return `${template}.jinja`;
}
