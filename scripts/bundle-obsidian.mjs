import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { root } from './ensure.mjs';

const packages = join(root, 'packages');

/**
 * The plugin as one minified script of CommonJS, as Obsidian loads it on desktops and phones. What is nowhere to be found, such as
 * a module of Node's, fails.
 */
export async function bundleObsidian() {
  const input = await rolldown({
    input: join(packages, 'obsidian/src/main.ts'),
    platform: 'browser',
    external: ['obsidian'],
    // The isolated engine asks where it was loaded from, and needs no answer: all of it is in the script.
    transform: { define: { 'import.meta': '{}' } },
    resolve: {
      alias: {
        '@dragoman/agent/mcp': join(packages, 'agent/src/mcp.ts'),
        '@dragoman/agent/user-tools': join(packages, 'agent/src/user-tools.ts'),
        '@dragoman/agent': join(packages, 'agent/src/index.ts'),
        '@dragoman/core': join(packages, 'core/src/index.ts'),
      },
    },
    treeshake: { moduleSideEffects: false },
    onLog: (_, log) => {
      throw new Error(log.message);
    },
  });
  try {
    const { output } = await input.generate({ format: 'cjs', exports: 'default', minify: true, codeSplitting: false });
    return output[0].code;
  } finally {
    await input.close();
  }
}
