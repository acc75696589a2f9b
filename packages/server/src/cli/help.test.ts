import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/** The packages that a module loads with all that it imports before anything runs. */
function packagesOf(file: string, seen = new Set<string>()): Set<string> {
  const text = readFileSync(file, 'utf8');
  for (const [, words = '', from = ''] of text.matchAll(/^(?:import|export) ([^;]*?)from '([^']+)';/gms)) {
    if (words.startsWith('type ')) continue;
    if (!from.startsWith('.')) seen.add(from);
    else if (!seen.has(from)) packagesOf(join(dirname(file), from), seen.add(from));
  }
  return new Set([...seen].filter((name) => !name.startsWith('.') && !name.startsWith('node:')));
}

it('help loads no package but the one that reads command lines', () => {
  expect([...packagesOf(fileURLToPath(new URL('run.ts', import.meta.url)))]).toEqual(['commander']);
});
