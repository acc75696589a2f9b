import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sized } from '@dragoman/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { pauseWhileUnread } from './upgrade.ts';

const most = 1024 * 1024;
const all = sized(1_000);

it('who reads no answers is heard no further, and nothing is lost when it reads again', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  onTestFinished(() => server.close());
  await once(server, 'listening');
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  onTestFinished(() => client.terminate());
  const [opened, { socket }]: [WebSocket, { socket: Socket }] = await once(server, 'connection').then(
    ([each, request]) => [each, request],
  );
  pauseWhileUnread(opened, socket, most);
  let unread = 0;
  opened.on('message', (data) => {
    opened.send(data);
    unread = Math.max(unread, opened.bufferedAmount);
  });
  if (client.readyState !== WebSocket.OPEN) await once(client, 'open');
  let answers = 0;
  client.on('message', () => {
    answers += 1;
  });
  client.pause();
  const message = Buffer.alloc(65_536);
  for (let sent = 0; sent < all; sent += 1) client.send(message);
  for (let before = Number.POSITIVE_INFINITY; client.bufferedAmount < before; ) {
    before = client.bufferedAmount;
    await sleep(100);
  }
  expect(client.bufferedAmount).toBeGreaterThan(most);
  client.resume();
  while (answers < all) await sleep(5);
  expect(client.bufferedAmount).toBe(0);
  expect(unread).toBeLessThan(2 * most);
});
