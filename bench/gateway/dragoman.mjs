// `dragoman serve` from the build as it is, without the check for newer sources that the command makes in a repository.
import { run } from '../../packages/server/dist/bundle/run.js';
import { collectOnRequest } from './collect-garbage.mjs';

collectOnRequest();
process.once('disconnect', () => process.exit());
process.exitCode = await run(process.argv.slice(2));
