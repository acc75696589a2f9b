import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { root } from './ensure.mjs';

const core = join(root, 'packages/core/src');

/** What a bundler finds after the package's entries, here in its sources, so that no build has to be there. */
const alias = {
  '@dragoman/core/parse': join(core, 'parse.ts'),
  '@dragoman/core/dialects/hermes': join(core, 'dialects/hermes/index.ts'),
  '@dragoman/core/dialects': join(core, 'dialects/registry.ts'),
  '@dragoman/core': join(core, 'index.ts'),
  '@dragoman/agent/mcp': join(root, 'packages/agent/src/mcp.ts'),
  '@dragoman/agent/user-tools': join(root, 'packages/agent/src/user-tools.ts'),
  '@dragoman/agent': join(root, 'packages/agent/src/index.ts'),
  '@dragoman/openresponses-client': join(root, 'packages/openresponses-client/src/index.ts'),
};

const virtual = '\0entry';

/** As programs are shipped: without white space, long names and comments for bundlers. */
const small = { minify: true, comments: false };

/**
 * One minified script of everything that `source`, the text of a module, needs. Its exports are the properties of the
 * global `name`; without one it is a module itself. `platform`: `browser` also finds packages without `exports`. What is nowhere to
 * be found, such as a module of Node's, fails.
 */
export async function bundle(source, { name, platform = 'neutral' } = {}) {
  const input = await rolldown({
    input: virtual,
    platform,
    resolve: { alias },
    treeshake: { moduleSideEffects: false },
    onLog: (_, log) => {
      throw new Error(log.message);
    },
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === virtual ? id : undefined),
        load: (id) => (id === virtual ? { code: source, moduleType: 'ts' } : undefined),
      },
    ],
  });
  try {
    const { output } = await input.generate(
      name === undefined ? { ...small, format: 'esm' } : { ...small, format: 'iife', name },
    );
    return output[0].code;
  } finally {
    await input.close();
  }
}
