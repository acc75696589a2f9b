import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensure, root, runTool } from './ensure.mjs';

// npm runs it in a package's folder before it packs that: what is packed is built, and has the licence beside it.
ensure();
copyFileSync(join(root, 'LICENSE'), 'LICENSE');
process.exitCode = runTool('tsc', ['-b', process.cwd()]);
