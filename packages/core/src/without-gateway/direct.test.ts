import {
  chatFrames,
  chatRequest,
  chatStream,
  errorReply,
  jsonReply,
  type ScriptedUpstream,
  startScriptedUpstream,
} from '@dragoman/testkit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { collect } from '../chat/collect.ts';
import type { ChatEvent } from '../chat/event.ts';
import { type KeptFacts, MemoryFactStore } from '../stores/memory-fact-store.ts';
import { createDirectClient } from './direct.ts';

let upstream: ScriptedUpstream;
beforeEach(async () => {
  upstream = await startScriptedUpstream();
});
afterEach(() => upstream.close());

const tools = [{ name: 'read', inputSchema: { type: 'object', properties: { path: { type: 'string' } } } }];
const call = 'I look.<tool_call>{"name":"read","arguments":{"path":"a.md"}}</tool_call>';
const rule = { toolCalling: { dialect: 'hermes' } };
const here = (more: object = {}) => createDirectClient({ url: upstream.origin, ...more });

async function all(events: AsyncIterable<ChatEvent>): Promise<ChatEvent[]> {
  const found: ChatEvent[] = [];
  for await (const event of events) found.push(event);
  return found;
}

const ask = (direct: ReturnType<typeof here>, body: object, init: RequestInit = {}) =>
  direct.fetch('http://direct.invalid/v1/responses', {
    method: 'POST',
    body: JSON.stringify({ model: 'm', input: 'Read a.md', ...body }),
    ...init,
  });

it('a text model calls tools', async () => {
  upstream.next(chatStream(call, { pieces: 7 }));
  const events = await all(here({ rule, key: 'k-1' }).ask(chatRequest({ model: 'm', tools, stream: true })));
  const { calls, text } = collect(events);
  expect([text, calls.map(({ name, arguments: json }) => [name, json])]).toEqual([
    'I look.',
    [['read', '{"path":"a.md"}']],
  ]);
  expect(upstream.requests).toMatchObject([
    { path: '/v1/chat/completions', headers: { authorization: 'Bearer k-1' }, body: { model: 'm' } },
  ]);
});

it('answers as a gateway does over /v1/responses, streamed and whole', async () => {
  const flat = tools.map(({ name, inputSchema }) => ({ type: 'function', name, parameters: inputSchema }));
  upstream.next(chatStream(call), chatStream(call, { pieces: 3 }));
  const whole = await (await ask(here({ rule }), { tools: flat })).json();
  expect(whole.output.map(({ type }: { type: string }) => type)).toEqual(['message', 'function_call']);
  expect(whole.model).toBe('m');
  const streamed = await ask(here({ rule }), { tools: flat, stream: true });
  expect([streamed.status, streamed.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  const text = await streamed.text();
  expect(text).toContain('event: response.function_call_arguments.done\n');
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
});

it('lets whoever asks hear what the model wrote, before calls are read in it', async () => {
  upstream.next(chatStream(call, { pieces: 7 }));
  const heard: Uint8Array[] = [];
  const init = { method: 'POST', body: JSON.stringify({ model: 'm', input: 'Read a.md', tools: [] }) };
  const hear = (chunk: Uint8Array) => void heard.push(chunk);
  await (await here({ rule }).fetch('http://direct.invalid/v1/responses', init, { hear })).text();
  expect(Buffer.concat(heard).toString()).toBe(chatFrames(call, { pieces: 7 }).join(''));
});

it('lists what the server has', async () => {
  upstream.next(jsonReply(200, { data: [{ id: 'qwen', context_length: 32768 }] }));
  const { data } = await (await here().fetch('http://direct.invalid/v1/models')).json();
  expect(data).toMatchObject([{ id: 'qwen', context_window: 32768, tool_calling: true }]);
  expect(upstream.requests[0]?.path).toBe('/v1/models');
});

it('tells an error with its status before anything is shown, and within the stream after that', async () => {
  upstream.next(errorReply(401, 'No such key.'));
  const refused = await ask(here(), { stream: true });
  expect([refused.status, (await refused.json()).error]).toMatchObject([
    401,
    { code: 'upstream_unauthorized', message: 'The server refused the key (401).' },
  ]);
  upstream.next({ steps: [{ text: chatFrames('Half an ans').slice(0, 3).join('') }, { delay: 20 }, { cut: true }] });
  const cut = await ask(here(), { stream: true });
  expect(cut.status).toBe(200);
  expect(await cut.text()).toContain('response.failed');
});

it.each([
  [errorReply(404, 'No model "m".'), 404, 'No model "m".', 'Mine answered 404: No model "m".'],
  [
    errorReply(402, 'Insufficient credits.'),
    402,
    'Insufficient credits. The account of the key cannot pay.',
    'Mine answered 402: Insufficient credits. The account of the key cannot pay.',
  ],
  [
    errorReply(500, 'tools param requires --jinja flag'),
    500,
    'tools param requires --jinja flag. Set "toolCalling" of this model to "auto", and it needs no tools of its server.',
    'Mine answered 500: tools param requires --jinja flag. Set "toolCalling" of this model to "auto", and it needs no tools of its server.',
  ],
  [{ steps: [{ cut: true }] as const }, 502, 'Mine broke off its answer.', 'Mine broke off its answer.'],
])('says what the server said, and nothing of a gateway: %j', async (reply, status, inBody, inEvent) => {
  upstream.next(reply, reply);
  const direct = here({ name: 'Mine', rule: { toolCalling: 'native' } });
  const refused = await ask(direct, { stream: true });
  expect([refused.status, (await refused.json()).error.message]).toEqual([status, inBody]);
  const [event] = (await all(direct.ask(chatRequest({ model: 'm', tools, stream: true })))).slice(-1);
  expect(event).toMatchObject({ type: 'error', error: { message: inEvent } });
});

it('a server that refuses tools is asked again without them, and not given any from then on', async () => {
  upstream.next(errorReply(500, 'tools param requires --jinja flag'), chatStream(call), chatStream(call));
  const direct = here();
  for (let round = 0; round < 2; round += 1) {
    const { calls } = collect(await all(direct.ask(chatRequest({ model: 'm', tools, stream: true }))));
    expect(calls.map(({ name }) => name)).toEqual(['read']);
  }
  expect(upstream.requests.map(({ body }) => 'tools' in Object(body))).toEqual([true, false, false]);
});

it.each([
  [
    'https://api.fireworks.ai/inference/v1',
    "JSON Schema not supported: could not understand the instance `{'required': []}`.",
  ],
  ['https://generativelanguage.googleapis.com/v1beta/openai', 'JSON mode is not enabled for models/gemma-3-27b-it'],
])(
  'a host that holds answers to schemas is given one, and where it refuses that is asked without: %s',
  async (url, says) => {
    const there: typeof fetch = (asked, init) => fetch(upstream.origin + new URL(String(asked)).pathname, init);
    const json = '{"name":"read","arguments":{"path":"a.md"}}';
    upstream.next(chatStream(json), errorReply(400, says), chatStream(call), chatStream(call));
    const direct = here({ url, rule, fetch: there });
    for (let round = 0; round < 3; round += 1) {
      const request = chatRequest({ model: 'm', tools, stream: true, toolChoice: 'required' });
      const { calls } = collect(await all(direct.ask(request)));
      expect(calls.map(({ name }) => name)).toEqual(['read']);
    }
    expect(upstream.requests.map(({ body }) => Object(body).response_format?.type)).toEqual([
      'json_schema',
      'json_schema',
      undefined,
      undefined,
    ]);
  },
);

it('what a server has shown of a model lasts where the host keeps it', async () => {
  const kept: KeptFacts[] = [];
  const first = new MemoryFactStore({ learnt: (each) => kept.push(each) });
  upstream.next(errorReply(500, 'tools param requires --jinja flag'), chatStream(call), chatStream(call));
  const asked = chatRequest({ model: 'm', tools, stream: true });
  await all(here({ facts: first }).ask(asked));
  const second = new MemoryFactStore();
  for (const each of kept) second.restore(each);
  const { calls } = collect(await all(here({ facts: second }).ask(asked)));
  expect(calls.map(({ name }) => name)).toEqual(['read']);
  expect(upstream.requests.map(({ body }) => 'tools' in Object(body))).toEqual([true, false, false]);
});

it('an error of its list is told the same way', async () => {
  upstream.next(errorReply(403, 'Not you.'));
  await expect(here({ name: 'Mine' }).models()).rejects.toThrow('Mine refused the key (403).');
});

it('has a silence of its own', async () => {
  upstream.next({ steps: [{ stall: true }] });
  const [event] = (await all(here({ idleTimeout: 200 }).ask(chatRequest({ model: 'm', stream: true })))).slice(-1);
  expect(event).toMatchObject({ error: { message: expect.stringMatching(/^The server .* within/) } });
});

it('whoever leaves ends the work of the server', async () => {
  upstream.next(chatStream('a long reply, word by word', { pieces: 1, delay: 20 }));
  const stop = new AbortController();
  const direct = here();
  const reading = (async () => {
    for await (const event of direct.ask(chatRequest({ model: 'm', stream: true }), { signal: stop.signal })) {
      if (event.type === 'text-delta') stop.abort(new Error('enough'));
    }
  })();
  await expect(reading).rejects.toThrow('enough');
  await (await upstream.request(0)).aborted;

  upstream.next(chatStream('a long reply, word by word', { pieces: 1, delay: 20 }));
  const answer = await ask(direct, { stream: true });
  await answer.body?.cancel();
  await (await upstream.request(1)).aborted;
});

it('refuses an API that does not exist, and what is not served', async () => {
  expect(() => here({ api: 'soap' })).toThrow('There is no API "soap"');
  expect((await here().fetch('http://direct.invalid/v1/embeddings', { method: 'POST' })).status).toBe(404);
  expect((await ask(here(), {}, { body: 'no JSON' })).status).toBe(400);
});

it('takes what the address tells of the API', async () => {
  upstream.next(jsonReply(200, { data: [] }), jsonReply(200, { data: [] }));
  await here({ url: `${upstream.origin}/api/v9?tenant=1` }).models();
  await here({ url: `${upstream.origin}/`, headers: { 'X-Own': 'yes' } }).models();
  expect(upstream.requests.map(({ path }) => path)).toEqual(['/api/v9/models?tenant=1', '/v1/models']);
  expect(upstream.requests[1]?.headers['x-own']).toBe('yes');
});
