import { jsonReply, type ScriptedReply, type ScriptedUpstream, startScriptedUpstream } from '@dragoman/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createClient,
  type FunctionTool,
  type InputItem,
  type ReplyPart,
  type ResponseEvent,
  type ResponsesClient,
  ResponsesError,
  type ResponsesRequest,
} from '../src/index.ts';
import {
  added,
  args,
  argsDone,
  call,
  completed,
  created,
  delta,
  done,
  event,
  failed,
  frames,
  incomplete,
  joined,
  message,
  sse,
  textDone,
  usage,
} from './responses.ts';

// What servers do, right and wrong, over real connections.

let server: ScriptedUpstream;
let client: ResponsesClient;
let lines: string[] = [];

beforeAll(async () => {
  server = await startScriptedUpstream();
  client = createClient({ baseUrl: server.baseUrl, log: ({ level, message }) => lines.push(`${level}: ${message}`) });
});
afterAll(() => server.close());
beforeEach(() => {
  lines = [];
});

const request: ResponsesRequest = { model: 'm', input: 'Hi' };
const text = (words: string): ReplyPart => ({ type: 'text', text: words });
const told = (level: string) => lines.filter((line) => line.startsWith(level));

interface Outcome<Item> {
  readonly items: readonly Item[];
  readonly error?: ResponsesError;
}

/** Everything that came, and the error after it. */
async function all<Item>(items: AsyncIterable<Item>): Promise<Outcome<Item>> {
  const list: Item[] = [];
  try {
    for await (const item of items) list.push(item);
  } catch (thrown) {
    if (!(thrown instanceof ResponsesError)) throw thrown;
    return { items: list, error: thrown };
  }
  return { items: list };
}

async function partsOf(reply: ScriptedReply): Promise<readonly ReplyPart[]> {
  server.next(reply);
  const { items, error } = await all(client.reply(request));
  expect(error).toBeUndefined();
  return items;
}

async function errorOf(reply: ScriptedReply): Promise<Outcome<ReplyPart> & { readonly error: ResponsesError }> {
  server.next(reply);
  const { items, error } = await all(client.reply(request));
  if (error === undefined) throw new Error('There was no error.');
  return { items, error };
}

async function eventsOf(reply: ScriptedReply): Promise<readonly ResponseEvent[]> {
  server.next(reply);
  return (await all(client.stream(request))).items;
}

const twoCalls = [
  { type: 'call', callId: 'call_1', name: 'read', arguments: '{"path":"a"}' },
  { type: 'call', callId: 'call_2', name: 'read', arguments: '{"path":"b"}' },
];

describe('what is sent', () => {
  it('C-020 goes to /responses with the key, as a stream', async () => {
    const own = createClient({ baseUrl: server.origin, apiKey: ' sk-1\n', headers: { 'X-Team': 'a' } });
    server.next(sse(created, completed([message('Hi')])));
    await own.create({ model: 'm', input: 'Hi', metadata: { a: 'b' }, 'acme:mode': 'fast' });
    const seen = server.requests.at(-1);
    expect(seen).toMatchObject({ method: 'POST', path: '/v1/responses' });
    expect(seen?.headers).toMatchObject({ authorization: 'Bearer sk-1', 'x-team': 'a', accept: 'text/event-stream' });
    expect(seen?.body).toEqual({ model: 'm', input: 'Hi', metadata: { a: 'b' }, 'acme:mode': 'fast', stream: true });
  });

  it('C-022 C-024 C-025 C-113 is refused here where it is wrong, with the place, and the log says which check found it', async () => {
    const before = server.requests.length;
    const nested = { type: 'function', function: { name: 'f' } } as unknown as FunctionTool;
    const wrong: ResponsesRequest = { ...request, tools: [nested] };
    const error = await client.create(wrong).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ResponsesError);
    expect(error).toMatchObject({
      code: 'request_invalid',
      type: 'client_error',
      param: 'tools[0]',
      status: undefined,
    });
    expect(error).toMatchObject({ findings: [{ check: 'tools', path: 'tools[0]' }] });
    expect(told('error')).toEqual([expect.stringContaining('Not sent (tools): tools[0] is nested')]);
    expect(server.requests).toHaveLength(before);
  });

  it('C-116 is logged whole at trace, and never with the key', async () => {
    const own: unknown[] = [];
    const log = (line: unknown) => own.push(line);
    server.next(sse(created, completed([message('Hi')])));
    await createClient({ baseUrl: server.baseUrl, apiKey: 'sk-secret', log }).create(request);
    expect(own[0]).toMatchObject({ level: 'trace', data: { model: 'm', input: 'Hi', stream: true } });
    expect(JSON.stringify(own)).not.toContain('sk-secret');
  });

  it('goes to an address with a query, too', async () => {
    server.next(sse(created, completed([message('Hi')])));
    await createClient({ baseUrl: `${server.origin}/openai/v1/?api-version=preview` }).create(request);
    expect(server.requests.at(-1)?.path).toBe('/openai/v1/responses?api-version=preview');
  });

  it('may hold hundreds of tools', async () => {
    const tools = Array.from({ length: 500 }, (_, at): FunctionTool => ({ type: 'function', name: `tool_${at}` }));
    server.next(sse(created, completed([message('Hi')])));
    await client.create({ ...request, tools });
    expect(server.requests.at(-1)?.body).toMatchObject({ tools });
  });
});

describe('text', () => {
  it('C-051 C-066 comes piece by piece, white space too', async () => {
    const parts = await partsOf(
      sse(created, delta('a'), delta(' '), delta('\n'), delta('b'), completed([message('a \nb')])),
    );
    expect(parts.slice(0, 4)).toEqual([text('a'), text(' '), text('\n'), text('b')]);
  });

  it('C-051 comes before the next event has been sent', async () => {
    server.next({ steps: [{ text: frames([created, delta('first')]).join('') }, { stall: true }] });
    const reply = client.reply(request);
    expect(await reply.next()).toEqual({ done: false, value: text('first') });
    await reply.return();
    expect(await server.requests.at(-1)?.over).toBe('aborted');
  });

  it.each([
    ['where its pieces end', [created, textDone('Hello'), completed()]],
    ['where its item ends', [created, done(0, message('Hello')), completed()]],
    ['at the end', [created, completed([message('Hello')])]],
    [
      'everywhere',
      [created, delta('Hel'), delta('lo'), textDone('Hello'), done(0, message('Hello')), completed([message('Hello')])],
    ],
  ])('C-052 is told once when it comes %s', async (_, events) => {
    expect(joined(await partsOf(sse(...events)))).toEqual([text('Hello')]);
  });

  it('C-059 that refuses is another part than an answer', async () => {
    const refusal = (piece: string) =>
      event('refusal.delta', { item_id: 'msg_1', output_index: 0, content_index: 0, delta: piece });
    const refused = message('', { content: [{ type: 'refusal', refusal: 'I cannot.' }] });
    const parts = await partsOf(sse(created, refusal('I '), refusal('can'), refusal('not.'), completed([refused])));
    expect(joined(parts)).toEqual([{ type: 'refusal', text: 'I cannot.' }]);
  });

  it('C-061 is followed by what it cites, each once', async () => {
    const cite = (at: number) => ({
      type: 'url_citation',
      url: `https://a.example/${at}`,
      title: `${at}`,
      start_index: at,
      end_index: at + 1,
    });
    const citing = message('ab', { content: [{ type: 'output_text', text: 'ab', annotations: [cite(0), cite(1)] }] });
    const cited = (at: number) =>
      event('output_text.annotation.added', {
        item_id: 'msg_1',
        output_index: 0,
        content_index: 0,
        annotation_index: at,
        annotation: cite(at),
      });
    const parts = await partsOf(sse(created, delta('ab'), cited(0), cited(1), done(0, citing), completed([citing])));
    expect(joined(parts)).toEqual([text('ab'), { type: 'annotations', annotations: [cite(0), cite(1)] }]);
  });
});

describe('reasoning', () => {
  it.each(['reasoning.delta', 'reasoning_text.delta', 'reasoning_summary_text.delta', 'reasoning_summary.delta'])(
    'C-060 comes as %s and is no part of the answer',
    async (name) => {
      const thought = (piece: string) => event(name, { item_id: 'rs_1', output_index: 0, delta: piece });
      const reply = sse(created, thought('Hm'), thought('m.'), delta('Hi', 1), completed());
      expect(joined(await partsOf(reply))).toEqual([{ type: 'reasoning', text: 'Hmm.' }, text('Hi')]);
      const types = (await eventsOf(reply)).map(({ type }) => type);
      expect(types).toContain(
        name.includes('summary') ? 'response.reasoning_summary_text.delta' : 'response.reasoning.delta',
      );
    },
  );

  it('C-060 brings what the server wants back', async () => {
    const item = {
      type: 'reasoning',
      id: 'rs_1',
      summary: [{ type: 'summary_text', text: 'Hm.' }],
      encrypted_content: 'x1',
    };
    const parts = await partsOf(
      sse(created, added(0, { ...item, summary: [] }), done(0, item), completed([item, message('Hi')])),
    );
    expect(joined(parts)).toEqual([
      { type: 'reasoning', text: 'Hm.' },
      { type: 'reasoning-sealed', encrypted: 'x1' },
      text('Hi'),
    ]);
  });
});

describe('calls', () => {
  const open = (index: number) => added(index, call(index + 1, ''));
  const [first, second] = [call(1, '{"path":"a"}'), call(2, '{"path":"b"}')];

  it.each([
    ['in pieces', [open(0), args(0, '{"path"'), args(0, ':"a"}'), open(1), args(1, '{"path":"b"}'), completed()]],
    [
      'interleaved',
      [open(0), open(1), args(0, '{"path"'), args(1, '{"pa'), args(0, ':"a"}'), args(1, 'th":"b"}'), completed()],
    ],
    [
      'only where their pieces end',
      [open(0), open(1), argsDone(0, '{"path":"a"}'), argsDone(1, '{"path":"b"}'), completed()],
    ],
    ['only where their items end', [done(0, first), done(1, second), completed()]],
    ['only at the end', [completed([first, second])]],
    [
      'everywhere',
      [
        open(0),
        args(0, '{"path":"a"}'),
        argsDone(0, '{"path":"a"}'),
        done(0, first),
        open(1),
        argsDone(1, '{"path":"b"}'),
        done(1, second),
        completed([first, second]),
      ],
    ],
  ])('C-053 C-055 C-057 are told once and in order when their arguments come %s', async (_, events) => {
    expect(joined(await partsOf(sse(created, ...events)))).toEqual(twoCalls);
  });

  it('C-054 are told once when an item comes twice under other ids', async () => {
    const again = call(1, '{"path":"a"}', { id: 'fc_9' });
    const parts = await partsOf(
      sse(created, done(0, first), done(1, again), done(2, second), completed([first, again, second])),
    );
    expect(joined(parts)).toEqual(twoCalls);
    expect(told('warn')).toEqual([expect.stringContaining('came twice')]);
  });

  it('C-054 have their id also where the server puts it into that of the item', async () => {
    const parts = await partsOf(
      sse(created, completed([{ type: 'function_call', id: 'call_1', name: 'read', arguments: '{}' }])),
    );
    expect(joined(parts)).toEqual([{ type: 'call', callId: 'call_1', name: 'read', arguments: '{}' }]);
  });

  it('C-054 with an id that is used up get another one', async () => {
    const other = call(1, '{"path":"c"}', { id: 'fc_9' });
    const calls = joined(await partsOf(sse(created, completed([first, other]))));
    expect(calls).toHaveLength(2);
    expect(new Set(calls.map((part) => part.type === 'call' && part.callId)).size).toBe(2);
  });

  it.each(['', '{}', 'null'])('C-056 without arguments (%j) have an empty object', async (json) => {
    const parts = await partsOf(sse(created, open(0), done(0, call(1, json)), completed([call(1, json)])));
    expect(joined(parts)).toEqual([{ type: 'call', callId: 'call_1', name: 'read', arguments: '{}' }]);
  });

  it('C-056 C-058 that broke off are told as such with what came of them, and logged', async () => {
    const parts = await partsOf(sse(created, open(0), args(0, '{"path":"a'), completed()));
    expect(joined(parts)).toEqual([{ type: 'call-cut', callId: 'call_1', name: 'read', arguments: '{"path":"a' }]);
    expect(told('warn')).toEqual([expect.stringContaining('broke off')]);
  });

  it('C-056 are repaired by the schema of their tool, and logged', async () => {
    const parameters = { type: 'object', properties: { path: { type: 'string' }, deep: { type: 'boolean' } } };
    server.next(
      sse(created, done(0, call(1, "{'path': 'a', 'deep': True,}", { name: 'functions.Read' })), completed()),
    );
    const tools: FunctionTool[] = [{ type: 'function', name: 'read', parameters }];
    const { items } = await all(client.reply({ ...request, tools }));
    expect(joined(items)).toEqual([
      { type: 'call', callId: 'call_1', name: 'read', arguments: '{"path": "a", "deep": true}' },
    ]);
    expect(told('warn').length).toBeGreaterThan(0);
  });

  it('C-058 that are cut where the answer reached its limit are no calls without arguments', async () => {
    const parameters = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
    server.next(sse(created, done(0, call(1, '{}')), incomplete('max_output_tokens', [call(1, '{}')])));
    const { items } = await all(client.reply({ ...request, tools: [{ type: 'function', name: 'read', parameters }] }));
    expect(joined(items)).toMatchObject([{ type: 'call-cut', name: 'read' }]);
  });

  it('C-054 that repeat an id of an earlier turn get another one', async () => {
    server.next(sse(created, completed([call(1, '{}'), call(2, '{}')])));
    const input: InputItem[] = [
      { type: 'function_call', call_id: 'call_1', name: 'read', arguments: '{}' },
      { type: 'function_call_output', call_id: 'call_1', output: '' },
    ];
    const { items } = await all(client.reply({ model: 'm', input }));
    expect(joined(items)).toMatchObject([{ callId: 'call_1_2' }, { callId: 'call_2' }]);
  });

  it('C-070 are where they came between texts', async () => {
    const later = message('Then.', { id: 'msg_3' });
    const parts = await partsOf(sse(created, done(0, message('First.')), done(1, second), done(2, later), completed()));
    expect(joined(parts)).toEqual([text('First.'), twoCalls[1], text('Then.')]);
  });
});

describe('the end', () => {
  const ending = async (reply: ScriptedReply) => (await partsOf(reply)).at(-1);

  it.each([
    ['max_output_tokens', 'length'],
    ['content_filter', 'content-filter'],
  ])('C-062 says that an answer is incomplete for %s, and the text stays', async (reason, word) => {
    const parts = await partsOf(sse(created, delta('Half'), incomplete(reason, [message('Half')])));
    expect(joined(parts)).toEqual([text('Half')]);
    expect(parts.at(-1)).toMatchObject({
      type: 'end',
      reason: word,
      response: { status: 'incomplete', incomplete_details: { reason } },
    });
  });

  it('C-064 C-100 tells what was counted, and the whole answer, empty or not', async () => {
    const parts = await partsOf(sse(created, completed()));
    expect(parts[0]).toMatchObject({
      type: 'usage',
      usage: { inputTokens: 21, outputTokens: 5, cachedInputTokens: 4, reasoningTokens: 2 },
    });
    expect(parts[1]).toMatchObject({
      type: 'end',
      reason: 'stop',
      response: { id: 'resp_1', model: 'real', output: [], usage },
    });
    expect(parts).toHaveLength(2);
  });

  it('holds no usage where the server counts nothing', async () => {
    const parts = await partsOf(sse(created, completed([message('Hi')], { usage: null })));
    expect(parts.map(({ type }) => type)).toEqual(['text', 'end']);
    expect(parts[1]).toMatchObject({ response: { usage: null } });
  });

  it('holds the items that came before, where the last event leaves them out', async () => {
    const end = await ending(
      sse(created, done(1, call(2, '{}')), done(0, message('Hi')), event('completed', { response: { id: 'resp_1' } })),
    );
    expect(end).toMatchObject({
      reason: 'tool-calls',
      response: { status: 'completed', error: null, output: [message('Hi'), call(2, '{}')] },
    });
  });

  it('C-067 needs no [DONE]', async () => {
    const { steps } = sse(created, delta('Hi'), completed([message('Hi')]));
    const without = await partsOf({ steps: [...steps].slice(0, -1) });
    expect(without).toEqual(await partsOf({ steps }));
  });

  it('comes with [DONE] alone where all items are whole, and not where one is not', async () => {
    expect(joined(await partsOf(sse(created, done(0, message('Hi')))))).toEqual([text('Hi')]);
    const { items, error } = await errorOf(sse(created, delta('Hi')));
    expect(joined(items)).toEqual([text('Hi')]);
    expect(error.code).toBe('stream_cut');
  });

  it('needs no stream where the server answers at once', async () => {
    const whole = { ...Object(completed([message('Hi'), call(2, '{}')]).response) };
    const parts = await partsOf(jsonReply(200, whole));
    expect(joined(parts)).toEqual([text('Hi'), { type: 'call', callId: 'call_2', name: 'read', arguments: '{}' }]);
    server.next(jsonReply(200, whole));
    expect(await client.create({ ...request, stream: false })).toMatchObject({ id: 'resp_1', output: [{}, {}] });
    expect(server.requests.at(-1)?.body).toMatchObject({ stream: false });
  });

  it('leaves the connection for the next request', async () => {
    await partsOf(sse(created, completed([message('Hi')])));
    const before = server.connections;
    for (let round = 0; round < 3; round += 1) await partsOf(sse(created, completed([message('Hi')])));
    expect(server.connections).toBe(before);
  });

  it('does not wait for a server that keeps the connection', async () => {
    const steps = frames([created, completed([message('Hi')])]).map((each) => ({ text: each }));
    expect(joined(await partsOf({ steps: [...steps, { stall: true }] }))).toEqual([text('Hi')]);
    expect(await server.requests.at(-1)?.over).toBe('aborted');
  });
});

describe('frames', () => {
  const events = [created, delta('grün '), delta('\u{1f600}'), completed([message('grün \u{1f600}')])];
  const plain = frames(events).join('');
  const expected = [text('grün \u{1f600}')];

  it.each([
    ['CR LF', plain.replaceAll('\n', '\r\n')],
    ['CR', plain.replaceAll('\n', '\r')],
    ['comments', plain.replaceAll('\n\n', '\n\n: keepalive\n\n')],
    ['names of events left out', plain.replaceAll(/^event: .*\n/gm, '')],
    ['ids and retries', plain.replaceAll('data: ', 'id: 1\nretry: 5\ndata: ')],
    ['no space after data:', plain.replaceAll('data: ', 'data:')],
    ['several data lines', plain.replaceAll('data: {', 'data: {\ndata: ')],
    ['no blank line at the end', plain.trimEnd()],
  ])('are read with %s', async (_, body) => {
    expect(joined(await partsOf({ steps: [{ text: body }] }))).toEqual(expected);
  });

  it('are read whatever the cuts', async () => {
    expect(joined(await partsOf({ steps: [{ text: plain }], everyByte: true }))).toEqual(expected);
  });

  it('have their type from the name of the event where the data has none', async () => {
    const body = frames(events)
      .join('')
      .replaceAll(/"type":"(response|error)[^"]*",/g, '');
    expect(joined(await partsOf({ steps: [{ text: body }] }))).toEqual(expected);
    const types = (await eventsOf({ steps: [{ text: body }] })).map(({ type }) => type);
    expect(types).toEqual([
      'response.created',
      'response.output_text.delta',
      'response.output_text.delta',
      'response.completed',
    ]);
  });

  it('C-050 C-066 of unknown types are skipped and logged', async () => {
    const parts = await partsOf(
      sse(created, { type: 'acme:ping', data: 1 }, delta('Hi'), event('thing.added'), completed([message('Hi')])),
    );
    expect(joined(parts)).toEqual([text('Hi')]);
    expect(told('warn')).toEqual([expect.stringContaining('acme:ping'), expect.stringContaining('thing.added')]);
  });

  it('C-068 that are missing by their number are logged, once', async () => {
    const numbered = (number: number, one: object) => ({ type: '', ...one, sequence_number: number });
    const parts = await partsOf(
      sse(
        numbered(1, created),
        numbered(2, delta('H')),
        numbered(4, delta('i')),
        numbered(9, completed([message('Hi')])),
      ),
    );
    expect(joined(parts)).toEqual([text('Hi')]);
    expect(told('warn')).toEqual([expect.stringContaining('from 2 to 4')]);
  });

  it('get every field that their types promise', async () => {
    const bare = [event('created'), event('output_text.delta', { delta: 'Hi' }), event('completed')];
    const events = await eventsOf({
      steps: [{ text: bare.map((each) => `data: ${JSON.stringify(each)}\n\n`).join('') }],
    });
    expect(events).toMatchObject([
      { sequence_number: 0, response: { id: '', status: 'in_progress', output: [] } },
      { sequence_number: 1, item_id: '', output_index: 0, content_index: 0 },
      { sequence_number: 2, response: { status: 'completed', error: null, usage: null } },
    ]);
  });
});

describe('answers that break off', () => {
  const half = frames([created, delta('Ha'), textDone('Ha'), added(1, call(2, '')), args(1, '{"path":')]).join('');

  it.each([
    ['the server ends the stream', [{ text: half }]],
    ['the connection is reset', [{ text: half }, { delay: 20 }, { cut: true }]],
    ['an event is cut', [{ text: `${half}data: {"type":"response.comp` }]],
  ] as const)('are errors when %s, and what came has been told', async (_, steps) => {
    const { items, error } = await errorOf({ steps });
    expect(joined(items)).toMatchObject([text('Ha'), { type: 'call-cut', callId: 'call_2' }]);
    expect(error).toMatchObject({ code: 'stream_cut', type: 'client_error', status: 200 });
    expect(error.message).not.toContain('pstream');
  });

  it('are errors also for whoever wants the whole, or the events', async () => {
    server.next({ steps: [{ text: half }] }, { steps: [{ text: half }] });
    await expect(client.create(request)).rejects.toMatchObject({ code: 'stream_cut' });
    expect((await all(client.stream(request))).error).toMatchObject({ code: 'stream_cut' });
  });

  it('are errors when the stream is empty, or says only that it is done', async () => {
    expect((await errorOf({ steps: [] })).error.code).toBe('stream_cut');
    expect((await errorOf(sse())).error.code).toBe('stream_cut');
  });

  it('are errors when the whole is not what its pieces were', async () => {
    const { error } = await errorOf(sse(created, delta('Hel'), delta('o'), completed([message('Hello')])));
    expect(error).toMatchObject({ code: 'stream_cut' });
    expect(error.message).toMatch(/^The server sent its text in pieces and as a whole/);
  });
});

describe('errors', () => {
  const body = (error: object) => ({
    error: { message: 'Too much.', type: 'too_many_requests', code: 'rate_limit', param: 'model', ...error },
  });

  it.each([
    [400, 'invalid_request'],
    [401, 'invalid_request'],
    [402, 'invalid_request'],
    [404, 'not_found'],
    [429, 'too_many_requests'],
    [500, 'server_error'],
    [503, 'server_error'],
  ])('C-116 with status %i have all that the server says', async (status, type) => {
    const headers = { 'content-type': 'application/json', 'retry-after': '7', 'x-request-id': 'req_1' };
    const { error } = await errorOf({ ...jsonReply(status, body({ type: undefined })), headers });
    expect(error).toMatchObject({
      status,
      type,
      code: 'rate_limit',
      param: 'model',
      retryAfter: 7,
      requestId: 'req_1',
    });
    expect(error.message).toBe('Too much.');
    expect(error.findings).toEqual([]);
  });

  it('C-113 with status 400 say in the log what was checked before', async () => {
    await errorOf(jsonReply(400, body({})));
    expect(told('error').at(-1)).toContain('types, content types, flat tools, required fields');
  });

  it('without words have words of ours', async () => {
    expect(
      (await errorOf({ status: 502, headers: { 'content-type': 'text/html' }, steps: [{ text: '<html>Bad' }] })).error
        .message,
    ).toContain('web page');
    expect((await errorOf({ status: 404, headers: {}, steps: [] })).error).toMatchObject({
      code: 'http_404',
      message: 'The server answered 404 without a message.',
    });
  });

  it.each([
    ['JSON', jsonReply(200, body({}))],
    ['an event', sse(created, event('error', body({})))],
    [
      'an event with its fields beside the type',
      sse(created, { type: 'error', code: 'rate_limit', message: 'Too much.', param: 'model' }),
    ],
    ['a stream of nothing else', { steps: [{ text: JSON.stringify(body({})) }] }],
    ['a text', sse(created, { type: '', error: 'Too much.' })],
    ['an event that is no JSON', sse(created, 'event: error\ndata: Too much.\n\n')],
    ['a failed answer', sse(created, failed({ code: 'rate_limit', message: 'Too much.' }))],
    [
      'a failed answer that calls itself completed',
      sse(created, completed([], { status: 'failed', error: { code: 'rate_limit', message: 'Too much.' } })),
    ],
  ])('C-063 under status 200 are errors as %s', async (name, reply) => {
    const { error } = await errorOf(reply);
    const code = name.startsWith('a text') || name.endsWith('no JSON') ? 'server_error' : 'rate_limit';
    expect(error).toMatchObject({ status: 200, message: 'Too much.', code });
  });

  it('C-063 are told as an event and then thrown', async () => {
    server.next(
      sse(created, delta('H'), event('error', body({})), failed({ code: 'rate_limit', message: 'Too much.' })),
    );
    const { items, error } = await all(client.stream(request));
    expect(items.map(({ type }) => type)).toEqual(['response.created', 'response.output_text.delta', 'error']);
    expect(items.at(-1)).toMatchObject({
      error: { code: 'rate_limit', message: 'Too much.', type: 'too_many_requests' },
    });
    expect(error).toMatchObject({ code: 'rate_limit' });
  });

  it('say so where what came is none of this API', async () => {
    const page = { headers: { 'content-type': 'text/html' }, steps: [{ text: '<!doctype html>' }] };
    expect((await errorOf(page)).error).toMatchObject({ code: 'unreadable' });
    expect((await errorOf(jsonReply(200, { object: 'chat.completion', choices: [] }))).error).toMatchObject({
      code: 'unreadable',
    });
  });

  it('say so where nobody listens', async () => {
    const nobody = createClient({ baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'sk-secret' });
    const error = await nobody.models().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'unreachable', status: undefined });
    expect(String(error)).toMatch(/^ResponsesError: There is no connection to http:\/\/127\.0\.0\.1:9( \(\w+\))?\.$/);
  });
});

describe('cancelling', () => {
  it('C-065 before the answer reaches the server', async () => {
    const stop = new AbortController();
    server.next({ steps: [{ stall: true }], holdHead: true });
    const index = server.requests.length;
    const outcome = all(client.reply(request, { signal: stop.signal }));
    const seen = await server.request(index);
    stop.abort();
    expect((await outcome).error).toMatchObject({ code: 'aborted', type: 'client_error' });
    await seen.aborted;
  });

  it('C-065 in the middle reaches the server', async () => {
    const stop = new AbortController();
    server.next({ steps: [{ text: frames([created, delta('Hi')]).join('') }, { stall: true }] });
    const reply = client.reply(request, { signal: stop.signal });
    await reply.next();
    stop.abort(new Error('enough'));
    const { error } = await all(reply);
    expect(error).toMatchObject({ code: 'aborted', cause: new Error('enough') });
    await server.requests.at(-1)?.aborted;
  });

  it('keeps back what the same read had brought', async () => {
    for (const ask of [client.reply, client.stream]) {
      const stop = new AbortController();
      server.next({ steps: [{ text: frames([created, delta('Hi'), delta(' there')]).join('') }, { stall: true }] });
      const read: AsyncGenerator<unknown> = ask(request, { signal: stop.signal });
      await read.next();
      stop.abort();
      const { items, error } = await all(read);
      expect({ items, error }).toMatchObject({ items: [], error: { code: 'aborted' } });
    }
  });

  it('before anything was sent sends nothing', async () => {
    const before = server.requests.length;
    const { error } = await all(client.stream(request, { signal: AbortSignal.abort() }));
    expect(error).toMatchObject({ code: 'aborted' });
    expect(server.requests).toHaveLength(before);
  });

  it('after the end changes nothing', async () => {
    const stop = new AbortController();
    server.next(sse(created, completed([message('Hi')])));
    const answer = await client.create(request, { signal: stop.signal });
    stop.abort();
    expect(answer.output).toEqual([message('Hi')]);
  });
});

describe('models', () => {
  it('C-081 C-082 are those that chat, with what the list says of them', async () => {
    const entries = [
      {
        id: 'a/chat',
        type: 'language',
        context_window: 128_000,
        max_tokens: 8192,
        tags: ['tool-use', 'vision'],
        pricing: { input: '1' },
      },
      { id: 'a/embed', type: 'embedding' },
      { id: 'a/paint', type: 'image' },
    ];
    server.next(jsonReply(200, { object: 'list', data: entries }));
    const own = createClient({ baseUrl: server.baseUrl, apiKey: 'k' });
    expect(await own.models()).toEqual([
      { id: 'a/chat', contextWindow: 128_000, maxOutput: 8192, images: true, toolCalling: true, entry: entries[0] },
    ]);
    expect(server.requests.at(-1)).toMatchObject({
      method: 'GET',
      path: '/v1/models',
      headers: { authorization: 'Bearer k' },
    });
  });

  it('are an error where there is none, or no list', async () => {
    server.next(jsonReply(401, { error: { message: 'Who?' } }), jsonReply(200, { hello: 1 }));
    await expect(client.models()).rejects.toMatchObject({ status: 401, code: 'http_401', message: 'Who?' });
    await expect(client.models()).rejects.toMatchObject({ code: 'unreadable' });
  });
});
