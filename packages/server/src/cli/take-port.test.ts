import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FoundServer } from '@dragoman/core';
import { afterEach, expect, it } from 'vitest';
import { takePort } from './take-port.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server that says what it is; its port. */
async function serverThatSays(version: object): Promise<number> {
  const server = createServer((_request, response) => response.end(JSON.stringify(version)));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  const address = server.address() as AddressInfo;
  return address.port;
}

const host = '127.0.0.1';
const ollamaAt = (port: number): FoundServer => {
  const url = `http://127.0.0.1:${port}`;
  return { kind: 'ollama', name: 'Ollama', url, api: 'ollama-chat', baseUrl: url };
};
const inUse = Object.assign(new Error('in use'), { code: 'EADDRINUSE' });

/** Listens nowhere: the ports in `held` are others'. */
function starts(held: readonly number[]) {
  const tried: number[] = [];
  const start = async (port: number) => {
    tried.push(port);
    if (held.includes(port)) throw inUse;
    return port;
  };
  return { start, tried };
}

it('a free port is taken', async () => {
  const { start } = starts([]);
  expect(await takePort({ host, ports: [11434, 11435], servers: [], start })).toEqual({
    ...{ is: 'started', started: 11434 },
  });
});

it('a port that Ollama has is left to it, even where the system would give it twice', async () => {
  const port = await serverThatSays({ version: '0.13.4' });
  const { start, tried } = starts([]);
  const taken = await takePort({ host, ports: [port, 11435], servers: [ollamaAt(port)], start });
  expect(taken).toMatchObject({ is: 'started', started: 11435, aside: expect.stringContaining(`Port ${port}`) });
  expect(taken).toMatchObject({ aside: expect.stringContaining('taken by Ollama') });
  expect(tried).toEqual([11435]);
});

it('a port that somebody named is the only one', async () => {
  const { start, tried } = starts([11434]);
  await expect(takePort({ host, ports: [11434], servers: [ollamaAt(11434)], start })).rejects.toBe(inUse);
  expect(tried).toEqual([11434]);
});

it('one that a gateway of ours has needs no second one', async () => {
  const port = await serverThatSays({ version: '0.13.4', dragoman: '0.1.0', process: 4711 });
  const { start } = starts([port]);
  expect(await takePort({ host, ports: [port, 1], servers: [], start })).toEqual({
    ...{ is: 'served', by: { url: `http://127.0.0.1:${port}`, version: '0.1.0', process: 4711 } },
  });
});
