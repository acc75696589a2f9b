import { chatStream, errorReply, Grammar, jsonReply, type ScriptedReply } from '@dragoman/testkit';
import { Ajv2020 } from 'ajv/dist/2020.js';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { askForCall, callApis, formOf } from '../../../test/servers/call-apis.ts';
import { gatewayForTest, upstreamForTest } from './for-test.ts';
import { readTool } from './start-test-gateway.ts';

const tool = { ...readTool, type: 'function' as const };
const given = { path: 'a.txt' };
const envelope = JSON.stringify({ name: 'read', arguments: given });
const messages = [{ role: 'user' as const, content: 'Read a.txt.' }];
const named = { type: 'function' as const, function: { name: 'read' } };

/** A model that says this, and a gateway in front of it. */
async function saying(text: string, rule: object = {}) {
  const upstream = await upstreamForTest();
  upstream.next(chatStream(text, { pieces: 4 }));
  const m = { toolCalling: { dialect: 'anthropic-xml' }, nudge: { max: 1 }, ...rule };
  const config = { upstreams: { up: { wire: 'openai-chat', baseUrl: upstream.baseUrl, models: { m } } } };
  const { url } = await gatewayForTest({ config });
  const openai = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'any', maxRetries: 0 });
  return { openai, upstream };
}

describe.each([
  ['required', 'required' as const, envelope],
  ['the name of a tool', named, envelope],
  ['the name of a tool, and the reply its arguments', named, JSON.stringify(given)],
])('a call as plain JSON where tool_choice is %s', (_, tool_choice, text) => {
  it('is a call for the client, whole and streamed, and no nudge is needed', async () => {
    const whole = await saying(text);
    const answer = await whole.openai.chat.completions.create({ model: 'up/m', messages, tools: [tool], tool_choice });
    expect(answer.choices[0]).toMatchObject({ finish_reason: 'tool_calls', message: { content: null } });
    const [call] = answer.choices[0]?.message.tool_calls ?? [];
    expect(call?.type === 'function' ? JSON.parse(call.function.arguments) : undefined).toEqual(given);
    expect(whole.upstream.requests).toHaveLength(1);

    const streamed = await saying(text);
    const stream = streamed.openai.chat.completions.stream({ model: 'up/m', messages, tools: [tool], tool_choice });
    const final = await stream.finalChatCompletion();
    expect(final.choices[0]).toMatchObject({ finish_reason: 'tool_calls' });
    expect(final.choices[0]?.message.tool_calls).toHaveLength(1);
  });
});

it('is text where the model may answer', async () => {
  const { openai } = await saying(JSON.stringify(given));
  const answer = await openai.chat.completions.create({ model: 'up/m', messages, tools: [tool] });
  expect(answer.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: JSON.stringify(given) } });
});

describe('of a model that calls natively', () => {
  const native = { toolCalling: 'native' };
  const ask = { model: 'up/m', messages, tools: [tool], tool_choice: named };

  it.each([
    ['with its name', envelope],
    ['its arguments alone, in a fence', `\`\`\`json\n${JSON.stringify(given)}\n\`\`\``],
  ])('%s is the call, whole and streamed, and no nudge is needed', async (_, text) => {
    const whole = await saying(text, native);
    const answer = await whole.openai.chat.completions.create(ask);
    expect(answer.choices[0]).toMatchObject({ finish_reason: 'tool_calls', message: { content: null } });
    expect(whole.upstream.requests).toHaveLength(1);
    const streamed = await saying(text, native);
    const final = await streamed.openai.chat.completions.stream(ask).finalChatCompletion();
    expect(final.choices[0]).toMatchObject({ finish_reason: 'tool_calls' });
    expect(final.choices[0]?.message.tool_calls).toHaveLength(1);
  });

  it.each([
    ['where it may answer', {}, { tool_choice: 'auto' as const }],
    ['where the answer has to be JSON', {}, { response_format: { type: 'json_object' as const } }],
    ['where the model rule switches it off', { rescue: false }, {}],
  ])('is text %s', async (_, rule, more) => {
    const { openai } = await saying(envelope, { ...native, nudge: { max: 0 }, ...rule });
    const answer = await openai.chat.completions.create({ ...ask, ...more });
    expect(answer.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: expect.any(String) } });
    expect(answer.choices[0]?.message.tool_calls ?? []).toHaveLength(0);
  });
});

describe('constrainCalls: json', () => {
  const rule = { constrainCalls: 'json' };
  const ask = { model: 'up/m', messages, tools: [tool], tool_choice: 'required' as const };

  it('teaches the call as JSON, and asks an upstream that has a field for it for just that', async () => {
    const { openai, upstream } = await saying(envelope, rule);
    const answer = await openai.chat.completions.create(ask);
    expect(answer.choices[0]?.message.tool_calls).toHaveLength(1);
    const { body, text } = await upstream.request(0);
    expect(text).toContain('Your reply is this object and nothing else');
    expect(text).not.toContain('<function_calls>');
    expect(body).toMatchObject({
      response_format: {
        type: 'json_schema',
        json_schema: {
          name: 'reply',
          schema: {
            properties: { name: { enum: ['read'] }, arguments: tool.function.parameters },
            required: ['name', 'arguments'],
          },
        },
      },
    });
  });

  it.each([
    ['the model rule says so', { outputFormat: 'taught' }, ask],
    ['no call is required', {}, { ...ask, tool_choice: 'auto' as const }],
  ])('asks by no field where %s', async (_, more, body) => {
    const { openai, upstream } = await saying(envelope, { ...rule, ...more });
    await openai.chat.completions.create(body);
    expect((await upstream.request(0)).body).not.toHaveProperty('response_format');
  });

  it('references of a schema lead where they led', async () => {
    const { openai, upstream } = await saying(envelope, rule);
    const parameters = {
      type: 'object',
      properties: { path: { $ref: '#/$defs/path' } },
      $defs: { path: { type: 'string' } },
    };
    await openai.chat.completions.create({ ...ask, tools: [{ ...tool, function: { ...tool.function, parameters } }] });
    const { body } = await upstream.request(0);
    const { schema } = Object(body).response_format.json_schema;
    const fits = new Ajv2020().compile(schema);
    expect(fits({ name: 'read', arguments: given })).toBe(true);
    expect(fits({ name: 'read', arguments: { path: 1 } })).toBe(false);
  });

  it('is only taught where a schema is known by a name that could lead elsewhere', async () => {
    const { openai, upstream } = await saying(envelope, rule);
    const parameters = { $id: 'https://tools.test/read', type: 'object', properties: { path: { $ref: '#path' } } };
    await openai.chat.completions.create({ ...ask, tools: [{ ...tool, function: { ...tool.function, parameters } }] });
    const { body, text } = await upstream.request(0);
    expect(body).not.toHaveProperty('response_format');
    expect(text).toContain('Your reply is this object and nothing else');
  });

  it('still reads the form of the dialect', async () => {
    const xml =
      '<function_calls>\n<invoke name="read">\n<parameter name="path">a.txt</parameter>\n</invoke>\n</function_calls>';
    const { openai } = await saying(xml, rule);
    const answer = await openai.chat.completions.create(ask);
    expect(answer.choices[0]?.message.tool_calls).toHaveLength(1);
  });
});

describe('constrainCalls', () => {
  /** A server that says whose it is, and answers in hermes. */
  async function served(
    owner: string,
    { models, ...rule }: { readonly models?: object; readonly [key: string]: unknown } = {},
    ...first: readonly ScriptedReply[]
  ) {
    const list = jsonReply(200, { object: 'list', data: [{ id: 'm', owned_by: owner }] });
    const call = `<tool_call>\n${envelope}\n</tool_call>`;
    const replies = [...first];
    const upstream = await upstreamForTest({
      fallback: ({ method, path }) =>
        method === 'GET'
          ? path.endsWith('/models')
            ? list
            : jsonReply(404, {})
          : (replies.shift() ?? chatStream(call)),
    });
    const rules = models === undefined ? { anyModel: { toolCalling: { dialect: 'hermes' }, ...rule } } : { models };
    const config = { upstreams: { up: { wire: 'openai-chat', baseUrl: upstream.baseUrl, ...rules } } };
    const gateway = await gatewayForTest({ config, identifies: true });
    await fetch(`${gateway.url}/v1/models`);
    const isList = (method: string, path: string) => method === 'GET' && path.endsWith('/models');
    const lists = () => upstream.requests.filter(({ method, path }) => isList(method, path)).length;
    const openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'any', maxRetries: 0 });
    const asked = () => upstream.requests.filter(({ method }) => method === 'POST').map(({ body }) => Object(body));
    return { openai, gateway, asked, lists };
  }
  const ask = { model: 'up/m', messages, tools: [tool], tool_choice: 'required' as const };
  const grammarOf = (body: { grammar?: string } = {}) => new Grammar(body.grammar ?? '');
  const hermes = (name: string, values: object) =>
    `<tool_call>\n{"name": ${JSON.stringify(name)}, "arguments": ${JSON.stringify(values)}}\n</tool_call>`;

  it('a server that takes a grammar is told that the reply is a call that fits', async () => {
    const { openai, asked } = await served('llamacpp');
    const answer = await openai.chat.completions.create(ask);
    expect(answer.choices[0]?.message.tool_calls).toHaveLength(1);
    const grammar = grammarOf(asked()[0]);
    expect(grammar.accepts(hermes('read', given))).toBe(true);
    for (const other of ['I will.', hermes('write', given), hermes('read', { path: 1 })]) {
      expect(grammar.accepts(other)).toBe(false);
    }
  });

  it.each([
    ['vllm', 'structured_outputs', { grammar: expect.stringContaining('root ::=') }],
    ['sglang', 'ebnf', expect.stringContaining('root ::=')],
    ['koboldcpp', 'grammar', expect.stringContaining('root ::=')],
  ])('%s is told in %s', async (owner, field, told) => {
    const { openai, asked } = await served(owner);
    await openai.chat.completions.create(ask);
    expect(asked()[0]).toMatchObject({ [field]: told });
  });

  it.each([
    ['one that nobody knows', 'somebody', {}, {}],
    ['where nothing is required', 'llamacpp', {}, { tool_choice: 'auto' as const }],
    ['where the model rule says so', 'llamacpp', { constrainCalls: 'off' }, {}],
  ])('%s is told of no grammar', async (_, owner, rule, more) => {
    const { openai, asked } = await served(owner, rule);
    await openai.chat.completions.create({ ...ask, ...more });
    expect(asked()[0]).not.toHaveProperty('grammar');
  });

  it('with "free", what begins as a call is one that fits, and all else is said', async () => {
    const { openai, asked } = await served('llamacpp', { constrainCalls: 'free' });
    await openai.chat.completions.create({ ...ask, tool_choice: 'auto' });
    const grammar = grammarOf(asked()[0]);
    for (const text of ['No.', `I look.\n${hermes('read', given)}`]) expect(grammar.accepts(text)).toBe(true);
    expect(grammar.accepts(hermes('read', {}))).toBe(false);
  });

  it('with "choice", the reply is a call that fits or an answer in tags, which clients do not see', async () => {
    const said = chatStream('<answer>It is late.</answer>');
    const { openai, asked, gateway } = await served('llamacpp', { constrainCalls: 'choice' }, said);
    const answer = await openai.chat.completions.create({ ...ask, tool_choice: 'auto' });
    expect(answer.choices[0]?.message.content).toBe('It is late.');
    const grammar = grammarOf(asked()[0]);
    // A model that forgets the closer may end all the same.
    for (const text of ['<answer>A < b.</answer>', '<answer>A < b.', hermes('read', given)])
      expect(grammar.accepts(text)).toBe(true);
    for (const text of ['It is late.', hermes('read', {}), `<answer>I look. ${hermes('read', {})}</answer>`])
      expect(grammar.accepts(text)).toBe(false);
    expect(JSON.stringify(asked()[0])).toContain('begin your reply with <answer>');
    const { constraint } = await gateway.record(({ route }) => route === '/v1/chat/completions');
    expect(constraint).toBe('a call or an answer, by grammar');
  });

  const schema = { type: 'object', properties: { late: { type: 'boolean' } }, required: ['late'] };
  const response_format = { type: 'json_schema' as const, json_schema: { name: 'time', schema } };

  it('where the answer has to be JSON, the reply is a call or that, and nothing is dropped', async () => {
    const { openai, asked } = await served('llamacpp', {}, chatStream('{"late": true}'));
    const request = { ...ask, tool_choice: 'auto' as const, response_format };
    const { data, response } = await openai.chat.completions.create(request).withResponse();
    expect(data.choices[0]?.message.content).toBe('{"late": true}');
    expect(response.headers.get('x-dragoman-warnings')).toBeNull();
    const grammar = grammarOf(asked()[0]);
    for (const text of ['{"late": true}', hermes('read', given)]) expect(grammar.accepts(text)).toBe(true);
    for (const text of ['Yes.', '{"late": 1}', hermes('read', {})]) expect(grammar.accepts(text)).toBe(false);
    expect(asked()[0]).not.toHaveProperty('response_format');
  });

  it('a server that refuses the grammar gets the form of the answer in words', async () => {
    const { openai, asked } = await served(
      'llamacpp',
      {},
      errorReply(400, 'failed to parse grammar'),
      chatStream('{"late": true}'),
    );
    const request = { ...ask, tool_choice: 'auto' as const, response_format };
    const { response } = await openai.chat.completions.create(request).withResponse();
    expect(response.headers.get('x-dragoman-warnings')).toContain('field-dropped=1');
    expect(asked().map((body) => 'grammar' in body)).toEqual([true, false]);
  });

  it('of many calls in one reply there is an end', async () => {
    const { openai, asked } = await served('llamacpp');
    await openai.chat.completions.create(ask);
    const grammar = grammarOf(asked()[0]);
    const calls = (count: number) => Array.from({ length: count }, () => hermes('read', given)).join('\n');
    expect(grammar.accepts(calls(16))).toBe(true);
    expect(grammar.accepts(calls(17))).toBe(false);
  });

  it('where a dialect has no grammar for the tools, as for very many odd names, the call is plain JSON', async () => {
    const { openai, asked } = await served('llamacpp', {}, chatStream(envelope));
    const properties = { 'a b': { type: 'string' }, 'c d': { type: 'string' }, 'e f': { type: 'string' } };
    const parameters = { type: 'object', properties };
    const odd = (at: number) => ({ ...tool, function: { name: `read ${at}`, parameters } });
    const tools = [tool, ...Array.from({ length: 90 }, (_, at) => odd(at))];
    const answer = await openai.chat.completions.create({ ...ask, tools });
    expect(answer.choices[0]?.message.tool_calls).toHaveLength(1);
    expect(JSON.stringify(asked()[0])).toContain('Your reply is this object and nothing else');
    expect(grammarOf(asked()[0]).accepts(`{"name": "read", "arguments": ${JSON.stringify(given)}}`)).toBe(true);
  });

  it('a server that refuses the grammar is asked without at once, and from then on; the client is told', async () => {
    const { openai, asked, gateway } = await served('llamacpp', {}, errorReply(400, 'failed to parse grammar'));
    const { data, response } = await openai.chat.completions.create(ask).withResponse();
    expect(data.choices[0]?.message.tool_calls).toHaveLength(1);
    expect(response.headers.get('x-dragoman-warnings')).toBe('model-learnt=1');
    await openai.chat.completions.create(ask);
    expect(asked().map((body) => 'grammar' in body)).toEqual([true, false, false]);
    const learnt = gateway.records().find(({ msg }) => String(msg).startsWith('learnt of'));
    expect(learnt?.msg).toContain('its server refuses grammars of calls');
  });

  it('a refusal in words that nobody knows is one where the server answers without, and from then on', async () => {
    const { openai, asked } = await served('llamacpp', {}, errorReply(400, 'Unknown field: grammar'));
    const answer = await openai.chat.completions.create(ask);
    expect(answer.choices[0]?.message.tool_calls).toHaveLength(1);
    await openai.chat.completions.create(ask);
    expect(asked().map((body) => 'grammar' in body)).toEqual([true, false, false]);
  });

  it('what a server refuses without, too, is told, and nothing is learnt', async () => {
    const hot = errorReply(400, 'The temperature is too high.');
    const { openai, asked } = await served('llamacpp', {}, hot, hot);
    await expect(openai.chat.completions.create(ask)).rejects.toThrow('The temperature is too high.');
    await openai.chat.completions.create(ask);
    expect(asked().map((body) => 'grammar' in body)).toEqual([true, false, true]);
  });

  it.each([
    ['a call is required', {}, 'required' as const],
    ['its model is held to a call or an answer', { constrainCalls: 'choice' }, 'auto' as const],
  ])('a server that is asked for no models is asked once what it is, where %s', async (_, rule, tool_choice) => {
    const models = { m: { toolCalling: { dialect: 'hermes' }, ...rule } };
    const { openai, asked, lists } = await served('llamacpp', { models });
    await openai.chat.completions.create({ ...ask, tool_choice });
    await openai.chat.completions.create({ ...ask, tool_choice });
    expect(asked().map((body) => 'grammar' in body)).toEqual([true, true]);
    expect(lists()).toBe(1);
    await served('llamacpp', { models }).then(async (other) => {
      await other.openai.chat.completions.create({ ...ask, tool_choice: 'none' });
      expect(other.lists()).toBe(0);
    });
  });

  it('Ollama, which ignores that a call is required, is held to one by a schema', async () => {
    const upstream = await upstreamForTest();
    const line = { model: 'm', created_at: '2026-01-01T00:00:00Z', message: { role: 'assistant', content: envelope } };
    upstream.next(jsonReply(200, { ...line, done: true, done_reason: 'stop' }));
    const up = { wire: 'ollama-chat', baseUrl: upstream.origin, models: { m: { toolCalling: 'text' } } };
    const { url } = await gatewayForTest({ config: { upstreams: { up } } });
    const openai = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'any', maxRetries: 0 });
    const answer = await openai.chat.completions.create(ask);
    expect(answer.choices[0]?.message.tool_calls).toHaveLength(1);
    const { body } = await upstream.request(0);
    expect(body).toMatchObject({
      format: { properties: { name: { enum: ['read'] } } },
      options: { repeat_penalty: 1 },
    });
  });
});

describe('a server that takes one JSON object by a schema', () => {
  /** LM Studio, as its list tells, before a model that says this. */
  async function served(rule: object, ...replies: readonly ScriptedReply[]) {
    const list = jsonReply(200, { data: [{ id: 'm', type: 'llm', compatibility_type: 'gguf', state: 'loaded' }] });
    const rest = [...replies];
    const upstream = await upstreamForTest({
      fallback: ({ method, path }) =>
        method === 'GET'
          ? path.endsWith('/models')
            ? list
            : jsonReply(404, {})
          : (rest.shift() ?? chatStream('Well.')),
    });
    const anyModel = { toolCalling: { dialect: 'hermes' }, ...rule };
    const config = { upstreams: { up: { wire: 'openai-chat', baseUrl: upstream.baseUrl, anyModel } } };
    const gateway = await gatewayForTest({ config });
    await fetch(`${gateway.url}/v1/models`);
    const asked = () => upstream.requests.filter(({ method }) => method === 'POST').map(({ body }) => Object(body));
    const schemaOf = (body: { response_format?: unknown } = {}) =>
      new Ajv2020({ strict: false }).compile(Object(body.response_format).json_schema.schema);
    return { gateway, asked, schemaOf };
  }
  const choice = { constrainCalls: 'choice' };
  const words = { answer: 'It is "late".' };
  const tools = [{ name: 'read', description: 'Reads.', schema: Object(tool.function.parameters) }];
  const ask = (url: string, api: string, more: object = {}) =>
    askForCall(url, api, { model: 'up/m', question: 'Go.', tools, choice: 'auto', stream: false, ...more });

  it.each(Object.keys(callApis))(
    'with "choice", %s clients get a call or an answer, streamed and whole',
    async (api) => {
      const said = [envelope, JSON.stringify(words)].flatMap((text) => [
        chatStream(text, { pieces: 3 }),
        chatStream(text),
      ]);
      const { gateway, asked, schemaOf } = await served(choice, ...said);
      for (const stream of [true, false]) {
        const { calls, text } = await ask(gateway.url, api, { stream });
        expect({ calls, text }).toEqual({ calls: [{ name: 'read', arguments: given }], text: '' });
      }
      for (const stream of [true, false]) {
        const { calls, text, warnings } = await ask(gateway.url, api, { stream });
        expect({ calls, text, warnings }).toEqual({ calls: [], text: words.answer, warnings: '' });
      }
      const fits = schemaOf(asked()[0]);
      for (const value of [words, JSON.parse(envelope)]) expect(fits(value)).toBe(true);
      for (const value of [
        'No.',
        {},
        { answer: 1 },
        { name: 'write', arguments: given },
        { name: 'read', arguments: {} },
      ])
        expect(fits(value)).toBe(false);
      expect(JSON.stringify(asked()[0])).toContain('Where no tool helps, its only key');
      const { constraint } = await gateway.record(({ constraint: each }) => each !== undefined);
      expect(constraint).toBe('a call or an answer, by schema');
    },
  );

  it('unless the rule says so, a model that may answer is told of no schema', async () => {
    const { gateway, asked } = await served({});
    await ask(gateway.url, 'openai-chat');
    expect(asked()[0]).not.toHaveProperty('response_format');
  });

  it.each(Object.keys(callApis))('where the answer of %s clients has to be JSON, it is a call or that', async (api) => {
    const schema = { type: 'object', properties: { late: { $ref: '#/$defs/it' } }, $defs: { it: { type: 'boolean' } } };
    const whole = { ...schema, required: ['late'] };
    const more = formOf[api]?.(whole) ?? {};
    const { gateway, asked, schemaOf } = await served(
      {},
      chatStream('{"answer": {"late": true}}'),
      chatStream(envelope),
    );
    const answered = await ask(gateway.url, api, { more });
    expect(answered).toMatchObject({ calls: [], text: '{"late": true}', warnings: '' });
    expect((await ask(gateway.url, api, { more })).calls).toEqual([{ name: 'read', arguments: given }]);
    const fits = schemaOf(asked()[0]);
    for (const value of [{ answer: { late: true } }, JSON.parse(envelope)]) expect(fits(value)).toBe(true);
    for (const value of [{ answer: { late: 1 } }, { answer: 'Yes.' }, { late: true }]) expect(fits(value)).toBe(false);
  });

  it.each([
    "Invalid schema for response_format 'reply': In context=(), 'additionalProperties' is required.",
    "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
    'This model does not support response format `json_schema`.',
    'JSON schema conversion failed',
  ])('one that refuses it is asked without at once, and from then on; the client is told: %s', async (words) => {
    const { gateway, asked } = await served(choice, errorReply(400, words), chatStream('It is late.'));
    const { text, warnings } = await ask(gateway.url, 'openai-chat');
    expect({ text, warnings }).toEqual({ text: 'It is late.', warnings: 'model-learnt=1' });
    await ask(gateway.url, 'openai-chat');
    expect(asked().map((body) => 'response_format' in body)).toEqual([true, false, false]);
  });

  it('what a client itself asks for and its server refuses is an error, and nothing is learnt', async () => {
    const refusal = "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.";
    const { gateway, asked } = await served({ outputFormat: 'native' }, errorReply(400, refusal));
    const format = { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object' } } };
    const answer = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'up/m', messages, response_format: format }),
    });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('outputFormat');
    expect(asked()).toHaveLength(1);
  });

  it('a model that writes its own form all the same is read', async () => {
    const call = `<tool_call>\n${envelope}\n</tool_call>`;
    const { gateway } = await served(choice, chatStream(call), chatStream('In plain words.'));
    expect((await ask(gateway.url, 'openai-chat')).calls).toEqual([{ name: 'read', arguments: given }]);
    expect((await ask(gateway.url, 'openai-chat')).text).toBe('In plain words.');
  });
});

describe('of a model that calls natively', () => {
  const ask = { model: 'up/m', messages, tools: [tool], tool_choice: named };
  const list = jsonReply(200, { object: 'list', data: [{ id: 'm', owned_by: 'llamacpp' }] });

  async function native(rule: object, ...replies: readonly ScriptedReply[]) {
    const rest = [...replies];
    const upstream = await upstreamForTest({
      fallback: ({ method, path }) =>
        method === 'GET'
          ? path.endsWith('/models')
            ? list
            : jsonReply(404, {})
          : (rest.shift() ?? chatStream('Well.')),
    });
    const anyModel = { toolCalling: 'native', ...rule };
    const config = { upstreams: { up: { wire: 'openai-chat', baseUrl: upstream.baseUrl, anyModel } } };
    const { url } = await gatewayForTest({ config });
    await fetch(`${url}/v1/models`);
    const openai = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'any', maxRetries: 0 });
    const { data, response } = await openai.chat.completions.create(ask).withResponse();
    const asked = upstream.requests.filter(({ method }) => method === 'POST').map(({ body }) => Object(body));
    return {
      calls: data.choices[0]?.message.tool_calls ?? [],
      asked,
      warnings: response.headers.get('x-dragoman-warnings'),
    };
  }

  it('a server that ignores that a call is required is asked for it by the form of the answer, beside the tools', async () => {
    const { calls, asked } = await native({}, chatStream(envelope));
    expect(calls).toMatchObject([{ function: { name: 'read' } }]);
    expect(asked[0]).toMatchObject({
      tools: [{ function: { name: 'read' } }],
      response_format: { json_schema: { schema: { properties: { name: { enum: ['read'] } } } } },
    });
    expect(asked[0]).not.toHaveProperty('tool_choice');
  });

  it('where the rule says "off", the answer says that no call came', async () => {
    const { calls, asked, warnings } = await native({ constrainCalls: 'off' });
    expect(calls).toEqual([]);
    expect(asked[0]).not.toHaveProperty('response_format');
    expect(warnings).toBe('call-missing=1');
  });

  it('a server that refuses it beside tools is asked without at once', async () => {
    const refused = errorReply(400, 'Cannot use custom grammar constraints with tools.');
    const { asked, warnings } = await native({}, refused);
    expect(asked.map((body) => 'response_format' in body)).toEqual([true, false]);
    expect(warnings).toContain('model-learnt=1');
  });
});

describe('with a nonce in the names of tools', () => {
  const ask = { model: 'up/m', messages, tools: [tool], tool_choice: named };

  it('no call without it counts: neither a name that lacks it, nor arguments without a name', async () => {
    for (const text of [envelope, JSON.stringify(given)]) {
      const { openai } = await saying(text, { callNonce: true, nudge: { max: 0 } });
      const answer = await openai.chat.completions.create(ask);
      expect(answer.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: text } });
    }
  });

  it('an upstream is asked for the name that holds it', async () => {
    const { openai, upstream } = await saying(envelope, { callNonce: true, constrainCalls: 'json', nudge: { max: 0 } });
    await openai.chat.completions.create(ask);
    const { body } = await upstream.request(0);
    expect(JSON.stringify(body)).toMatch(/"enum":\["read_[0-9a-f]+"\]/);
  });
});
