import { fileURLToPath } from 'node:url';
import { dialects } from '@dragoman/core/dialects';
import { casesOf } from '@dragoman/testkit';
import { bundle } from '../../scripts/bundle.mjs';
import type { PlatformCase } from './read-cases.ts';

const root = new URL('../../', import.meta.url);

/** All cases of all dialects, as JSON can hold them. */
export function platformCases(): readonly PlatformCase[] {
  return [...dialects.values()].flatMap((dialect) =>
    casesOf(dialect).map(({ output, context }) => ({ dialect: dialect.id, output, context })),
  );
}

/** `readCases` and all that it needs as one script, which sets the global `platform`. */
export function platformScript(): Promise<string> {
  const file = fileURLToPath(new URL('test/platforms/read-cases.ts', root));
  return bundle(`export { readCases } from ${JSON.stringify(file)};`, { name: 'platform' });
}
