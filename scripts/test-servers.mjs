import { endAllCommands } from '../test/agents/run-command.mjs';
import { installServers, serversFolder } from '../test/servers/install-servers.mjs';
import { ensure, runTool } from './ensure.mjs';

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    endAllCommands();
    process.exit(130);
  });
}

const folder = serversFolder();
const { problem, ...servers } = await installServers(folder, (line) => console.error(line));
if (problem !== undefined) {
  console.error(`The servers of this suite cannot be installed into ${folder}. ${problem}`);
  process.exit(1);
}
ensure();
process.env.DRAGOMAN_REAL_SERVERS = JSON.stringify({ ...servers, folder });
// With --measure it is the figures of docs/no-calls.md.
const given = process.argv.slice(2);
const isMeasured = given[0] === '--measure';
if (isMeasured) process.env.DRAGOMAN_MEASURE = 'yes';
const others = isMeasured ? given.slice(1) : given;
process.exitCode = runTool('vitest', ['run', '--config', 'vitest.servers.config.ts', ...others]);
