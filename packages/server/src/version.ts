import { readFileSync } from 'node:fs';

/** This package's version; sources and build are equally deep below `package.json`. */
export const version: string = readVersion();

function readVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  const found: unknown = Reflect.get(JSON.parse(text), 'version');
  return typeof found === 'string' ? found : '0.0.0';
}
