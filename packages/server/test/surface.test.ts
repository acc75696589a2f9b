import { get } from 'node:http';
import { gzipSync } from 'node:zlib';
import { chatStream, type ScriptedUpstream } from '@dragoman/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { gatewayForTest, upstreamForTest } from './for-test.ts';
import { dataOf, hello, type TestGateway, type TestGatewayOptions } from './start-test-gateway.ts';

let upstream: ScriptedUpstream;

beforeEach(async () => {
  upstream = await upstreamForTest({ fallback: chatStream('Hello there') });
});

async function start(options: TestGatewayOptions = {}): Promise<TestGateway> {
  return gatewayForTest({ upstream, ...options });
}

const errorOf = async (response: Response) => (await response.json()).error;
const chatPath = '/v1/chat/completions';

/** `fetch` does not let its caller choose `Host`. */
function statusFor(port: number, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = get({ host: '127.0.0.1', port, path: '/v1/models', headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    asked.once('error', reject);
  });
}

describe('routes', () => {
  it('the log names the model that was asked for, also one that does not exist', async () => {
    const gateway = await start();
    expect((await gateway.post({ ...hello, model: 'absent' })).status).toBe(404);
    expect(await gateway.record(({ status }) => status === 404)).toMatchObject({ model: 'absent' });
  });

  it('A-001: answers whole and streamed', async () => {
    const gateway = await start();
    const whole = await gateway.post(hello);
    expect(whole.status).toBe(200);
    expect(whole.headers.get('content-length')).not.toBeNull();
    const body = await whole.json();
    expect(body.choices[0].message).toMatchObject({ role: 'assistant', content: 'Hello there' });
    const streamed = await (await gateway.post({ ...hello, stream: true })).text();
    expect(dataOf(streamed).at(-1)).toBe('[DONE]');
  });

  it('A-003 A-022: every form of the base URL leads to the same reply', async () => {
    const gateway = await start();
    const texts: string[] = [];
    for (const path of [chatPath, '/chat/completions', `${chatPath}/`, '/chat/completions?api-version=1']) {
      const response = await fetch(gateway.url + path, {
        method: 'POST',
        body: JSON.stringify({ ...hello, stream: true }),
      });
      expect(response.status, path).toBe(200);
      texts.push((await response.text()).replaceAll(/"id":"[^"]*"|"created":\d+/g, ''));
    }
    expect(new Set(texts).size).toBe(1);
    for (const path of ['/models', '/v1/models', '/v1/models/']) {
      expect((await fetch(gateway.url + path)).status, path).toBe(200);
    }
  });

  it('A-002 B-160: lists every model once, by alias and by place, without asking an upstream', async () => {
    const gateway = await start({ config: { models: { 'gpt-4o': 'up/text' } } });
    const list = await (await fetch(`${gateway.url}/v1/models`)).json();
    expect(list.object).toBe('list');
    const ids = list.data.map((model: { id: string }) => model.id);
    expect(ids).toEqual(expect.arrayContaining(['gpt-4o', 'up/text', 'up/native']));
    expect(ids.filter((id: string) => id.startsWith('demo'))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    for (const model of list.data) {
      expect(model).toMatchObject({ object: 'model', created: expect.any(Number), owned_by: expect.any(String) });
    }
    for (const path of ['up/text', 'up%2Ftext', 'gpt-4o']) {
      expect((await fetch(`${gateway.url}/v1/models/${path}`)).status, path).toBe(200);
    }
    const unknown = await fetch(`${gateway.url}/v1/models/nope`);
    expect(unknown.status).toBe(404);
    expect(await errorOf(unknown)).toMatchObject({ code: 'model_not_found' });
    expect(upstream.requests).toHaveLength(0);
  });

  it('A-005 B-161: tells version and health without a key', async () => {
    const gateway = await start({ env: { OAI_API_KEY: 'k-1234' } });
    const version = await (await fetch(`${gateway.url}/api/version`)).json();
    const [major, minor, patch] = version.version.split('.').map(Number);
    expect(major * 10_000 + minor * 100 + patch).toBeGreaterThanOrEqual(604);
    const health = await fetch(`${gateway.url}/health`);
    expect(health.status).toBe(200);
    expect(await health.json()).toMatchObject({ status: 'ok', requests: { active: 1 }, credentials: 'ok' });
  });

  it('A-015: unknown routes and wrong methods get OpenAI errors with real statuses', async () => {
    const gateway = await start();
    const unknown = await fetch(`${gateway.url}/v1/nothing`);
    expect(unknown.status).toBe(404);
    expect(await errorOf(unknown)).toMatchObject({
      message: expect.any(String),
      type: expect.any(String),
      param: '',
      code: 'route_unknown',
    });
    const wrong = await fetch(gateway.url + chatPath);
    expect(wrong.status).toBe(405);
    expect(wrong.headers.get('allow')).toBe('POST, OPTIONS');
    expect((await fetch(`${gateway.url}/v1/models`, { method: 'DELETE' })).status).toBe(405);
    expect((await fetch(`${gateway.url}/v1/models`, { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(`${gateway.url}/v1/models/%E0%A4`)).status).toBe(400);
  });

  it('A-018: lets listed origins in and answers their preflight', async () => {
    const gateway = await start({ config: { cors: { origins: ['https://app.example'] } } });
    const ask = (origin: string) =>
      fetch(gateway.url + chatPath, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,x-y',
        },
      });
    const yes = await ask('https://app.example');
    expect(yes.status).toBe(204);
    expect(yes.headers.get('access-control-allow-origin')).toBe('https://app.example');
    expect(yes.headers.get('access-control-allow-headers')).toBe('authorization,x-y');
    const no = await ask('https://other.example');
    expect(no.headers.get('access-control-allow-origin')).toBeNull();
    expect(no.headers.get('allow')).toBe('POST, OPTIONS');
  });

  it('without a key answers no page of another site and no rebound name; with one the key decides', async () => {
    const gateway = await start();
    const plain = { origin: 'https://evil.example', 'content-type': 'text/plain' };
    const refused = await gateway.post(hello, plain);
    expect(refused.status).toBe(403);
    expect(await errorOf(refused)).toMatchObject({ type: 'permission_error', code: 'page_refused' });
    expect(await statusFor(gateway.port, 'evil.example')).toBe(403);
    expect(await statusFor(gateway.port, `127.0.0.1:${gateway.port}`)).toBe(200);
    expect(upstream.requests).toHaveLength(0);
    const locked = await start({ config: { keys: [{ name: 'me', key: 'k-1234' }] } });
    expect((await locked.post(hello, { ...plain, authorization: 'Bearer k-1234' })).status).toBe(200);
    const named = await start({ config: { listen: { port: 0, hosts: ['box.lan'] } } });
    expect(await statusFor(named.port, 'box.lan')).toBe(200);
  });

  it('echoes a harmless request id and makes one otherwise', async () => {
    const gateway = await start();
    const ask = async (id: string) =>
      (await fetch(`${gateway.url}/health`, { headers: { 'x-request-id': id } })).headers.get('x-request-id');
    expect(await ask('abc-1')).toBe('abc-1');
    expect(await ask('has spaces')).toMatch(/^req_[0-9a-f]{16}$/);
  });
});

describe('keys', () => {
  const secret = 'zq81-wxyz-7734';

  it('A-010 A-011 A-016: right, missing, malformed, empty and wrong keys', async () => {
    const gateway = await start({ config: { keys: [{ name: 'me', key: secret }] } });
    const status = async (authorization?: string) => {
      const response = await gateway.post(hello, authorization === undefined ? {} : { authorization });
      const body = await response.json();
      if (response.status !== 200)
        expect(body.error).toMatchObject({ message: expect.any(String), type: expect.any(String) });
      return response.status;
    };
    expect(await status(`Bearer ${secret}`)).toBe(200);
    expect(await status()).toBe(401);
    expect(await status('Basic abc')).toBe(401);
    expect(await status('Bearer ')).toBe(401);
    expect(await status('Bearer wrong')).toBe(403);
    await gateway.record((record) => record.status === 200 && record.key === 'me');
  });

  it('A-013: the log of a rejected request holds no part of the key', async () => {
    const gateway = await start({ config: { keys: [{ name: 'me', key: secret }] } });
    const tried = 'qqvv-9988-ttss';
    await gateway.post(hello, { authorization: `Bearer ${tried}` });
    await gateway.record((record) => record.status === 403);
    const log = JSON.stringify(gateway.records());
    for (const key of [secret, tried]) {
      for (let at = 0; at + 4 <= key.length; at += 1) expect(log).not.toContain(key.slice(at, at + 4));
    }
  });

  it('A-012 A-014: which routes are public is configurable', async () => {
    const locked = { keys: [{ name: 'me', key: secret }] };
    const byDefault = await start({ config: locked });
    expect((await fetch(`${byDefault.url}/v1/models`)).status).toBe(401);
    expect((await fetch(`${byDefault.url}/api/version`)).status).toBe(200);
    const chosen = await start({ config: { ...locked, auth: { publicRoutes: ['/v1/models'] } } });
    expect((await fetch(`${chosen.url}/v1/models`)).status).toBe(200);
    expect((await fetch(`${chosen.url}/api/version`)).status).toBe(401);
  });
});

describe('bodies', () => {
  it('A-015 A-020: bad requests are 400 and name the place', async () => {
    const gateway = await start();
    const refused = async (body: unknown) => {
      const response = await gateway.post(body);
      expect(response.status, JSON.stringify(body)).toBe(400);
      return errorOf(response);
    };
    expect((await refused('{"model": }')).message).toContain('line 1, column 11');
    expect((await refused('')).message).toContain('empty');
    expect((await refused({ messages: hello.messages })).param).toBe('model');
    expect((await refused({ ...hello, messages: [] })).param).toBe('messages');
    expect((await refused([])).message).toContain('object');
    expect((await refused({ ...hello, n: 2 })).param).toBe('n');
  });

  it('a body that nests without end is the client’s mistake, not ours', async () => {
    const gateway = await start();
    const parameters = `${'{"type":"object","properties":{"a":'.repeat(3000)}{}${'}}'.repeat(3000)}`;
    const tools = `[{"type":"function","function":{"name":"a","parameters":${parameters}}}]`;
    for (const model of ['demo', 'up/text', 'up/native']) {
      const response = await gateway.post(
        `{"model":"${model}","messages":[{"role":"user","content":"hi"}],"tools":${tools}}`,
      );
      expect(response.status, model).toBe(400);
      expect((await errorOf(response)).message).toContain('nested too deeply');
    }
    expect(upstream.requests).toHaveLength(0);
  });

  it('A-020: a default model answers requests that name none', async () => {
    const gateway = await start({ config: { defaultModel: 'up/text' } });
    const body = await (await gateway.post({ messages: hello.messages })).json();
    expect(body.choices[0].message.content).toBe('Hello there');
    expect(body.model).toBe('up/text');
  });

  it('A-019 A-021: unknown fields and odd headers do not matter', async () => {
    const gateway = await start();
    const odd = { foo: 1, logit_bias: {}, seed: 1, n: 1 };
    const headers = {
      'content-type': 'text/plain',
      accept: 'text/event-stream',
      'accept-encoding': 'gzip, br',
      'user-agent': 'GitHubCopilotChat/0.42',
      'x-initiator': 'agent',
      'openai-intent': 'conversation-agent',
    };
    expect((await gateway.post({ ...hello, ...odd }, headers)).status).toBe(200);
    const gzipped = await fetch(gateway.url + chatPath, {
      method: 'POST',
      headers: { 'content-encoding': 'gzip' },
      body: gzipSync(JSON.stringify(hello)),
    });
    expect(gzipped.status).toBe(200);
  });

  it('B-138: a malformed body never reaches the tool layer', async () => {
    const gateway = await start();
    expect((await gateway.post('{"tools":[')).status).toBe(400);
    expect(upstream.requests).toHaveLength(0);
    expect((await gateway.record((record) => record.status === 400)).upstream).toBeUndefined();
  });

  it('B-140: 10 MB and one byte are refused with 413, a little less is read', async () => {
    const gateway = await start();
    const limit = 10 * 1024 * 1024;
    const bodyOf = (length: number) => {
      const empty = JSON.stringify({ ...hello, user: '' });
      return JSON.stringify({ ...hello, user: 'x'.repeat(length - empty.length) });
    };
    const over = await gateway.post(bodyOf(limit + 1));
    expect(over.status).toBe(413);
    expect(await errorOf(over)).toMatchObject({ code: 'body_too_large' });
    expect((await gateway.post(bodyOf(limit - 1024))).status).toBe(200);
  });

  it('B-140: a body without a length, and one that unpacks too large, are refused as well', async () => {
    const gateway = await start({ config: { limits: { bodyBytes: 1000 } } });
    const large = JSON.stringify({ ...hello, user: 'x'.repeat(100_000) });
    const stream = new Blob([large]).stream();
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', body: stream, duplex: 'half' };
    const chunked = await fetch(gateway.url + chatPath, init);
    expect(chunked.status).toBe(413);
    const packed = await fetch(gateway.url + chatPath, {
      method: 'POST',
      headers: { 'content-encoding': 'gzip' },
      body: gzipSync(large),
    });
    expect(packed.status).toBe(413);
  });
});
