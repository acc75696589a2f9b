import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { judgeTurn } from './judge-turn.mjs';

/** How long an agent may take, and how long everything around it. */
const agentTimeout = 90_000;
const outerTimeout = agentTimeout + 30_000;
// Nothing else can listen there: every turn has a loopback of its own.
const url = 'http://127.0.0.1:11434';
const inside = fileURLToPath(new URL('./inside-namespace.mjs', import.meta.url));

/**
 * One agent does one turn against a gateway of its own, in a network and process namespace that holds only loopback and
 * ends with it, with a home of its own. Returns what was wrong (empty when all was well), seconds, and the folder that
 * holds all of it. Needs `unshare` and `ip`; see `missingTool`.
 */
export function runTurn({ file, turn, gateway, model }) {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-turn-'));
  const secret = `K${randomBytes(5).toString('hex')}`;
  const home = join(folder, 'home');
  const work = join(folder, 'work');
  const note = join(work, 'note.txt');
  for (const each of [home, work, join(folder, 'tmp')]) mkdirSync(each, { recursive: true });
  writeFileSync(note, noteText(secret, 'amber'));
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
  const namespace = ['-n', '-p', '-f', '--mount-proc', '--kill-child', ...(process.getuid?.() === 0 ? [] : ['-r'])];
  const { status, signal, error, stderr } = spawnSync('unshare', [...namespace, process.execPath, inside, orderFile], {
    encoding: 'utf8',
    timeout: outerTimeout,
    killSignal: 'SIGKILL',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const seconds = (performance.now() - from) / 1000;
  const faults = [];
  if (error !== undefined || status !== 0)
    faults.push(stderr.trim() || error?.message || `ended by ${status ?? signal}`);
  faults.push(
    ...judgeTurn({
      route: turn.route,
      secret,
      wanted: noteText(secret, 'violet'),
      found: readFileSync(note, 'utf8'),
      said: textOf(join(folder, turn.showsResultsOn === 'stderr' ? 'complained.txt' : 'said.txt')),
      log: textOf(join(folder, 'gateway.log')),
    }),
  );
  return { faults, seconds, folder };
}

/** The tool that turns cannot do without and that is not here, in a sentence; undefined when all are. */
export function missingTool() {
  if (process.platform !== 'linux') return 'Agents run in a network namespace, which only Linux has.';
  for (const [tool, ...args] of [
    ['ip', '-V'],
    ['unshare', '--version'],
  ]) {
    if (spawnSync(tool, args, { stdio: 'ignore' }).status !== 0) {
      return `Agents run in a network namespace of their own, which needs the command ${tool}.`;
    }
  }
  return undefined;
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
