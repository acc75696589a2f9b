import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type Command, connectWorker, WorkerError } from '@dragoman/worker';
import OpenAI from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { gatewayForTest } from './for-test.ts';
import type { TestGateway } from './start-test-gateway.ts';
import { WorkerPeer } from './worker-peer.ts';

const gatewayOf = (workers: Readonly<Record<string, unknown>> = {}, more: Readonly<Record<string, unknown>> = {}) =>
  gatewayForTest({
    config: {
      upstreams: {
        far: {
          wire: 'conversation',
          workers: { speak: 'commands', ...workers },
          models: { m: { toolCalling: { dialect: 'hermes' } } },
          ...more,
        },
      },
    },
  });

const clientOf = ({ url }: TestGateway) => new OpenAI({ baseURL: `${url}/v1`, apiKey: 'any', maxRetries: 0 });
const user = (content: string): ChatCompletionMessageParam => ({ role: 'user', content });
const said = (content: string): ChatCompletionMessageParam => ({ role: 'assistant', content });

async function ask(gateway: TestGateway, messages: readonly ChatCompletionMessageParam[]): Promise<string> {
  const reply = await clientOf(gateway).chat.completions.create({ model: 'far/m', messages: [...messages] });
  return reply.choices[0]?.message.content ?? '';
}

/** What a worker that keeps conversations was told, by the id of each. */
type Chats = Map<string, string[]>;

/** A chatting worker of the library, which is ready; `answer` gets all that was said in the conversation so far. */
async function chatWorker(gateway: TestGateway, answer: (told: readonly string[]) => string, chats: Chats = new Map()) {
  const say = async function* (id: string, told: string[]): AsyncGenerator<unknown, undefined> {
    yield { conversationId: id };
    const text = answer(told);
    for (let at = 0; at < text.length; at += 5) yield { response: text.slice(at, at + 5) };
  };
  const createConversation: Command = (params) => {
    const id = randomUUID();
    const told = [String(Object(params).prompt)];
    chats.set(id, told);
    return say(id, told);
  };
  const sendMessage: Command = (params) => {
    const { conversationId, prompt } = Object(params);
    const told = chats.get(conversationId);
    if (told === undefined) throw new WorkerError('not-found', 'There is no such conversation.');
    told.push(prompt);
    return say(conversationId, told);
  };
  let ready = () => {};
  const isReady = new Promise<void>((resolve) => {
    ready = resolve;
  });
  const worker = connectWorker({
    address: `ws://127.0.0.1:${gateway.port}/workers/far`,
    commands: { createConversation, sendMessage },
    concurrency: 8,
    WebSocket,
    onState: ({ state }) => {
      if (state === 'ready') ready();
    },
  });
  onTestFinished(() => worker.close());
  await isReady;
  return { worker, chats };
}

describe('a worker that keeps conversations', () => {
  it('A-220 is asked once to begin one, whose first reply counts, and then only for what is new', async () => {
    const gateway = await gatewayOf();
    const peer = await WorkerPeer.join(gateway);
    const first = ask(gateway, [{ role: 'system', content: 'be brief' }, user('hi')]);
    const create = await peer.next('command');
    expect(create).toMatchObject({ method: 'createConversation', params: { prompt: 'be brief\n\nhi', model: 'm' } });
    peer.say({ type: 'result', id: create.id, result: { success: true, conversationId: 'c-1', response: 'hello' } });
    expect(await first).toBe('hello');
    const second = ask(gateway, [{ role: 'system', content: 'be brief' }, user('hi'), said('hello'), user('go on')]);
    const send = await peer.next('command');
    expect(send).toMatchObject({
      method: 'sendMessage',
      params: { conversationId: 'c-1', prompt: 'go on', model: 'm' },
    });
    peer.events(send.id, [{ response: 'go' }, { response: 'ing' }]);
    peer.say({ type: 'result', id: send.id, seq: 2 });
    expect(await second).toBe('going');
    expect(peer.commands).toHaveLength(2);
  });

  it('A-221 reads two files in one conversation, by calls that it writes as text', async () => {
    const gateway = await gatewayOf();
    const paths = ['a.txt', 'b.txt'];
    const { chats } = await chatWorker(gateway, (told) => {
      const path = paths[told.length - 1];
      if (path === undefined) return 'All are read.';
      return `<tool_call>\n{"name": "read_file", "arguments": {"path": "${path}"}}\n</tool_call>`;
    });
    const read: string[] = [];
    const runner = clientOf(gateway).chat.completions.runTools({
      model: 'far/m',
      stream: true,
      messages: [user('Read both files.')],
      tools: [
        {
          type: 'function',
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
    });
    expect(await runner.finalContent()).toBe('All are read.');
    expect(read).toEqual(paths);
    const [told = [], ...others] = [...chats.values()];
    expect(others).toEqual([]);
    expect(told.map((text) => text.includes('Reads a file.'))).toEqual([true, false, false]);
    expect(told[1]).toContain('contents of a.txt');
    expect(told[2]).toContain('contents of b.txt');
    await ask(gateway, [user('Something else.')]);
    expect(chats.size).toBe(2);
  });

  it('A-222 twenty at once, at two workers, never mix, and each stays at its worker', async () => {
    const gateway = await gatewayOf();
    const echo = (told: readonly string[]) => told.join('/');
    const workers = [await chatWorker(gateway, echo), await chatWorker(gateway, echo)];
    const talk = async (at: number): Promise<string> => {
      const history = [user(`secret ${at}`)];
      history.push(said(await ask(gateway, history)), user('and?'));
      history.push(said(await ask(gateway, history)), user('well?'));
      return ask(gateway, history);
    };
    const replies = await Promise.all(Array.from({ length: 20 }, (_, at) => talk(at)));
    expect(replies).toEqual(replies.map((_, at) => `secret ${at}/and?/well?`));
    const turns = workers.flatMap(({ chats }) => [...chats.values()].map((told) => told.length));
    expect(turns).toEqual(Array.from({ length: 20 }, () => 3));
    for (const { chats } of workers) expect(chats.size).toBeGreaterThan(0);
  });

  it('A-224 whose conversation left with its worker is told the whole history once, at another', async () => {
    const gateway = await gatewayOf();
    const echo = (told: readonly string[]) => `answer ${told.length}`;
    const first = await chatWorker(gateway, echo);
    const history = [user('my name is Ann')];
    history.push(said(await ask(gateway, history)), user('who am I?'));
    await first.worker.close();
    const second = await chatWorker(gateway, echo);
    expect(await ask(gateway, history)).toBe('answer 1');
    const [[told = ''] = [], ...others] = [...second.chats.values()];
    expect(others).toEqual([]);
    for (const text of ['my name is Ann', 'answer 1', 'who am I?']) expect(told).toContain(text);
    await gateway.record(({ warnings }) => Object(warnings)['conversation-replayed'] === 1);
  });

  it('A-225 an edited message begins a conversation of its own, with the whole history', async () => {
    const gateway = await gatewayOf();
    const { chats } = await chatWorker(gateway, (told) => `on ${told.length}`);
    const start = [user('hi'), said(await ask(gateway, [user('hi')]))];
    await ask(gateway, [...start, user('one')]);
    await ask(gateway, [...start, user('two')]);
    const [first, second] = [...chats.values()];
    expect(first).toEqual(['hi', 'one']);
    expect(second).toHaveLength(1);
    for (const text of ['hi', 'on 1', 'two']) expect(second?.[0]).toContain(text);
  });

  it('a request of a conversation waits for its own worker while that is busy', async () => {
    const gateway = await gatewayOf();
    const home = await WorkerPeer.join(gateway);
    const first = ask(gateway, [user('hi')]);
    const create = await home.next('command');
    home.say({ type: 'result', id: create.id, result: { conversationId: 'c-1', response: 'hello' } });
    await first;
    const busy = ask(gateway, [user('something else')]);
    const other = await home.next('command');
    const idle = await WorkerPeer.join(gateway);
    const second = ask(gateway, [user('hi'), said('hello'), user('go on')]);
    while ((await (await fetch(`${gateway.url}/health`)).json()).workers.waiting === 0) await wait(5);
    home.say({ type: 'result', id: other.id, result: { conversationId: 'c-2', response: 'ok' } });
    const send = await home.next('command');
    expect(send.params).toMatchObject({ conversationId: 'c-1' });
    home.say({ type: 'result', id: send.id, result: { response: 'gone on' } });
    expect([await busy, await second]).toEqual(['ok', 'gone on']);
    expect(idle.commands).toEqual([]);
  });

  it('two conversations of one name would mix: the second is refused', async () => {
    const gateway = await gatewayOf();
    const [one, other] = [await WorkerPeer.join(gateway), await WorkerPeer.join(gateway)];
    const first = ask(gateway, [user('one')]);
    const second = ask(gateway, [user('two')]);
    for (const peer of [one, other]) {
      const { id } = await peer.next('command');
      peer.events(id, [{ conversationId: 'chat-1' }, { response: 'hello' }]);
      peer.say({ type: 'result', id });
    }
    const [fine, refused] = await Promise.allSettled([first, second]);
    expect([fine.status, refused.status].toSorted()).toEqual(['fulfilled', 'rejected']);
    const error = [fine, refused].find(({ status }) => status === 'rejected');
    expect(String(Object(error).reason)).toContain('ids must differ');
  });

  it.each([
    { result: { success: false, error: 'the page was reloaded' } },
    { result: { error: 'the page was reloaded' } },
  ])('a failure in the clothes of a success is a failure: $result', async ({ result }) => {
    const gateway = await gatewayOf();
    const peer = await WorkerPeer.join(gateway);
    const asked = ask(gateway, [user('hi')]);
    peer.say({ type: 'result', id: (await peer.next('command')).id, result });
    await expect(asked).rejects.toMatchObject({
      status: 502,
      message: expect.stringContaining('the page was reloaded'),
    });
  });

  it('commands may be others, as the configuration describes them', async () => {
    const conversation = {
      create: { path: '/open', body: { with: '{{model}}' }, id: 'chat' },
      send: { path: '/say', body: { conversationId: '{{conversation}}', words: '{{text}}', after: '{{parent}}' } },
      framing: 'ndjson',
      reply: { text: 'said', parent: 'turn' },
    };
    const gateway = await gatewayOf({}, { conversation });
    const peer = await WorkerPeer.join(gateway);
    const first = ask(gateway, [user('hi')]);
    const open = await peer.next('command');
    expect(open).toMatchObject({ method: 'open', params: { with: 'm' } });
    peer.say({ type: 'result', id: open.id, result: { chat: 'c-9' } });
    const say = await peer.next('command');
    expect(say).toMatchObject({ method: 'say', params: { conversationId: 'c-9', words: 'hi', after: null } });
    peer.events(say.id, [{ turn: 12345678901234567890n.toString() }, { said: 'hel' }, { said: 'lo' }]);
    peer.say({ type: 'result', id: say.id });
    expect(await first).toBe('hello');
  });
});
