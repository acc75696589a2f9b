import { checkSteps } from './check-steps.mjs';
import { ensure } from './ensure.mjs';
import { runSteps } from './run-steps.mjs';

ensure();
process.exitCode = runSteps(checkSteps);
