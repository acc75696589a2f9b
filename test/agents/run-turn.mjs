import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { connectAgent } from './connect-agent.mjs';
import { hostileFiles, secretLine } from './hostile-files.mjs';
import { judgeTurn } from './judge-turn.mjs';
import { runCommand } from './run-command.mjs';

/** How long an agent may take, and how long everything around it, in milliseconds. */
const agentTimeout = 150_000;
const outerTimeout = agentTimeout + 30_000;
// Nothing else can listen there: every turn has a loopback of its own.
const url = 'http://127.0.0.1:11434';
const copyingPort = 9001;
/** Where servers listen unless they are told otherwise. */
const foundPorts = { 'llama.cpp': 8080, vllm: 8000, sglang: 30000, 'lm-studio': 1234 };
/** What a busy platform answers instead of taking a message, by how many came before: the first one, and one with a result. */
const busyRefusals = { 0: 429, 1: 503, 4: 429, 5: 503 };
const inside = fileURLToPath(new URL('./inside-namespace.mjs', import.meta.url));

/**
 * One agent does one turn against a gateway of its own, in a network and process namespace that holds only loopback and
 * ends with it, with a home of its own. `model` is one of the demo's, or such a one after `native/`;
 * after `launch/`, `dragoman launch` starts the agent, and its own settings stay as they are; after `found/` it starts a gateway, too,
 * which finds a server of that kind, whose model writes calls in the form that may follow. Returns what was
 * wrong (empty when all was well), seconds, and the folder that holds all of it. `namespace` is what
 * `findNamespace` found.
 */
export async function runTurn({ client, file, turn, gateway, model, namespace }) {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-turn-'));
  const secret = `K${randomBytes(5).toString('hex')}`;
  const home = join(folder, 'home');
  const work = join(folder, 'work');
  for (const each of [home, work, join(folder, 'tmp')]) mkdirSync(each, { recursive: true });
  const isBusy = model.startsWith('busy/');
  // Found by a gateway that `launch` starts, without a word of configuration.
  const [found, form] = model.startsWith('found/') ? model.split('/').slice(1) : [];
  const copies = isBusy || found !== undefined || model.startsWith('copying/');
  const textsOf = copies ? hostileFiles : noteFiles;
  const files = Object.entries(textsOf('amber', secret)).map(([name, text]) => ({ path: join(work, name), text }));
  for (const { path, text } of files) writeFileSync(path, text);
  const config = join(folder, 'dragoman.json');
  const key = hasKey({ turn, model }) ? randomBytes(12).toString('hex') : undefined;
  writeFileSync(config, JSON.stringify(configuration(turn, key)));
  const place = { url, model, home, work, file: files[0].path, files: files.map(({ path }) => path) };
  const launched = found !== undefined || model.startsWith('launch/');
  const connected = launched
    ? { env: {}, first: [] }
    : connectAgent({ client, api: turn.connectedBy ?? turn.api, file, gateway, config, url, model, key });
  const pointing = launched ? [] : (turn.pointing?.(place) ?? []);
  const asking = turn.args({ ...place, pointing, prompt: (copies ? copyAll : turn.prompt)(place) });
  const program = launched
    ? [process.execPath, gateway, 'launch', client, ...(found === undefined ? [turn.textModel] : []), '--']
    : [file];
  for (const [name, text] of Object.entries(turn.home)) writeInto(join(home, name), text);
  const order = {
    gateway,
    isAlone: found !== undefined,
    url,
    work,
    folder,
    agentTimeout,
    key,
    ...(copies && {
      copying: {
        port: found === undefined ? copyingPort : foundPorts[found],
        client,
        files: place.files,
        ...(found !== undefined && { server: found, form }),
        ...(isBusy && { platform: await bundlePlatform(folder), refusals: busyRefusals }),
      },
    }),
    commands: [...connected.first, [...program, ...asking]],
    env: {
      ...plainEnvironment(home, folder),
      ...(launched && { PATH: pathOf(dirname(file)) }),
      ...turn.env,
      ...connected.env,
    },
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
      upstream: found ?? (copies || model.startsWith('native/') ? model.split('/')[0] : 'demo'),
      // Each file is read once and edited once.
      rounds: copies ? 2 * files.length : undefined,
      inText: found !== 'lm-studio',
      refusals: isBusy ? Object.values(busyRefusals) : [],
      secret: copies ? secretLine(secret) : secret,
      files: Object.entries(textsOf('violet', secret)).map(([name, wanted]) => ({
        name,
        wanted,
        found: readFileSync(join(work, name), 'utf8'),
      })),
      said: textOf(join(folder, turn.showsResultsOn === 'stderr' ? 'complained.txt' : 'said.txt')),
      log: textOf(found === undefined ? join(folder, 'gateway.log') : join(home, '.local/state/dragoman/launch.log')),
    }),
  );
  if (launched) {
    const pointed = Object.keys(turn.home).filter((name) => textOf(join(home, name)).includes('dragoman'));
    faults.push(...pointed.map((name) => `launch wrote into ~/${name}`));
  }
  return { faults, seconds, folder };
}

/**
 * A gateway that besides the demo has an upstream with native tool calling: itself, over the wire of the turn, so that a
 * reply comes back in the form that it was asked for.
 */
function configuration({ wire }, key) {
  const baseUrl = wire === 'ollama-chat' ? url : `${url}/v1`;
  const own = key === undefined ? {} : { apiKey: key };
  const rule = (dialect) => ({ toolCalling: dialect === 'text' ? 'text' : { dialect }, contextWindow: 200_000 });
  const dialects = ['text', 'cline-xml', 'hermes'].map((dialect) => [dialect, rule(dialect)]);
  return {
    upstreams: {
      native: { wire, baseUrl, ...own, models: { demo: { toolCalling: 'native' } } },
      busy: {
        wire: 'qwen-chat',
        baseUrl: `http://127.0.0.1:${copyingPort}`,
        models: { 'qwen-max': rule('hermes') },
      },
      copying: {
        wire: 'openai-chat',
        baseUrl: `http://127.0.0.1:${copyingPort}/v1`,
        models: Object.fromEntries(dialects),
      },
    },
  };
}

/** Half of the gateways have a key. Agents that find them as they find Ollama have no place for one. */
function hasKey({ turn, model }) {
  return model.startsWith('native/') && turn.api !== 'ollama';
}

function noteFiles(colour, secret) {
  return { 'note.txt': `The code is ${secret}.\nThe colour is ${colour}.\n` };
}

function copyAll({ files }) {
  return `Read these files, then replace 'amber' with 'violet' in each: ${files.join(', ')}`;
}

/** The platform of the test kit as a script that runs by itself. */
async function bundlePlatform(folder) {
  const { build } = await import('rolldown');
  const file = join(folder, 'platform.mjs');
  await build({
    input: fileURLToPath(new URL('../../packages/testkit/src/upstreams/qwen-chat.ts', import.meta.url)),
    platform: 'node',
    logLevel: 'silent',
    output: { file, format: 'esm' },
  });
  return file;
}

/** Nothing of the caller's environment: no keys, no proxies, no settings of agents. */
function plainEnvironment(home, folder) {
  return {
    PATH: pathOf(),
    HOME: home,
    TMPDIR: join(folder, 'tmp'),
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    NO_COLOR: '1',
    CI: '1',
  };
}

function pathOf(...more) {
  return [...more, dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'].join(':');
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
