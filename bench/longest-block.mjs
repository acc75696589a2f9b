// Measures how long one hostile request within the limits blocks the gateway for all others: the longest turn of its event
// loop, by body and model, in CPU time: node bench/longest-block.mjs [words of a body's name]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const user = (content) => ({ role: 'user', content });
const calls = (count) =>
  Array.from({ length: count }, (_, at) => ({
    id: `c${at}`,
    type: 'function',
    function: { name: 'read', arguments: '{}' },
  }));
const tool = (name, parameters) => ({ type: 'function', function: { name, description: 'Reads.', parameters } });
const properties = (count) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, { type: 'string' }]));
const nested = (depth) => {
  let schema = { type: 'string' };
  for (let at = 0; at < depth; at += 1) schema = { type: 'object', properties: { a: schema } };
  return schema;
};

const read = tool('read', { type: 'object' });

/** Tools as agents have them, none of which was ever seen. */
const agentTools = (count, round, each = 26) =>
  Array.from({ length: count }, (_, at) => {
    const description = 'Says what this is for, at some length, as the tools of agents do.';
    const kinds = [
      { type: 'string' },
      { type: 'integer', minimum: 1, maximum: 100 + at },
      { enum: ['alpha', 'beta', `gamma${at}`] },
      { type: 'array', items: { type: 'object', properties: { x: { type: 'string', description } } } },
      { type: 'object', properties: { a: { type: 'string', description }, b: { type: 'number' } }, required: ['a'] },
      { anyOf: [{ type: 'string' }, { type: 'null' }] },
      { type: 'boolean' },
    ];
    const members = Array.from({ length: each }, (_, key) => [
      `p${round}_${at}_${key}`,
      { ...kinds[key % kinds.length], description },
    ]);
    return tool(`t${round}_${at}_${each}`, {
      type: 'object',
      properties: Object.fromEntries(members),
      required: [members[0][0]],
    });
  });

/** By name: a body's messages and tools, each just within the limits or refused for them; no two with the same tools. */
const bodies = {
  'a small one': () => ({ messages: [user('Hi')] }),
  '500 KB of words': () => ({ messages: [user('A few words. '.repeat(40_000))] }),
  '8.4 MB of markers': () => ({ messages: [user('<|im_start|>'.repeat(700_000))] }),
  '8.4 MB in one line': () => ({ messages: [user('a'.repeat(8_400_000))] }),
  '8.4 MB of <': () => ({ messages: [user('<'.repeat(8_400_000))] }),
  '4 MB of words, a tool': () => ({ messages: [user('A few words. '.repeat(300_000))], tools: [read] }),
  '4 MB of <, a tool': () => ({ messages: [user('<'.repeat(3_990_000))], tools: [read] }),
  '4 MB of halves of markers, a tool': () => ({ messages: [user('<|im_star'.repeat(440_000))], tools: [read] }),
  '4 MB with 98,000 markers, a tool': () => ({
    messages: [user('<|im_start|> and some more words, to be read'.repeat(90_000))],
    tools: [read],
  }),
  "4 MB like a tool's name": () => ({
    messages: [user('a'.repeat(3_990_000))],
    tools: [tool(`b${'a'.repeat(255)}`, { type: 'object' }), tool(`${'a'.repeat(255)}b`, { type: 'object' })],
  }),
  '8.4 MB of markers, a tool': () => ({ messages: [user('<|im_start|>'.repeat(700_000))], tools: [read] }),
  '4 MB in two parts, a tool': () => ({
    messages: [
      user(['A few words. ', 'Some other words.'].map((text) => ({ type: 'text', text: text.repeat(130_000) }))),
    ],
    tools: [read],
  }),
  'a call with 2 MB of arguments': () => ({
    messages: [
      user('Hi'),
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { ...calls(1)[0], function: { name: 'read', arguments: JSON.stringify({ a: '<b>"'.repeat(395_000) }) } },
        ],
      },
    ],
    tools: [read],
  }),
  '8.4 MB of empty lists': () => ({ messages: [user('Hi')], metadata: Array.from({ length: 2_800_000 }, () => []) }),
  '10,000 messages': () => ({
    messages: Array.from({ length: 10_000 }, (_, at) => ({ role: at % 2 ? 'assistant' : 'user', content: 'Hi there' })),
  }),
  '150,000 messages': () => ({ messages: Array.from({ length: 150_000 }, () => user('Hi')) }),
  '3,000 calls without results': () => ({
    messages: [user('Hi'), { role: 'assistant', content: null, tool_calls: calls(3_000) }, user('On')],
    tools: [read],
  }),
  '128 tools of 70 parameters': (round) => ({
    messages: [user('Hi')],
    tools: Array.from({ length: 128 }, (_, at) =>
      tool(`t${round}_${at}`, { type: 'object', properties: properties(70) }),
    ),
  }),
  '60 tools of 200 KB, a call required': (round) => ({
    messages: [user('Hi')],
    tools: agentTools(60, round),
    tool_choice: 'required',
  }),
  '128 tools of 70 parameters, a call required': (round) => ({
    messages: [user('Hi')],
    tools: Array.from({ length: 128 }, (_, at) =>
      tool(`o${round}_${at}`, { type: 'object', properties: properties(70) }),
    ),
    tool_choice: 'required',
  }),
  '128 tools of 280 KB': (round) => ({ messages: [user('Hi')], tools: agentTools(128, round, 13) }),
  '128 tools of 280 KB, a call required': (round) => ({
    messages: [user('Hi')],
    tools: agentTools(128, round, 13),
    tool_choice: 'required',
  }),
  'a schema 200 deep': () => ({ messages: [user('Hi')], tools: [tool('read', nested(100))] }),
  'a picture of 7 MB': () => ({
    messages: [
      user([{ type: 'image_url', image_url: { url: `data:image/png;base64,${'iVBORw0KGgo'.repeat(640_000)}` } }]),
    ],
  }),
};

/**
 * Within the gateway's process: the longest turn of its event loop since it was last asked, at SIGUSR2, in milliseconds of CPU,
 * which other programs on the machine disturb far less than the time on the wall. Only on Linux is it known what the thread of
 * the event loop has used alone; elsewhere what the process's other threads do meanwhile counts, too.
 */
const watch = `data:text/javascript,${encodeURIComponent(`
  import { existsSync, readFileSync } from 'node:fs';
  const ofThread = '/proc/self/task/' + process.pid + '/schedstat';
  const ofProcess = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
  const used = existsSync(ofThread) ? () => Number(readFileSync(ofThread, 'latin1').split(' ')[0]) / 1e6 : ofProcess;
  let longest = 0;
  let before = used();
  const turn = () => {
    longest = Math.max(longest, used() - before);
    before = used();
    setImmediate(turn);
  };
  turn();
  process.on('SIGUSR2', () => { process.stderr.write('pause ' + longest + '\\n'); longest = 0; });
`)}`;

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

const folder = await mkdtemp(join(tmpdir(), 'dragoman-block-'));
const file = join(folder, 'gateway.json');
const dialects = {
  native: 'native',
  hermes: { dialect: 'hermes' },
  text: 'text',
  tagged: { dialect: 'anthropic-xml' },
};
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
const command = fileURLToPath(new URL('../packages/server/bin/dragoman.js', import.meta.url));
const gateway = spawn(process.execPath, ['--import', watch, command, 'serve', '--config', file], {
  stdio: ['ignore', 'pipe', 'pipe'],
});
let out = '';
let log = '';
gateway.stdout.on('data', (chunk) => {
  out += chunk;
});
gateway.stderr.on('data', (chunk) => {
  log += chunk;
});
const pause = () => new Promise((resolve) => setTimeout(resolve, 20));
const address = () => /http:\/\/127\.0\.0\.1:\d+/.exec(out)?.[0];
while (address() === undefined) await pause();

/** The longest pause since the last call. */
async function longestPause() {
  log = '';
  gateway.kill('SIGUSR2');
  while (!/pause [\d.]+\n/.test(log)) await pause();
  return Number(/pause ([\d.]+)/.exec(log)?.[1]);
}

const wanted = process.argv.slice(2).join(' ');
console.log('longest turn in ms of CPU, the least of six requests\n');
for (const [name, make] of Object.entries(bodies)) {
  if (!name.includes(wanted)) continue;
  const cells = [];
  for (const model of Object.keys(dialects)) {
    let least = Number.POSITIVE_INFINITY;
    let status = 0;
    for (let round = 0; round < 6; round += 1) {
      const body = JSON.stringify({ model: `up/${model}`, ...make(round) });
      await longestPause();
      const answer = await fetch(`${address()}/v1/chat/completions`, { method: 'POST', body });
      await answer.text();
      status = answer.status;
      least = Math.min(least, await longestPause());
    }
    cells.push(`${model} ${least.toFixed(0)} (${status})`.padEnd(20));
  }
  console.log(`${name.padEnd(34)} ${cells.join(' ')}`);
}
// Its loop never runs empty, as turns are watched in it.
gateway.kill('SIGKILL');
upstream.close();
await rm(folder, { recursive: true });
