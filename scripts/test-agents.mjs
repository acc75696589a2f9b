import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { agents } from '../test/agents/agents.mjs';
import { installAgent } from '../test/agents/install-agent.mjs';
import { missingTool, runTurn } from '../test/agents/run-turn.mjs';
import { ensure, root } from './ensure.mjs';

const usage = `Real agents read and edit a file through the gateway, each in a network of its own.

npm run test:agents                     the default set
npm run test:agents -- --all            all agents
npm run test:agents -- --only codex     one agent, or one of its turns: --only opencode/chat; may be repeated
npm run test:agents -- --list           what there is
        --strict                        an agent that cannot be installed is a failure
        --keep                          keep the folders of turns that went well, too
        --model NAME                    another model than demo, such as demo/cline-xml

Agents are installed below node_modules/.cache/agents, or in the folder that DRAGOMAN_AGENTS names.`;

process.exitCode = main();

function main() {
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
  const missing = missingTool();
  if (missing !== undefined) {
    console.error(missing);
    return 1;
  }
  ensure();
  const rows = chosen.flatMap((agent) => runAgent(agent, options));
  showTable(rows);
  return rows.some(({ isFailure }) => isFailure) ? 1 : 0;
}

function readOptions() {
  return parseArgs({
    options: {
      all: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      model: { type: 'string', default: 'demo' },
      only: { type: 'string', multiple: true, default: [] },
      strict: { type: 'boolean', default: false },
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

function runAgent(agent, { strict, keep, model }) {
  const cache = process.env.DRAGOMAN_AGENTS ?? join(root, 'node_modules', '.cache', 'agents');
  console.error(`${agent.name}: ${agent.package}@${agent.version} …`);
  const installed = installAgent(agent, cache);
  if (installed.problem !== undefined) {
    return [{ name: agent.name, api: '', verdict: 'not here', isFailure: strict, faults: [installed.problem] }];
  }
  const name = agent.name;
  const rows = [];
  if (installed.seconds > 1) rows.push({ name, api: 'install', verdict: 'ok', seconds: installed.seconds, faults: [] });
  const gateway = join(root, 'packages', 'server', 'bin', 'dragoman.js');
  for (const turn of agent.turns) {
    const { faults, seconds, folder } = runTurn({ file: installed.file, turn, gateway, model });
    const isFailure = faults.length > 0;
    if (isFailure || keep) faults.push(`see ${folder}`);
    else rmSync(folder, { recursive: true, force: true });
    rows.push({ name, api: turn.api, verdict: isFailure ? 'FAILED' : 'ok', isFailure, seconds, faults });
    console.error(`  ${turn.api}: ${isFailure ? 'FAILED' : 'ok'}`);
  }
  return rows;
}

function showTable(rows) {
  console.log('');
  for (const { name, api, verdict, seconds, faults } of rows) {
    const time = seconds === undefined ? '' : `${seconds.toFixed(1)} s`;
    console.log(`${name.padEnd(12)} ${api.padEnd(10)} ${verdict.padEnd(9)} ${time.padStart(7)}`.trimEnd());
    for (const fault of faults) console.log(`             ${fault.split('\n').join('\n             ')}`);
  }
}
