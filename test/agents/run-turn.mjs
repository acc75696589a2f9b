import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { judgeTurn } from './judge-turn.mjs';
import { runCommand } from './run-command.mjs';

/** How long an agent may take, and how long everything around it, in milliseconds. */
const agentTimeout = 150_000;
const outerTimeout = agentTimeout + 30_000;
// Nothing else can listen there: every turn has a loopback of its own.
const url = 'http://127.0.0.1:11434';
const inside = fileURLToPath(new URL('./inside-namespace.mjs', import.meta.url));

/**
 * One agent does one turn against a gateway of its own, in a network and process namespace that holds only loopback and
 * ends with it, with a home of its own. `model` is one of the demo's, or such a one behind `native/`. Returns what was
 * wrong (empty when all was well), seconds, and the folder that holds all of it. `namespace` is `findNamespace`'s.
 */
export async function runTurn({ file, turn, gateway, model, namespace }) {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-turn-'));
  const secret = `K${randomBytes(5).toString('hex')}`;
  const home = join(folder, 'home');
  const work = join(folder, 'work');
  const note = join(work, 'note.txt');
  for (const each of [home, work, join(folder, 'tmp')]) mkdirSync(each, { recursive: true });
  writeFileSync(note, noteText(secret, 'amber'));
  writeFileSync(join(folder, 'dragoman.json'), JSON.stringify(configuration(turn)));
  const place = { url, model, home, work, file: note };
  const full = { ...place, prompt: turn.prompt(place) };
  for (const [name, text] of Object.entries(turn.home?.(full) ?? {})) writeInto(join(home, name), text);
  const order = {
    gateway,
    url,
    work,
    folder,
    agentTimeout,
    commands: [...(turn.before?.(full) ?? []), turn.args(full)].map((args) => [file, ...args]),
    env: { ...plainEnvironment(home, folder), ...turn.env?.(full) },
  };
  const orderFile = join(folder, 'order.json');
  writeFileSync(orderFile, JSON.stringify(order));
  const from = performance.now();
  const [command, ...args] = [...namespace, process.execPath, inside, orderFile];
  const { problem, stderr } = await runCommand(command, args, { timeout: outerTimeout });
  const seconds = (performance.now() - from) / 1000;
  const faults = problem === undefined ? [] : [stderr.trim() || problem];
  faults.push(
    ...judgeTurn({
      route: turn.route,
      upstream: model.startsWith('native/') ? 'native' : 'demo',
      secret,
      wanted: noteText(secret, 'violet'),
      found: readFileSync(note, 'utf8'),
      said: textOf(join(folder, turn.showsResultsOn === 'stderr' ? 'complained.txt' : 'said.txt')),
      log: textOf(join(folder, 'gateway.log')),
    }),
  );
  return { faults, seconds, folder };
}

/**
 * The command in front of another one that gives it a namespace of its own, or `problem`: why there cannot be one here,
 * in a sentence.
 */
export function findNamespace() {
  if (process.platform !== 'linux') return { problem: 'Agents run in a network namespace, which only Linux has.' };
  for (const [tool, flag] of [
    ['ip', '-V'],
    ['unshare', '--version'],
  ]) {
    if (spawnSync(tool, [flag], { stdio: 'ignore' }).status !== 0) {
      const from = tool === 'ip' ? 'iproute2' : 'util-linux';
      return { problem: `Agents run in a network namespace, which needs the command ${tool} of the package ${from}.` };
    }
  }
  const plain = ['unshare', '-n', '-p', '-f', '--mount-proc', '--kill-child'];
  let said = '';
  // As root by right; otherwise, or where a container took that right away, as the root of a user namespace.
  for (const command of process.getuid() === 0 ? [plain, [...plain, '-r']] : [[...plain, '-r']]) {
    const [file, ...args] = [...command, 'ip', 'link', 'set', 'lo', 'up'];
    const { status, stderr } = spawnSync(file, args, { encoding: 'utf8' });
    if (status === 0) return { command };
    said = stderr.trim();
  }
  return { problem: `Agents run in a network namespace, and none can be made here: ${said}` };
}

/**
 * A gateway that besides the demo has an upstream with native tool calling: itself, over the wire of the turn, so that a
 * reply comes back in the form that it was asked for.
 */
function configuration({ wire }) {
  const baseUrl = wire === 'ollama-chat' ? url : `${url}/v1`;
  return { upstreams: { native: { wire, baseUrl, models: { demo: { toolCalling: 'native' } } } } };
}

function noteText(secret, colour) {
  return `The code is ${secret}.\nThe colour is ${colour}.\n`;
}

/** Nothing of the caller's environment: no keys, no proxies, no settings of agents. */
function plainEnvironment(home, folder) {
  return {
    PATH: [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'].join(':'),
    HOME: home,
    TMPDIR: join(folder, 'tmp'),
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    NO_COLOR: '1',
    CI: '1',
  };
}

function writeInto(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function textOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // What never started has written nothing, and the judge says so.
    return '';
  }
}
