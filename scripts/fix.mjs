import { ensure, runTool } from './ensure.mjs';
import { runSteps } from './run-steps.mjs';
import { writeGenerated } from './write-generated.mjs';

ensure();
await writeGenerated();
process.exitCode = runSteps({
  'format and lint': () => runTool('biome', ['check', '--write', '--diagnostic-level=warn']),
});
