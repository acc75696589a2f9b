import { spawnSync } from 'node:child_process';
import { get } from 'node:http';
import { fileURLToPath } from 'node:url';
import { candidatesFor } from './candidates.mjs';
import { cpuOf, stop } from './processes.mjs';

const turns = 3;
const report = fileURLToPath(new URL('../measure/tell-cpu.cjs', import.meta.url));
const command = fileURLToPath(new URL('../../packages/server/bin/dragoman.js', import.meta.url));
const core = new URL('../../packages/core/dist/bundle/index.js', import.meta.url).href;

/** What starting costs, in CPU milliseconds, beside a Node that does nothing. */
export async function measureStarts(upstreamPort) {
  const least = async (measure) => {
    const found = [];
    for (let turn = 0; turn < turns; turn += 1) found.push(await measure());
    return Math.min(...found);
  };
  const native = candidatesFor({ only: 'native' }).find(({ ours }) => ours === 'native');
  const rows = {
    'a Node that does nothing': () => cpuUntilEnd(['-e', '0']),
    'import of @dragoman/core': () => cpuUntilEnd(['--input-type=module', '-e', `import ${JSON.stringify(core)}`]),
    'dragoman --help': () => cpuUntilEnd([command, '--help']),
    'dragoman serve, to its first /health': () => cpuUntilHealth(native, upstreamPort),
  };
  const found = [];
  for (const [name, measure] of Object.entries(rows)) found.push({ name, cpu: await least(measure) });
  return found;
}

function cpuUntilEnd(args) {
  const { stderr } = spawnSync(process.execPath, ['-r', report, ...args], { encoding: 'utf8' });
  return Number(/cpu (\d+)/.exec(stderr)?.[1]) / 1000;
}

async function cpuUntilHealth(candidate, upstreamPort) {
  const { child, port } = await candidate.start(upstreamPort);
  await new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', path: '/health' }, (response) => response.resume().on('end', resolve)).on(
      'error',
      reject,
    );
  });
  const cpu = cpuOf(child.pid) / 1000;
  await stop(child);
  return cpu;
}
