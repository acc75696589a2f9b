import { chatStream, type ScriptedReply } from '@dragoman/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { gatewayForTest, upstreamForTest } from './for-test.ts';

const thought = 'The person greets.';
const messages = [{ role: 'user', content: 'Hi' }];

let upstream: Awaited<ReturnType<typeof upstreamForTest>>;
let url: string;

beforeEach(async () => {
  upstream = await upstreamForTest();
  const models = {
    native: { toolCalling: 'native' },
    text: { toolCalling: { dialect: 'hermes' } },
    hidden: { toolCalling: 'native', reasoning: 'hide' },
  };
  const config = { upstreams: { up: { wire: 'openai-chat', baseUrl: upstream.baseUrl, models } } };
  ({ url } = await gatewayForTest({ config }));
});

/** A reply with reasoning in its own field, or as the model writes it into its text. */
const replies: readonly (readonly [model: string, reply: ScriptedReply])[] = [
  ['native', chatStream('Hello.', { reasoning: thought })],
  ['text', chatStream(`<think>${thought}</think>Hello.`, { pieces: 100 })],
];

interface Client {
  readonly path: string;
  readonly body: object;
  /** What asks for no reasoning. */
  readonly hiding: object;
  /** Where reasoning and text are in a whole answer. */
  readonly look: (answer: Answer) => readonly [reasoning: unknown, text: unknown];
}

/** Whatever a client of any API reads of a whole answer. */
interface Answer {
  readonly choices: readonly { readonly message: { readonly reasoning_content?: string; readonly content: string } }[];
  readonly output: readonly { readonly type: string; readonly summary: Texts; readonly content: Texts }[];
  readonly content: readonly { readonly type: string; readonly thinking: string; readonly text: string }[];
  readonly message: { readonly thinking?: string; readonly content: string };
}
type Texts = readonly { readonly text: string }[];

const clients: readonly (readonly [wire: string, client: Client])[] = [
  [
    'openai-chat',
    {
      path: '/v1/chat/completions',
      body: { messages },
      hiding: { reasoning: { exclude: true } },
      look: ({ choices }) => [choices[0]?.message.reasoning_content, choices[0]?.message.content],
    },
  ],
  [
    'openai-responses',
    {
      path: '/v1/responses',
      body: { input: 'Hi' },
      hiding: { reasoning: { summary: null } },
      look: ({ output }) => [
        output.find(({ type }) => type === 'reasoning')?.summary[0]?.text,
        output.find(({ type }) => type === 'message')?.content[0]?.text,
      ],
    },
  ],
  [
    'anthropic-messages',
    {
      path: '/v1/messages',
      body: { messages, max_tokens: 100 },
      hiding: { thinking: { type: 'adaptive', display: 'omitted' } },
      look: ({ content }) => [
        content.find(({ type }) => type === 'thinking')?.thinking,
        content.find(({ type }) => type === 'text')?.text,
      ],
    },
  ],
  [
    'ollama-chat',
    {
      path: '/api/chat',
      body: { messages },
      hiding: { think: false },
      look: ({ message }) => [message.thinking, message.content],
    },
  ],
];

describe.each(clients)('reasoning for a client of %s', (_, { path, body, hiding, look }) => {
  const ask = (model: string, fields: object) =>
    fetch(url + path, { method: 'POST', body: JSON.stringify({ ...body, model: `up/${model}`, ...fields }) });

  it.each(replies)('E-086 C-060 has its own channel, streamed and whole, from a %s model', async (model, reply) => {
    upstream.next(reply, reply);
    const answer: Answer = JSON.parse(await (await ask(model, { stream: false })).text());
    expect(look(answer)).toEqual([thought, 'Hello.']);
    const stream = await (await ask(model, { stream: true })).text();
    expect(stream).not.toContain('<think>');
    expect(stream).toContain('person');
  });

  it.each(replies)('C-060 is left out on request, streamed and whole, from a %s model', async (model, reply) => {
    upstream.next(reply, reply);
    const answer: Answer = JSON.parse(await (await ask(model, { stream: false, ...hiding })).text());
    expect(look(answer)).toEqual([undefined, 'Hello.']);
    const stream = await (await ask(model, { stream: true, ...hiding })).text();
    for (const part of ['person', 'greets', 'think>']) expect(stream).not.toContain(part);
    expect(stream).toContain('.');
  });

  it('C-060 is left out where the model rule hides it', async () => {
    const [[, reply] = expect.fail()] = replies;
    upstream.next(reply);
    const answer: Answer = JSON.parse(await (await ask('hidden', { stream: false })).text());
    expect(look(answer)).toEqual([undefined, 'Hello.']);
  });
});
