import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { connectAgent } from './connect-agent.mjs';
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
 * wrong (empty when all was well), seconds, and the folder that holds all of it. `namespace` is what
 * `findNamespace` found.
 */
export async function runTurn({ client, file, turn, gateway, model, namespace }) {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-turn-'));
  const secret = `K${randomBytes(5).toString('hex')}`;
  const home = join(folder, 'home');
  const work = join(folder, 'work');
  const note = join(work, 'note.txt');
  for (const each of [home, work, join(folder, 'tmp')]) mkdirSync(each, { recursive: true });
  writeFileSync(note, noteText(secret, 'amber'));
  const config = join(folder, 'dragoman.json');
  const key = hasKey({ turn, model }) ? randomBytes(12).toString('hex') : undefined;
  writeFileSync(config, JSON.stringify(configuration(turn, key)));
  const place = { url, model, home, work, file: note };
  const connected = connectAgent({ client, api: turn.connectedBy ?? turn.api, file, gateway, config, url, model, key });
  for (const [name, text] of Object.entries(turn.home)) writeInto(join(home, name), text);
  const order = {
    gateway,
    url,
    work,
    folder,
    agentTimeout,
    key,
    commands: [...connected.first, [file, ...turn.args({ ...place, prompt: turn.prompt(place) })]],
    env: { ...plainEnvironment(home, folder), ...turn.env, ...connected.env },
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
      method: turn.method ?? 'POST',
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
 * A gateway that besides the demo has an upstream with native tool calling: itself, over the wire of the turn, so that a
 * reply comes back in the form that it was asked for.
 */
function configuration({ wire }, key) {
  const baseUrl = wire === 'ollama-chat' ? url : `${url}/v1`;
  const own = key === undefined ? {} : { apiKey: key };
  return { upstreams: { native: { wire, baseUrl, ...own, models: { demo: { toolCalling: 'native' } } } } };
}

/** Half of the gateways have a key. Agents that find them as they find Ollama have no place for one. */
function hasKey({ turn, model }) {
  return model.startsWith('native/') && turn.api !== 'ollama';
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
