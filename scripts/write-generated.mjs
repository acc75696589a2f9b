import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeClientDocs } from './client-docs.mjs';
import { renderConfigDocs } from './config-docs.mjs';
import { writeDialectDocs } from './docs.mjs';
import { ensure, root, runTool } from './ensure.mjs';

/** Writes the files that follow from sources; tests check that they are current. Needs a build. */
export async function writeGenerated() {
  const { createJsonSchema } = await import('../packages/server/dist/config/json-schema.js');
  const { variables } = await import('../packages/server/dist/config/environment.js');
  const schema = createJsonSchema();
  writeFileSync(join(root, 'packages/server/config.schema.json'), `${JSON.stringify(schema, null, 2)}\n`);
  writeFileSync(join(root, 'docs/configuration.md'), renderConfigDocs(schema, variables));
  await writeDialectDocs();
  await writeClientDocs();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  ensure();
  await writeGenerated();
  process.exitCode = runTool('biome', ['format', '--write', 'packages/server/config.schema.json']);
}
