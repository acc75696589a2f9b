// `dragoman serve` from a bundle as it is, without the check for newer sources that the command makes in a repository.
import { pathToFileURL } from 'node:url';
import { collectOnRequest } from './collect-garbage.mjs';

const [bundle, ...args] = process.argv.slice(2);
const { run } = await import(pathToFileURL(bundle).href);
collectOnRequest();
process.once('disconnect', () => process.exit());
process.exitCode = await run(args);
