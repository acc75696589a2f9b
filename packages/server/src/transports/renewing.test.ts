import type { Connection, Receiver, Transport, UpstreamRequest } from '@dragoman/core';
import { DragomanError } from '@dragoman/core';
import { expect, it } from 'vitest';
import { createRenewingTransport } from './renewing.ts';

interface Sent {
  readonly request: UpstreamRequest;
  readonly receiver: Receiver;
  /** What was done to the connection. */
  readonly acts: string[];
}

/** A transport that is answered by hand, and what its user hears. */
function exchange(tokens: readonly string[], answeredAtOnce?: (receiver: Receiver) => void) {
  const sent: Sent[] = [];
  const heard: string[] = [];
  let at = 0;
  const transport: Transport & { close(): Promise<void> } = {
    send(request, receiver): Connection {
      const acts: string[] = [];
      sent.push({ request, receiver, acts });
      if (sent.length === 1) answeredAtOnce?.(receiver);
      return { pause: () => acts.push('pause'), resume: () => acts.push('resume'), abort: () => acts.push('abort') };
    },
    close: async () => {},
  };
  const headersNow = () => ({ authorization: tokens[Math.min(at++, tokens.length - 1)] ?? '' });
  const connection = createRenewingTransport(transport, headersNow).send(
    { upstream: 'up', path: '/chat', body: { a: 1 }, headers: { 'x-own': 'own', authorization: 'mine' } },
    {
      start: (status) => heard.push(`start ${status}`),
      data: (chunk) => heard.push(`data ${chunk.length}`),
      end: () => heard.push('end'),
      fail: ({ message }) => heard.push(`fail ${message}`),
    },
  );
  const tokensSent = () => sent.map(({ request }) => request.headers?.authorization);
  const reply = (index: number) => sent[index]?.receiver ?? expect.fail('nothing was sent');
  return { sent, heard, connection, tokensSent, reply };
}

it('sends what the headers are just then; they win over the request’s own', () => {
  const { sent } = exchange(['one']);
  expect(sent.map(({ request }) => request.headers)).toEqual([{ 'x-own': 'own', authorization: 'one' }]);
});

it.each([
  ['401', 401, 'application/json'],
  ['403', 403, ''],
  ['a page', 200, 'text/html'],
])(
  '%s sends the request once more when the headers are others by now, and only that answer counts',
  (_, status, type) => {
    const { heard, tokensSent, reply, sent } = exchange(['one', 'two', 'three']);
    reply(0).start(status, type);
    reply(0).data(new Uint8Array(3));
    reply(0).fail(new DragomanError('upstream-cut', 'late'));
    expect(sent[0]?.acts).toEqual(['abort']);
    reply(1).start(status, type);
    reply(1).data(new Uint8Array(5));
    reply(1).end();
    expect(tokensSent()).toEqual(['one', 'two']);
    expect(heard).toEqual([`start ${status}`, 'data 5', 'end']);
  },
);

it('sends nothing twice when the headers are the same, or the answer is another refusal', () => {
  const same = exchange(['one']);
  same.reply(0).start(401, '');
  expect(same.tokensSent()).toEqual(['one']);
  expect(same.heard).toEqual(['start 401']);
  const busy = exchange(['one', 'two']);
  busy.reply(0).start(429, 'text/html');
  expect(busy.tokensSent()).toEqual(['one']);
  const good = exchange(['one', 'two']);
  good.reply(0).start(200, 'text/event-stream');
  expect(good.heard).toEqual(['start 200']);
});

it('gives up, pauses and resumes the attempt that counts', () => {
  const { connection, sent, reply } = exchange(['one', 'two']);
  connection.pause();
  reply(0).start(401, '');
  connection.resume();
  connection.abort();
  expect(sent.map(({ acts }) => acts)).toEqual([
    ['pause', 'abort'],
    ['pause', 'resume', 'abort'],
  ]);
});

it('an answer that comes at once is no exception', () => {
  const { sent, heard, reply } = exchange(['one', 'two'], (receiver) => receiver.start(401, ''));
  reply(1).start(200, '');
  expect(sent.map(({ acts }) => acts)).toEqual([['abort'], []]);
  expect(heard).toEqual(['start 200']);
});
