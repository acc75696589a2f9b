import type { ChatPlatform, PlatformOptions } from '@dragoman/testkit';
import { sample } from '@dragoman/testkit';
import type OpenAI from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { describe, expect, it } from 'vitest';
import { type CodingTool, stringOf, text } from './coding-tool.ts';
import { gatewayForTest } from './for-test.ts';
import {
  ask,
  clientOf,
  description,
  linear,
  model,
  platformForTest,
  said,
  textsOf,
  upstreamsFor,
  user,
} from './platform-setup.ts';
import { sdkTurns } from './sdk-turns.ts';
import type { TestGateway } from './start-test-gateway.ts';

interface Started {
  readonly platform: ChatPlatform;
  readonly gateway: TestGateway;
  readonly client: OpenAI;
}

async function start(
  options: PlatformOptions,
  config: Readonly<Record<string, unknown>> = {},
  conversation: unknown = description,
): Promise<Started> {
  const platform = await platformForTest(options);
  const upstreams = upstreamsFor(platform, conversation);
  const gateway = await gatewayForTest({ config: { upstreams, ...config } });
  return { platform, gateway, client: clientOf(gateway, 'any') };
}

/** Reads files one after the other, and then says what it has read. */
function reader(paths: readonly string[]): PlatformOptions['answer'] {
  return ({ before }) => {
    const path = paths[before.length];
    if (path === undefined) return 'All are read.';
    return `I read ${path}.\n<tool_call>\n{"name": "read_file", "arguments": {"path": "${path}"}}\n</tool_call>`;
  };
}

describe('an agent before a platform that keeps the conversation', () => {
  it.each([
    { stream: true, cumulative: false },
    { stream: false, cumulative: true },
  ])(
    'A-042 A-043 A-213 B-025 B-096 B-102 reads two files in one conversation, and each text is sent once: %o',
    async ({ stream, cumulative }) => {
      const conversation = { ...description, reply: { ...description.reply, cumulative } };
      const { platform, client } = await start({ answer: reader(['a.txt', 'b.txt']), cumulative }, {}, conversation);
      const read: string[] = [];
      const body = {
        model,
        messages: [
          { role: 'system' as const, content: 'Work in /src.' },
          { role: 'user' as const, content: 'Read both files.' },
        ],
        tools: [
          {
            type: 'function' as const,
            function: {
              name: 'read_file',
              description: 'Reads a file.',
              parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
              parse: (text: string): { path: string } => JSON.parse(text),
              function: ({ path }: { path: string }) => {
                read.push(path);
                return `contents of ${path}`;
              },
            },
          },
        ],
      };
      const runner = stream
        ? client.chat.completions.runTools({ ...body, stream: true })
        : client.chat.completions.runTools({ ...body, stream: false });
      expect(await runner.finalContent()).toBe('All are read.');
      expect(read).toEqual(['a.txt', 'b.txt']);
      const [texts, ...others] = textsOf(platform);
      expect(others).toEqual([]);
      const [first = '', second = '', third = ''] = texts ?? [];
      expect(texts).toHaveLength(3);
      for (const once of ['Work in /src.', 'Read both files.', 'Reads a file.']) {
        expect(first.split(once)).toHaveLength(2);
        expect(second + third).not.toContain(once);
      }
      expect(second).toContain('contents of a.txt');
      expect(third).toContain('contents of b.txt');
      expect(third).not.toContain('contents of a.txt');
      expect([...platform.chats.values()][0]?.map(({ parent }) => parent)).toEqual([
        null,
        'chat-1-turn-1',
        'chat-1-turn-2',
      ]);
      expect(platform.requests.filter(({ path }) => path === '/chats')).toHaveLength(1);
    },
  );

  it('A-086 B-025 sends system text again exactly when it has changed', async () => {
    const { platform, client } = await start({
      answer: ({ before }) => `This is answer ${before.length + 1}, with words enough to be nobody else's.`,
    });
    const system = (content: string): ChatCompletionMessageParam => ({ role: 'system', content });
    const history: ChatCompletionMessageParam[] = [user('one')];
    for (const [at, text] of ['be brief', 'be brief', 'be long', 'be long'].entries()) {
      history.push(said(await ask(client, [system(text), ...history])), user(`question ${at}`));
    }
    expect(textsOf(platform)).toEqual([['be brief\n\none', 'question 0', 'be long\n\nquestion 1', 'question 2']]);
  });

  it('A-042 begins a new conversation where no model has spoken yet', async () => {
    const { platform, client } = await start({ answer: () => 'hello' });
    await ask(client, [user('hi')]);
    await ask(client, [user('hi')]);
    expect(textsOf(platform)).toEqual([['hi'], ['hi']]);
  });
});

const readFile: CodingTool = {
  name: 'read_file',
  description: 'Reads a file.',
  parameters: { type: 'object', properties: { path: text('Its path.') }, required: ['path'] },
  run: async (values) => `contents of ${stringOf(values, 'path')}`,
};

it.each(sample([...sdkTurns], 3))('A-213 B-102 %s stays in one conversation over three rounds', async (_, turn) => {
  const paths = ['a.txt', 'b.txt', 'c.txt'];
  const { platform, gateway } = await start({ answer: reader(paths) });
  const reply = await turn({ url: gateway.url, model, request: 'Read all files.', tools: [readFile] });
  expect(reply).toBe('All are read.');
  const [texts = [], ...others] = textsOf(platform);
  expect(others).toEqual([]);
  const all = texts.join('\n');
  for (const once of ['Read all files.', ...paths.map((path) => `contents of ${path}`)]) {
    expect(all.split(once)).toHaveLength(2);
  }
  expect(texts).toHaveLength(4);
});

it('B-073 names the conversation in a field of its own where that is wanted, and the SDK passes it on', async () => {
  const clientWires = { 'openai-chat': { conversationField: true } };
  const { client } = await start({ answer: () => 'hello' }, { clientWires });
  const named = { _conversation: { id: 'chat-1', parent_id: 'chat-1-turn-1' } };
  expect(await client.chat.completions.create({ model, messages: [user('hi')] })).toMatchObject(named);
  const stream = await client.chat.completions.create({ model, messages: [user('hi')], stream: true });
  const chunks: object[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  expect(chunks.filter((chunk) => '_conversation' in chunk)).toMatchObject([
    { _conversation: { id: 'chat-2', parent_id: 'chat-2-turn-1' } },
  ]);
  const { client: other } = await start({ answer: () => 'hello' });
  expect(await other.chat.completions.create({ model, messages: [user('hi')] })).not.toHaveProperty('_conversation');
});

it.each([
  { name: 'no field for system text', send: description.send },
  {
    name: 'a field for system text',
    send: { ...description.send, body: { ...description.send.body, system: '{{system}}' } },
  },
])('a block that a client writes anew in its past is told again, once, on a platform with $name', async ({ send }) => {
  const { platform, client } = await start(
    {
      takesSystem: true,
      answer: ({ before }) =>
        before.length === 0 ? 'It is noon, and all of the twelve bells of the town have rung.' : 'Yes.',
    },
    {},
    { ...description, send },
  );
  const first = (time: string) => user(`<environment_info>\nIt is ${time}.\n</environment_info>\nWhat time is it?`);
  const system: ChatCompletionMessageParam = { role: 'system', content: 'Be exact.' };
  const history = [said(await ask(client, [system, first('noon')])), user('Are you sure?')];
  history.push(said(await ask(client, [system, first('one o\u2019clock'), ...history])), user('Really?'));
  await ask(client, [system, first('one o\u2019clock'), ...history]);
  expect(textsOf(platform).map((texts) => texts.slice(1))).toEqual([
    ['<environment_info>\nIt is one o\u2019clock.\n</environment_info>\n\nAre you sure?', 'Really?'],
  ]);
});

describe('a conversation that does not go straight on', () => {
  it('B-101 a reply that breaks off does not become a parent', async () => {
    let cut = true;
    const { platform, client } = await start({
      answer: ({ before }) => {
        if (before.length === 0) return 'hello';
        if (!cut) return 'whole';
        cut = false;
        return { cut: 'only half of it is he' };
      },
    });
    const history = [user('hi'), said(await ask(client, [user('hi')])), user('go on')];
    await expect(ask(client, history)).rejects.toThrow();
    expect(await ask(client, history)).toBe('whole');
    expect([...platform.chats.values()][0]?.map(({ parent }) => parent)).toEqual([
      null,
      'chat-1-turn-1',
      'chat-1-turn-1',
    ]);
  });

  it('without parents, a message that may have been heard is not sent into the same conversation twice', async () => {
    let cut = true;
    const options: PlatformOptions = {
      linear: true,
      answer: ({ text }) => {
        if (!text.includes('go on')) return 'hello';
        if (!cut) return 'whole';
        cut = false;
        return { cut: 'only half of it is he' };
      },
    };
    const { platform, gateway, client } = await start(options, {}, linear);
    const history = [user('hi'), said(await ask(client, [user('hi')])), user('go on')];
    await expect(ask(client, history)).rejects.toThrow();
    expect(await ask(client, history)).toBe('whole');
    const [first, second] = textsOf(platform);
    expect(first).toEqual(['hi', 'go on']);
    expect(second).toHaveLength(1);
    for (const text of ['hi', 'hello', 'go on']) expect(second?.[0]).toContain(text);
    await gateway.record(({ warnings }) => Object(warnings)['conversation-replayed'] === 1);
    expect(await ask(client, [...history, said('whole'), user('and go on')])).toBe('whole');
    expect(textsOf(platform)[1]).toHaveLength(2);
  });

  it('without parents, a refused message leaves the conversation as it was', async () => {
    let busy = true;
    const answer: PlatformOptions['answer'] = ({ before }) => {
      if (before.length === 0 || !busy) return 'fine';
      busy = false;
      return { status: 429 };
    };
    const { platform, client } = await start({ linear: true, answer }, {}, linear);
    const history = [user('hi'), said(await ask(client, [user('hi')])), user('go on')];
    await expect(ask(client, history)).rejects.toThrow('429');
    expect(await ask(client, history)).toBe('fine');
    expect(textsOf(platform)).toEqual([['hi', 'go on']]);
  });

  it('an edited message and an identical retry become branches, and nothing is heard twice', async () => {
    const { platform, gateway, client } = await start({ takesSystem: true, answer: ({ text }) => `on ${text}` });
    const history = [user('hi'), said(await ask(client, [user('hi')]))];
    for (const text of ['one', 'two', 'two']) await ask(client, [...history, user(text)]);
    expect([...platform.chats.values()][0]?.map(({ parent, text }) => `${parent} ${text}`)).toEqual([
      'null hi',
      'chat-1-turn-1 one',
      'chat-1-turn-1 two',
      'chat-1-turn-1 two',
    ]);
    await gateway.record(({ warnings }) => Object(warnings)['conversation-branched'] === 1);
  });

  it('A-226 A-265: of two requests at once by callers whom nobody tells apart, both go after the same point, and one warns', async () => {
    const { platform, gateway, client } = await start({ answer: ({ text }) => `on ${text}` });
    const history = [user('hi'), said(await ask(client, [user('hi')]))];
    const replies = await Promise.all(['one', 'two'].map((text) => ask(client, [...history, user(text)])));
    expect(replies).toEqual(['on one', 'on two']);
    expect([...platform.chats.values()][0]?.slice(1).map(({ parent }) => parent)).toEqual([
      'chat-1-turn-1',
      'chat-1-turn-1',
    ]);
    const lines = gateway.records().filter(({ route }) => route !== undefined);
    expect(lines.filter(({ warnings }) => Object(warnings)['conversation-branched'] !== undefined)).toHaveLength(1);
  });

  it('a lost conversation is rebuilt once with the whole history, and the log says so', async () => {
    const { platform, gateway, client } = await start({ answer: ({ before }) => `answer ${before.length + 1}` });
    const history: ChatCompletionMessageParam[] = [user('my name is Ann')];
    history.push(said(await ask(client, history)), user('go on'));
    platform.forget();
    expect(await ask(client, history)).toBe('answer 1');
    const [texts, ...others] = textsOf(platform);
    expect(others).toEqual([]);
    for (const text of ['my name is Ann', 'answer 1', 'go on']) expect(texts?.[0]).toContain(text);
    await gateway.record(({ warnings }) => Object(warnings)['conversation-replayed'] === 1);
    history.push(said('answer 1'), user('further'));
    expect(await ask(client, history)).toBe('answer 2');
    expect(textsOf(platform)[0]?.at(-1)).toBe('further');
  });

  it('a platform that loses the new conversation, too, is an error of the upstream after one attempt', async () => {
    let lost = false;
    const { platform, client } = await start({ answer: () => (lost ? { status: 404 } : 'hello') });
    const history = [user('hi'), said(await ask(client, [user('hi')])), user('go on')];
    platform.forget();
    lost = true;
    await expect(ask(client, history)).rejects.toMatchObject({ status: 502, message: expect.stringContaining('lost') });
    expect(platform.requests.map(({ path }) => path)).toEqual([
      '/chats',
      '/chats/chat-1/messages',
      '/chats/chat-1/messages',
      '/chats',
      '/chats/chat-2/messages',
    ]);
  });

  it.each([
    ['whose field is configured', { ...description, reply: { ...description.reply, error: 'error.message' } }],
    ['that no field tells', description],
  ])(
    'B-159: a refusal with status 200 %s counts as one: lost is rebuilt once, else it is told',
    async (_, described) => {
      let busy = false;
      const answer: PlatformOptions['answer'] = ({ before }) =>
        busy ? { status: 429 } : `answer ${before.length + 1}`;
      const { platform, client } = await start({ answer, refusesWith200: true }, {}, described);
      const history = [user('hi'), said(await ask(client, [user('hi')])), user('go on')];
      const [chat = ''] = platform.chats.keys();
      platform.loseTurns(chat);
      expect(await ask(client, history)).toBe('answer 1');
      expect(textsOf(platform)[1]?.[0]).toContain('hi');
      expect(platform.requests.filter(({ path }) => path === '/chats')).toHaveLength(2);
      busy = true;
      await expect(ask(client, history)).rejects.toMatchObject({
        status: 502,
        message: expect.stringContaining('Not now.'),
      });
    },
  );

  it('a platform that begins no conversation is told as what it answers', async () => {
    const { client } = await start(
      { answer: () => 'x' },
      {},
      { ...description, create: { ...description.create, id: 'nowhere' } },
    );
    await expect(ask(client, [user('hi')])).rejects.toThrow('its id at nowhere');
    const { client: other } = await start(
      { answer: () => 'x' },
      {},
      { ...description, create: { path: '/wrong', id: 'data.id' } },
    );
    await expect(ask(other, [user('hi')])).rejects.toThrow('Nothing is at /wrong');
  });
});

describe('conversations of several callers', () => {
  const keys = ['ann', 'bob', 'eve', 'joe'].map((name) => ({ name, key: `key-of-${name}` }));

  it('twenty at once, in the same words, never mix', async () => {
    const { platform, gateway } = await start(
      { answer: ({ text, before }) => (before.length === 0 ? 'hello' : `${before[1]?.text ?? ''}/${text}`) },
      { keys },
    );
    const talk = async (at: number): Promise<string> => {
      const client = clientOf(gateway, keys[at % keys.length]?.key ?? '', { 'x-conversation-id': `chat ${at}` });
      const history = [user('hi')];
      history.push(said(await ask(client, history)), user(`secret ${at}`));
      history.push(said(await ask(client, history)), user('what was it?'));
      return ask(client, history);
    };
    const replies = await Promise.all(Array.from({ length: 20 }, (_, at) => talk(at)));
    expect(replies).toEqual(replies.map((_, at) => `secret ${at}/what was it?`));
    expect(platform.chats.size).toBe(20);
    for (const turns of platform.chats.values()) expect(turns).toHaveLength(3);
  });

  it('a key never continues the conversation of another', async () => {
    const { platform, gateway } = await start({ answer: () => 'hello' }, { keys });
    await ask(clientOf(gateway, 'key-of-ann'), [user('hi')]);
    await ask(clientOf(gateway, 'key-of-bob'), [user('hi'), said('hello'), user('and?')]);
    expect([...platform.chats.values()].map((turns) => turns.length)).toEqual([1, 1]);
  });
});

describe('a platform whose requests wait for each other', () => {
  const named = { 'x-conversation-id': 'mine' };

  /** A gateway whose platform takes its time. */
  async function startWaiting(isLinear = false) {
    const platform = await platformForTest({ answer: ({ text }) => `on ${text}`, linear: isLinear, pace: 60 });
    const upstreams = upstreamsFor(platform, isLinear ? linear : description, { parallel: 'queue' });
    const gateway = await gatewayForTest({ config: { upstreams } });
    const client = clientOf(gateway, 'any', named);
    const history = [user('hi'), said(await ask(client, [user('hi')]))];
    return { platform, gateway, client, history };
  }

  it.each([{ isLinear: false }, { isLinear: true }])(
    'B-157: requests of one conversation at once follow each other, in their order, with chained parents: %o',
    async ({ isLinear }) => {
      const { platform, gateway, client, history } = await startWaiting(isLinear);
      const texts = ['one', 'two', 'three', 'four'];
      const replies = texts.map((text) => ask(client, [...history, user(text)]));
      expect(await Promise.all(replies)).toEqual(texts.map((text) => `on ${text}`));
      const [turns = [], ...others] = platform.chats.values();
      expect(others).toEqual([]);
      expect(turns.map(({ parent, text }) => `${parent} ${text}`)).toEqual([
        'null hi',
        ...texts.map((text, at) => `chat-1-turn-${at + 1} ${text}`),
      ]);
      const warnings = gateway.records().map((record) => Object(record.warnings)['conversation-queued'] ?? 0);
      expect(warnings.reduce((sum, count) => sum + count, 0)).toBe(3);
      // The last of them goes on as any other history does.
      expect(await ask(client, [...history, user('four'), said('on four'), user('five')])).toBe('on five');
      expect(turns.at(-1)).toMatchObject({ parent: 'chat-1-turn-5', text: 'five' });
    },
  );

  it('B-157: an edit after a reply that is over is a branch, and who names no conversation never waits', async () => {
    const { platform, gateway, client, history } = await startWaiting();
    await ask(client, [...history, user('one')]);
    await ask(client, [...history, user('two')]);
    const others = clientOf(gateway);
    await Promise.all(['three', 'four'].map((text) => ask(others, [...history, user(text)])));
    const [turns = []] = platform.chats.values();
    expect(turns.slice(1).map(({ parent }) => parent)).toEqual(Array.from({ length: 4 }, () => 'chat-1-turn-1'));
  });

  it('B-157: after a reply that breaks off the next in line goes after the same point', async () => {
    let cut = true;
    const answer: PlatformOptions['answer'] = ({ text, before }) => {
      if (before.length === 0 || !cut) return `on ${text}`;
      cut = false;
      return { cut: 'half of it' };
    };
    const platform = await platformForTest({ answer, pace: 60 });
    const upstreams = upstreamsFor(platform, description, { parallel: 'queue' });
    const queued = clientOf(await gatewayForTest({ config: { upstreams } }), 'any', named);
    const history = [user('hi'), said(await ask(queued, [user('hi')]))];
    const [first, second] = await Promise.allSettled([
      ask(queued, [...history, user('one')]),
      ask(queued, [...history, user('two')]),
    ]);
    expect([first?.status, second]).toEqual(['rejected', { status: 'fulfilled', value: 'on two' }]);
    const [turns = []] = platform.chats.values();
    expect(turns.slice(1).map(({ parent }) => parent)).toEqual(['chat-1-turn-1', 'chat-1-turn-1']);
  });

  it('B-157: whoever waits too long, or after too many, is told so with a status', async () => {
    const { platform, client, history } = await startWaiting();
    // One is answered and sixteen wait.
    const asked = Array.from({ length: 18 }, (_, at) => ask(client, [...history, user(`question ${at}`)]));
    const ended = await Promise.allSettled(asked);
    const refused = ended.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refused).toMatchObject([{ status: 429, code: 'conversation_busy' }]);
    expect([...platform.chats.values()][0]).toHaveLength(18);
  });
});

describe('what a client asks beside its conversation', () => {
  const aside = '[SUGGESTION MODE: Suggest what the user might naturally type next into Claude Code.]';
  const history = [user('hi'), said('on hi')];

  it.each([
    ['a suggestion', aside],
    ['a title', 'Generate a concise 3-7 word title for this conversation, omitting punctuation.'],
  ])(
    '%s gets a conversation of its own where there are no branches, and the next message goes on',
    async (_, asked) => {
      const { platform, gateway, client } = await start(
        { answer: ({ text: told }) => `on ${told}`, linear: true },
        {},
        linear,
      );
      await ask(client, [user('hi')]);
      await ask(client, [...history, user(asked)]);
      expect(JSON.stringify(gateway.records())).toContain('"conversation-replayed":1');
      expect(await ask(client, [...history, user('go on')])).toBe('on go on');
      const [first, second, ...others] = textsOf(platform);
      expect([first, others]).toEqual([['hi', 'go on'], []]);
      for (const words of ['hi', 'on hi', asked]) expect(second?.join()).toContain(words);
    },
  );

  it('is a branch where there are branches', async () => {
    const { platform, client } = await start({ answer: ({ text: told }) => `on ${told}` });
    await ask(client, [user('hi')]);
    await ask(client, [...history, user(aside)]);
    expect(await ask(client, [...history, user('go on')])).toBe('on go on');
    expect(textsOf(platform)).toEqual([['hi', aside, 'go on']]);
  });

  it('goes on from itself', async () => {
    const { platform, client } = await start({ answer: () => 'Fine', linear: true }, {}, linear);
    await ask(client, [user('hi')]);
    const further = [user('hi'), said('Fine'), user(aside)];
    await ask(client, further);
    await ask(client, [...further, said('Fine'), user('another one')]);
    expect(textsOf(platform).map((texts) => texts.at(-1))).toEqual(['hi', 'another one']);
  });
});
