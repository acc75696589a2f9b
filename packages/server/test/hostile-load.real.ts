import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { chatStream } from '@dragoman/testkit';
import { expect, it, onTestFinished, vi } from 'vitest';
import { folderForTest, gatewayForTest, upstreamForTest } from './for-test.ts';
import { startGatewayProcess } from './gateway-process.ts';
import { SocketClient } from './socket-client.ts';
import { dataOf } from './start-test-gateway.ts';

const piece = {
  id: 'x',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta: { content: 'first ' }, finish_reason: null }],
};
const endless = { steps: [{ text: `data: ${JSON.stringify(piece)}\n\n` }, { delay: 600_000 }] };

it.each([
  ['/v1/chat/completions', 'messages', (content: string) => ({ role: 'user', content })],
  ['/v1/messages', 'messages', (content: string) => ({ role: 'user', content })],
  ['/v1/responses', 'input', (content: string) => ({ role: 'user', content })],
  ['/api/chat', 'messages', (content: string) => ({ role: 'user', content })],
] as const)('150,000 messages at %s are refused with 400', async (path, field, message) => {
  const gateway = await gatewayForTest({ upstream: await upstreamForTest() });
  for (const model of ['up/text', 'up/native']) {
    const answer = await fetch(`${gateway.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model, max_tokens: 1, [field]: Array.from({ length: 150_000 }, () => message('Hi')) }),
    });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('more than 200000 values')]);
  }
});

it('11,000 messages are refused with the limit', async () => {
  const gateway = await gatewayForTest({ upstream: await upstreamForTest() });
  const answer = await gateway.post({
    model: 'up/text',
    messages: Array.from({ length: 11_000 }, () => ({ role: 'user', content: 'Hi' })),
  });
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('at most 10000')]);
});

it('of what was said to a model that calls tools in text, four million characters are told and no more', async () => {
  const upstream = await upstreamForTest({ fallback: chatStream('Fine.') });
  const gateway = await gatewayForTest({ upstream });
  const tools = [{ type: 'function', function: { name: 'read', parameters: { type: 'object' } } }];
  const ask = async (model: string, content: string) => {
    const answer = await gateway.post({ model, tools, messages: [{ role: 'user', content }] });
    return [answer.status, await answer.text()];
  };
  const [within, beyond] = ['a'.repeat(4_000_000), 'a'.repeat(4_000_001)];
  expect(await ask('up/text', within)).toEqual([200, expect.anything()]);
  expect(await ask('up/text', beyond)).toEqual([400, expect.stringContaining('more than 4000000 characters')]);
  expect(await ask('up/native', beyond)).toEqual([200, expect.anything()]);
  const marker = '<|im_end|>';
  expect(await ask('up/text', marker.repeat(50_000))).toEqual([200, expect.anything()]);
  expect(await ask('up/text', marker.repeat(50_001))).toEqual([400, expect.stringContaining('50000 markers')]);
});

it('of what calls said to a model that calls tools in text, two million characters are told and no more', async () => {
  const upstream = await upstreamForTest({ fallback: chatStream('Fine.') });
  const gateway = await gatewayForTest({ upstream });
  const tools = [{ type: 'function', function: { name: 'read', parameters: { type: 'object' } } }];
  const ask = async (model: string, length: number) => {
    const args = JSON.stringify({ a: 'a'.repeat(length - '{"a":""}'.length) });
    const call = { ...toolCall('c'), function: { name: 'read', arguments: args } };
    const messages = [
      { role: 'user', content: 'Go' },
      { role: 'assistant', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c', content: 'Read.' },
    ];
    const answer = await gateway.post({ model, tools, messages });
    return [answer.status, await answer.text()];
  };
  expect(await ask('up/text', 2_000_000)).toEqual([200, expect.anything()]);
  expect(await ask('up/text', 2_000_001)).toEqual([400, expect.stringContaining('calls have more than 2000000')]);
  expect(await ask('up/native', 2_000_001)).toEqual([200, expect.anything()]);
});

it('the name of a tool has at most 256 characters', async () => {
  const upstream = await upstreamForTest({ fallback: chatStream('Fine.') });
  const gateway = await gatewayForTest({ upstream });
  const ask = async (length: number) => {
    const tools = [{ type: 'function', function: { name: 'a'.repeat(length), parameters: { type: 'object' } } }];
    const answer = await gateway.post({ model: 'up/text', tools, messages: [{ role: 'user', content: 'Hi' }] });
    return [answer.status, await answer.text()];
  };
  expect(await ask(256)).toEqual([200, expect.anything()]);
  expect(await ask(257)).toEqual([400, expect.stringContaining('at most 256')]);
});

const toolCall = (id: string) => ({ id, type: 'function', function: { name: 'read', arguments: '{}' } });

it('a history just within the limits is answered, and one message of too many parts or calls refused', async () => {
  const upstream = await upstreamForTest({ fallback: chatStream('Fine.') });
  const gateway = await gatewayForTest({ upstream });
  for (const model of ['up/text', 'up/native']) {
    const messages = Array.from({ length: 10_000 }, (_, at) => ({
      role: at % 2 === 0 ? 'user' : 'assistant',
      content: 'Hi',
    }));
    expect((await gateway.post({ model, messages })).status).toBe(200);
    const content = Array.from({ length: 150_000 }, () => ({ type: 'text', text: 'a' }));
    expect((await gateway.post({ model, messages: [{ role: 'user', content }] })).status).toBe(400);
    const called = (count: number) => [
      { role: 'user', content: 'Go' },
      { role: 'assistant', tool_calls: Array.from({ length: count }, (_, at) => toolCall(`c${at}`)) },
      { role: 'user', content: 'On' },
    ];
    expect((await gateway.post({ model, messages: called(3000) })).status).toBe(200);
    expect(await (await gateway.post({ model, messages: called(3001) })).text()).toContain('3001 calls; at most 3000');
  }
});

it('at 256 open files, streams that have begun go on, and what is too much gets 503', {
  timeout: 120_000,
}, async () => {
  const upstream = await upstreamForTest({ fallback: endless });
  const folder = await folderForTest();
  const gateway = await startGatewayProcess(
    folder.inside('gateway.json'),
    {
      upstreams: {
        up: { wire: 'openai-chat', baseUrl: upstream.baseUrl, models: { native: { toolCalling: 'native' } } },
      },
    },
    { before: ['/bin/sh', '-c', 'ulimit -n 256 && exec "$0" "$@"'] },
  );
  onTestFinished(() => gateway.kill());
  const begin = async (): Promise<IncomingMessage> => {
    const request = httpRequest(`${gateway.url}/v1/chat/completions`, { method: 'POST', agent: false });
    request.end(JSON.stringify({ model: 'up/native', stream: true, messages: [{ role: 'user', content: 'Hi' }] }));
    const [response] = await once(request, 'response');
    return response;
  };
  const taken: IncomingMessage[] = [];
  let refused: IncomingMessage | undefined;
  while (refused === undefined) {
    const response = await begin();
    if (response.statusCode === 200) taken.push(response);
    else refused = response;
  }
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '1']);
  let text = '';
  for await (const chunk of refused) text += chunk;
  expect(JSON.parse(text).error.code).toBe('too_many_connections');
  expect(taken.length).toBeGreaterThan(50);
  for (const response of taken) {
    const [chunk] = await once(response, 'data');
    expect(dataOf(String(chunk))[0]).toContain('chat.completion.chunk');
  }
  const gone = taken.splice(0, 10);
  for (const response of gone) response.destroy();
  while ((await fetch(`${gateway.url}/health`, { headers: { connection: 'close' } })).status !== 200);
  expect((await begin()).statusCode).toBe(200);
});

it('a WebSocket on which nothing runs for half an hour is closed', async () => {
  const gateway = await gatewayForTest();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const minutes = (count: number) => vi.advanceTimersByTime(count * 60_000);
  const client = await SocketClient.open(gateway.url);
  onTestFinished(() => client.socket.terminate());
  const closed = once(client.socket, 'close');
  minutes(29);
  client.socket.ping();
  await once(client.socket, 'pong');
  minutes(1);
  const [code] = await closed;
  expect(code).toBe(1000);
});
