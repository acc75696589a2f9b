import { setTimeout as wait } from 'node:timers/promises';
import { sized } from '@dragoman/testkit';
import {
  type Command,
  type ConnectedWorker,
  connectWorker,
  WorkerError,
  type WorkerOptions,
  type WorkerState,
} from '@dragoman/worker';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { gatewayForTest } from './gateway-for-test.ts';

const backoff = { first: 20, most: 80 };

function connect(
  address: string,
  options: Partial<WorkerOptions> = {},
): { readonly worker: ConnectedWorker; readonly states: WorkerState[] } {
  const states: WorkerState[] = [];
  const onState = (state: WorkerState) => void states.push(state);
  const worker = connectWorker({ address, commands: {}, WebSocket, backoff, onState, ...options });
  onTestFinished(() => worker.close());
  return { worker, states };
}

const command = (method: string, more: object = {}) => ({ type: 'command', id: 'c-1', method, params: {}, ...more });

describe('a worker introduces itself', () => {
  it('with what it can do', async () => {
    const gateway = await gatewayForTest();
    connect(gateway.address, {
      token: 't',
      name: 'n',
      concurrency: 3,
      commands: { a: async () => 1, b: async () => 2 },
    });
    const side = await gateway.worker();
    expect(await side.next('hello')).toEqual({
      type: 'hello',
      role: 'worker',
      version: 1,
      token: 't',
      name: 'n',
      capabilities: { concurrency: 3, methods: ['a', 'b'] },
    });
  });

  it('and says clearly where there is no WebSocket', () => {
    const { WebSocket: found } = globalThis;
    Reflect.deleteProperty(globalThis, 'WebSocket');
    try {
      expect(() => connectWorker({ address: 'ws://127.0.0.1:1', commands: {} })).toThrow('package "ws"');
    } finally {
      if (found !== undefined) Reflect.set(globalThis, 'WebSocket', found);
    }
  });
});

describe('a command', () => {
  const run = async (does: Command, more: object = {}) => {
    const gateway = await gatewayForTest();
    connect(gateway.address, { commands: { do: does }, concurrency: 4 });
    const side = await gateway.admit(more);
    side.say(command('do', { params: { a: 1 }, deadline: 5_000 }));
    return side;
  };

  it('yields pieces that are counted, and a last one', async () => {
    const side = await run(async function* (params, { id, method, deadline }) {
      yield params;
      yield { id, method, deadline };
      return { last: true };
    });
    expect(await side.next('result')).toEqual({ type: 'result', id: 'c-1', seq: 2, result: { last: true } });
    expect(side.heard.filter(({ type }) => type === 'event')).toEqual([
      { type: 'event', id: 'c-1', seq: 0, delta: { a: 1 } },
      { type: 'event', id: 'c-1', seq: 1, delta: { id: 'c-1', method: 'do', deadline: 5_000 } },
    ]);
  });

  it('may answer whole', async () => {
    const side = await run(async () => 'all');
    expect(await side.next('result')).toEqual({ type: 'result', id: 'c-1', seq: 0, result: 'all' });
  });

  it.each<[Command, object]>([
    [async () => Promise.reject(new Error('broken')), { code: 'failed', message: 'broken' }],
    [
      () => {
        throw new WorkerError('rate-limited', 'slow down', { retryAfter: 3 });
      },
      { code: 'rate-limited', message: 'slow down', retryAfter: 3 },
    ],
    [
      // biome-ignore lint/correctness/useYield: it fails before.
      async function* () {
        throw new WorkerError('not-found', 'gone');
      },
      { code: 'not-found', message: 'gone' },
    ],
    [async () => Promise.reject('a text'), { code: 'failed', message: 'The command failed.' }],
    [async () => 'x'.repeat(70_000), { code: 'failed', message: expect.stringContaining('yield smaller ones') }],
  ])('that fails is told as failed: %#', async (does, error) => {
    const side = await run(does, { messageBytes: 65_536 });
    expect(await side.next('error')).toEqual({ type: 'error', id: 'c-1', ...error });
  });

  it('that nobody knows is told as such', async () => {
    const gateway = await gatewayForTest();
    connect(gateway.address);
    const side = await gateway.admit();
    side.say(command('constructor'));
    expect(await side.next('error')).toMatchObject({ code: 'unknown-method' });
  });

  it('A-236 that is cancelled ends at once, its signal is aborted and its generator cleaned up', async () => {
    const seen: string[] = [];
    const side = await run(async function* (_, { signal }) {
      signal.addEventListener('abort', () => seen.push('aborted'));
      try {
        for (;;) {
          yield 'more';
          await wait(5);
        }
      } finally {
        seen.push('cleaned up');
      }
    });
    await side.next('event');
    side.say({ type: 'cancel', id: 'c-1' });
    expect(await side.next('error')).toMatchObject({ id: 'c-1', code: 'cancelled' });
    const count = side.heard.length;
    while (seen.length < 2) await wait(5);
    expect(seen).toEqual(['aborted', 'cleaned up']);
    await wait(30);
    expect(side.heard).toHaveLength(count);
  });

  it('A-235 that is paused says nothing until it is resumed', async () => {
    let made = 0;
    const side = await run(async function* () {
      for (; made < 100; made += 1) {
        yield made;
        await wait(1);
      }
    });
    await side.next('event');
    side.say({ type: 'pause', id: 'c-1' });
    await wait(50);
    const before = side.heard.length;
    await wait(100);
    expect(side.heard).toHaveLength(before);
    expect(made).toBeLessThan(100);
    side.say({ type: 'resume', id: 'c-1' });
    expect(await side.next('result')).toMatchObject({ seq: 100 });
  });

  it('A-235 stops being asked for more while the gateway does not read', async () => {
    let made = 0;
    const all = sized(2_000);
    const side = await run(async function* () {
      for (; made < all; made += 1) yield 'x'.repeat(60_000);
    });
    side.socket.pause();
    let before = -1;
    while (before !== made || made === 0) {
      before = made;
      await wait(200);
    }
    expect(made).toBeLessThan(all);
    side.socket.resume();
    expect(await side.next('result')).toMatchObject({ seq: all });
  });
});

describe('a worker that loses its gateway', () => {
  it('A-233 comes back, and waits longer each time', async () => {
    const gateway = await gatewayForTest();
    const { states } = connect(gateway.address);
    for (let turn = 0; turn < 5; turn += 1) (await gateway.worker()).socket.terminate();
    const side = await gateway.admit();
    side.say({ type: 'ping' });
    await side.next('pong');
    const waits = states.flatMap((state) => (state.state === 'waiting' ? [state.wait] : []));
    expect(waits).toHaveLength(5);
    for (const [at, found] of waits.entries()) {
      const longest = Math.min(80, 20 * 2 ** at);
      expect(found).toBeGreaterThanOrEqual(longest / 2);
      expect(found).toBeLessThanOrEqual(longest);
    }
    expect(states.at(-1)).toEqual({ state: 'ready' });
  });

  it('says why it cannot connect', async () => {
    const { states } = connect('ws://127.0.0.1:1/workers/far', { backoff: { first: 60_000, most: 60_000 } });
    while (states.at(-1)?.state !== 'waiting') await wait(5);
    expect(states.at(-1)).toMatchObject({ state: 'waiting', reason: expect.stringContaining('ECONNREFUSED') });
  });

  it('cancels what it was doing', async () => {
    const gateway = await gatewayForTest();
    let aborted = () => {};
    const isAborted = new Promise<void>((resolve) => {
      aborted = resolve;
    });
    connect(gateway.address, {
      commands: {
        do: (_, { signal }) => new Promise(() => signal.addEventListener('abort', () => aborted())),
      },
    });
    const side = await gateway.admit();
    side.say(command('do'));
    side.say({ type: 'ping' });
    await side.next('pong');
    side.socket.terminate();
    await isAborted;
  });

  it('A-234 that is only silent, notices it and comes back', async () => {
    const gateway = await gatewayForTest();
    const { states } = connect(gateway.address);
    const side = await gateway.admit({ heartbeat: 30 });
    await side.next('ping');
    expect(await side.closed()).toBe(1000);
    await gateway.admit();
    expect(states).toContainEqual(expect.objectContaining({ state: 'waiting', reason: 'the gateway is silent' }));
  });

  it('leaves a gateway that talks nonsense', async () => {
    const gateway = await gatewayForTest();
    const { states } = connect(gateway.address);
    const side = await gateway.admit();
    side.say('<html>');
    expect(await side.closed()).toBe(1000);
    await gateway.worker();
    expect(states).toContainEqual(expect.objectContaining({ state: 'waiting' }));
  });
});

describe('a worker that is refused', () => {
  it.each([
    [4401, 'token-wrong', 'The token is missing or wrong.'],
    [4426, 'version-unsupported', 'Too old.'],
    [4403, 'role-unknown', 'The first message does not say what connects.'],
  ])('for good (%i) does not come back, and says why', async (code, reason, message) => {
    const gateway = await gatewayForTest();
    const { worker, states } = connect(gateway.address);
    const side = await gateway.worker();
    side.say({ type: 'error', code: reason, message });
    side.socket.close(code, reason);
    await expect(worker.closed).rejects.toThrow(message);
    expect(states.at(-1)).toEqual({ state: 'closed' });
  });

  it('by a version that it does not speak, does not come back', async () => {
    const gateway = await gatewayForTest();
    const { worker } = connect(gateway.address);
    await gateway.admit({ version: 2 });
    await expect(worker.closed).rejects.toThrow('version 2');
  });

  it('because there are enough, tries again', async () => {
    const gateway = await gatewayForTest();
    connect(gateway.address);
    (await gateway.worker()).socket.close(4409, 'too-many-workers');
    await gateway.admit();
  });
});

describe('a worker that is closed', () => {
  it('finishes what runs, takes nothing more, and goes', async () => {
    const gateway = await gatewayForTest();
    let finish = (_: string) => {};
    const { worker, states } = connect(gateway.address, {
      commands: {
        do: () =>
          new Promise((resolve) => {
            finish = resolve;
          }),
      },
    });
    const side = await gateway.admit();
    side.say(command('do'));
    side.say({ type: 'ping' });
    await side.next('pong');
    const closing = worker.close();
    await side.next('leave');
    finish('done');
    expect(await side.next('result')).toMatchObject({ result: 'done' });
    expect(await side.closed()).toBe(1000);
    await closing;
    await worker.closed;
    expect(states.at(-1)).toEqual({ state: 'closed' });
  });

  it('while it waits for another attempt, attempts nothing more', async () => {
    const gateway = await gatewayForTest();
    const { worker, states } = connect(gateway.address, { backoff: { first: 60_000, most: 60_000 } });
    (await gateway.worker()).socket.terminate();
    while (states.at(-1)?.state !== 'waiting') await wait(5);
    await worker.close();
    await worker.close();
  });

  it('before it is connected, is closed', async () => {
    const gateway = await gatewayForTest();
    await connect(gateway.address).worker.close();
  });
});
