import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { chatStream, type ScriptedUpstream } from '@dragoman/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { folderForTest, upstreamForTest } from './for-test.ts';
import { type GatewayProcess, type ProcessOptions, startGatewayProcess } from './gateway-process.ts';
import { readTool } from './start-test-gateway.ts';
import { nativeStream } from './strict-upstream.ts';

/** Starting a process takes a second, more where much else runs. */
const timeout = 120_000;

const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const end = `${chunk({}, 'stop')}data: [DONE]\n\n`;
/** A stream that runs on when its beginning has been read. */
const slow = {
  steps: [
    { text: chunk({ content: 'first ' }) },
    { delay: 2_000 },
    { text: chunk({ content: 'last' }) },
    { text: end },
  ],
};

interface Together extends GatewayProcess {
  readonly file: string;
  readonly inside: (name: string) => string;
}

async function start(upstream: ScriptedUpstream, more: object = {}, options: ProcessOptions = {}): Promise<Together> {
  const { inside } = await folderForTest();
  const file = inside('gateway.json');
  const gateway = await startGatewayProcess(file, configOf(upstream, { inside, more }), {
    args: ['--workers', '2'],
    ...options,
  });
  onTestFinished(() => gateway.kill());
  await untilHealth(gateway, ({ processes }) => processes.running === 2);
  return { ...gateway, file, inside };
}

function configOf(
  upstream: ScriptedUpstream,
  { inside, more = {} }: { readonly inside: Together['inside']; readonly more?: object },
) {
  const up = { wire: 'openai-chat', baseUrl: upstream.baseUrl, models: { native: {} } };
  return {
    listen: { port: 0 },
    log: { format: 'json' },
    store: `sqlite:${inside('d.db')}`,
    upstreams: { up },
    ...more,
  };
}

/** Each request over a connection of its own: those go to the processes in turn. */
function ask(gateway: GatewayProcess, path: string, body?: object): Promise<Response> {
  const headers = { 'content-type': 'application/json', connection: 'close' };
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  return fetch(`${gateway.url}${path}`, { headers, ...sent });
}

const chat = (gateway: GatewayProcess) =>
  ask(gateway, '/v1/chat/completions', {
    model: 'up/native',
    stream: true,
    messages: [{ role: 'user', content: 'Hello' }],
  });

interface Health {
  readonly requests: { readonly total: number };
  readonly processes: { readonly running: number; readonly replaced: number };
}

async function untilHealth(gateway: GatewayProcess, isSo: (health: Health) => boolean): Promise<Health> {
  for (;;) {
    const health: Health = await (await ask(gateway, '/health')).json();
    if (isSo(health)) return health;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function logged(gateway: GatewayProcess, words: string): Promise<void> {
  while (!gateway.log().includes(words)) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** The processes that answer. */
async function processesOf(gateway: GatewayProcess): Promise<Set<number>> {
  const found = new Set<number>();
  for (let asking = 0; asking < 4; asking += 1) found.add((await (await ask(gateway, '/api/version')).json()).process);
  return found;
}

it('serve one port, know what each other stored, and answer for each other', { timeout }, async () => {
  const upstream = await upstreamForTest();
  const gateway = await start(upstream);
  expect((await processesOf(gateway)).size).toBe(2);
  let previous: string | undefined;
  for (let turn = 0; turn < 6; turn += 1) {
    upstream.next(chatStream(`Answer ${turn}.`));
    const body = {
      model: 'up/native',
      input: `Question ${turn}.`,
      ...(previous && { previous_response_id: previous }),
    };
    const made = await (await ask(gateway, '/v1/responses', body)).json();
    for (let past = 0; past < turn; past += 1) {
      expect(JSON.stringify(upstream.requests.at(-1)?.body)).toContain(`Answer ${past}.`);
    }
    previous = made.id;
  }
  for (let asking = 0; asking < 4; asking += 1) {
    expect((await (await ask(gateway, `/v1/responses/${previous}`)).json()).output[0].content[0].text).toBe(
      'Answer 5.',
    );
  }
  const { requests } = await untilHealth(gateway, () => true);
  expect(requests.total).toBeGreaterThanOrEqual(14);
});

it('show, follow and cancel what runs in the background of another', { timeout }, async () => {
  const upstream = await upstreamForTest();
  const gateway = await start(upstream);
  const begin = async () =>
    (await ask(gateway, '/v1/responses', { model: 'up/native', input: 'Hi', background: true })).json();
  upstream.next(slow, { steps: [{ text: chunk({ content: 'first ' }) }, { stall: true }] });
  const followed = await begin();
  // As many as there are processes, so that one of them asks the other.
  const streams = [0, 1].map(async () => (await ask(gateway, `/v1/responses/${followed.id}?stream=true`)).text());
  for (const text of await Promise.all(streams)) {
    expect(text).toContain('"type":"response.completed"');
    expect(text).toContain('first last');
  }
  const stopped = await begin();
  for (const _ of [0, 1]) {
    expect((await (await ask(gateway, `/v1/responses/${stopped.id}`)).json()).status).toMatch(/queued|in_progress/);
  }
  for (const _ of [0, 1]) {
    expect((await (await ask(gateway, `/v1/responses/${stopped.id}/cancel`, {})).json()).status).toBe('cancelled');
  }
});

it('tell each other what they learn of a model', { timeout }, async () => {
  const calling = nativeStream([['call_1', 'read', '{"path":"a.txt"}']]);
  const upstream = await upstreamForTest({ fallback: calling });
  const gateway = await start(upstream);
  const body = { model: 'up/native', messages: [{ role: 'user', content: 'Read a.txt' }], tools: [readTool] };
  // One by one, and each process gets two of them.
  for (let asking = 0; asking < 4; asking += 1) await (await ask(gateway, '/v1/chat/completions', body)).text();
  expect(await gateway.stop()).toBe(0);
  expect(gateway.log().split('learnt of the model \\"native\\"')).toHaveLength(2);
});

it('one is killed under load: its open streams end cut, nothing else is lost, and another takes its place', {
  timeout,
}, async () => {
  const upstream = await upstreamForTest({ fallback: chatStream('Fine.') });
  const gateway = await start(upstream);
  upstream.next(...Array.from({ length: 8 }, () => slow));
  const streams = await Promise.all(Array.from({ length: 8 }, () => chat(gateway)));
  const [victim = 0] = await processesOf(gateway);
  let isOver = false;
  const load = Array.from({ length: 4 }, async () => {
    let lost = 0;
    while (!isOver) {
      const text = await chat(gateway).then(
        (answer) => answer.text(),
        () => undefined,
      );
      if (text === undefined) lost += 1;
      else expect(text).toContain('[DONE]');
    }
    return lost;
  }).map((asking) => asking.catch((thrown: unknown) => thrown));
  process.kill(victim, 'SIGKILL');
  const ends = await Promise.all(
    streams.map((stream) =>
      stream.text().then(
        (text) => text,
        () => 'cut',
      ),
    ),
  );
  const whole = ends.filter((text) => text.includes('last') && text.includes('[DONE]'));
  expect(ends.filter((text) => text === 'cut').length + whole.length).toBe(8);
  expect(whole).toHaveLength(4);
  await untilHealth(gateway, ({ processes }) => processes.running === 2 && processes.replaced === 1);
  isOver = true;
  // Each asks one thing after the other, and one of them may have been open in the process that was killed.
  for (const lost of await Promise.all(load)) expect([0, 1]).toContain(lost);
  expect(gateway.log()).toContain(`process ${victim}, one of 2, has ended (SIGKILL)`);
  const now = await processesOf(gateway);
  expect(now.size).toBe(2);
  expect(now).not.toContain(victim);
  expect(await (await chat(gateway)).text()).toContain('[DONE]');
});

it('one hangs: it is ended, and another takes its place and the connections that it had not taken', {
  timeout,
}, async () => {
  const upstream = await upstreamForTest({ fallback: chatStream('Fine.') });
  const hang = "() => { writeSync(2, 'From here on nothing goes on.\\n'); for (;;); }";
  const saboteur = `data:text/javascript,import { writeSync } from 'node:fs'; process.on('SIGUSR2', ${hang})`;
  const gateway = await start(upstream, {}, { node: ['--import', saboteur] });
  const [victim = 0] = await processesOf(gateway);
  process.kill(victim, 'SIGUSR2');
  await logged(gateway, 'nothing goes on');
  for (const answer of await Promise.all(Array.from({ length: 4 }, () => chat(gateway)))) {
    expect(await answer.text()).toContain('[DONE]');
  }
  await logged(gateway, `process ${victim}, one of 2, hangs and is ended`);
  // It may have ended a moment after the other one has answered.
  await logged(gateway, `process ${victim}, one of 2, has ended (SIGKILL)`);
  await untilHealth(gateway, ({ processes }) => processes.running === 2 && processes.replaced === 1);
  expect(await processesOf(gateway)).not.toContain(victim);
});

it('all of them are killed: who connects meanwhile waits, and is answered', { timeout }, async () => {
  const upstream = await upstreamForTest({ fallback: chatStream('Fine.') });
  const gateway = await start(upstream);
  for (const each of await processesOf(gateway)) process.kill(each, 'SIGKILL');
  await logged(gateway, 'has ended (SIGKILL)');
  expect(await (await chat(gateway)).text()).toContain('[DONE]');
});

it('a mistake that nobody has caught: its process finishes what it has begun, another serves', {
  timeout,
}, async () => {
  const upstream = await upstreamForTest({ fallback: chatStream('Fine.') });
  const saboteur = `data:text/javascript,process.on('SIGUSR2', () => { throw new Error('nobody caught me') })`;
  const gateway = await start(upstream, {}, { node: ['--import', saboteur] });
  upstream.next(slow, slow);
  const streams = await Promise.all([chat(gateway), chat(gateway)]);
  const [victim = 0] = await processesOf(gateway);
  process.kill(victim, 'SIGUSR2');
  await logged(gateway, 'only finishes what it has begun');
  for (let asking = 0; asking < 4; asking += 1) expect((await chat(gateway)).status).toBe(200);
  for (const stream of streams) expect(await stream.text()).toContain('[DONE]');
  await untilHealth(gateway, ({ processes }) => processes.running === 2 && processes.replaced === 1);
});

it('SIGHUP reaches all, and SIGTERM lets all replies finish', { timeout }, async () => {
  const [one, other] = [await upstreamForTest(), await upstreamForTest({ fallback: chatStream('Two.') })];
  const gateway = await start(one);
  one.next(slow, slow);
  const running = await Promise.all([chat(gateway), chat(gateway)]);
  await writeFile(gateway.file, JSON.stringify(configOf(other, gateway)));
  gateway.signal('SIGHUP');
  await logged(gateway, 'new requests go by it');
  while (
    (await Promise.all([chat(gateway), chat(gateway)].map(async (asked) => (await asked).text()))).some(
      (text) => !text.includes('Two.'),
    )
  );
  gateway.signal('SIGTERM');
  await logged(gateway, 'stopping');
  for (const stream of running) expect(await stream.text()).toContain('[DONE]');
  expect(await gateway.ended()).toBe(0);
  await expect(fetch(`${gateway.url}/health`)).rejects.toThrow();
});

it('asked twice, it breaks off what runs and ends with 130', { timeout }, async () => {
  const upstream = await upstreamForTest();
  const gateway = await start(upstream);
  upstream.next(...[0, 1].map(() => ({ steps: [{ text: chunk({ content: 'first ' }) }, { stall: true as const }] })));
  const running = await Promise.all([chat(gateway), chat(gateway)]);
  gateway.signal('SIGTERM');
  await logged(gateway, 'stopping');
  // Signals within half a second are one.
  await new Promise((resolve) => setTimeout(resolve, 600));
  gateway.signal('SIGTERM');
  for (const stream of running) expect(await stream.text()).toContain('draining');
  expect(await gateway.ended()).toBe(130);
});

it('the first process is killed: the others finish their replies and end', { timeout }, async () => {
  const upstream = await upstreamForTest();
  const gateway = await start(upstream);
  upstream.next(slow, slow);
  const running = await Promise.all([chat(gateway), chat(gateway)]);
  const members = await processesOf(gateway);
  await gateway.kill();
  for (const stream of running) expect(await stream.text()).toContain('[DONE]');
  for (const member of members) while (isThere(member)) await new Promise((resolve) => setTimeout(resolve, 20));
});

it('the first process is killed while another one starts, which ends as well', { timeout }, async () => {
  const gateway = await start(await upstreamForTest());
  const members = await processesOf(gateway);
  for (const each of members) process.kill(each, 'SIGKILL');
  const first = 1;
  while ((await processesWith(gateway.file)).filter((id) => !members.has(id)).length === first) await soon();
  await gateway.kill();
  while ((await processesWith(gateway.file)).length > 0) await soon();
});

const soon = () => new Promise((resolve) => setTimeout(resolve, 20));

/** The processes that were started with this file; only Linux tells. */
async function processesWith(file: string): Promise<readonly number[]> {
  const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const commands = await Promise.all(all.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')));
  return all.filter((_, at) => commands[at]?.includes(file)).map(Number);
}

function isThere(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}

it('write one log file, whole lines of all', { timeout }, async () => {
  const upstream = await upstreamForTest({ fallback: chatStream('Fine.') });
  const { inside } = await folderForTest();
  const gateway = await start(upstream, { log: { file: inside('gateway.log') } });
  await Promise.all(Array.from({ length: 20 }, async () => (await chat(gateway)).text()));
  expect(await gateway.stop()).toBe(0);
  const lines = (await readFile(inside('gateway.log'), 'utf8')).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line)).filter(({ route }) => route === '/v1/chat/completions')).toHaveLength(
    20,
  );
});

it.each([
  ['a store that only one process has', { store: 'memory' }, 'need a store that they share'],
  [
    'workers that connect',
    { upstreams: { far: { wire: 'openai-chat', workers: { token: 'a-token-of-enough-length' }, anyModel: {} } } },
    'upstreams.far: its workers connect to one process',
  ],
])('refuse %s', { timeout }, async (_what, more, words) => {
  await expect(start(await upstreamForTest(), more)).rejects.toThrow(words);
});

it('say who holds the port', { timeout }, async () => {
  const holder = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void holder.close());
  await once(holder, 'listening');
  const address = holder.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  await expect(start(await upstreamForTest(), { listen: { port } })).rejects.toThrow(`Port ${port}`);
});
