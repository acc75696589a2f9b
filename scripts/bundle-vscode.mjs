import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { root } from './ensure.mjs';

const packages = join(root, 'packages');

/**
 * The extension as one minified script of CommonJS, which desktop, remote and web extension hosts load alike. What is nowhere
 * to be found, such as a module of Node's, fails.
 */
export async function bundleVscode() {
  const input = await rolldown({
    input: join(packages, 'vscode/src/extension.ts'),
    platform: 'neutral',
    external: ['vscode'],
    resolve: {
      alias: {
        '@dragoman/openresponses-client': join(packages, 'openresponses-client/src/index.ts'),
        '@dragoman/core': join(packages, 'core/src/index.ts'),
      },
    },
    treeshake: { moduleSideEffects: false },
    onLog: (_, log) => {
      throw new Error(log.message);
    },
  });
  try {
    const { output } = await input.generate({ format: 'cjs', minify: true });
    return output[0].code;
  } finally {
    await input.close();
  }
}
