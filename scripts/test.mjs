import { checkSteps } from './check-steps.mjs';
import { ensure, runTool } from './ensure.mjs';
import { runSteps } from './run-steps.mjs';

ensure();
process.exitCode = runSteps({
  ...checkSteps,
  tests: () => runTool('vitest', ['run', ...process.argv.slice(2)]),
});
