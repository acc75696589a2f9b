import { readFileSync } from 'node:fs';
import { chatStream } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import { deriveFromSource } from '../src/derive/derive-from-source.ts';
import { gatewayForTest, upstreamForTest } from './for-test.ts';
import { readTool } from './start-test-gateway.ts';

const reply = 'I look.\n<|section|><|call|>read<|args|>{"path": "a.txt"}<|/call|><|/section|><|im_end|>';

/** The table that `dragoman derive` finds in the template of such a model. */
async function derived(): Promise<object> {
  const source = readFileSync(new URL('chat-templates/headed.jinja', import.meta.url), 'utf8');
  const { table } = await deriveFromSource({ source, variables: {}, eos: '', hasResponseTemplate: false });
  return { table };
}

const responseTemplate = {
  start_anchor: '<|im_start|>assistant\n',
  fields: {
    tool_calls: {
      open_pattern: '<\\|section\\|>\\s*<\\|call\\|>(?P<name>\\w+)<\\|args\\|>',
      close: '<|/call|>',
      content: 'json',
      transform: { type: 'function', function: { name: '{name}', arguments: '{content}' } },
    },
    content: { close: ['<|/section|>', '<|im_end|>'] },
  },
};

/** A gateway whose model writes in a dialect that only the configuration knows. */
async function gatewayWith(dialect: object, replies: readonly string[]) {
  const upstream = await upstreamForTest();
  upstream.next(...replies.map((text) => chatStream(text)));
  const up = {
    wire: 'openai-chat',
    baseUrl: upstream.baseUrl,
    models: { m: { toolCalling: { dialect: 'own' } } },
  };
  const gateway = await gatewayForTest({ config: { dialects: { own: dialect }, upstreams: { up } } });
  const ask = async (messages: readonly object[]) => {
    const response = await gateway.post({ model: 'up/m', messages, tools: [readTool] });
    expect(response.status).toBe(200);
    return (await response.json()).choices[0];
  };
  return { ask, prompts: () => upstream.requests.map(({ text }) => JSON.parse(text)) };
}

describe.each([
  ['derived from a chat template', derived],
  ['read from a response template', async () => ({ responseTemplate })],
])('a dialect %s', (_, make) => {
  it('gives a model that nobody has heard of native tool calls, and its history back as it writes it', async () => {
    const { ask, prompts } = await gatewayWith(await make(), [reply, 'It says alpha.<|im_end|>']);
    const asked = { role: 'user', content: 'What is in a.txt?' };
    const first = await ask([asked]);
    expect(first).toMatchObject({ finish_reason: 'tool_calls', message: { content: 'I look.\n' } });
    const [call] = first.message.tool_calls;
    expect(call.function).toEqual({ name: 'read', arguments: '{"path": "a.txt"}' });
    const result = { role: 'tool', tool_call_id: call.id, content: 'alpha' };
    const second = await ask([asked, first.message, result]);
    expect(second).toMatchObject({ finish_reason: 'stop', message: { content: 'It says alpha.' } });
    const [taught, told] = prompts();
    expect(taught.tools).toBeUndefined();
    expect(taught.messages[0].content).toContain('<|call|>TOOL_NAME<|args|>{"PARAMETER": "VALUE"}<|/call|>');
    const [, , calling, answered] = told.messages;
    expect(calling.content).toContain('<|call|>read<|args|>{"path": "a.txt"}<|/call|>');
    expect(answered).toEqual({ role: 'user', content: '<tool_response>\nalpha\n</tool_response>' });
  });

  it('has a demo model, which needs no server', async () => {
    const gateway = await gatewayForTest({ config: { dialects: { own: await make() }, models: { gpt: 'demo/own' } } });
    const { data } = await (await fetch(`${gateway.url}/v1/models`)).json();
    expect(data.map(({ id }: { id: string }) => id)).toContain('demo/own');
    const messages = [{ role: 'user', content: 'Read a.txt' }];
    for (const model of ['demo/own', 'gpt']) {
      const { choices } = await (await gateway.post({ model, messages, tools: [readTool] })).json();
      const [call] = choices[0].message.tool_calls;
      expect(call.function).toMatchObject({ name: 'read', arguments: expect.stringContaining('"a.txt"') });
    }
  });
});
