import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { ScriptedUpstream } from '@dragoman/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { gatewayForTest, upstreamForTest } from './for-test.ts';
import { dataOf, hello, type TestGateway } from './start-test-gateway.ts';

let upstream: ScriptedUpstream;
let gateway: TestGateway;

beforeEach(async () => {
  upstream = await upstreamForTest();
});

const chunk = {
  id: 'x',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta: { content: 'first ' }, finish_reason: null }],
};
/** One piece of text, and then nothing for much longer than any test. */
const endless = { steps: [{ text: `data: ${JSON.stringify(chunk)}\n\n` }, { delay: 60_000 }] };

async function open(path: string, body: object): Promise<IncomingMessage> {
  const request = httpRequest(`${gateway.url}${path}`, { method: 'POST', agent: false });
  request.end(JSON.stringify(body));
  const [response] = await once(request, 'response');
  response.setEncoding('utf8');
  return response;
}

async function rest(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response) text += chunk;
  return text;
}

describe('replies that a stopping gateway breaks off', () => {
  it('a second request to stop: a stream ends with an error frame, and the log says draining', async () => {
    upstream.next(endless);
    gateway = await gatewayForTest({ upstream });
    const response = await open('/v1/chat/completions', { ...hello, stream: true });
    const drained = gateway.drain();
    const closed = gateway.close();
    const data = dataOf(await rest(response));
    const error = data.find((each) => each.includes('"error"')) ?? '{}';
    expect(JSON.parse(error).error.code).toBe('draining');
    expect(data.at(-1)).toBe('[DONE]');
    await Promise.all([drained, closed]);
    const record = await gateway.record(({ error }) => error !== undefined);
    expect(JSON.stringify(record)).toContain('"draining"');
    expect(JSON.stringify(record)).not.toContain('client-gone');
    expect(JSON.parse(error).error.error_id).toBe(record.errorId);
  });

  it('a whole answer that has not begun is 503 draining', async () => {
    upstream.next(endless);
    gateway = await gatewayForTest({ upstream });
    const answered = gateway.post(hello);
    await upstream.request(0);
    await gateway.close();
    const response = await answered;
    expect([response.status, (await response.json()).error.code]).toEqual([503, 'draining']);
  });

  it('draining takes no longer than timeouts.drain', async () => {
    upstream.next(endless);
    gateway = await gatewayForTest({ upstream, config: { timeouts: { drain: 50 } } });
    const response = await open('/v1/chat/completions', { ...hello, stream: true });
    const text = rest(response);
    await gateway.drain();
    expect(await text).toContain('"draining"');
    expect(JSON.stringify(gateway.records())).toContain('1 running request broken off after 50 ms');
  });

  it('a client that reads nothing does not keep the gateway up', async () => {
    gateway = await gatewayForTest({ upstream });
    const stuck = httpRequest(`${gateway.url}/v1/chat/completions`, { method: 'POST', agent: false });
    stuck.on('error', () => {});
    stuck.write('{');
    await once(stuck, 'socket');
    await gateway.close();
    await expect(fetch(`${gateway.url}/health`)).rejects.toThrow();
  });

  it('a connection that never asked anything does not keep the gateway up', async () => {
    gateway = await gatewayForTest({ upstream });
    const unused = connect(gateway.port, '127.0.0.1');
    await once(unused, 'connect');
    // Answered after the connection above was accepted.
    await fetch(`${gateway.url}/health`);
    const closed = once(unused, 'close');
    await gateway.drain();
    await closed;
    expect(gateway.records().filter(({ level }) => level === 'warn')).toEqual([]);
  });

  it('stopping again, in either way and order, ends when the first stop does', async () => {
    gateway = await gatewayForTest({ upstream });
    await gateway.close();
    await Promise.all([gateway.drain(), gateway.close(), gateway.drain()]);
    await expect(fetch(`${gateway.url}/health`)).rejects.toThrow();
  });
});
