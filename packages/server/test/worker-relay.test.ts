import { once } from 'node:events';
import OpenAI from 'openai';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { Waits } from '../src/config/create-setup.ts';
import { gatewayForTest } from './for-test.ts';
import type { TestGateway } from './start-test-gateway.ts';
import { WorkerPeer } from './worker-peer.ts';

const gatewayOf = (workers: Readonly<Record<string, unknown>> = {}, waits: Waits = {}) =>
  gatewayForTest({
    waits,
    config: {
      upstreams: {
        far: {
          wire: 'conversation',
          workers: { speak: 'commands', relay: {}, queue: { wait: 200 }, ...workers },
          models: { m: {} },
        },
      },
    },
  });

interface RelayCommand {
  readonly command: string;
  readonly params: { readonly prompt: string; readonly conversationId?: string };
  readonly request_id: string;
}

/** A worker as it was written for the plain relay; `answer` gives what it says to each command. */
async function relayWorker(
  gateway: TestGateway,
  answer: (command: RelayCommand) => object | undefined,
  first: object = { type: 'page_client' },
) {
  const socket = new WebSocket(`ws://127.0.0.1:${gateway.port}/workers/far`);
  onTestFinished(() => socket.terminate());
  const commands: RelayCommand[] = [];
  socket.on('message', (data) => {
    const command: RelayCommand = JSON.parse(String(data));
    commands.push(command);
    const said = answer(command);
    if (said !== undefined) socket.send(JSON.stringify({ ...said, request_id: command.request_id }));
  });
  await once(socket, 'open');
  socket.send(JSON.stringify(first));
  return { socket, commands };
}

/** Sends a command as the senders of the plain relay did: over a connection of its own. */
async function send(gateway: TestGateway, message: object): Promise<Record<string, unknown>> {
  const socket = new WebSocket(`ws://127.0.0.1:${gateway.port}/workers/far`);
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'sender', ...message }));
  const [data] = await once(socket, 'message');
  socket.close();
  return JSON.parse(String(data));
}

const ask = async ({ url }: TestGateway, ...words: readonly string[]): Promise<string> => {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'any', maxRetries: 0 });
  const roles = ['user', 'assistant'] as const;
  const messages = words.map((content, at) => ({ role: roles[at % 2] ?? 'user', content }));
  const reply = await client.chat.completions.create({ model: 'far/m', messages });
  return reply.choices[0]?.message.content ?? '';
};

const success = (result: object) => ({ success: true, result });

describe('a worker of a plain relay', () => {
  it('A-231 begins conversations and goes on in them, in its own words', async () => {
    const gateway = await gatewayOf();
    const { commands } = await relayWorker(gateway, ({ command, params }) =>
      command === 'createConversation'
        ? success({ success: true, conversationId: '64b0', response: `new: ${params.prompt}` })
        : success({ success: true, response: `more: ${params.prompt}` }),
    );
    expect(await ask(gateway, 'hi')).toBe('new: hi');
    expect(await ask(gateway, 'hi', 'new: hi', 'go on')).toBe('more: go on');
    expect(commands.map(({ command, params }) => [command, params.conversationId])).toEqual([
      ['createConversation', undefined],
      ['sendMessage', '64b0'],
    ]);
  });

  it('A-231 fifty commands at once are matched by request_id', async () => {
    const gateway = await gatewayOf({ relay: { concurrency: 50 }, queue: { wait: 5_000 } });
    const waiting: RelayCommand[] = [];
    const { socket } = await relayWorker(gateway, (command) => {
      waiting.push(command);
      if (waiting.length === 50) {
        for (const { params, request_id } of waiting.reverse()) {
          const result = { conversationId: `of ${params.prompt}`, response: `you said ${params.prompt}` };
          socket.send(JSON.stringify({ ...success(result), request_id }));
        }
      }
      return undefined;
    });
    const replies = await Promise.all(Array.from({ length: 50 }, (_, at) => ask(gateway, `number ${at}`)));
    expect(replies).toEqual(replies.map((_, at) => `you said number ${at}`));
    expect(new Set(waiting.map(({ request_id }) => request_id)).size).toBe(50);
  });

  it('A-232 two of them: each command is handled once, one at a time', async () => {
    const gateway = await gatewayOf({ queue: { wait: 5_000 } });
    let count = 0;
    const answer = () => {
      count += 1;
      return success({ conversationId: `c-${count}`, response: 'ok' });
    };
    const workers = [await relayWorker(gateway, answer), await relayWorker(gateway, answer)];
    await Promise.all(Array.from({ length: 10 }, (_, at) => ask(gateway, `task ${at}`)));
    const prompts = workers.flatMap(({ commands }) => commands.map(({ params }) => params.prompt));
    expect(prompts.toSorted()).toEqual(Array.from({ length: 10 }, (_, at) => `task ${at}`).toSorted());
  });

  it.each([
    { success: false, error: 'Unknown command' },
    { success: true, result: { success: false, error: 'Unknown command' } },
    { success: false, error: { message: 'Unknown command' } },
  ])('its failure is an error, however it is wrapped: %o', async (said) => {
    const gateway = await gatewayOf();
    await relayWorker(gateway, () => said);
    await expect(ask(gateway, 'hi')).rejects.toMatchObject({
      status: 502,
      message: expect.stringContaining('Unknown command'),
    });
  });

  it('what is no answer ends its connection', async () => {
    const gateway = await gatewayOf();
    const { socket } = await relayWorker(gateway, () => ({ result: 'no success' }));
    const closed = once(socket, 'close');
    await expect(ask(gateway, 'hi')).rejects.toMatchObject({ status: 503 });
    expect((await closed)[0]).toBe(4400);
  });

  it('A-234 knows no pings, so its WebSocket has to answer them', async () => {
    // Long enough for a pong of a busy machine.
    const gateway = await gatewayOf({}, { heartbeat: 400 });
    const { socket } = await relayWorker(gateway, () => success({ conversationId: 'c', response: 'alive' }));
    let pings = 0;
    const seen = new Promise<void>((resolve) => {
      socket.on('ping', () => {
        pings += 1;
        if (pings === 3) resolve();
      });
    });
    await seen;
    expect(await ask(gateway, 'hi')).toBe('alive');
    socket.pause();
    await expect(ask(gateway, 'hi again')).rejects.toMatchObject({ status: 503 });
  });

  it('A-234 shows the token, too: in its first message or in its address', async () => {
    const gateway = await gatewayOf({ token: 'the-token' });
    const { socket } = await relayWorker(gateway, () => undefined);
    expect((await once(socket, 'close'))[0]).toBe(4401);
    await relayWorker(gateway, () => success({ conversationId: 'c', response: 'let in' }), {
      type: 'page_client',
      token: 'the-token',
    });
    expect(await ask(gateway, 'hi')).toBe('let in');
  });
});

describe('a sender of a plain relay', () => {
  const command = { command: 'createConversation', params: { prompt: 'hi' }, request_id: 'r-1' };

  it('A-231 gets the answer of a worker of its own kind', async () => {
    const gateway = await gatewayOf();
    const { commands } = await relayWorker(gateway, () => success({ conversationId: 'c', response: 'hello' }));
    expect(await send(gateway, command)).toEqual({
      success: true,
      result: { conversationId: 'c', response: 'hello' },
      request_id: 'r-1',
    });
    expect(commands).toMatchObject([{ command: 'createConversation', params: { prompt: 'hi' } }]);
    expect(commands[0]?.request_id).not.toBe('r-1');
  });

  it('gets the pieces of the other kind of worker as one', async () => {
    const gateway = await gatewayOf();
    const peer = await WorkerPeer.join(gateway);
    const answer = send(gateway, command);
    const { id } = await peer.next('command');
    peer.events(id, [{ conversationId: 'c' }, { response: 'hel' }, { response: 'lo' }]);
    peer.say({ type: 'result', id });
    expect(await answer).toMatchObject({ success: true, result: { conversationId: 'c', response: 'hello' } });
  });

  it('is told when the pieces have fields without end', async () => {
    const gateway = await gatewayOf();
    const peer = await WorkerPeer.join(gateway);
    const answer = send(gateway, command);
    const { id } = await peer.next('command');
    peer.events(
      id,
      Array.from({ length: 200 }, (_, number) => ({ [`field${number}`]: 'x' })),
    );
    expect(await answer).toMatchObject({ success: false, error: expect.stringContaining('more than 100 fields') });
    await peer.next('cancel');
  });

  it('A-233 is told when there is no worker', async () => {
    const gateway = await gatewayOf();
    expect(await send(gateway, command)).toEqual({
      success: false,
      error: expect.stringContaining('No worker of the upstream "far" is connected'),
      request_id: 'r-1',
    });
  });

  it('needs the token', async () => {
    const gateway = await gatewayOf({ token: 'the-token' });
    expect(await send(gateway, command)).toMatchObject({ type: 'error', code: 'token-wrong' });
    await relayWorker(gateway, () => success({ response: 'hello' }), { type: 'page_client', token: 'the-token' });
    expect(await send(gateway, { ...command, token: 'the-token' })).toMatchObject({ success: true });
  });
});
