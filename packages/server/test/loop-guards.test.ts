import { type ChatPlatform, chatStream, type ScriptedUpstream, sample, startChatPlatform } from '@dragoman/testkit';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type CodingTool, stringOf, text } from './coding-tool.ts';
import { gatewayForTest, upstreamForTest } from './for-test.ts';
import { description } from './platform-setup.ts';
import { sdkTurns } from './sdk-turns.ts';
import { readTool, type TestGateway } from './start-test-gateway.ts';

const wait =
  '[The limit of 20 rounds of tool calls for one request is reached, so no further tool was called. Send a message to go on.]';
const call = (path: string) => `<tool_call>\n{"name": "read", "arguments": {"path": "${path}"}}\n</tool_call>`;

/** A platform whose model never stops calling, and a gateway in front of it. */
async function endless(
  guards: object = {},
  config: object = {},
): Promise<{ platform: ChatPlatform; gateway: TestGateway }> {
  const platform = await startChatPlatform({ answer: ({ before }) => call(`${before.length}.txt`) });
  onTestFinished(() => platform.close());
  const m = { toolCalling: { dialect: 'hermes' }, guards };
  const upstreams = {
    platform: { wire: 'conversation', baseUrl: platform.baseUrl, conversation: description, models: { m } },
  };
  return { platform, gateway: await gatewayForTest({ config: { upstreams, ...config } }) };
}

const asked = { role: 'user', content: 'Read everything.' };

/** Runs calls as agents do until there are none, at most `most` times. */
async function run(
  gateway: TestGateway,
  {
    model,
    resultOf = (path) => `contents of ${path}`,
    most = 40,
    history = [asked],
    headers = {},
  }: {
    readonly model: string;
    readonly resultOf?: (path: string) => string;
    readonly most?: number;
    readonly history?: readonly unknown[];
    readonly headers?: Readonly<Record<string, string>>;
  },
) {
  const messages = [...history];
  for (let rounds = 0; rounds <= most; rounds += 1) {
    const response = await gateway.post({ model, messages, tools: [readTool] }, headers);
    expect(response.status).toBe(200);
    const [{ message, finish_reason: finish }] = (await response.json()).choices;
    messages.push(message);
    if (message.tool_calls === undefined) return { rounds, said: message.content, finish, messages };
    for (const { id, function: called } of message.tool_calls) {
      messages.push({ role: 'tool', tool_call_id: id, content: resultOf(JSON.parse(called.arguments).path) });
    }
  }
  return { rounds: most, said: undefined, finish: undefined, messages };
}

describe('a loop that would never end', () => {
  it('A-227: on a platform that keeps the conversation it ends after twenty rounds, and goes on when asked to', async () => {
    const { platform, gateway } = await endless();
    const first = await run(gateway, { model: 'platform/m' });
    expect(first).toMatchObject({ rounds: 20, said: wait, finish: 'stop' });
    const record = await gateway.record(({ warnings }) => Object(warnings)['loop-stopped'] === 1);
    expect(record.warnings).toEqual({ 'loop-stopped': 1, 'call-surplus': 1 });
    const [turns = [], ...others] = platform.chats.values();
    expect(others).toEqual([]);
    expect(turns.at(-1)?.text).toContain('No tool can be called any more');
    const history = [...first.messages, { role: 'user', content: 'Go on.' }];
    expect(await run(gateway, { model: 'platform/m', history })).toMatchObject({ rounds: 20, said: wait });
    expect(platform.chats.size).toBe(1);
  });

  it('A-227: 0 lets it run on', async () => {
    const { gateway } = await endless({ rounds: 0 });
    expect(await run(gateway, { model: 'platform/m', most: 25 })).toMatchObject({ rounds: 25, said: undefined });
  });

  it('runs on for a key that forbids guards, and for no other', async () => {
    const keys = [
      { name: 'agent', key: 'key-of-agent', guards: false },
      { name: 'person', key: 'key-of-person' },
    ];
    const { gateway } = await endless({ rounds: 2 }, { keys });
    const by = (key: string) => ({ authorization: `Bearer ${key}` });
    expect(await run(gateway, { model: 'platform/m', most: 5, headers: by('key-of-agent') })).toMatchObject({
      rounds: 5,
    });
    expect(await run(gateway, { model: 'platform/m', most: 5, headers: by('key-of-person') })).toMatchObject({
      rounds: 2,
    });
  });

  const read: CodingTool = {
    name: 'read',
    description: 'Reads a file.',
    parameters: { type: 'object', properties: { path: text('Its path.') }, required: ['path'] },
    run: async (values) => `contents of ${stringOf(values, 'path')}`,
  };

  it.each(sample([...sdkTurns], 3))('A-227: %s shows the end as the answer', async (_, turn) => {
    const { gateway } = await endless({ rounds: 2 });
    const reply = await turn({ url: gateway.url, model: 'platform/m', request: 'Read everything.', tools: [read] });
    expect(reply).toBe(wait.replace('20', '2'));
  });
});

describe('models that are not stopped by default', () => {
  let upstream: ScriptedUpstream;
  let gateway: TestGateway;

  beforeEach(async () => {
    upstream = await upstreamForTest({ fallback: chatStream(call('same.txt')) });
    const toolCalling = { dialect: 'hermes' };
    const models = {
      text: { toolCalling },
      limited: { toolCalling, guards: { rounds: 3 } },
      impatient: { toolCalling, guards: { repeats: true } },
      deaf: { toolCalling, guards: { repeats: false } },
    };
    gateway = await gatewayForTest({
      config: { upstreams: { up: { wire: 'openai-chat', baseUrl: upstream.baseUrl, models } } },
    });
  });

  const prompts = () => upstream.requests.map(({ text: body }) => body);
  const noted = () => prompts().map((body) => body.split('times in a row').length - 1);

  it('A-227: one that reads text runs on, and is told from the third same round on', async () => {
    expect(await run(gateway, { model: 'up/text', most: 25 })).toMatchObject({ rounds: 25, said: undefined });
    expect(noted().slice(0, 6)).toEqual([0, 0, 0, 1, 2, 3]);
    // What was sent before is at the front of what is sent now: caches of prompts go on to work.
    const messages = prompts().map((body) => JSON.parse(body).messages.map((each: unknown) => JSON.stringify(each)));
    for (const [at, sent] of messages.entries()) expect(messages[at + 1]?.slice(0, sent.length) ?? sent).toEqual(sent);
    expect((await gateway.record(({ warnings }) => warnings !== undefined)).warnings).toEqual({ 'loop-noted': 1 });
  });

  it('one whose results change hears nothing', async () => {
    let count = 0;
    const resultOf = () => {
      count += 1;
      return `${count} %`;
    };
    await run(gateway, { model: 'up/text', most: 6, resultOf });
    expect(noted()).toEqual([0, 0, 0, 0, 0, 0, 0]);
  });

  it('A-227: any one is stopped where that is configured, and its own last words come first', async () => {
    upstream.next(...['a', 'b', 'c'].map((path) => chatStream(call(path))), chatStream('I have read a, b and c.'));
    const { said, finish } = await run(gateway, { model: 'up/limited' });
    expect(said).toBe(`I have read a, b and c.\n\n${wait.replace('20', '3')}`);
    expect(finish).toBe('stop');
  });

  it('the same call over and over is told, and then ended', async () => {
    const { rounds, said } = await run(gateway, { model: 'up/impatient' });
    expect(rounds).toBe(6);
    expect(said).toContain('The same calls were made 6 times in a row with the same results');
    expect(noted()).toEqual([0, 0, 0, 1, 2, 3, 4]);
  });

  it('a note can be switched off', async () => {
    await run(gateway, { model: 'up/deaf', most: 6 });
    expect(noted()).toEqual([0, 0, 0, 0, 0, 0, 0]);
  });
});

describe('a native model', () => {
  const history = [
    asked,
    ...[1, 2, 3].flatMap((at) => [
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: `call_${at}`, type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } }],
      },
      { role: 'tool', tool_call_id: `call_${at}`, content: 'alpha' },
    ]),
  ];
  const reply = chatStream('Done.', { pieces: 5 });

  async function send(guards: object) {
    const upstream = await upstreamForTest({ fallback: reply });
    const native = { toolCalling: 'native', passthrough: 'always', guards };
    const up = { wire: 'openai-chat', baseUrl: upstream.baseUrl, models: { native } };
    const gateway = await gatewayForTest({ config: { upstreams: { up } } });
    const response = await gateway.post({ model: 'up/native', stream: true, messages: history, tools: [readTool] });
    const answer = await response.text();
    const sent = JSON.parse(upstream.requests[0]?.text ?? '');
    const { relayed } = await gateway.record(({ status }) => status === 200);
    return { answer, sent, relayed };
  }

  it.each([{}, { rounds: 4, repeats: false }])(
    'A-227: passes byte for byte while guards like %j have nothing to say',
    async (guards) => {
      const { sent, relayed } = await send(guards);
      expect(sent).toEqual({ model: 'native', stream: true, messages: history, tools: [readTool] });
      expect(relayed).toBe(true);
    },
  );

  it('hears of repetition inside the result, where every server takes it', async () => {
    const { sent, relayed } = await send({ repeats: true });
    expect(relayed).not.toBe(true);
    expect(sent.messages.slice(0, -1)).toEqual(history.slice(0, -1));
    expect(sent.messages.at(-1).content).toMatch(/^alpha\n\n\[Note: The same calls were made 3 times in a row/);
  });

  it('A-227: may call nothing where its loop ends', async () => {
    const { sent, answer } = await send({ rounds: 3 });
    expect(sent).toMatchObject({ tool_choice: 'none', tools: [readTool] });
    expect(answer).toContain('Done.');
    expect(answer).toContain('The limit of 3 rounds');
  });
});
