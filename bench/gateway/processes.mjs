import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Each Node that starts reads these certificates, the empty one, too: beside it, all others would look light.
delete process.env.NODE_EXTRA_CA_CERTS;

const started = new Set();
process.once('exit', () => {
  for (const child of started) child.kill('SIGKILL');
});

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

/** Starts a script of this folder that reports `{ port }` when it listens, or nothing when `reports` is false. */
export async function startScript(name, { args = [], reports = true } = {}) {
  const child = fork(here(name), args.map(String), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  started.add(child);
  if (!reports) return { child, port: 0 };
  const [message] = await once(child, 'message');
  return { child, port: message.port };
}

const repository = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Starts `dragoman serve` of a built repository with its log going to the null device, and reads its port off the banner.
 * `watch`: a module of this folder's neighbours that the process loads first.
 */
export async function startDragoman(configFile, { root = repository, args = [], watch } = {}) {
  const log = openSync(devNull, 'w');
  const bundle = join(root, 'packages/server/dist/bundle/run.js');
  const child = fork(here('dragoman.mjs'), [bundle, 'serve', '--config', configFile, ...args], {
    stdio: ['ignore', 'pipe', log, 'ipc'],
    ...(watch === undefined ? {} : { execArgv: ['--import', new URL(watch, import.meta.url).href] }),
  });
  closeSync(log);
  started.add(child);
  const port = await new Promise((resolve, reject) => {
    let banner = '';
    child.once('exit', () =>
      reject(new Error(`dragoman did not start; dragoman serve --config ${configFile} tells why`)),
    );
    child.stdout.setEncoding('utf8').on('data', (text) => {
      banner += text;
      const found = banner.match(/http:\/\/[^\s:/]+:(\d+)/);
      if (found) resolve(Number(found[1]));
    });
  });
  return { child, port };
}

/** Starts a foreign program and waits until its port takes connections; undefined when it never does. */
export async function startProgram(command, { args, port, cwd }) {
  const child = spawn(command, args, { stdio: 'ignore', cwd });
  started.add(child);
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (child.exitCode !== null) return undefined;
    const socket = connect(port, '127.0.0.1');
    const open = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (open) return { child, port };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return undefined;
}

export async function stop(child) {
  started.delete(child);
  if (child.exitCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Asks the load generator for one job. */
export async function ask(child, job) {
  child.send(job);
  const [result] = await once(child, 'message');
  return result;
}

/** CPU microseconds of a process and its children so far, all threads; NaN where /proc does not tell. */
export function cpuOf(pid) {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const own = threads.reduce(
      (sum, thread) => sum + Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
      0,
    );
    return own / 1000 + childrenOf(pid).reduce((sum, child) => sum + cpuOf(child), 0);
  } catch {
    return Number.NaN;
  }
}

/** Waits until processes that have just started do nothing more: a gateway warms up for a second of CPU, and longer beside others. */
export async function untilStill(children) {
  const used = () => children.reduce((sum, { pid }) => sum + cpuOf(pid), 0);
  for (let before = used(), attempt = 0; attempt < 60; attempt += 1) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const now = used();
    // A hundredth of the time is what timers take. Where /proc does not tell, nobody knows.
    if (!(now - before > 10_000 * children.length)) return;
    before = now;
  }
}

/** Kilobytes of memory that a process holds, without garbage if it is one of ours; NaN where /proc does not tell. */
export async function memoryOf(child) {
  if (child.connected) await ask(child, 'collect garbage');
  try {
    return Number(readFileSync(`/proc/${child.pid}/status`, 'utf8').match(/VmRSS:\s+(\d+)/)?.[1]);
  } catch {
    return Number.NaN;
  }
}

/** A process and all that it started, and so on. */
export function treeOf(pid) {
  return [pid, ...childrenOf(pid).flatMap(treeOf)];
}

function childrenOf(pid) {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
}
