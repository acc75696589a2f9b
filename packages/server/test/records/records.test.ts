import { readHistory } from '@dragoman/core';
import { chatMessage, chatStream, errorReply, jsonReply, type ScriptedUpstream, sample } from '@dragoman/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RecordHead } from '../../src/records/exchange-record.ts';
import { gatewayForTest, upstreamForTest } from '../for-test.ts';
import { hello, readTool, startTestGateway, type TestGateway } from '../start-test-gateway.ts';
import { storeKinds } from '../stores/store-kinds.ts';
import { nativeStream } from '../strict-upstream.ts';

let upstream: ScriptedUpstream;
beforeEach(async () => {
  upstream = await upstreamForTest();
});

const get = async (gateway: TestGateway, path: string, headers = {}) => {
  const answer = await fetch(`${gateway.url}${path}`, { headers });
  return { status: answer.status, body: await answer.json() };
};

const listOf = async (gateway: TestGateway, query = ''): Promise<readonly RecordHead[]> =>
  (await get(gateway, `/records${query}`)).body.data;

const lastOf = async (gateway: TestGateway): Promise<RecordHead> => (await get(gateway, '/records/last')).body;

const call = '<tool_call>\n{"name": "read", "arguments": {"path": "a.txt"}}\n</tool_call>';
const question = { role: 'user', content: 'What is in a.txt?' };

describe('the levels of records', () => {
  it('A-253: nothing is recorded unless it is wanted', async () => {
    const gateway = await gatewayForTest({ upstream });
    upstream.next(chatStream('Hi.'));
    await (await gateway.post({ ...hello, stream: true })).text();
    expect(await get(gateway, '/records')).toMatchObject({ status: 404, body: { error: { code: 'record_unknown' } } });
    expect((await get(gateway, '/records/last')).status).toBe(404);
  });

  it('A-253 B-165: metadata tells who asked what and how it went, and no word of what was said', async () => {
    const config = { records: { level: 'metadata' }, keys: [{ name: 'ann', key: 'key-of-ann', records: 'all' }] };
    const gateway = await gatewayForTest({ upstream, config });
    upstream.next(chatStream('Nice weather.', { usage: { prompt: 12, completion: 3 } }));
    const headers = { authorization: 'Bearer key-of-ann' };
    await (await gateway.post({ ...hello, stream: true }, headers)).text();
    const [record] = (await get(gateway, '/records', headers)).body.data;
    expect(record).toMatchObject({
      id: expect.stringMatching(/^exch_[0-9a-f]{24}$/),
      level: 'metadata',
      key: 'ann',
      wire: 'openai-chat',
      method: 'POST',
      route: '/v1/chat/completions',
      conversation: { id: expect.stringMatching(/^conv_[0-9a-f]{24}$/), step: 1 },
      model: 'up/text',
      plan: { upstream: 'up', wire: 'openai-chat', model: 'text', toolCalling: 'hermes' },
      stream: true,
      tools: 0,
      calls: 0,
      status: 200,
      ms: expect.any(Number),
      firstEvent: expect.any(Number),
      finish: 'stop',
      usage: { inputTokens: 12, outputTokens: 3, source: 'upstream' },
    });
    const whole = JSON.stringify((await get(gateway, `/records/${record.id}`, headers)).body);
    for (const word of ['Hello', 'Nice', 'weather', 'key-of-ann']) expect(whole).not.toContain(word);
  });

  it('A-250 A-253: full tells the system text, the prompt, the reply as it came, its events and calls', async () => {
    const gateway = await gatewayForTest({ upstream, config: { records: { level: 'full' } } });
    upstream.next(chatStream(`Looking.\n${call}`, { pieces: 7, id: 'chatcmpl-up1' }));
    const body = { model: 'up/text', stream: true, tools: [readTool], messages: [question] };
    const text = await (await gateway.post(body)).text();
    const record = await lastOf(gateway);
    expect(record).toMatchObject({ level: 'full', calls: 1, finish: 'tool-calls', upstreamReplyId: 'chatcmpl-up1' });
    const said = record.said ?? expect.fail('nothing was kept of what was said');
    expect(JSON.parse(said.request.body)).toEqual(body);
    expect(said.system).toContain('# Tools');
    expect(said.sent).toMatchObject([
      {
        method: 'POST',
        path: '/chat/completions',
        answer: { status: 200, contentType: 'text/event-stream' },
      },
    ]);
    expect(JSON.parse(said.sent[0]?.body ?? '')).toEqual(upstream.requests.at(-1)?.body);
    expect(said.sent[0]?.pieces.join('')).toContain('data: [DONE]');
    expect(said.events.map(({ type }) => type)).toEqual([
      'message-start',
      'text-start',
      'text-delta',
      'text-end',
      'tool-call-start',
      'tool-call-delta',
      'tool-call-end',
      'message-end',
    ]);
    expect(said.reply.join('')).toBe(text);
    expect(said.calls).toEqual([
      { id: expect.stringMatching(/^call_[0-9a-f]{24}$/), name: 'read', arguments: '{"path": "a.txt"}' },
    ]);
    expect(said.gaps).toEqual([]);
  });

  it('A-250: a call is told with its ids in all forms', async () => {
    const gateway = await gatewayForTest({ upstream, config: { records: { level: 'full' } } });
    upstream.next(nativeStream([['functions.read:0', 'read', '{"path":"a"}']]));
    await (await gateway.post({ model: 'up/native', stream: true, tools: [readTool], messages: [question] })).text();
    const [told] = (await lastOf(gateway)).said?.calls ?? [];
    expect(told).toMatchObject({ upstreamId: 'functions.read:0', name: 'read' });
    expect(told?.id).toMatch(/^call_[0-9a-f]{8}-/);
  });
});

describe.each(sample(storeKinds, 1))('records in $name', (kind) => {
  beforeAll(() => kind.start(), 60_000);
  afterAll(() => kind.stop());

  const configOf = async () => ({ store: kind.config(await kind.create()), records: { level: 'full' } });

  /** One turn; returns the history that a client would send next. */
  const turn = async (gateway: TestGateway, messages: readonly unknown[], reply: string, fields: object = {}) => {
    upstream.next(chatMessage(reply));
    const answer = await (await gateway.post({ model: 'up/native', messages, ...fields })).json();
    return [...messages, answer.choices[0].message];
  };

  it('A-250: the steps of a conversation are numbered on, over a restart, too, and branches are told apart', async () => {
    const config = await configOf();
    const before = await startTestGateway({ upstream, config });
    const first = await turn(before, [question], 'One.');
    const second = await turn(before, [...first, { role: 'user', content: 'Next' }], 'Two.');
    await turn(before, [{ role: 'user', content: 'Something else' }], 'Other.');
    await before.drain();
    const after = await gatewayForTest({ upstream, config });
    await turn(after, [...second, { role: 'user', content: 'And then' }], 'Three.');
    await turn(after, [...first, { role: 'user', content: 'Instead' }], 'Branch.');
    const records = await listOf(after, '?order=asc');
    expect(records.map(({ conversation }) => conversation.step)).toEqual([1, 2, 1, 3, 2]);
    const [one, two, other, three, branch] = records;
    const id = one?.conversation.id ?? '';
    for (const each of [two, three, branch]) expect(each?.conversation.id).toBe(id);
    expect(other?.conversation.id).not.toBe(id);
    expect([two, three, branch].map((each) => each?.conversation.parent)).toEqual([one?.id, two?.id, one?.id]);
    expect((await listOf(after, `?name=${id}`)).length).toBe(4);
  });

  it('B-163: list, get, statistics and delete answer alike, and paging keeps its limits', async () => {
    const gateway = await gatewayForTest({ upstream, config: await configOf() });
    for (let count = 0; count < 5; count += 1) {
      upstream.next(chatStream('Hi.', { usage: { prompt: 10, completion: 2 } }));
      await (await gateway.post({ ...hello, stream: true })).text();
    }
    upstream.next(errorReply(500, 'broken'));
    const failed = await (await gateway.post(hello)).json();
    const all = await listOf(gateway);
    expect(all).toHaveLength(6);
    expect(all[0]).toMatchObject({ status: 502, error: { id: failed.error.error_id, code: 'upstream-failed' } });
    const pages: string[] = [];
    let after = '';
    for (let more = true; more; ) {
      const { body } = await get(gateway, `/records?limit=4${after}`);
      pages.push(...body.data.map(({ id }: RecordHead) => id));
      more = body.has_more;
      after = `&after=${body.last_id}`;
    }
    expect(pages).toEqual(all.map(({ id }) => id));
    expect((await get(gateway, '/records?limit=101')).status).toBe(400);
    expect((await get(gateway, '/records?limit=0')).status).toBe(400);
    expect((await get(gateway, '/records?after=exch_nothing')).status).toBe(404);
    const today = new Date().toISOString().slice(0, 10);
    expect((await get(gateway, '/records/statistics?by=model,key,day')).body).toMatchObject({
      total: { exchanges: 6, failed: 1, input_tokens: 50, output_tokens: 10, with_usage: 5 },
      groups: [{ model: 'up/text', key: '', day: today, exchanges: 6 }],
    });
    expect((await get(gateway, '/records/statistics?by=nothing')).status).toBe(400);
    const id = all[2]?.id ?? '';
    const remove = async (path: string) => (await fetch(`${gateway.url}${path}`, { method: 'DELETE' })).json();
    expect(await remove(`/records/${id}`)).toEqual({ id, object: 'record', deleted: true });
    expect((await get(gateway, `/records/${id}`)).status).toBe(404);
    expect(await remove(`/records/${id}`)).toMatchObject({ error: { code: 'record_unknown' } });
    expect((await get(gateway, '/records/statistics')).body.total.exchanges).toBe(5);
    expect(await remove('/records')).toEqual({ object: 'list', deleted: 5 });
    expect(await listOf(gateway)).toEqual([]);
  });

  it('A-252: after a graceful stop all records are there', async () => {
    const config = await configOf();
    const before = await startTestGateway({ upstream, config });
    upstream.next(...Array.from({ length: 20 }, () => chatStream('Hi.')));
    await Promise.all(Array.from({ length: 20 }, async () => (await before.post({ ...hello, stream: true })).text()));
    await before.drain();
    const after = await gatewayForTest({ upstream, config });
    expect(await listOf(after, '?limit=100')).toHaveLength(20);
  });

  it('A-251: of two requests in the same moment each has a record of its own', async () => {
    const gateway = await gatewayForTest({ upstream, config: await configOf() });
    upstream.next(chatStream('One.'), chatStream('Two.'));
    const ask = async (content: string) =>
      (await gateway.post({ model: 'up/text', stream: true, messages: [{ role: 'user', content }] })).text();
    await Promise.all([ask('first question'), ask('second question')]);
    const records = await listOf(gateway, '?whole=true');
    expect(new Set(records.map(({ id }) => id)).size).toBe(2);
    for (const { said } of records) {
      const asked = JSON.parse(said?.request.body ?? '').messages[0].content;
      expect(said?.sent[0]?.body).toContain(asked);
      expect(said?.sent).toHaveLength(1);
    }
  });
});

it('keys see their own records only, unless they may see all', async () => {
  const key = (name: string, rest = {}) => ({ name, key: `key-of-${name}`, ...rest });
  const keys = [key('ann'), key('ben'), key('chief', { records: 'all' })];
  const gateway = await gatewayForTest({ upstream, config: { records: { level: 'full' }, keys } });
  const by = (name: string) => ({ authorization: `Bearer key-of-${name}` });
  upstream.next(chatStream('One.'), chatStream('Two.'));
  await (await gateway.post({ ...hello, stream: true }, by('ann'))).text();
  await (await gateway.post({ ...hello, stream: true }, by('ben'))).text();
  const keysSeenBy = async (name: string) =>
    (await get(gateway, '/records', by(name))).body.data.map((record: RecordHead) => record.key);
  expect(await keysSeenBy('ann')).toEqual(['ann']);
  expect(await keysSeenBy('ben')).toEqual(['ben']);
  expect(await keysSeenBy('chief')).toEqual(['ben', 'ann']);
  expect((await get(gateway, '/records')).status).toBe(401);
  const [own] = (await get(gateway, '/records', by('ann'))).body.data;
  for (const path of [`/records/${own.id}`, `/records?after=${own.id}`]) {
    expect((await get(gateway, path, by('ben'))).status).toBe(404);
    expect((await get(gateway, path, by('chief'))).status).toBe(200);
  }
  const remove = (name: string) => fetch(`${gateway.url}/records`, { method: 'DELETE', headers: by(name) });
  expect(await (await remove('ben')).json()).toEqual({ object: 'list', deleted: 1 });
  expect(await keysSeenBy('chief')).toEqual(['ann']);
});

it('no caller chooses an id that brings the record of another one into its conversation', async () => {
  const keys = ['ann', 'ben'].map((name) => ({ name, key: `key-of-${name}` }));
  const gateway = await gatewayForTest({ upstream, config: { records: { level: 'metadata' }, keys } });
  const by = (name: string) => ({ authorization: `Bearer key-of-${name}` });
  const messages = [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: 'Hi.' },
    { role: 'user', content: 'Next' },
  ];
  const history = [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] } as const];
  const reply = [{ type: 'text', text: 'Hi.' } as const];
  const [key] = readHistory(history, { salt: ['record', 'ben'] }).pointAfter(reply).keys;
  upstream.next(chatMessage('One.'), chatMessage('Two.'));
  await (await gateway.post(hello, { ...by('ann'), 'x-session-id': `link ${key}` })).text();
  const [forged] = (await get(gateway, '/records', by('ann'))).body.data;
  expect(forged.conversation.identity).toBe(`link ${key}`);
  await (await gateway.post({ model: 'up/text', messages }, by('ben'))).text();
  const [own] = (await get(gateway, '/records', by('ben'))).body.data;
  expect(own.conversation).toEqual({ id: expect.not.stringContaining(forged.conversation.id), step: 1 });
});

it('B-168: an error has one id in its body, in the log and in the record, and tells no stack', async () => {
  const gateway = await gatewayForTest({ upstream, config: { records: { level: 'full' } } });
  upstream.next(jsonReply(200, 'no reply at all'));
  const text = await (await gateway.post(hello)).text();
  const { error } = JSON.parse(text);
  expect(error.error_id).toMatch(/^err_[0-9a-f]{16}$/);
  expect(await gateway.record(({ errorId }) => errorId === error.error_id)).toBeDefined();
  const [found] = await listOf(gateway, `?name=${error.error_id}&whole=true`);
  expect(found).toMatchObject({ error: { id: error.error_id } });
  expect(found?.said?.reply).toEqual([text]);
  expect(text).not.toMatch(/\.ts|\.js|node:/);
});
