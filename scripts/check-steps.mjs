import { runTool } from './ensure.mjs';

/** What has to hold before tests are worth running; steps for `runSteps`. */
export const checkSteps = {
  'format and lint': () => runTool('biome', ['ci', '--diagnostic-level=warn']),
  types: () => runTool('tsc', ['-b']),
};
