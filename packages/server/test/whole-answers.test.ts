import { chatMessage, chatStream, jsonReply, type ScriptedReply, type ScriptedUpstream } from '@dragoman/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { gatewayForTest, upstreamForTest } from './for-test.ts';
import type { TestGateway } from './start-test-gateway.ts';

let upstream: ScriptedUpstream;
let gateway: TestGateway;

const models = {
  tags: { toolCalling: { dialect: 'cline-xml' } },
  text: { toolCalling: { dialect: 'hermes' } },
  native: { toolCalling: 'native' },
};

beforeEach(async () => {
  upstream = await upstreamForTest();
  const up = { wire: 'openai-chat', baseUrl: upstream.baseUrl, models };
  gateway = await gatewayForTest({ config: { upstreams: { up } } });
});

const tool = (name: string, ...required: string[]) => ({
  type: 'function',
  function: {
    name,
    parameters: {
      type: 'object',
      properties: Object.fromEntries(required.map((each) => [each, { type: 'string' }])),
      required,
    },
  },
});
const asked = {
  model: 'up/tags',
  messages: [{ role: 'user', content: 'Go on.' }],
  tools: [tool('read', 'filePath'), tool('bash', 'command')],
};
const read = (path: string) => `<read>\n<filePath>${path}</filePath>\n</read>`;

async function whole(reply: ScriptedReply, body: object = asked) {
  upstream.next(reply);
  const response = await gateway.post(body);
  return { status: response.status, body: await response.json() };
}

describe('a whole answer', () => {
  it('B-070: finish_reason is tool_calls with calls and stop without', async () => {
    const called = await whole(chatStream(read('a.md')));
    expect(called.body.choices[0].finish_reason).toBe('tool_calls');
    const said = await whole(chatStream('Nothing to call.'));
    expect(said.body.choices[0].finish_reason).toBe('stop');
    expect(said.body.choices[0].message).not.toHaveProperty('tool_calls');
  });

  it('B-071: content is null when there are only calls, and kept when there is text', async () => {
    const only = await whole(chatStream(read('a.md')));
    expect(only.body.choices[0].message.content).toBeNull();
    const both = await whole(chatStream(`I'll help with that.\n${read('a.md')}`));
    expect(both.body.choices[0].message.content).toBe("I'll help with that.\n");
  });

  it('B-071: content of calls alone is empty text where the configuration says so', async () => {
    await gateway.close();
    gateway = await gatewayForTest({
      config: {
        clientWires: { 'openai-chat': { emptyStringContent: true } },
        upstreams: { up: { wire: 'openai-chat', baseUrl: upstream.baseUrl, models } },
      },
    });
    const only = await whole(chatStream(read('a.md')));
    expect(only.body.choices[0].message).toMatchObject({ content: '', tool_calls: [{ function: { name: 'read' } }] });
  });

  it('B-072 B-058 B-059: id, object, created, model, one choice, usage, and calls in the OpenAI shape', async () => {
    const before = Math.floor(Date.now() / 1000);
    const { body } = await whole(chatStream(read('a.md')));
    expect(body).toEqual({
      id: expect.stringMatching(/^chatcmpl-[0-9a-f]{24}$/),
      object: 'chat.completion',
      created: expect.any(Number),
      model: 'up/tags',
      system_fingerprint: null,
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: null,
            refusal: null,
            tool_calls: [
              {
                id: expect.stringMatching(/^call_[0-9a-f]{24}$/),
                type: 'function',
                function: { name: 'read', arguments: '{"filePath":"a.md"}' },
              },
            ],
          },
          logprobs: null,
          finish_reason: 'tool_calls',
        },
      ],
      usage: {
        prompt_tokens: expect.any(Number),
        completion_tokens: expect.any(Number),
        total_tokens: expect.any(Number),
      },
    });
    expect(body.created - before).toBeLessThan(5);
  });

  it('B-074: usage of the upstream is passed on', async () => {
    const { body } = await whole(chatStream('Hi', { usage: { prompt: 10, completion: 5 } }));
    expect(body.usage).toEqual({ prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 });
    const record = await gateway.record((each) => each.status === 200);
    expect(record.usage).toMatchObject({ source: 'upstream' });
  });

  it('B-075: usage is counted here when the upstream gives none, and the log says so', async () => {
    const { body } = await whole(chatMessage('Hello there'));
    const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = body.usage;
    expect(Math.min(prompt, completion)).toBeGreaterThan(0);
    expect(total).toBe(prompt + completion);
    const record = await gateway.record((each) => each.status === 200);
    expect(record.usage).toMatchObject({ source: 'counted' });
  });

  it.each([undefined, null, ''])('B-076: upstream content %j gives empty content', async (content) => {
    const message = { role: 'assistant', ...(content === undefined ? {} : { content }) };
    const { status, body } = await whole(jsonReply(200, { choices: [{ index: 0, message, finish_reason: 'stop' }] }));
    expect(status).toBe(200);
    expect(body.choices[0]).toMatchObject({ message: { content: '' }, finish_reason: 'stop' });
  });

  it('B-042: the fourteen names of coding agents fire when declared, in one text, in order', async () => {
    const names =
      'read write edit bash glob grep list_files search_files execute_command read_file write_to_file apply_diff attempt_completion ask_followup_question'.split(
        ' ',
      );
    const text = names.map((name) => `Now ${name}:\n<${name}>\n<value>v</value>\n</${name}>`).join('\n');
    const { body } = await whole(chatStream(text), { ...asked, tools: names.map((name) => tool(name, 'value')) });
    expect(
      body.choices[0].message.tool_calls.map((call: { function: { name: string } }) => call.function.name),
    ).toEqual(names);
  });
});
