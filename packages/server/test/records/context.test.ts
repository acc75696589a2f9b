import { writeFile } from 'node:fs/promises';
import { chatMessage, chatStream, type ScriptedUpstream, sample } from '@dragoman/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { gatewayForTest, upstreamForTest } from '../for-test.ts';
import { makeScratchFolder } from '../scratch-folder.ts';
import { readTool, type TestGateway } from '../start-test-gateway.ts';
import { storeKinds } from '../stores/store-kinds.ts';
import { nativeStream } from '../strict-upstream.ts';
import { testTerminal } from '../test-terminal.ts';

let upstream: ScriptedUpstream;
beforeEach(async () => {
  upstream = await upstreamForTest();
});

/** What a command line prints. */
async function printed(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const terminal = testTerminal({ env });
  const code = await run(args, terminal);
  return { code, out: terminal.out(), err: terminal.err() };
}

/** Two rounds with a call in between; returns the id of the last reply. */
async function talk(gateway: TestGateway, session: string): Promise<string> {
  const ask = (messages: readonly unknown[], stream: boolean) =>
    gateway.post({ model: 'up/native', stream, tools: [readTool], messages }, { 'x-session-id': session });
  const question = { role: 'user', content: 'What is in a.txt?\nTell me exactly.' };
  upstream.next(
    nativeStream([['functions.read:0', 'read', '{"path":"a.txt"}']]),
    chatMessage('It says \u001b[31mhello.'),
  );
  const frames = await (await ask([question], true)).text();
  const id = /"id":"(call_[^"]+)"/.exec(frames)?.[1] ?? '';
  const made = { id, type: 'function', function: { name: 'read', arguments: '{"path":"a.txt"}' } };
  const answer = await ask(
    [
      question,
      { role: 'assistant', content: null, tool_calls: [made] },
      { role: 'tool', tool_call_id: id, content: 'hello' },
    ],
    false,
  );
  return (await answer.json()).id;
}

async function configFile(config: object): Promise<string> {
  const folder = await makeScratchFolder({});
  onTestFinished(() => folder.remove());
  const path = folder.inside('dragoman.json');
  await writeFile(path, JSON.stringify(config));
  return path;
}

describe.each(sample(storeKinds, 1))('dragoman context reads $name', (kind) => {
  beforeAll(() => kind.start(), 60_000);
  afterAll(() => kind.stop());

  it('A-250: whole conversations, one exchange, the last ones, and as JSON; by every id', async () => {
    const config = { store: kind.config(await kind.create()), records: { level: 'full' } };
    const gateway = await gatewayForTest({ upstream, config });
    const reply = await talk(gateway, 'session-7');
    upstream.next(chatStream('Bye.'));
    const other = { model: 'up/text', messages: [{ role: 'user', content: 'Something else' }] };
    await (await gateway.post({ ...other, stream: true })).text();
    await gateway.drain();
    const at = ['--config', await configFile(config)];

    const whole = await printed(['context', 'session-7', ...at]);
    expect(whole).toMatchObject({ code: 0, err: '' });
    expect(whole.out).toContain('the client calls it session-7');
    expect(whole.out).toMatch(/──── step 1 .*──── step 2 /s);
    expect(whole.out).toContain('What is in a.txt?\n');
    expect(whole.out).toMatch(/call read call_\w{8}-\S+ \(the upstream functions\.read:0\)/);
    expect(whole.out).toContain('{"path":"a.txt"}');
    expect(whole.out).toMatch(/… \d+ lines as in step 1/);
    expect(whole.out).toContain('It says \\x1b[31mhello.');
    expect(whole.out).not.toContain('Something else');

    const one = await printed(['context', reply, ...at]);
    expect(one.out).toContain('──── step 2 ');
    expect(one.out).not.toContain('──── step 1 ');
    expect((await printed(['context', 'session-7', '--last', '1', ...at])).out).toBe(one.out);
    expect((await printed(['context', ...at])).out).toContain('Something else');

    const records = (await printed(['context', 'session-7', '--json', ...at])).out.trim().split('\n');
    const [first, second] = records.map((line) => JSON.parse(line));
    expect(second.conversation).toMatchObject({ step: 2, parent: first.id, identity: 'session-7' });
    for (const name of [first.conversation.id, 'session-7']) {
      expect((await printed(['context', name, ...at])).out).toBe(whole.out);
    }
    for (const name of [second.id, second.requestId, second.replyId]) {
      expect((await printed(['context', name, ...at])).out).toBe(one.out);
    }
    expect(await printed(['context', 'nobody', ...at])).toMatchObject({
      code: 1,
      err: expect.stringContaining('No record is known as "nobody"'),
    });
  });
});

it('dragoman context asks the running gateway for what is kept in memory, with its key', async () => {
  const keys = [{ name: 'ann', key: 'key-of-ann' }];
  const config = { records: { level: 'metadata' }, keys };
  const gateway = await gatewayForTest({ upstream, config });
  upstream.next(chatStream('Hi.'));
  const headers = { authorization: 'Bearer key-of-ann' };
  const body = { model: 'up/text', stream: true, messages: [{ role: 'user', content: 'Hello' }] };
  await (await gateway.post(body, headers)).text();
  const at = ['--config', await configFile({ ...config, listen: { port: gateway.port } })];
  const found = await printed(['context', ...at, '--key', 'env:KEY'], { KEY: 'key-of-ann' });
  expect(found).toMatchObject({ code: 0, err: '' });
  expect(found.out).toContain('up/text over openai-chat → up: text over openai-chat, hermes');
  expect(found.out).toContain('What was said was not recorded');
  expect(await printed(['context', ...at])).toMatchObject({
    code: 1,
    err: expect.stringContaining('No API key was sent'),
  });
  await gateway.drain();
  expect(await printed(['context', ...at])).toMatchObject({
    code: 1,
    err: expect.stringContaining('No gateway answers'),
  });
});

it('dragoman context says what is missing where there is no database yet', async () => {
  const path = await configFile({ store: 'sqlite:nowhere/x.db' });
  expect(await printed(['context', '--config', path])).toMatchObject({
    code: 1,
    err: expect.stringContaining('There is no file /nowhere/x.db'),
  });
});
