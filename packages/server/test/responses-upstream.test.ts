import type { ScriptedReply, ScriptedUpstream } from '@dragoman/testkit';
import OpenAI from 'openai';
import { beforeEach, describe, expect, it } from 'vitest';
import { gatewayForTest, upstreamForTest } from './for-test.ts';
import { checkTurn } from './recorded-fetch.ts';
import { checkResponseStream } from './recorded-responses.ts';
import type { TestGateway } from './start-test-gateway.ts';

let upstream: ScriptedUpstream;
let gateway: TestGateway;

beforeEach(async () => {
  upstream = await upstreamForTest();
  gateway = await gatewayForTest({
    config: {
      upstreams: {
        up: {
          wire: 'openai-responses',
          baseUrl: upstream.baseUrl,
          apiKey: 'upstream-key',
          models: { native: { toolCalling: 'native' }, text: { toolCalling: { dialect: 'hermes' } } },
        },
      },
    },
  });
});

const client = () => new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'any', maxRetries: 0 });

/** A reply as a server of this API streams it. */
function reply(items: readonly object[], more: object = {}): ScriptedReply {
  const frame = (type: string, fields: object) => ({
    text: `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`,
  });
  const response = { id: 'resp_up', model: 'real', status: 'completed', output: items, ...more };
  const steps = items.flatMap((item, index) => {
    const about = { output_index: index, item_id: 'id' in item ? item.id : undefined };
    const deltas =
      'arguments' in item && typeof item.arguments === 'string'
        ? [...item.arguments].map((delta) => frame('response.function_call_arguments.delta', { ...about, delta }))
        : 'content' in item && Array.isArray(item.content)
          ? [...item.content[0].text].map((delta) => frame('response.output_text.delta', { ...about, delta }))
          : [];
    const added = 'arguments' in item ? { ...item, arguments: '' } : { ...item, content: [] };
    return [
      frame('response.output_item.added', { output_index: index, item: added }),
      ...deltas,
      frame('response.output_item.done', { output_index: index, item }),
    ];
  });
  return {
    steps: [
      frame('response.created', { response: { ...response, status: 'in_progress', output: [] } }),
      ...steps,
      frame('response.completed', { response }),
    ],
  };
}

const text = (words: string) => ({
  type: 'message',
  id: 'msg_up',
  role: 'assistant',
  content: [{ type: 'output_text', text: words, annotations: [] }],
});
const call = { type: 'function_call', id: 'fc_up', call_id: 'call_up', name: 'read', arguments: '{"path":"a.txt"}' };
const reasoning = { type: 'reasoning', id: 'rs_up', summary: [], encrypted_content: 'sealed' };
const usage = {
  input_tokens: 5,
  output_tokens: 3,
  total_tokens: 8,
  input_tokens_details: { cached_tokens: 2 },
  output_tokens_details: { reasoning_tokens: 1 },
};
const readTool = {
  type: 'function' as const,
  name: 'read',
  parameters: { type: 'object', properties: { path: { type: 'string' } } },
  strict: false,
};

describe('an upstream that speaks the Responses API', () => {
  it('E-013 C-137 gets back the id, the arguments and the sealed reasoning that it sent', async () => {
    upstream.next(reply([reasoning, text('I read.'), call], { usage }), reply([text('It says hi.')], { usage }));
    const body = { model: 'up/native', tools: [readTool], include: ['reasoning.encrypted_content' as const] };
    const first = await client()
      .responses.stream({ ...body, input: 'Read a.txt' })
      .finalResponse();
    expect(first.output.map(({ type }) => type)).toEqual(['reasoning', 'message', 'function_call']);
    expect(first.output[2]).toMatchObject({ call_id: 'call_up', arguments: '{"path":"a.txt"}' });
    expect(first.usage).toEqual(usage);
    const second = await client().responses.create({
      ...body,
      previous_response_id: first.id,
      input: [{ type: 'function_call_output', call_id: 'call_up', output: 'hi' }],
    });
    expect(second.output_text).toBe('It says hi.');
    const sent = (await upstream.request(1)).body;
    expect(sent).toMatchObject({
      model: 'native',
      store: false,
      stream: true,
      input: [
        { role: 'user', content: [{ type: 'input_text', text: 'Read a.txt' }] },
        { type: 'reasoning', encrypted_content: 'sealed' },
        { role: 'assistant' },
        { type: 'function_call', call_id: 'call_up', name: 'read', arguments: '{"path":"a.txt"}' },
        { type: 'function_call_output', call_id: 'call_up', output: 'hi' },
      ],
    });
    expect(sent).not.toHaveProperty('previous_response_id');
    expect((await upstream.request(1)).path).toBe('/v1/responses');
  });

  it('serves clients of Chat Completions, natively and through a dialect', async () => {
    const chatTool = { type: 'function', function: { name: 'read', parameters: readTool.parameters } };
    const asked = (model: string) => ({
      model,
      stream: true,
      stream_options: { include_usage: true },
      messages: [{ role: 'user', content: 'Read a.txt' }],
      tools: [chatTool],
    });
    upstream.next(reply([text('I read.'), call], { usage }));
    const native = checkTurn(await (await gateway.post(asked('up/native'))).text(), true);
    expect(native.aiSdk.calls).toMatchObject([{ id: 'call_up', name: 'read', arguments: '{"path":"a.txt"}' }]);
    upstream.next(reply([text('<tool_call>{"name":"read","arguments":{"path":"a.txt"}}</tool_call>')], { usage }));
    const written = checkTurn(await (await gateway.post(asked('up/text'))).text(), true);
    expect(written.aiSdk.calls).toMatchObject([{ name: 'read', arguments: '{"path":"a.txt"}' }]);
    const prompt = JSON.stringify((await upstream.request(1)).body);
    expect(prompt).toContain('<tool_call>');
    expect((await upstream.request(1)).body).not.toHaveProperty('tools');
  });

  it('C-063 a failure and a cut reach the client as failures, with what came before', async () => {
    const stream = async () => {
      const answer = await fetch(`${gateway.url}/v1/responses`, {
        method: 'POST',
        body: JSON.stringify({ model: 'up/native', input: 'x', stream: true }),
      });
      const all = await answer.text();
      checkResponseStream(all);
      return all;
    };
    const whole = [...reply([text('half')]).steps];
    upstream.next({ steps: whole.slice(0, 4) });
    const cut = await stream();
    expect(cut).toContain('event: response.failed');
    expect(cut).toContain('upstream_cut');
    const failed = { type: 'response.failed', response: { error: { code: 'server_error', message: 'no more' } } };
    upstream.next({ steps: [...whole.slice(0, 4), { text: `data: ${JSON.stringify(failed)}\n\n` }] });
    expect(await stream()).toContain('no more');
  });

  it('C-130 free tools and groups of tools go out and come back as the client declared them', async () => {
    upstream.next(
      reply([
        { ...call, id: 'fc_1', call_id: 'c1', name: 'apply_patch', arguments: '{"input":"*** Begin Patch"}' },
        { ...call, id: 'fc_2', call_id: 'c2', name: 'mcp__db__query', arguments: '{}' },
      ]),
    );
    const answer = await fetch(`${gateway.url}/v1/responses`, {
      method: 'POST',
      body: JSON.stringify({
        model: 'up/native',
        input: 'x',
        tools: [
          { type: 'custom', name: 'apply_patch', description: 'Edits files.' },
          { type: 'namespace', name: 'mcp__db', tools: [{ type: 'function', name: 'query', parameters: {} }] },
          { type: 'web_search' },
        ],
      }),
    });
    expect((await answer.json()).output).toMatchObject([
      { type: 'custom_tool_call', call_id: 'c1', name: 'apply_patch', input: '*** Begin Patch' },
      { type: 'function_call', call_id: 'c2', name: 'query', namespace: 'mcp__db', arguments: '{}' },
    ]);
    expect((await upstream.request(0)).body).toMatchObject({
      tools: [{ name: 'apply_patch' }, { name: 'mcp__db__query' }],
    });
    expect(await gateway.record(({ route }) => route === '/v1/responses')).toMatchObject({
      warnings: { 'tool-dropped': 1 },
    });
  });
});
