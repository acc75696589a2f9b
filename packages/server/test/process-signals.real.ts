import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { chatStream } from '@dragoman/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { folderForTest, upstreamForTest } from './for-test.ts';
import { type GatewayProcess, type ProcessOptions, startGatewayProcess } from './gateway-process.ts';

/** Starting a process takes a second, more where much else runs. */
const timeout = 120_000;

const piece = (content: string) =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`;
const end = `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`;
/** A stream that is still running when its beginning has been read. */
const slow = { steps: [{ text: piece('first ') }, { delay: 1_500 }, { text: piece('last') }, { text: end }] };

async function start(
  config: object,
  options: ProcessOptions = {},
): Promise<GatewayProcess & { readonly file: string }> {
  const folder = await folderForTest();
  const file = folder.inside('gateway.json');
  const gateway = await startGatewayProcess(file, config, options);
  onTestFinished(() => gateway.kill());
  return { ...gateway, file };
}

async function ask(gateway: GatewayProcess, { key, model }: { readonly key?: string; readonly model: string }) {
  return fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
    body: JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'Hello' }] }),
  });
}

async function logged(gateway: GatewayProcess, words: string): Promise<void> {
  while (!gateway.log().includes(words)) await new Promise((resolve) => setTimeout(resolve, 10));
}

const models = { native: { toolCalling: 'native' } };

it.each([
  ['exception', "setTimeout(() => { throw new Error('nobody caught me'); })"],
  ['rejection', "void Promise.reject(new Error('nobody caught me'))"],
])('an uncaught %s is logged, streams end, and the process ends with 1', { timeout }, async (_what, mistake) => {
  const upstream = await upstreamForTest();
  upstream.next(slow);
  const saboteur = `data:text/javascript,process.on('SIGUSR2', () => { ${mistake} })`;
  const config = { upstreams: { up: { wire: 'openai-chat', baseUrl: upstream.baseUrl, models } } };
  const gateway = await start(config, { node: ['--import', saboteur] });
  const reply = await ask(gateway, { model: 'up/native' });
  gateway.signal('SIGUSR2');
  await logged(gateway, 'nobody caught me');
  expect((await ask(gateway, { model: 'up/native' })).status).toBe(503);
  const text = await reply.text();
  expect(text).toContain('last');
  expect(text).toContain('[DONE]');
  expect(await gateway.ended()).toBe(1);
});

it('SIGHUP: upstreams and keys change, what runs goes on, and a mistake changes nothing', { timeout }, async () => {
  const [one, other] = [await upstreamForTest(), await upstreamForTest({ fallback: chatStream('Two.') })];
  const configOf = (baseUrl: string, { name, key }: { readonly name: string; readonly key: string }) => ({
    listen: { port: 0 },
    log: { format: 'json' },
    keys: [{ name: 'me', key }],
    upstreams: { [name]: { wire: 'openai-chat', baseUrl, models } },
  });
  const gateway = await start(configOf(one.baseUrl, { name: 'one', key: 'first-key-123' }));
  one.next(slow, chatStream('One.'));
  const running = await ask(gateway, { key: 'first-key-123', model: 'one/native' });

  await writeFile(gateway.file, '{ "upstreams": { "one": 7 } }');
  gateway.signal('SIGHUP');
  await logged(gateway, 'is not used');
  expect(gateway.log()).toContain('upstreams.one');
  expect(await (await ask(gateway, { key: 'first-key-123', model: 'one/native' })).text()).toContain('One.');

  await writeFile(gateway.file, JSON.stringify(configOf(other.baseUrl, { name: 'other', key: 'second-key-123' })));
  gateway.signal('SIGHUP');
  await logged(gateway, 'new requests go by it');
  expect((await ask(gateway, { key: 'first-key-123', model: 'one/native' })).status).toBe(403);
  expect(await (await ask(gateway, { key: 'second-key-123', model: 'other/native' })).text()).toContain('Two.');
  const text = await running.text();
  expect(text).toContain('last');
  expect(text).toContain('[DONE]');

  await writeFile(
    gateway.file,
    JSON.stringify({
      ...configOf(other.baseUrl, { name: 'other', key: 'second-key-123' }),
      store: 'sqlite:elsewhere.db',
    }),
  );
  gateway.signal('SIGHUP');
  await logged(gateway, 'what has changed in store waits for the next start');
  expect(await gateway.stop()).toBe(0);
});

it('npm run demo ends without a word where its reader has seen enough', { timeout }, async () => {
  const script = fileURLToPath(new URL('../../../scripts/demo.mjs', import.meta.url));
  const demo = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'pipe'] });
  let told = '';
  demo.stderr.on('data', (chunk) => {
    told += chunk;
  });
  demo.stdout.once('data', () => demo.stdout.destroy());
  const [code] = await once(demo, 'close');
  expect(told).not.toContain('EPIPE');
  expect(code).toBe(0);
});
