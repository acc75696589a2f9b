import { chatStream, errorReply, jsonReply, type ScriptedReply, sample } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import { ask, call, pathsIn, wires } from './call-choices.ts';
import { gatewayForTest, upstreamForTest } from './for-test.ts';
import { readTool } from './start-test-gateway.ts';

/** What servers answer that take no tools, as they write it; vLLM and llama.cpp serve several APIs. */
const refusals: readonly (readonly [server: string, wire: string, reply: ScriptedReply])[] = [
  [
    'vLLM',
    'openai-chat',
    errorReply(400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
  ],
  ['vLLM', 'openai-chat', errorReply(400, 'tool_choice="required" requires --tool-call-parser to be set')],
  ['llama.cpp', 'openai-chat', errorReply(500, 'tools param requires --jinja flag')],
  ['Ollama', 'openai-chat', errorReply(400, 'registry.ollama.ai/library/m:latest does not support tools')],
  ['OpenRouter', 'openai-chat', errorReply(404, 'No endpoints found that support tool use.')],
];

async function before(...replies: readonly ScriptedReply[]) {
  const upstream = await upstreamForTest();
  upstream.next(...replies);
  const up = { wire: 'openai-chat', baseUrl: upstream.baseUrl, models: { m: {} } };
  return { upstream, gateway: await gatewayForTest({ config: { upstreams: { up } } }) };
}

/** Streams of the Responses API say each call more than once. */
const calledIn = (answer: unknown) => [...new Set(pathsIn(answer))];
const hasTools = (body: unknown) => 'tools' in Object(body);

describe.each(sample(Object.entries(wires), 2))('clients of %s', (_, wire) => {
  it.each(refusals)('do not notice that %s refuses tools over %s', async (_server, _wire, refusal) => {
    const { gateway, upstream } = await before(refusal, chatStream(call('a')), chatStream(call('b')));
    const streamed = await ask(gateway, wire, { choice: 'auto', stream: true });
    expect(calledIn(streamed)).toEqual(['a']);
    expect(calledIn(await ask(gateway, wire, { choice: 'auto' }))).toEqual(['b']);
    expect(upstream.requests.map(({ body }) => hasTools(body))).toEqual([true, false, false]);
  });

  it('get a call that came as text, and the next one from a model that was taught', async () => {
    const { gateway, upstream } = await before(chatStream(call('a')), chatStream(call('b')));
    expect(calledIn(await ask(gateway, wire, { choice: 'auto' }))).toEqual(['a']);
    expect(calledIn(await ask(gateway, wire, { choice: 'auto', stream: true }))).toEqual(['b']);
    expect(upstream.requests.map(({ body }) => hasTools(body))).toEqual([true, false]);
  });
});

it('whoever runs the gateway is told once what was learnt, and each client in a header', async () => {
  const refusal = errorReply(400, 'm does not support tools');
  const { gateway } = await before(refusal, chatStream(call('a')), chatStream(call('b')));
  const body = { model: 'up/m', messages: [{ role: 'user', content: 'Go' }], tools: [readTool] };
  const warnings = [];
  for (let round = 0; round < 2; round += 1) {
    const answer = await gateway.post(body);
    warnings.push(answer.headers.get('x-dragoman-warnings'));
  }
  expect(warnings).toEqual(['model-learnt=1', null]);
  const record = await gateway.record(({ warnings }) => warnings !== undefined);
  expect(record).toMatchObject({ dialect: 'any', warnings: { 'model-learnt': 1 } });
  const lines = gateway.records().filter(({ msg }) => String(msg).startsWith('learnt of'));
  expect(lines.map(({ msg }) => msg)).toEqual([
    'learnt of the model "m" of "up": its server refuses tools, so it is taught them',
  ]);
});

it('Responses of vLLM, which leave tools out without a word, are found out by what they have read', async () => {
  // As vLLM 0.32 answers: the prompt has as many tokens as without tools.
  const ignoring = jsonReply(200, {
    id: 'resp_1',
    object: 'response',
    status: 'completed',
    model: 'm',
    output: [
      {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'I cannot read files.', annotations: [] }],
      },
    ],
    usage: { input_tokens: 15, input_tokens_details: { cached_tokens: 0 }, output_tokens: 5, total_tokens: 20 },
  });
  const upstream = await upstreamForTest();
  upstream.next(ignoring, ignoring);
  const up = { wire: 'openai-responses', baseUrl: upstream.baseUrl, models: { m: {} } };
  const gateway = await gatewayForTest({ config: { upstreams: { up } } });
  const description =
    'Reads a file of the project and returns its text, with the number of each line before it, so that others can name lines.';
  const tool = { type: 'function', function: { ...readTool.function, description } };
  const body = { model: 'up/m', messages: [{ role: 'user', content: 'Read a.txt.' }], tools: [tool] };
  const first = await gateway.post(body);
  expect(first.headers.get('x-dragoman-warnings')).toBe('model-learnt=1');
  expect(JSON.stringify(await first.json())).toContain('I cannot read files.');
  await gateway.post(body);
  expect(upstream.requests.map(({ body: sent }) => hasTools(sent))).toEqual([true, false]);
});

it('a model that wants max_completion_tokens gets it, also where frames pass as they are', async () => {
  const refusal = jsonReply(400, {
    error: {
      message:
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      type: 'invalid_request_error',
      param: 'max_tokens',
      code: 'unsupported_parameter',
    },
  });
  const upstream = await upstreamForTest();
  upstream.next(refusal, chatStream('Hi'), chatStream('Yes'));
  const rule = { toolCalling: 'native', passthrough: 'always' };
  const up = { wire: 'openai-chat', baseUrl: upstream.baseUrl, models: { m: rule } };
  const gateway = await gatewayForTest({ config: { upstreams: { up } } });
  const body = { model: 'up/m', messages: [{ role: 'user', content: 'Go' }], max_tokens: 9, stream: true };
  for (const text of ['Hi', 'Yes']) expect(await (await gateway.post(body)).text()).toContain(text);
  expect(upstream.requests.map(({ body: sent }) => Object(sent).max_completion_tokens)).toEqual([undefined, 9, 9]);
});

/** As llama.cpp's server answers, and the wheel of it that tests run. */
const llamaList = jsonReply(200, {
  object: 'list',
  data: [{ id: 'm', object: 'model', owned_by: 'llamacpp', meta: { n_ctx: 8192, n_ctx_train: 8192 } }],
});
const llamaProps = (template: string, tools: boolean) =>
  jsonReply(200, {
    default_generation_settings: { n_ctx: 4096 },
    total_slots: 2,
    model_path: '/m.gguf',
    modalities: { vision: false },
    chat_template: template,
    chat_template_caps: { supports_tools: tools, supports_tool_calls: tools },
    build_info: 'b1',
  });

it.each([
  ['knows no tools', false],
  ['knows tools', true],
])('a llama.cpp server whose template %s is known before it is asked anything', async (_, tools) => {
  const upstream = await upstreamForTest();
  upstream.next(llamaList, llamaProps('{{ messages }}', tools), chatStream(call('a')));
  const up = { wire: 'openai-chat', baseUrl: upstream.baseUrl, anyModel: {} };
  const gateway = await gatewayForTest({ config: { upstreams: { up } } });
  const { data } = await (await fetch(`${gateway.url}/v1/models`)).json();
  expect(data).toMatchObject([{ id: 'up/m', context_window: 4096 }]);
  const answer = await gateway.post({ model: 'up/m', messages: [{ role: 'user', content: 'Go' }], tools: [readTool] });
  expect(calledIn(await answer.json())).toEqual(['a']);
  expect(upstream.requests.map(({ path }) => path)).toEqual(['/v1/models', '/props', '/v1/chat/completions']);
  expect(hasTools(upstream.requests[2]?.body)).toBe(tools);
});
