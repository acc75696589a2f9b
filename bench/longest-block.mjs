// Measures how long one hostile request within the limits blocks the gateway for all others: the longest turn of its event
// loop, by body and model, in CPU time: node bench/longest-block.mjs [words of a body's name] [--first | --later | --at-once]
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { scratch } from '../scripts/scratch.mjs';
import { ask, startDragoman, stop } from './gateway/processes.mjs';
import { bodies } from './longest-block/bodies.mjs';

const given = process.argv.slice(2);
const flags = given.filter((each) => each.startsWith('--'));
const wanted = given.filter((each) => !each.startsWith('--')).join(' ');
const dialects = {
  native: 'native',
  hermes: { dialect: 'hermes' },
  text: 'text',
  tagged: { dialect: 'anthropic-xml' },
};

/** Milliseconds from the start of a process to its first request: as long as the benchmark of the gateway waits. */
const afterStart = flags.includes('--at-once') ? 0 : 2500;

const reply = JSON.stringify({
  id: 'x',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Fine.' }, finish_reason: 'stop' }],
});
const upstream = createServer((request, response) => {
  request.resume();
  request.on('end', () => response.setHeader('content-type', 'application/json').end(reply));
}).listen(0, '127.0.0.1');
await once(upstream, 'listening');

const file = join(scratch(), 'gateway.json');
const models = Object.fromEntries(Object.entries(dialects).map(([name, toolCalling]) => [name, { toolCalling }]));
const baseUrl = `http://127.0.0.1:${upstream.address().port}/v1`;
await writeFile(
  file,
  JSON.stringify({
    listen: { port: 0 },
    // Where a call is required, the server is told what the model may write.
    upstreams: { up: { wire: 'openai-chat', baseUrl, models, quirks: { grammarField: 'grammar' } } },
  }),
);

const start = () => startDragoman(file, { watch: '../longest-block/watch.mjs' });

/** The longest turn while one request is answered. */
async function longestOf({ child, port }, { make, model, round }) {
  const body = JSON.stringify({ model: `up/${model}`, ...make(round) });
  await ask(child, 'longest turn');
  const answer = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, { method: 'POST', body });
  await answer.text();
  const { longest } = await ask(child, 'longest turn');
  return { longest, status: answer.status };
}

async function show(title, measure) {
  console.log(`\n${title}, longest turn in ms of CPU\n`);
  for (const [name, make] of Object.entries(bodies)) {
    if (!name.includes(wanted)) continue;
    const cells = [];
    for (const model of Object.keys(dialects)) {
      const { longest, status } = await measure(make, model);
      cells.push(`${model} ${longest.toFixed(0)} (${status})`.padEnd(20));
    }
    console.log(`${name.padEnd(44)} ${cells.join(' ')}`);
  }
}

if (!flags.includes('--later')) {
  await show('the first request of a process', async (make, model) => {
    const gateway = await start();
    await sleep(afterStart);
    const found = await longestOf(gateway, { make, model, round: 0 });
    await stop(gateway.child);
    return found;
  });
}
if (!flags.includes('--first')) {
  const gateway = await start();
  await show('the least of six requests to one process', async (make, model) => {
    let least;
    for (let round = 0; round < 6; round += 1) {
      const found = await longestOf(gateway, { make, model, round });
      if (least === undefined || found.longest < least.longest) least = found;
    }
    return least;
  });
  await stop(gateway.child);
}
upstream.close();
upstream.closeAllConnections();
