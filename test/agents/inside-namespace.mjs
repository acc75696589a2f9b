// Runs as the first process of a namespace that ends with it: loopback up, gateway up, the agent's commands one by one.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const order = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const { gateway, isAlone, url, work, folder, agentTimeout, key, copying, commands, env } = order;
const copyingModel = fileURLToPath(new URL('./copying-model.mjs', import.meta.url));
const output = (name) => openSync(join(folder, name), 'a');

process.exitCode = await main();
process.exit();

async function main() {
  const up = spawnSync('ip', ['link', 'set', 'lo', 'up'], { encoding: 'utf8' });
  if (up.status !== 0) return fail(`loopback stays down: ${up.stderr.trim()}`);
  const server = isAlone ? undefined : startGateway();
  if (server !== undefined && !(await until(isHealthy, server))) {
    return fail('the gateway did not start; see gateway.log');
  }
  // In a process of its own: this one stands still while an agent works.
  const model = copying && spawn(process.execPath, [copyingModel, JSON.stringify(copying)], { stdio: 'inherit' });
  // A gateway that looks for servers as it starts finds those that listen by then.
  if (model && !(await until(() => takesConnections(copying.port), model)))
    return fail('the copying model did not start');
  const problem = runCommands();
  model?.kill();
  if (server !== undefined) {
    const ended = once(server, 'exit');
    server.kill('SIGTERM');
    await ended;
  }
  return problem === undefined ? 0 : fail(problem);
}

function startGateway() {
  const { port } = new URL(url);
  return spawn(process.execPath, [gateway, 'serve', '--config', 'dragoman.json', '--port', port], {
    cwd: folder,
    env: { PATH: env.PATH, HOME: folder, DRAGOMAN_LOG_FORMAT: 'json', OAI_API_KEY: key ?? '' },
    stdio: ['ignore', output('banner.txt'), output('gateway.log')],
  });
}

/** Stops at a command that had to be stopped. An exit code says little: agents end with 0 after failures, too. */
function runCommands() {
  for (const [file, ...args] of commands) {
    const { error } = spawnSync(file, args, {
      cwd: work,
      env,
      timeout: agentTimeout,
      killSignal: 'SIGKILL',
      // Some agents append what they are piped to the prompt.
      stdio: ['ignore', output('said.txt'), output('complained.txt')],
    });
    if (error !== undefined)
      return error.code === 'ETIMEDOUT' ? `not finished after ${agentTimeout / 1000} s` : error.message;
  }
  return undefined;
}

/** Whether something becomes true within a minute, as long as the process runs that makes it so. */
async function until(isTrue, child) {
  for (const from = Date.now(); Date.now() - from < 60_000 && child.exitCode === null; ) {
    if (await isTrue()) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}

async function isHealthy() {
  const response = await fetch(`${url}/health`).catch(() => undefined);
  return response?.ok === true;
}

function takesConnections(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const settle = (taken) => {
      socket.destroy();
      resolve(taken);
    };
    socket.once('connect', () => settle(true)).once('error', () => settle(false));
  });
}

function fail(text) {
  process.stderr.write(`${text}\n`);
  return 1;
}
