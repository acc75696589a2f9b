import { chatStream, startChatPlatform } from '@dragoman/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { gatewayForTest, upstreamForTest } from './for-test.ts';
import { description } from './platform-setup.ts';
import { readTool } from './start-test-gateway.ts';

const prose = 'You could read the file a.txt.';
const call = '<tool_call>\n{"name": "read", "arguments": {"path": "a.txt"}}\n</tool_call>';
const asked = { role: 'user', content: 'Read it.' };
const required = { tools: [readTool], tool_choice: 'required' };

/** A model that says these one after another, and a gateway in front of it. */
async function saying(replies: readonly string[], nudge: object = { max: 1 }, rule: object = {}) {
  const upstream = await upstreamForTest();
  upstream.next(...replies.map((text) => chatStream(text)));
  const m = { toolCalling: { dialect: 'hermes' }, nudge, ...rule };
  const gateway = await gatewayForTest({
    config: { upstreams: { up: { wire: 'openai-chat', baseUrl: upstream.baseUrl, models: { m } } } },
  });
  const ask = async (body: object = required) => {
    const response = await gateway.post({ model: 'up/m', messages: [asked], ...body });
    expect(response.status).toBe(200);
    const { choices, usage } = await response.json();
    const { message, finish_reason: finish } = choices[0];
    return { said: message.content, calls: message.tool_calls?.length ?? 0, finish, usage };
  };
  const sent = () => upstream.requests.map(({ text }) => JSON.parse(text).messages);
  return { gateway, ask, sent };
}

describe('a call that is required', () => {
  it('B-033 A-049: is asked for once more when the model answers in words, and both come as one reply', async () => {
    const { gateway, ask, sent } = await saying([prose, `Of course.\n${call}`]);
    const { usage, ...reply } = await ask();
    expect(reply).toEqual({ said: `${prose}\n\nOf course.\n`, calls: 1, finish: 'tool_calls' });
    const [first, second] = sent();
    expect(second.slice(0, first.length)).toEqual(first);
    expect(second.slice(first.length)).toEqual([
      { role: 'assistant', content: prose },
      { role: 'user', content: expect.stringMatching(/call that is needed.*\(To call a tool.*<tool_call>/s) },
    ]);
    const record = await gateway.record(({ warnings }) => warnings !== undefined);
    expect(record.warnings).toMatchObject({ 'call-nudged': 1 });
    expect(usage.total_tokens).toBe(usage.prompt_tokens + usage.completion_tokens);
  });

  it('B-033: is none where the call came in another form that the rule names', async () => {
    const json = JSON.stringify({ name: 'read', arguments: { path: 'a.txt' } });
    const reply = `I look.\n\`\`\`tool_code\n${json}\n\`\`\``;
    const rule = { alsoReads: ['gemma-fence'] };
    const { ask, sent } = await saying([reply, call], { max: 1 }, rule);
    expect(await ask()).toMatchObject({ said: 'I look.\n', calls: 1, finish: 'tool_calls' });
    expect(sent()).toHaveLength(1);
    const strict = await saying([reply, call], { max: 0 });
    expect(await strict.ask()).toMatchObject({ said: reply, calls: 0, finish: 'stop' });
  });

  it('B-033: is asked for at most so often', async () => {
    const { ask, sent } = await saying([prose, 'I cannot.', call]);
    expect(await ask()).toMatchObject({ said: `${prose}\n\nI cannot.`, calls: 0, finish: 'stop' });
    expect(sent()).toHaveLength(2);
  });

  it.each([
    ['none is required', { tools: [readTool] }, [prose, call], { max: 1 }],
    ['the rule does not say so', required, [prose, call], {}],
    ['one was made', required, [call, call], { max: 1 }],
  ] as const)('is not asked for when %s', async (_, body, replies, nudge) => {
    const { ask, sent } = await saying(replies, nudge);
    await ask(body);
    expect(sent()).toHaveLength(1);
  });

  it('streams: the words leave before the call is asked for, and there is one beginning and one end', async () => {
    const { gateway } = await saying([prose, call]);
    const response = await gateway.post({ model: 'up/m', messages: [asked], ...required, stream: true });
    const frames = (await response.text()).split('\n\n').filter((frame) => frame.startsWith('data: {'));
    const choices = frames.flatMap((frame) => JSON.parse(frame.slice(6)).choices);
    expect(choices.filter(({ delta }) => delta.role !== undefined)).toHaveLength(1);
    expect(choices.map(({ delta }) => delta.content ?? '').join('')).toBe(prose);
    expect(choices.flatMap(({ finish_reason: finish }) => finish ?? [])).toEqual(['tool_calls']);
  });

  it('an upstream that fails when it is asked again is an error after what was said', async () => {
    const { gateway } = await saying([prose]);
    const response = await gateway.post({ model: 'up/m', messages: [asked], ...required, stream: true });
    const frames = (await response.text()).split('\n\n').filter((frame) => frame.startsWith('data: {'));
    const bodies = frames.map((frame) => JSON.parse(frame.slice(6)));
    expect(bodies.map(({ choices }) => choices?.[0].delta.content ?? '').join('')).toBe(prose);
    expect(bodies.flatMap(({ error }) => error?.code ?? [])).toEqual(['upstream_failed']);
  });
});

it('B-033: a platform hears the nudge in the same conversation, and the next request goes on after it', async () => {
  const platform = await startChatPlatform({
    answer: ({ before }) => [prose, call, 'alpha it is.'][before.length] ?? 'more',
  });
  onTestFinished(() => platform.close());
  const m = { toolCalling: { dialect: 'hermes' }, nudge: { max: 1 } };
  const upstreams = {
    platform: { wire: 'conversation', baseUrl: platform.baseUrl, conversation: description, models: { m } },
  };
  const gateway = await gatewayForTest({ config: { upstreams } });
  const ask = async (messages: readonly object[], body: object = required) => {
    const response = await gateway.post({ model: 'platform/m', messages, ...body });
    expect(response.status).toBe(200);
    return (await response.json()).choices[0].message;
  };
  const reply = await ask([asked]);
  expect(reply.content).toBe(prose);
  const [{ id }] = reply.tool_calls;
  const result = { role: 'tool', tool_call_id: id, content: 'alpha' };
  expect((await ask([asked, reply, result], { tools: [readTool] })).content).toBe('alpha it is.');
  expect(platform.chats.size).toBe(1);
  const [turns = []] = platform.chats.values();
  expect(turns).toHaveLength(3);
  expect(turns[1]?.text).toContain('Your reply lacks the call');
  expect(turns[1]?.text).not.toContain('Read it.');
  expect(turns[2]?.text).not.toContain('Read it.');
});
