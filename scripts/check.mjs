import { ensure, runTool } from './ensure.mjs';
import { runSteps } from './run-steps.mjs';

ensure();
process.exitCode = runSteps({
  'format and lint': () => runTool('biome', ['ci', '--diagnostic-level=warn']),
  types: () => runTool('tsc', ['-b']),
});
