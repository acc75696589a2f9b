import { chatFrames, chatStream, errorReply, type ScriptedReply, sample } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import { gatewayForTest, upstreamForTest } from './for-test.ts';
import { readTool } from './start-test-gateway.ts';

const prose = 'You could read the file a.txt.';
const wrong = '{"n": "many"}';
const usage = { prompt: 10, completion: 5 };
const call = '<tool_call>\n{"name": "read", "arguments": {"path": "a.txt"}}\n</tool_call>';
const requiresCall = { tools: [readTool], tool_choice: 'required' };
const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'], additionalProperties: false };
const requiresAnswer = { response_format: { type: 'json_schema', json_schema: { name: 'count', schema } } };

/** The beginning of a reply, and then something else. */
const beginning = (text: string, ...then: ScriptedReply['steps'][]): ScriptedReply => ({
  steps: [
    ...chatFrames(text, { finishReason: null, done: false }).map((each) => ({ text: each })),
    ...then.flatMap((each) => [...each]),
  ],
});

/** What the upstream may do when it is asked again, and what the client is told of it. */
const failures: readonly (readonly [what: string, second: (said: string) => ScriptedReply])[] = [
  ['refuses', () => errorReply(500, 'Too much.')],
  ['resets the connection', () => ({ steps: [{ cut: true }], holdHead: true })],
  ['says nothing at all', () => ({ steps: [{ stall: true }], holdHead: true })],
  ['says nothing after its head', () => ({ steps: [{ stall: true }] })],
  ['hangs in the middle', (said) => beginning(said, [{ stall: true }])],
  ['breaks off in the middle', (said) => beginning(said, [{ cut: true }])],
  ['ends without an end', (said) => beginning(said)],
  ['sends what is no reply', () => ({ steps: [{ text: '<html>Bad gateway</html>' }] })],
];

/** A model that says the first thing, and then something goes wrong. */
async function saying(first: ScriptedReply, second: ScriptedReply, answers = 'auto') {
  const upstream = await upstreamForTest();
  upstream.next(first, second);
  const m = { toolCalling: { dialect: 'hermes' }, nudge: { max: 1, answers } };
  const timeouts = { connect: 1000, firstToken: 1000, idle: 1000 };
  const up = { wire: 'openai-chat', baseUrl: upstream.baseUrl, models: { m }, timeouts };
  const gateway = await gatewayForTest({ config: { upstreams: { up } } });
  const ask = (body: object) =>
    gateway.post({ model: 'up/m', messages: [{ role: 'user', content: 'How many?' }], ...body });
  return { ask, upstream };
}

/** What a stream says: its text, calls, errors, ends and usage. */
async function framesOf(response: Response) {
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('data: {'));
  const frames = lines.map((line) => JSON.parse(line.slice(6)));
  const deltas = frames.flatMap(({ choices }) => (choices ?? []).map((choice: { delta: object }) => choice.delta));
  return {
    text: deltas.map(({ content }) => content ?? '').join(''),
    calls: deltas.flatMap(({ tool_calls: calls }) => calls ?? []).filter(({ id }) => id !== undefined).length,
    errors: frames.filter(({ error }) => error !== undefined).length,
    ends: frames.flatMap(({ choices }) => choices ?? []).flatMap((choice) => choice.finish_reason ?? []),
    usage: frames.find((frame) => frame.usage)?.usage,
  };
}

describe.each(sample(failures, 2))('an upstream that %s when it is asked again', (_, second) => {
  it('for a call: a stream has shown the words, and ends with one error; no call runs', async () => {
    const { ask, upstream } = await saying(chatStream(prose), second('Well then'));
    const { text, ...rest } = await framesOf(await ask({ ...requiresCall, stream: true }));
    expect(text.startsWith(prose)).toBe(true);
    expect(rest).toMatchObject({ calls: 0, errors: 1, ends: ['length'] });
    expect(upstream.requests).toHaveLength(2);
  });

  it('for a call: a whole answer is an error', async () => {
    const { ask } = await saying(chatStream(prose), second('Well then'));
    const response = await ask(requiresCall);
    expect(response.status).toBeGreaterThanOrEqual(500);
    expect((await response.json()).error.message).not.toBe('');
  });

  it.each([false, true])('for an answer: the first one is delivered, once, streamed: %s', async (stream) => {
    const { ask } = await saying(chatStream(wrong, { usage }), second('{"n": 5'), stream ? 'once' : 'auto');
    const response = await ask({
      ...requiresAnswer,
      stream,
      stream_options: stream ? { include_usage: true } : undefined,
    });
    expect(response.status).toBe(200);
    if (stream) {
      expect(await framesOf(response)).toMatchObject({
        text: wrong,
        errors: 0,
        ends: ['stop'],
        usage: { prompt_tokens: expect.any(Number) },
      });
      return;
    }
    const { choices, usage: counted } = await response.json();
    expect(choices).toMatchObject([{ message: { content: wrong }, finish_reason: 'stop' }]);
    expect(counted.prompt_tokens).toBeGreaterThanOrEqual(usage.prompt);
  });
});

it.each([
  ['a call', requiresCall, prose, call],
  ['an answer', requiresAnswer, wrong, '{"n": 5}'],
])('the tokens of both replies are counted where %s was asked for again', async (_, required, first, second) => {
  for (const stream of [false, true]) {
    const { ask } = await saying(
      chatStream(first, { usage }),
      chatStream(second, { usage: { prompt: 20, completion: 7 } }),
      'once',
    );
    const response = await ask({ ...required, stream, stream_options: stream ? { include_usage: true } : undefined });
    const counted = stream ? (await framesOf(response)).usage : (await response.json()).usage;
    expect(counted).toMatchObject({ prompt_tokens: 30, completion_tokens: 12, total_tokens: 42 });
  }
});

it('a client that leaves while it waits for the second reply lets go of the upstream', async () => {
  const { ask, upstream } = await saying(chatStream(prose), { steps: [{ stall: true }] });
  const response = await ask({ ...requiresCall, stream: true });
  await upstream.request(1);
  await response.body?.cancel();
  await (await upstream.request(1)).aborted;
});
