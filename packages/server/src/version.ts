import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from './package-folder.ts';

/** This package's version. */
export const version: string = readVersion();

function readVersion(): string {
  const text = readFileSync(join(packageFolder, 'package.json'), 'utf8');
  const found: unknown = Reflect.get(JSON.parse(text), 'version');
  return typeof found === 'string' ? found : '0.0.0';
}
