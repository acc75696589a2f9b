import { chatMessage, chatStream } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import { gatewayForTest, upstreamForTest } from './for-test.ts';
import { readTool } from './start-test-gateway.ts';

const leaked = '<tool_call>\n{"name": "read", "arguments": {"path": "a.txt"}}\n</tool_call>';
const dsml =
  '<｜DSML｜function_calls>\n<｜DSML｜invoke name="read">\n<｜DSML｜parameter name="path" string="true">a.txt</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>';
const messages = [{ role: 'user', content: 'Read it.' }];

/** A gateway before a server whose model calls natively. */
async function native(rule: object = {}) {
  const upstream = await upstreamForTest();
  const m = { toolCalling: 'native', ...rule };
  const gateway = await gatewayForTest({
    config: { upstreams: { up: { wire: 'openai-chat', baseUrl: upstream.baseUrl, models: { m } } } },
  });
  const chat = async (body: object = {}) => {
    const response = await gateway.post({ model: 'up/m', messages, tools: [readTool], ...body });
    expect(response.status).toBe(200);
    return response;
  };
  const whole = async (body: object = {}) => {
    const { choices } = await (await chat(body)).json();
    const [{ message, finish_reason: finish }] = choices;
    const calls = (message.tool_calls ?? []).map((each: { function: object }) => each.function);
    return { said: message.content, calls, finish };
  };
  return { upstream, gateway, chat, whole };
}

const call = { name: 'read', arguments: '{"path":"a.txt"}' };
const normal = ({ name, arguments: json }: { name: string; arguments: string }) => ({
  name,
  arguments: JSON.stringify(JSON.parse(json)),
});

describe('markup of calls in the text of a native model', () => {
  it.each([
    ['Hermes', leaked],
    ['DSML', dsml],
    ['harmony', '<|channel|>commentary to=functions.read <|constrain|>json<|message|>{"path":"a.txt"}<|call|>'],
    ['Kimi', '<|tool_call_begin|>functions.read:0<|tool_call_argument_begin|>{"path":"a.txt"}<|tool_call_end|>'],
    ['Mistral', '[TOOL_CALLS]read[ARGS]{"path":"a.txt"}'],
  ])('of %s is a call, whole and streamed, and is told of', async (_, markup) => {
    const { upstream, gateway, chat, whole } = await native();
    upstream.next(chatMessage(`I look.\n${markup}`), chatStream(`I look.\n${markup}`));
    const { said, calls, finish } = await whole();
    expect([said, calls.map(normal), finish]).toEqual(['I look.\n', [call], 'tool_calls']);
    const record = await gateway.record(({ warnings }) => warnings !== undefined);
    expect(record.warnings).toMatchObject({ 'call-rescued': 1 });
    const stream = await (await chat({ stream: true })).text();
    expect(stream).toContain('"name":"read"');
    expect(stream).toContain('"finish_reason":"tool_calls"');
    expect(stream).not.toContain(markup.slice(0, 8));
  });

  it('is a call for a client of Messages, too', async () => {
    const { upstream, gateway } = await native();
    upstream.next(chatStream(`I look.\n${leaked}`), chatMessage(leaked));
    const tools = [{ name: 'read', input_schema: readTool.function.parameters }];
    const body = { model: 'up/m', max_tokens: 100, messages, tools };
    const ask = (fields: object) =>
      fetch(`${gateway.url}/v1/messages`, { method: 'POST', body: JSON.stringify({ ...body, ...fields }) });
    const stream = await (await ask({ stream: true })).text();
    expect(stream).toContain('"type":"tool_use"');
    expect(stream).toContain('"stop_reason":"tool_use"');
    const { content } = await (await ask({})).json();
    expect(content).toEqual([{ type: 'tool_use', id: expect.any(String), name: 'read', input: { path: 'a.txt' } }]);
  });

  it.each([
    ['the rule switches it off', { rescue: false }, {}],
    ['no tool may be called', {}, { tool_choice: 'none' }],
    ['the user has written the same marker', {}, { messages: [{ role: 'user', content: 'What is <tool_call>?' }] }],
  ])('stays text where %s', async (_, rule, body) => {
    const { upstream, whole } = await native(rule);
    upstream.next(chatMessage(leaked));
    expect(await whole(body)).toEqual({ said: leaked, calls: [], finish: 'stop' });
  });

  it.each([`Write it so:\n\`\`\`\n${leaked}\n\`\`\``, 'Put `<tool_call>` in front, or <invoke name="read">.'])(
    'stays text where it is shown: %s',
    async (text) => {
      const { upstream, whole } = await native();
      upstream.next(chatMessage(text));
      expect(await whole()).toEqual({ said: text, calls: [], finish: 'stop' });
    },
  );
});

describe('a model whose dialect nobody knows', () => {
  const rule = { toolCalling: 'text' };

  it.each([
    leaked,
    dsml,
    '[TOOL_CALLS]read[ARGS]{"path":"a.txt"}',
    '{"name": "read", "parameters": {"path": "a.txt"}}',
    '```json\n{"name": "read", "arguments": {"path": "a.txt"}}\n```',
  ])('E-080: its calls are read in whatever form it writes: %s', async (markup) => {
    const { upstream, whole } = await native(rule);
    upstream.next(chatMessage(`I look.\n${markup}`));
    const { said, calls, finish } = await whole();
    expect([said, calls.map(normal), finish]).toEqual(['I look.\n', [call], 'tool_calls']);
    const sent = upstream.requests.map(({ text }) => text).join();
    expect(sent).toContain('<tool_call>');
    expect(sent).not.toContain('"tools":');
  });
});
