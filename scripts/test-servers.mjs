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
const { problem, lacking, ...servers } = await installServers(folder, (line) => console.error(line));
for (const line of lacking) console.error(line);
if (problem !== undefined) console.error(`The servers of this suite cannot be installed into ${folder}. ${problem}`);
// What is left out on somebody's machine is never left out in CI.
if (problem !== undefined || (lacking.length > 0 && process.env.CI !== undefined)) process.exit(1);
if (servers.python === undefined) process.exit(0);
ensure();
process.env.DRAGOMAN_REAL_SERVERS = JSON.stringify({ ...servers, folder });
// With --measure it is the figures of docs/no-calls.md.
const given = process.argv.slice(2);
const isMeasured = given[0] === '--measure';
if (isMeasured) process.env.DRAGOMAN_MEASURE = 'yes';
const others = isMeasured ? given.slice(1) : given;
if (servers.ollama === undefined) {
  for (const name of ['adapting', 'client', 'discovery', 'figures', 'ollama'])
    others.push('--exclude', `test/servers/${name}.*.ts`);
}
process.exitCode = runTool('vitest', ['run', '--config', 'vitest.servers.config.ts', ...others]);
