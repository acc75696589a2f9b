import { chatStream, type ScriptedReply, type ScriptedUpstream } from '@dragoman/testkit';
import OpenAI from 'openai';
import { beforeEach, describe, expect, it } from 'vitest';
import { gatewayForTest, upstreamForTest } from './for-test.ts';

let upstream: ScriptedUpstream;
let client: OpenAI;

beforeEach(async () => {
  upstream = await upstreamForTest();
  const gateway = await gatewayForTest({ upstream });
  client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'any', maxRetries: 0 });
});

const patch = '*** Begin Patch\n+"naïve" <b>\\n</b> 🦉\n*** End Patch';
const input = JSON.stringify({ input: patch });

const tools: OpenAI.ChatCompletionTool[] = [
  {
    type: 'custom',
    custom: {
      name: 'apply_patch',
      description: 'Changes files.',
      format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'start: /.+/' } },
    },
  },
  { type: 'function', function: { name: 'read', parameters: { type: 'object', properties: {} } } },
];

/** Both calls, as a server sends them that knows functions, and as a model writes them. */
const nativeReply = (): ScriptedReply => {
  const frame = (delta: object, finish: string | null = null) => ({
    text: `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
  });
  const call = (index: number, name: string, text: string) => ({
    index,
    id: `call_${name}`,
    type: 'function',
    function: { name, arguments: text },
  });
  const [first, rest] = [input.slice(0, 20), input.slice(20)];
  return {
    steps: [
      frame({ role: 'assistant', tool_calls: [call(0, 'apply_patch', first)] }),
      frame({ tool_calls: [{ index: 0, function: { arguments: rest } }] }),
      frame({ tool_calls: [call(1, 'read', '{}')] }),
      frame({}, 'tool_calls'),
      { text: 'data: [DONE]\n\n' },
    ],
  };
};
const textReply = () =>
  chatStream(
    `<tool_call>{"name":"apply_patch","arguments":${input}}</tool_call>\n<tool_call>{"name":"read","arguments":{}}</tool_call>`,
  );

const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Repair it.' }];

describe.each([
  ['up/native', nativeReply],
  ['up/text', textReply],
] as const)('custom tools and %s', (model, reply) => {
  it('their calls have the form that the client declared, streamed and whole', async () => {
    upstream.next(reply(), reply());
    const streamed = await client.chat.completions.stream({ model, messages, tools }).finalChatCompletion();
    const whole = await client.chat.completions.create({ model, messages, tools });
    for (const { choices } of [streamed, whole]) {
      expect(choices[0]?.finish_reason).toBe('tool_calls');
      expect(choices[0]?.message.content ?? '').toBe('');
      expect(choices[0]?.message.tool_calls).toMatchObject([
        { type: 'custom', custom: { name: 'apply_patch', input: patch } },
        { type: 'function', function: { name: 'read', arguments: '{}' } },
      ]);
    }
  });

  it('a call comes back with its result in the next request, and the model reads what it wrote', async () => {
    upstream.next(reply(), chatStream('Done.'));
    const { choices } = await client.chat.completions.create({ model, messages, tools });
    const said = choices[0]?.message ?? expect.fail('no message');
    const results = (said.tool_calls ?? []).map(({ id }) => ({
      role: 'tool' as const,
      tool_call_id: id,
      content: 'ok',
    }));
    const next = await client.chat.completions.create({ model, tools, messages: [...messages, said, ...results] });
    expect(next.choices[0]?.message.content).toBe('Done.');
    const told = JSON.stringify(upstream.requests[1]?.body);
    expect(told).toContain('apply_patch');
    expect(told).toContain('*** Begin Patch');
    expect(told).not.toContain('"custom"');
  });

  it('one of them can be asked for', async () => {
    upstream.next(reply());
    const tool_choice = { type: 'custom' as const, custom: { name: 'apply_patch' } };
    const { choices } = await client.chat.completions.create({ model, messages, tools, tool_choice });
    expect(choices[0]?.message.tool_calls?.[0]).toMatchObject({ type: 'custom' });
    const choice = { type: 'custom' as const, custom: { name: 'other' } };
    await expect(client.chat.completions.create({ model, messages, tools, tool_choice: choice })).rejects.toMatchObject(
      {
        status: 400,
        param: 'tool_choice',
      },
    );
  });
});
