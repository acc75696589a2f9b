import { type ChatPlatform, chatStream, type PlatformOptions, sample, startChatPlatform } from '@dragoman/testkit';
import OpenAI from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type CodingTool, stringOf, text as textParameter } from './coding-tool.ts';
import { gatewayForTest, upstreamForTest } from './for-test.ts';
import { sdkTurns } from './sdk-turns.ts';
import type { TestGateway } from './start-test-gateway.ts';

const conversation = {
  create: { path: '/chats', body: { model: '{{model}}' }, id: 'data.id' },
  send: {
    path: '/chats/{{conversation}}/messages',
    body: { model: '{{model}}', text: '{{text}}', parent: '{{parent}}' },
  },
  reply: {
    text: 'choices.0.delta.content',
    parent: ['response.created', 'parent_id'],
    end: { path: 'choices.0.delta.status', is: 'finished' },
  },
};

interface Started {
  readonly platform: ChatPlatform;
  readonly gateway: TestGateway;
  /** Sends a history, and returns the whole answer. */
  ask(asked: Partial<OpenAI.ChatCompletionCreateParamsNonStreaming>): Promise<OpenAI.ChatCompletionMessage>;
  /** What the platform heard, in the order in which it came. */
  heard(): readonly string[];
}

async function start(
  options: PlatformOptions,
  { rule = {}, ...config }: Readonly<Record<string, unknown>> = { prompts: {} },
): Promise<Started> {
  const platform = await startChatPlatform(options);
  onTestFinished(() => platform.close());
  const models = { m: { toolCalling: { dialect: 'cline-xml' }, ...Object(rule) } };
  const upstreams = { platform: { wire: 'conversation', baseUrl: platform.baseUrl, conversation, models } };
  const gateway = await gatewayForTest({ config: { upstreams, ...config } });
  const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'any', maxRetries: 0 });
  return {
    platform,
    gateway,
    ask: async (asked) => {
      const reply = await client.chat.completions.create({
        model: 'platform/m',
        messages: [],
        ...asked,
        stream: false,
      });
      const message = reply.choices[0]?.message;
      if (message === undefined) throw new Error('there is no answer');
      return message;
    },
    heard: () => [...platform.chats.values()].flat().map(({ text }) => text),
  };
}

const system = (content: string): ChatCompletionMessageParam => ({ role: 'system', content });
const user = (content: string): ChatCompletionMessageParam => ({ role: 'user', content });

const tools: OpenAI.ChatCompletionTool[] = [
  {
    type: 'function',
    function: {
      name: 'read_file',
      description: 'Reads a file, and tells all of it.',
      parameters: {
        type: 'object',
        properties: { path: { type: 'string', description: 'Where it lies.' }, limit: { type: 'integer' } },
        required: ['path'],
      },
    },
  },
];

const call = '<read_file>\n<path>a.txt</path>\n</read_file>';

const copilot = [
  system('You are Copilot.\n<instructions>\nUse tabs.\n</instructions>\nNever guess.'),
  user('<environment_info>Linux</environment_info>\n<attachments>a.txt</attachments>\nRead the file.'),
];

describe('a platform that is told by templates', () => {
  it('A-101 A-102 A-103 A-111 A-115: hears all of it once, then only what a turn needs', async () => {
    const { ask, heard, gateway } = await start({
      answer: ({ before }) => (before.length === 0 ? call : 'It is empty.'),
    });
    const first = await ask({ messages: copilot, tools });
    expect(first.tool_calls).toMatchObject([{ function: { name: 'read_file', arguments: '{"path":"a.txt"}' } }]);
    const result = { role: 'tool', tool_call_id: first.tool_calls?.[0]?.id ?? '', content: '(nothing)' } as const;
    const second = await ask({ messages: [...copilot, first, result], tools });
    expect(second.content).toBe('It is empty.');
    await ask({ messages: [...copilot, first, result, second, user('Are you sure?')], tools });
    await ask({ messages: [...copilot, first, result, second, user('Are you sure?'), second, user('Bye.')] });

    const [one = '', two = '', three = '', four = ''] = heard();
    const order = [
      'You are Copilot.\nNever guess.',
      'You can call the tools described',
      '- path: (required) string – Where it lies.',
      '# Custom instructions\n\nUse tabs.',
      '<attachments>a.txt</attachments>',
      '<environment_info>Linux</environment_info>',
      'Read the file.',
    ].map((text) => one.indexOf(text));
    expect(order).not.toContain(-1);
    expect(order).toEqual([...order].sort((a, b) => a - b));

    expect(two).toContain('(nothing)');
    expect(two.indexOf('<environment_info>Linux</environment_info>')).toBe(0);
    expect(two).toContain('Otherwise call another tool');

    expect(three).toContain('read_file(path: string, limit?: integer)');
    expect(three.endsWith('---\n\nAre you sure?')).toBe(true);
    for (const text of [two, three]) {
      for (const known of ['You are Copilot.', 'Reads a file, and tells all of it.', 'Read the file.']) {
        expect(text).not.toContain(known);
      }
    }
    expect(four).toContain('You are Copilot.');
    expect(four).not.toContain('read_file');
    const templates = await gateway.record(({ template }) => template === 'first-simple');
    expect(templates).toMatchObject({ status: 200 });
    expect(gateway.records().flatMap(({ template }) => template ?? [])).toEqual([
      'first-tools',
      'results',
      'tools',
      'first-simple',
    ]);
  });

  it('A-086 A-110 B-031: hears system text and tools again exactly when they have changed', async () => {
    const { ask, heard } = await start({ answer: ({ before }) => `answer ${before.length}` });
    const more = [...tools, { type: 'function' as const, function: { name: 'list', parameters: {} } }];
    const turns = [
      { says: 'SYS one', tools },
      { says: 'SYS one', tools },
      { says: 'SYS two', tools },
      { says: 'SYS two', tools: more },
      { says: 'SYS two', tools: more },
    ];
    const history: ChatCompletionMessageParam[] = [user('go')];
    for (const [at, { says, tools: declared }] of turns.entries()) {
      history.push(await ask({ messages: [system(says), ...history], tools: declared }), user(`and ${at}`));
    }
    expect(heard().map((text) => ['SYS one', 'SYS two', '## list'].filter((each) => text.includes(each)))).toEqual([
      ['SYS one'],
      [],
      ['SYS two'],
      ['SYS two', '## list'],
      [],
    ]);
  });

  it('a conversation that the platform has lost is told anew, with all that was said', async () => {
    const { ask, heard, platform } = await start({
      answer: ({ text }) => (text.includes('from beyond') ? 'fine' : call),
    });
    const first = await ask({ messages: copilot, tools });
    platform.forget();
    const result = { role: 'tool', tool_call_id: first.tool_calls?.[0]?.id ?? '', content: 'from beyond' } as const;
    expect((await ask({ messages: [...copilot, first, result], tools })).content).toBe('fine');
    const [told = ''] = heard();
    expect(told).toContain('# Our conversation so far\n\n## User\n\n<environment_info>Linux');
    expect(told).toContain('## Assistant\n\n<read_file>');
    for (const text of ['You are Copilot.', 'Read the file.', '# Results of your calls', 'from beyond']) {
      expect(told.split(text)).toHaveLength(2);
    }
  });

  it('A-117: says what a user writes as it is written', async () => {
    const { ask, heard } = await start({ answer: () => 'ok' });
    const text = '{{ 7*7 }} {% if x %} {# no comment #}\n---\n{{ system }}';
    await ask({ messages: [user(text)] });
    expect(heard()).toEqual([text]);
  });
});

const readFile: CodingTool = {
  name: 'read_file',
  description: 'Reads a file.',
  parameters: { type: 'object', properties: { path: textParameter('Its path.') }, required: ['path'] },
  run: async (values) => `contents of ${stringOf(values, 'path')}`,
};

it.each(sample([...sdkTurns], 3))('A-115 A-213: %s stays in one conversation over three rounds', async (_, turn) => {
  const paths = ['a.txt', 'b.txt', 'c.txt'];
  const { platform, gateway, heard } = await start({
    answer: ({ before }) => {
      const path = paths[before.length];
      return path === undefined ? 'All are read.' : `<read_file>\n<path>${path}</path>\n</read_file>`;
    },
  });
  const request = '<context>in /src</context> Read all files.';
  const reply = await turn({ url: gateway.url, model: 'platform/m', request, tools: [readFile] });
  expect(reply).toBe('All are read.');
  expect(platform.chats.size).toBe(1);
  expect(heard()).toHaveLength(4);
  for (const [at, text] of heard().entries()) {
    expect(text).toContain('<context>in /src</context>');
    expect(text.includes('Reads a file.')).toBe(at === 0);
    if (at > 0) expect(text).toContain(`contents of ${paths[at - 1]}`);
  }
});

describe('who is told by templates', () => {
  const asked = { messages: [system('SYS'), user('<context>CTX</context> go')] };

  it('A-083: nobody, unless the configuration says so', async () => {
    const { ask, heard } = await start({ answer: () => 'ok' }, {});
    await ask(asked);
    expect(heard()).toEqual(['SYS\n\n<context>CTX</context> go']);
  });

  it('A-083: not the model whose rule says no, and one alone whose rule says yes', async () => {
    const without = await start({ answer: () => 'ok' }, { prompts: {}, rule: { prompts: false } });
    await without.ask(asked);
    expect(without.heard()).toEqual(['SYS\n\n<context>CTX</context> go']);
    const alone = await start({ answer: () => 'ok' }, { rule: { prompts: true } });
    await alone.ask(asked);
    expect(alone.heard()).toEqual(['SYS\n\n---\n\n<context>CTX</context>\n\n---\n\ngo']);
  });

  it('also a model that gets no tools at all', async () => {
    const rule = { toolCalling: 'native' };
    const { ask, heard } = await start({ answer: () => 'ok' }, { prompts: {}, rule });
    const reply = await ask(asked);
    await ask({ messages: [...asked.messages, reply, user('<attachments>A</attachments> on')] });
    expect(heard()).toEqual([
      'SYS\n\n---\n\n<context>CTX</context>\n\n---\n\ngo',
      '<attachments>A</attachments>\n\n---\n\non',
    ]);
  });

  it('but none whose calls are native: its tools are no text', async () => {
    const models = { m: { toolCalling: 'native', prompts: true } };
    const upstreams = { up: { wire: 'openai-chat', baseUrl: 'http://127.0.0.1:9', models } };
    await expect(gatewayForTest({ config: { upstreams } })).rejects.toThrow(
      'upstreams.up.models.m.prompts: a model whose calls are native reads no prompts',
    );
  });

  it('also a text model that keeps no conversation: all in one message, each time', async () => {
    const upstream = await upstreamForTest({ fallback: chatStream('Hello') });
    const models = { m: { toolCalling: { dialect: 'hermes' }, prompts: true } };
    const config = {
      prompts: { toolDocs: 'line' },
      upstreams: { up: { wire: 'openai-chat', baseUrl: upstream.baseUrl, models } },
    };
    const gateway = await gatewayForTest({ config });
    const messages = [system('SYS'), user('one'), { role: 'assistant', content: 'two' }, user('three')];
    expect((await gateway.post({ model: 'up/m', messages, tools })).status).toBe(200);
    const seen = JSON.parse(upstream.requests.at(-1)?.text ?? '');
    expect(seen.messages).toHaveLength(1);
    const [{ role, content }] = seen.messages;
    expect(role).toBe('user');
    expect(content).toMatch(/^SYS\n\n---\n\n# Tools\n/);
    expect(content).toContain('# Our conversation so far\n\n## User\n\none\n\n## Assistant\n\ntwo\n\n---\n\nthree');
    expect(content.endsWith('three')).toBe(true);
  });
});
