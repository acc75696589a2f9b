import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { explain, openaiChatClient } from '@dragoman/core';
import { type QwenChat, type QwenChatOptions, sample, startQwenChat } from '@dragoman/testkit';
import OpenAI from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSetup } from '../src/config/create-setup.ts';
import { loadConfig } from '../src/config/load-config.ts';
import { type CodingTool, stringOf, text } from './coding-tool.ts';
import { gatewayForTest } from './for-test.ts';
import { makeScratchFolder } from './scratch-folder.ts';
import { sdkTurns } from './sdk-turns.ts';
import type { TestGateway } from './start-test-gateway.ts';

interface Started {
  readonly platform: QwenChat;
  readonly gateway: TestGateway;
  readonly client: OpenAI;
}

interface Settings {
  /** Of the upstream. */
  readonly upstream?: Readonly<Record<string, unknown>>;
  readonly config?: Readonly<Record<string, unknown>>;
}

async function platformForTest(options: QwenChatOptions): Promise<QwenChat> {
  const platform = await startQwenChat(options);
  onTestFinished(() => platform.close());
  return platform;
}

async function before(platform: QwenChat, { upstream, config }: Settings = {}): Promise<Started> {
  const qwen = {
    wire: 'qwen-chat',
    baseUrl: platform.baseUrl,
    models: { 'qwen-max': { toolCalling: { dialect: 'hermes' } } },
    ...upstream,
  };
  const gateway = await gatewayForTest({ config: { upstreams: { qwen }, ...config } });
  return { platform, gateway, client: clientOf(gateway) };
}

const start = async (options: QwenChatOptions, settings?: Settings) => before(await platformForTest(options), settings);

const clientOf = ({ url }: TestGateway, headers: Record<string, string> = {}, apiKey = 'any') =>
  new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0, defaultHeaders: headers });

const model = 'qwen/qwen-max';
const turnsOf = ({ chats }: QwenChat) => [...chats.values()];
const textsOf = (platform: QwenChat) => turnsOf(platform).map((turns) => turns.map(({ text: said }) => said));
const parentsOf = (platform: QwenChat) => turnsOf(platform).map((turns) => turns.map(({ parent }) => parent));
const created = ({ requests }: QwenChat) => requests.filter(({ path }) => path === '/api/v2/chats/new').length;

async function ask(client: OpenAI, messages: readonly ChatCompletionMessageParam[]): Promise<string> {
  const reply = await client.chat.completions.create({ model, messages: [...messages] });
  return reply.choices[0]?.message.content ?? '';
}

const user = (content: string): ChatCompletionMessageParam => ({ role: 'user', content });
const said = (content: string): ChatCompletionMessageParam => ({ role: 'assistant', content });
const counting: QwenChatOptions['answer'] = ({ before: turns }) => `answer ${turns.length + 1}`;
const call = (path: string) => `<tool_call>\n{"name": "read_file", "arguments": {"path": "${path}"}}\n</tool_call>`;

/** Reads files one after the other, and then says what it has read. */
function reader(paths: readonly string[]): QwenChatOptions['answer'] {
  return ({ before: turns }) => {
    const path = paths[turns.length];
    return path === undefined ? 'All are read.' : { thinking: 'The next one.', text: `I read ${path}.\n${call(path)}` };
  };
}

const readFile: CodingTool = {
  name: 'read_file',
  description: 'Reads a file.',
  parameters: { type: 'object', properties: { path: text('Its path.') }, required: ['path'] },
  run: async (values) => `contents of ${stringOf(values, 'path')}`,
};

const readFileTool = {
  type: 'function' as const,
  function: { name: readFile.name, description: readFile.description, parameters: { ...readFile.parameters } },
};

it.each(sample([...sdkTurns], 3))(
  'A-220 B-150 B-151: %s stays in one chat over three rounds, each text said once after its parent',
  async (_, turn) => {
    const paths = ['a.txt', 'b.txt', 'c.txt'];
    const { platform, gateway } = await start({ answer: reader(paths) });
    const reply = await turn({ url: gateway.url, model, request: 'Read all files.', tools: [readFile] });
    expect(reply).toBe('All are read.');
    expect(created(platform)).toBe(1);
    const all = textsOf(platform).flat().join('\n');
    for (const once of ['Read all files.', 'Reads a file.', ...paths.map((path) => `contents of ${path}`)]) {
      expect(all.split(once)).toHaveLength(2);
    }
    expect(parentsOf(platform)).toEqual([[null, 'chat-1-turn-1', 'chat-1-turn-2', 'chat-1-turn-3']]);
  },
);

describe('a round of tools', () => {
  it('two calls come back in any order, and the next message holds both results', async () => {
    const answer: QwenChatOptions['answer'] = ({ before: turns }) =>
      turns.length === 0 ? `${call('a.txt')}\n${call('b.txt')}` : 'Both are read.';
    const { platform, client } = await start({ answer });
    const messages: ChatCompletionMessageParam[] = [user('Read both.')];
    const reply = await client.chat.completions.create({ model, messages, tools: [readFileTool] });
    const message = reply.choices[0]?.message ?? expect.fail();
    const calls = message.tool_calls ?? [];
    expect(calls.map((each) => ('function' in each ? each.function.arguments : ''))).toEqual([
      '{"path": "a.txt"}',
      '{"path": "b.txt"}',
    ]);
    const results = calls.map(({ id }, at) => ({ role: 'tool' as const, tool_call_id: id, content: `result ${at}` }));
    messages.push(message, ...results.reverse());
    const last = await client.chat.completions.create({ model, messages, tools: [readFileTool] });
    expect(last.choices[0]?.message.content).toBe('Both are read.');
    const [, second = ''] = textsOf(platform)[0] ?? [];
    expect(second).toContain('result 0');
    expect(second).toContain('result 1');
    expect(second).not.toContain('Read both.');
  });

  it.each([
    ['hermes', call('a.txt')],
    [
      'qwen3-coder',
      '<tool_call>\n<function=read_file>\n<parameter=path>\na.txt\n</parameter>\n</function>\n</tool_call>',
    ],
    ['cline-xml', '<read_file>\n<path>a.txt</path>\n</read_file>'],
    [
      'anthropic-xml',
      '<function_calls>\n<invoke name="read_file">\n<parameter name="path">a.txt</parameter>\n</invoke>\n</function_calls>',
    ],
    ['tool-request', '[TOOL_REQUEST]\n{"name": "read_file", "arguments": {"path": "a.txt"}}\n[END_TOOL_REQUEST]'],
  ])('"auto" reads a call in the form of %s', async (_, written) => {
    const models = { 'qwen-max': { toolCalling: 'text' } };
    const { client } = await start({ answer: () => `I read it.\n\n${written}` }, { upstream: { models } });
    const reply = await client.chat.completions.create({
      model,
      messages: [user('Read a.txt.')],
      tools: [readFileTool],
    });
    const [named = expect.fail()] = reply.choices[0]?.message.tool_calls ?? [];
    expect('function' in named && JSON.parse(named.function.arguments)).toEqual({ path: 'a.txt' });
  });

  it('a model that answers in prose, or in a form that nobody taught it, is passed on as text, and goes on in its chat', async () => {
    const fenced = 'I can not call tools.\n\n```tool_code\n{"name": "read_file", "arguments": {"path": "a.txt"}}\n```';
    const answer: QwenChatOptions['answer'] = ({ before: turns }) => (turns.length === 0 ? fenced : call('a.txt'));
    const { platform, client } = await start({ answer });
    const messages: ChatCompletionMessageParam[] = [user('Read a.txt.')];
    const reply = await client.chat.completions.create({ model, messages, tools: [readFileTool] });
    expect(reply.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: fenced } });
    messages.push(said(fenced), user('Use the tool.'));
    const next = await client.chat.completions.create({ model, messages, tools: [readFileTool] });
    expect(next.choices[0]?.finish_reason).toBe('tool_calls');
    expect(textsOf(platform)[0]?.[1]).toBe('Use the tool.');
  });
});

describe('thinking and usage', () => {
  it('an effort switches thinking on, which arrives as reasoning, and usage is what was counted last', async () => {
    const { platform, gateway } = await start({ answer: () => ({ thinking: 'hm, let me see', text: 'forty-two' }) });
    const asked = { model, messages: [user('why?')], reasoning_effort: 'high' };
    const reply: unknown = await (await gateway.post(asked)).json();
    expect(reply).toMatchObject({
      choices: [{ message: { reasoning_content: 'hm, let me see', content: 'forty-two' }, finish_reason: 'stop' }],
      usage: {
        prompt_tokens: 1,
        completion_tokens: 4,
        total_tokens: 5,
        prompt_tokens_details: { cached_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 2 },
      },
    });
    await gateway.post({ ...asked, reasoning_effort: 'none' });
    expect(turnsOf(platform).map(([turn]) => turn?.thinks)).toEqual([true, false]);
  });

  it('a server that repeats all text in each frame is read as if it did not, calls included', async () => {
    const thinking = 'hm, let me see';
    const answer: QwenChatOptions['answer'] = () => ({ thinking, text: `I read it.\n${call('a.txt')}` });
    const { gateway } = await start({ answer, cumulative: true });
    const asked = { model, messages: [user('why?')], tools: [readFileTool], reasoning_effort: 'high' };
    const reply: unknown = await (await gateway.post(asked)).json();
    const calls = [{ function: { name: 'read_file', arguments: '{"path": "a.txt"}' } }];
    expect(reply).toMatchObject({
      choices: [{ message: { reasoning_content: thinking, content: 'I read it.\n', tool_calls: calls } }],
    });
  });

  it('a server that answers whole is read, too', async () => {
    const { platform, client } = await start({ answer: counting, answersWhole: true });
    const history = [user('hi'), said(await ask(client, [user('hi')])), user('go on')];
    expect(await ask(client, history)).toBe('answer 2');
    expect(parentsOf(platform)).toEqual([[null, 'chat-1-turn-1']]);
  });
});

describe('the end of a reply', () => {
  const close = { upstream: { qwenChat: { end: 'close' } } };

  it('B-095: without a mark is a whole answer, which is told, and the next message goes on after it', async () => {
    const { platform, gateway, client } = await start({ answer: counting, end: 'silent' });
    const text = await (await gateway.post({ model, messages: [user('hi')], stream: true })).text();
    expect(text).toContain('"finish_reason":"stop"');
    expect(text).toMatch(/data: \[DONE\]\n\n$/);
    expect(JSON.stringify(gateway.records())).toContain('end-unmarked');
    expect(await ask(client, [user('hi'), said('answer 1'), user('go on')])).toBe('answer 2');
    expect(created(platform)).toBe(1);
  });

  it.each([20, 50])('without a mark in the middle of a call is a cut, behind %i characters', async (length) => {
    const { client } = await start({ answer: () => call('a.txt').slice(0, length), end: 'silent' });
    const asked = client.chat.completions.create({ model, messages: [user('hi')], tools: [readFileTool] });
    await expect(asked).rejects.toMatchObject({ status: 502, code: 'upstream_cut' });
  });

  it('is a close in good order where the platform is known to mark none, and never a broken connection', async () => {
    let broken = false;
    const answer: QwenChatOptions['answer'] = () => (broken ? { text: 'half of', breaks: 'cut' } : 'all of it');
    for (const settings of [close, {}]) {
      broken = false;
      const { client, gateway } = await start({ answer, end: 'silent' }, settings);
      expect(await ask(client, [user('hi')])).toBe('all of it');
      expect(JSON.stringify(gateway.records()).includes('end-unmarked')).toBe(settings !== close);
      broken = true;
      await expect(ask(client, [user('hi')])).rejects.toMatchObject({ status: 502, code: 'upstream_cut' });
    }
  });

  it('may be [DONE]', async () => {
    const { client } = await start({ answer: counting, end: 'done' });
    expect(await ask(client, [user('hi')])).toBe('answer 1');
  });
});

describe('which chat a request goes into', () => {
  it('B-152: equal first messages of two clients keep apart, also after equal answers', async () => {
    const keys = ['ann', 'bob'].map((name) => ({ name, key: `key-of-${name}` }));
    const { platform, gateway } = await start({ answer: counting }, { config: { keys } });
    const [ann, bob] = [clientOf(gateway, {}, 'key-of-ann'), clientOf(gateway, {}, 'key-of-bob')];
    await Promise.all([ask(ann, [user('hi')]), ask(bob, [user('hi')])]);
    const history = (own: string) => [user('hi'), said('answer 1'), user(own)];
    await Promise.all([ask(ann, history('I am Ann')), ask(bob, history('I am Bob'))]);
    expect(textsOf(platform).sort()).toEqual([
      ['hi', 'I am Ann'],
      ['hi', 'I am Bob'],
    ]);
  });

  it('B-153: the same history under two names goes into two chats, and under one name into one', async () => {
    const { platform, gateway } = await start({ answer: counting });
    const named = (name: string) => clientOf(gateway, { 'x-conversation-id': name });
    const history = [user('hi'), said('answer 1'), user('go on')];
    for (const name of ['one', 'two']) await ask(named(name), [user('hi')]);
    for (const name of ['one', 'two']) await ask(named(name), history);
    await ask(named('one'), [...history, said('answer 2'), user('further')]);
    expect(textsOf(platform)).toEqual([
      ['hi', 'go on', 'further'],
      ['hi', 'go on'],
    ]);
  });

  it('B-154: a gateway that remembers nothing begins a new chat with the whole history', async () => {
    const { platform, client } = await start({ answer: counting });
    const history = [user('my name is Ann'), said(await ask(client, [user('my name is Ann')])), user('second')];
    history.push(said(await ask(client, history)), user('third'));
    const { client: other } = await before(platform);
    expect(await ask(other, history)).toBe('answer 1');
    const [, [whole = ''] = []] = textsOf(platform);
    for (const part of ['my name is Ann', 'answer 1', 'second', 'answer 2', 'third']) expect(whole).toContain(part);
  });

  it('A-225: an edited message becomes a branch after the older reply', async () => {
    const { platform, client } = await start({ answer: ({ text: asked }) => `on ${asked}` });
    const history = [user('hi'), said(await ask(client, [user('hi')]))];
    for (const edited of ['one', 'two']) await ask(client, [...history, user(edited)]);
    expect(parentsOf(platform)).toEqual([[null, 'chat-1-turn-1', 'chat-1-turn-1']]);
  });

  it('A-222: twenty conversations of four keys at once never mix', async () => {
    const keys = ['ann', 'bob', 'eve', 'joe'].map((name) => ({ name, key: `key-of-${name}` }));
    const { platform, gateway } = await start(
      { answer: ({ text: asked, before: turns }) => (turns.length === 0 ? 'hello' : `${turns[1]?.text}/${asked}`) },
      { config: { keys } },
    );
    const talk = async (at: number): Promise<string> => {
      const client = clientOf(gateway, { 'x-conversation-id': `${at}` }, keys[at % keys.length]?.key);
      const history = [user('hi')];
      history.push(said(await ask(client, history)), user(`secret ${at}`));
      history.push(said(await ask(client, history)), user('what was it?'));
      return ask(client, history);
    };
    const replies = await Promise.all(Array.from({ length: 20 }, (_, at) => talk(at)));
    expect(replies).toEqual(replies.map((_, at) => `secret ${at}/what was it?`));
    expect(platform.chats.size).toBe(20);
    for (const turns of turnsOf(platform)) expect(turns.map(({ parent }) => parent)).toHaveLength(3);
  });

  it('B-158: equal prompts of two clients go into two chats, and replies are text completions', async () => {
    const { platform, gateway } = await start({ answer: counting });
    const complete = async () => {
      const reply = await fetch(`${gateway.url}/v1/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model, prompt: 'Once upon a time' }),
      });
      return reply.json();
    };
    const replies = await Promise.all([complete(), complete()]);
    for (const reply of replies) {
      expect(reply).toMatchObject({
        object: 'text_completion',
        choices: [{ text: 'answer 1', finish_reason: 'stop' }],
      });
    }
    expect(textsOf(platform)).toEqual([['Once upon a time'], ['Once upon a time']]);
  });
});

describe('a platform that forgets', () => {
  const twoTurns = async (client: OpenAI) => [user('hi'), said(await ask(client, [user('hi')])), user('go on')];

  it('A-224: a lost chat is begun anew with the whole history, and the log says so', async () => {
    const { platform, gateway, client } = await start({ answer: counting });
    const history = await twoTurns(client);
    platform.forget();
    expect(await ask(client, history)).toBe('answer 1');
    expect(textsOf(platform)[0]?.[0]).toContain('hi');
    await gateway.record(({ warnings }) => Object(warnings)['conversation-replayed'] === 1);
  });

  it('B-159: a parent that is refused once costs one new chat; refused twice is 502', async () => {
    const { platform, client } = await start({ answer: counting });
    const history = await twoTurns(client);
    platform.refuseParents(1);
    expect(await ask(client, history)).toBe('answer 1');
    expect(created(platform)).toBe(2);
    history.push(said('answer 1'), user('further'));
    expect(await ask(client, history)).toBe('answer 2');
    platform.refuseParents(2);
    const further = [...history, said('answer 2'), user('still further')];
    await expect(ask(client, further)).rejects.toMatchObject({ status: 502, message: expect.stringContaining('lost') });
    expect(created(platform)).toBe(3);
  });
});

describe('a platform that refuses', () => {
  it('A-229: a chat that cannot be begun is an error with the reason', async () => {
    const { platform, client } = await start({ answer: counting });
    platform.refuseChats();
    await expect(ask(client, [user('hi')])).rejects.toMatchObject({
      status: 502,
      message: expect.stringContaining('no chat can be begun'),
    });
  });

  it('is quoted, and the next request goes after the last whole reply', async () => {
    let busy = false;
    const answer: QwenChatOptions['answer'] = (question) =>
      busy ? { refuse: ['RateLimited', 'Slow down.'] } : counting(question);
    const { platform, client } = await start({ answer });
    const history = [user('hi'), said(await ask(client, [user('hi')])), user('go on')];
    busy = true;
    await expect(ask(client, history)).rejects.toMatchObject({
      status: 429,
      message: expect.stringContaining('Slow down.'),
    });
    busy = false;
    expect(await ask(client, history)).toBe('answer 2');
    expect(parentsOf(platform)).toEqual([[null, 'chat-1-turn-1']]);
  });

  it('B-170: a page to sign in is an error that names the upstream and says to renew the credentials', async () => {
    let token = 'token-of-yesterday';
    const platform = await platformForTest({ answer: counting, token: () => token });
    const { client, gateway } = await before(platform, { upstream: { apiKey: 'token-of-yesterday' } });
    const history = [user('hi'), said(await ask(client, [user('hi')])), user('go on')];
    token = 'token-of-today';
    for (const messages of [history, [user('new')]]) {
      const error = await ask(client, messages).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ status: 400, code: 'upstream_unauthorized' });
      expect(String(error)).toContain('"qwen"');
      expect(String(error)).toContain('Renew them');
    }
    expect(JSON.stringify(gateway.records())).not.toContain('token-of');
  });
});

describe('credentials in a file', () => {
  it('B-170: are renewed without a restart, also while a request is refused, and never reach the log', async () => {
    const folder = await makeScratchFolder({});
    onTestFinished(() => folder.remove());
    const file = join(folder.path, 'token');
    const renew = (name: string) => {
      writeFileSync(file, `${name}\n`);
      return name;
    };
    let token = renew('token-1');
    let renewsLate = false;
    const platform = await platformForTest({
      answer: counting,
      token: () => {
        if (renewsLate) renew('token-3');
        return token;
      },
    });
    const { client, gateway } = await before(platform, { upstream: { apiKey: `file:${file}` } });
    const history = [user('hi'), said(await ask(client, [user('hi')])), user('go on')];
    token = renew('token-2');
    history.push(said(await ask(client, history)), user('further'));
    token = 'token-3';
    renewsLate = true;
    expect(await ask(client, history)).toBe('answer 3');
    expect(platform.requests.map(({ headers }) => headers.authorization)).toEqual(
      ['1', '1', '2', '2', '3'].map((at) => `Bearer token-${at}`),
    );
    renewsLate = false;
    token = 'token-4';
    await expect(ask(client, history)).rejects.toMatchObject({ status: 400, code: 'upstream_unauthorized' });
    expect(JSON.stringify(gateway.records())).not.toContain('token-');
  });

  it('B-170: that end tomorrow are a warning in the health and in the log', async () => {
    const platform = await platformForTest({ answer: counting });
    const exp = Math.floor(Date.now() / 1000) + 20 * 60 * 60;
    const token = `eyJhbGciOiJub25lIn0.${Buffer.from(JSON.stringify({ exp })).toString('base64url')}.c2lnbmVk`;
    const { gateway } = await before(platform, { upstream: { apiKey: token } });
    expect(await (await fetch(`${gateway.url}/health`)).json()).toMatchObject({ credentials: 'expiring' });
    const log = JSON.stringify(gateway.records());
    expect(log).toContain('the credentials of the upstream \\"qwen\\" will end at');
    expect(log).not.toContain(token);
  });

  it('have to be there when the gateway starts', async () => {
    const platform = await platformForTest({ answer: counting });
    await expect(before(platform, { upstream: { headers: { cookie: 'file:nowhere' } } })).rejects.toThrow(
      'upstreams.qwen.headers.cookie: the file "nowhere" is not there',
    );
  });
});

it('is explained as it would be sent, without asking anybody', async () => {
  const platform = await platformForTest({ answer: counting });
  const config = loadConfig({
    env: {},
    file: {
      name: 'test.json',
      text: JSON.stringify({
        demo: false,
        upstreams: {
          qwen: {
            wire: 'qwen-chat',
            baseUrl: platform.baseUrl,
            qwenChat: { chatMode: 'normal' },
            models: { 'qwen-max': { toolCalling: { dialect: 'hermes' } } },
          },
        },
      }),
    },
  });
  const made = createSetup(config, { env: {} });
  onTestFinished(() => made.close());
  const request = openaiChatClient.readRequest({ model, messages: [user('hi')], tools: [readFileTool], top_p: 1 });
  expect(await explain(request, made.setup)).toMatchObject({
    plan: { upstream: 'qwen', model: 'qwen-max', toolCalling: 'hermes' },
    upstreamRequest: {
      path: '/api/v2/chat/completions',
      body: { chat_id: null, parent_id: null, chat_mode: 'normal', messages: [{ role: 'user' }] },
    },
    warnings: [
      {
        code: 'field-dropped',
        message: 'Sampling (topP) was left out: qwen-chat has no field for it. Nothing needs to be done.',
      },
    ],
  });
  expect(platform.requests).toEqual([]);
});

it('A-230 B-174: a continuation that hangs ends with 504, and the next one goes after the last whole reply', async () => {
  let hangs = true;
  const answer: QwenChatOptions['answer'] = ({ before: turns }) =>
    turns.length === 1 && hangs ? { text: '', breaks: 'stall' } : `answer ${turns.length + 1}`;
  const { platform, client } = await start({ answer }, { upstream: { timeouts: { firstToken: 200 } } });
  const history = [user('hi'), said(await ask(client, [user('hi')])), user('go on')];
  const began = performance.now();
  await expect(ask(client, history)).rejects.toMatchObject({ status: 504, code: 'first_token_timeout' });
  expect(performance.now() - began).toBeGreaterThan(150);
  hangs = false;
  expect(await ask(client, history)).toBe('answer 2');
  expect(parentsOf(platform)).toEqual([[null, 'chat-1-turn-1', 'chat-1-turn-1']]);
});

it('B-160: lists the models that are active and chat, asks once for it, and knows no others', async () => {
  const { platform, gateway } = await start({ answer: counting }, { upstream: { models: {}, anyModel: {} } });
  const get = (path: string) => fetch(`${gateway.url}${path}`);
  const listed = async (): Promise<unknown> => (await get('/v1/models')).json();
  expect(await listed()).toMatchObject({ data: expect.arrayContaining([expect.objectContaining({ id: model })]) });
  const { data } = Object(await listed());
  const own = data.filter(({ id }: { id: string }) => id.startsWith('qwen/'));
  expect(own).toMatchObject([{ id: model, context_length: 131_072 }]);
  expect(platform.requests.filter(({ path }) => path === '/api/models')).toHaveLength(1);
  expect((await get(`/v1/models/${encodeURIComponent(model)}`)).status).toBe(200);
  expect((await get('/v1/models/nobody')).status).toBe(404);
});
