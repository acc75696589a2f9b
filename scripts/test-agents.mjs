import { renameSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { agents } from '../test/agents/agents.mjs';
import { findNamespace } from '../test/agents/find-namespace.mjs';
import { endAllCommands } from '../test/agents/run-command.mjs';
import { installProgram } from '../test/install-program.mjs';
import { agentsFolder, ensure, root } from './ensure.mjs';
import { scratch } from './scratch.mjs';

const usage = `Real agents read and edit files through the gateway, each in a network of its own. Before copying/… they edit files of markup byte
for byte; launch/… is started by dragoman launch; found/… too, with a gateway that finds a server which ignores tools,
refuses them or takes them; busy/… does the same behind a platform that takes one message at a time, and refuses some with 429 and 503.

npm run test:agents                     the default set
npm run test:agents -- --all            all agents, every turn also with a model that calls tools natively
npm run test:agents -- --only codex     one agent, or one of its turns: --only opencode/chat; may be repeated
npm run test:agents -- --list           what there is
        --keep                          keep the folders of turns that went well, too
        --model NAME                    only this model, such as demo/cline-xml or native/demo

Agents are installed below node_modules/.cache/agents, or in the folder that DRAGOMAN_AGENTS names. One that cannot be
installed is a failure.`;

const gateway = join(root, 'packages', 'server', 'bin', 'dragoman.js');
/** Downloads wait for the network more than for a processor. */
const installs = createLanes(3);
/** Agents wait for a third of their time, busy platforms for seconds: two more than there are processors keep all of them at work. */
const turns = createLanes(availableParallelism() + 2);

process.once('exit', endAllCommands);
/** Where folders of turns are kept. */
const outside = tmpdir();
scratch();

process.exitCode = await main();

async function main() {
  const from = performance.now();
  let options;
  try {
    options = readOptions();
  } catch (thrown) {
    console.error(`${thrown.message}. See --help.`);
    return 1;
  }
  if (options.help) {
    console.log(usage);
    return 0;
  }
  const unknown = options.only.find((name) => !agents.some((agent) => turnsOf(agent, [name]).length > 0));
  if (unknown !== undefined) {
    const names = agents.map(({ name, turns }) => `${name} (${turns.map(({ api }) => api).join(', ')})`);
    console.error(`There is no agent or turn "${unknown}". There are ${names.join(', ')}.`);
    return 1;
  }
  const chosen = choose(options);
  if (options.list) {
    for (const { name, package: from, version, turns, byDefault } of agents) {
      const apis = turns.map(({ api }) => api).join(', ');
      console.log(`${name.padEnd(12)} ${`${from}@${version}`.padEnd(40)} ${apis}${byDefault ? '' : ' (with --all)'}`);
    }
    return 0;
  }
  const { command: namespace, problem } = findNamespace();
  if (problem !== undefined) {
    console.error(problem);
    return 1;
  }
  ensure();
  const rows = (await Promise.all(chosen.map((agent) => runAgent(agent, { ...options, namespace })))).flat();
  showTable(rows);
  const bad = rows.filter(({ faults }) => faults.length > 0).length;
  const seconds = ((performance.now() - from) / 1000).toFixed(1);
  console.log(`\n${rows.length - bad} of ${rows.length} went well, in ${seconds} s`);
  return bad > 0 ? 1 : 0;
}

function readOptions() {
  return parseArgs({
    options: {
      all: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      model: { type: 'string' },
      only: { type: 'string', multiple: true, default: [] },
    },
  }).values;
}

/** The agents to run, each with the turns to run. */
function choose({ all, only }) {
  if (only.length === 0) return agents.filter(({ byDefault }) => all || byDefault);
  return agents.map((agent) => ({ ...agent, turns: turnsOf(agent, only) })).filter(({ turns }) => turns.length > 0);
}

function turnsOf({ name, turns }, only) {
  return turns.filter(({ api }) => only.includes(name) || only.includes(`${name}/${api}`));
}

/** A row for the installation, then one for each turn with each model. */
async function runAgent(agent, options) {
  const { name } = agent;
  const { file, problem, seconds } = await installs(() => installProgram(agent, agentsFolder));
  if (problem !== undefined) {
    console.error(`${name}: not here`);
    return [{ name, api: 'install', model: '', faults: [problem] }];
  }
  // Of an agent's turns, some of which may have been asked for.
  const first = agents.find((each) => each.name === name)?.turns[0];
  const jobs = agent.turns.flatMap((turn) =>
    modelsOf(turn, { ...options, isFirst: turn === first }).map((model) => ({ turn, model })),
  );
  const rows = jobs.map((job) => turns(() => oneTurn(job, { ...options, agent, file })));
  return [{ name, api: 'install', model: '', seconds, faults: [] }, ...(await Promise.all(rows))];
}

/** Every turn has a model that writes calls as text; an agent's first, and all turns with `--all`, a native one besides. */
function modelsOf({ textModel, copies }, { model, all, isFirst }) {
  if (model !== undefined) return [model];
  const forms = ['text', 'cline-xml', 'hermes'].map((form) => `copying/${form}`);
  const written = ['hermes', 'mistral-json', 'qwen'].map((form) => `sglang/${form}`);
  const found = ['llama.cpp', 'vllm', 'lm-studio', ...written].map((server) => `found/${server}`);
  const copying = copies === true ? [...forms, 'busy/qwen-max', ...found] : [];
  return [
    textModel,
    ...(all || isFirst ? ['native/demo'] : []),
    ...(isFirst ? [`launch/${textModel}`] : []),
    ...copying,
  ];
}

async function oneTurn({ turn, model }, { agent: { name, client }, file, keep, namespace }) {
  // It reads the build, which is there by now.
  const { runTurn } = await import('../test/agents/run-turn.mjs');
  const { faults, seconds, folder } = await runTurn({ client, file, turn, gateway, model, namespace });
  if (faults.length > 0 || keep) {
    const kept = join(outside, basename(folder));
    renameSync(folder, kept);
    console.error(`${name} ${turn.api} ${model}: see ${kept}`);
  } else rmSync(folder, { recursive: true, force: true });
  return { name, api: turn.api, model, seconds, faults };
}

/** Runs what it is given, at most so many at a time, in the order of asking. */
function createLanes(count) {
  const waiting = [];
  let free = count;
  return async (job) => {
    if (free > 0) free -= 1;
    else await new Promise((resolve) => waiting.push(resolve));
    try {
      return await job();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}

function showTable(rows) {
  for (const { name, api, model, seconds, faults } of rows) {
    const decision = faults.length > 0 ? 'FAILED' : 'ok';
    const time = seconds === undefined ? '' : `${seconds.toFixed(1)} s`;
    console.log(`${name.padEnd(12)} ${api.padEnd(10)} ${model.padEnd(26)} ${decision.padEnd(7)} ${time.padStart(7)}`);
    for (const fault of faults) console.log(`             ${fault.split('\n').join('\n             ')}`);
  }
}
