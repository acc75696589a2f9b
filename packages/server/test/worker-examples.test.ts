import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chatStream } from '@dragoman/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { gatewayForTest, upstreamForTest } from './for-test.ts';

const examples = new URL('../../../examples/', import.meta.url);
const models = { m: { toolCalling: 'native' } };

const textOf = async (response: Response): Promise<string> => (await response.json()).choices[0].message.content;

describe('examples/01-worker-before-a-server.mjs', () => {
  const file = fileURLToPath(new URL('01-worker-before-a-server.mjs', examples));

  const start = (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const child = spawn(process.execPath, [file, ...args], {
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const said: string[] = [];
    child.stderr.setEncoding('utf8').on('data', (text) => said.push(text));
    return { child, said };
  };

  it('A-234 serves a gateway with its token, uses the key of the server, and leaves in order', async () => {
    const server = await upstreamForTest();
    server.next(chatStream('from behind the router'));
    const workers = { token: 'the-token' };
    const gateway = await gatewayForTest({
      config: { upstreams: { laptop: { wire: 'openai-chat', workers, models } } },
    });
    const address = `ws://127.0.0.1:${gateway.port}/workers/laptop`;
    const env = { DRAGOMAN_WORKER_TOKEN: 'the-token', SERVER_KEY: 'key-of-the-server' };
    const { child, said } = start([address, server.baseUrl], env);
    const body = { model: 'laptop/m', messages: [{ role: 'user', content: 'hi' }] };
    expect(await textOf(await gateway.post(body))).toBe('from behind the router');
    expect(server.requests[0]?.headers.authorization).toBe('Bearer key-of-the-server');
    child.kill('SIGTERM');
    expect((await once(child, 'exit'))[0]).toBe(0);
    expect(said.join('')).toBe('connecting\nready\nclosed\n');
  });

  it('says what is wrong, and ends', async () => {
    const upstreams = { laptop: { wire: 'openai-chat', workers: { token: 'the-token' }, models } };
    const gateway = await gatewayForTest({ config: { upstreams } });
    const { child, said } = start([`ws://127.0.0.1:${gateway.port}/workers/laptop`]);
    expect((await once(child, 'exit'))[0]).toBe(1);
    expect(said.join('')).toContain('The token is missing or wrong.');
    const other = start([]);
    expect((await once(other.child, 'exit'))[0]).toBe(2);
  });
});

describe('examples/02-answer-by-hand', () => {
  it('A-220 the worker of the page keeps conversations, and a page that was loaded anew is told the whole history', async () => {
    const { answerByHand } = await import(new URL('02-answer-by-hand/answer-by-hand.js', examples).href);
    const gateway = await gatewayForTest({
      config: { upstreams: { page: { wire: 'conversation', workers: { speak: 'commands' }, models: { hand: {} } } } },
    });
    const prompts: string[] = [];
    const load = () => {
      const options = { address: `ws://127.0.0.1:${gateway.port}/workers/page`, WebSocket };
      const worker = answerByHand(options, async (prompt: string) => {
        prompts.push(prompt);
        return `answer ${prompts.length}`;
      });
      onTestFinished(() => worker.close());
      return worker;
    };
    const ask = (...words: readonly string[]) => {
      const messages = words.map((content, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content }));
      return gateway.post({ model: 'page/hand', messages }).then(textOf);
    };
    const first = load();
    expect(await ask('hi')).toBe('answer 1');
    expect(await ask('hi', 'answer 1', 'and?')).toBe('answer 2');
    await first.close();
    load();
    expect(await ask('hi', 'answer 1', 'and?', 'answer 2', 'well?')).toBe('answer 3');
    expect(prompts.slice(0, 2)).toEqual(['hi', 'and?']);
    for (const text of ['hi', 'answer 1', 'and?', 'answer 2', 'well?']) expect(prompts[2]).toContain(text);
  });

  it('the page uses what is beside it, and what it looks for is there', () => {
    const page = readFileSync(new URL('02-answer-by-hand/index.html', examples), 'utf8');
    expect(page).toContain("from './answer-by-hand.js'");
    for (const [, id = ''] of page.matchAll(/(?:querySelector\('#|forms\.)(\w+)/g))
      expect(page).toContain(`id="${id}"`);
    for (const [, name = ''] of page.matchAll(/elements\.(\w+)\./g)) expect(page).toContain(`name="${name}"`);
  });
});
