export { run } from './cli/run.ts';
export { CommandError, type Terminal } from './cli/terminal.ts';
export { version } from './version.ts';
