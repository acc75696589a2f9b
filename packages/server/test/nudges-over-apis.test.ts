import {
  chatFrames,
  chatStream,
  errorReply,
  type ScriptedReply,
  type ScriptedUpstream,
  sample,
} from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import { ask, call, formed, openaiTools, pathsIn, textIn, type Wire, wires } from './call-choices.ts';
import { clients } from './client-readings.ts';
import { gatewayForTest, upstreamForTest } from './for-test.ts';

const prose = 'You could read the file a.';
const wrong = '{"n": "many"}';

const begun = (text: string) => chatFrames(text, { finishReason: null, done: false }).map((each) => ({ text: each }));

/** What goes wrong when the model is asked again. */
const failures: readonly (readonly [what: string, second: ScriptedReply])[] = [
  ['is refused', errorReply(500, 'Too much.')],
  ['is reset', { steps: [{ cut: true }], holdHead: true }],
  ['breaks off', { steps: [...begun('Well {"n": 5'), { cut: true }] }],
  ['ends without an end', { steps: begun('Well {"n": 5') }],
];

/** A text model that says these, one after another, in front of a client of any API. */
async function saying(...replies: readonly ScriptedReply[]) {
  const upstream = await upstreamForTest();
  upstream.next(...replies);
  return { gateway: await gatewayBefore(upstream), upstream };
}

/**
 * A text model that says the one at first and the other when it is asked again, as often as that is: a request that a kept
 * connection loses is sent once more.
 */
async function sayingAgain(first: ScriptedReply, second: ScriptedReply) {
  const asksAgain = (body: unknown) => JSON.stringify(body).includes('"role":"assistant"');
  const upstream = await upstreamForTest({ fallback: ({ body }) => (asksAgain(body) ? second : first) });
  return { gateway: await gatewayBefore(upstream), upstream };
}

function gatewayBefore({ baseUrl }: Pick<ScriptedUpstream, 'baseUrl'>) {
  const m = { toolCalling: { dialect: 'hermes' }, nudge: { max: 1, answers: 'once' }, callGranularity: 'whole' };
  const up = { wire: 'openai-chat', baseUrl, models: { m } };
  return gatewayForTest({ config: { upstreams: { up } } });
}

const toolless = (wire: Wire): Wire =>
  formed({ ...wire, body: (choice) => ({ ...wire.body(choice), tools: undefined }) });

describe.each(sample(Object.entries(wires), 2))('%s', (id, wire) => {
  const client = clients[id] ?? expect.fail();

  it.each(failures)(
    'a call that is required, where asking again %s, is an error, after the words',
    async (what, second) => {
      const { gateway, upstream } = await sayingAgain(chatStream(prose), second);
      const post = (stream: boolean) =>
        fetch(gateway.url + wire.path, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
          body: JSON.stringify({ model: 'up/m', stream, ...wire.body('required') }),
        });
      const { text, succeeded, errors } = client.readStream(await (await post(true)).text());
      expect({ begins: text.slice(0, prose.length), succeeded, errors: errors.length }).toEqual({
        ...{ begins: prose, succeeded: false, errors: 1 },
      });
      const whole = await post(false);
      expect(whole.status).toBeGreaterThanOrEqual(500);
      expect(client.readError(await whole.json())).not.toBe('');
      expect(upstream.requests.length).toBeOneOf(what === 'is reset' ? [4, 5, 6] : [4]);
    },
  );

  it.each(failures)('an answer of a form, where asking again %s, is the first one', async (what, second) => {
    const { gateway, upstream } = await sayingAgain(chatStream(wrong), second);
    for (const stream of [false, true]) {
      const answer = await ask(gateway, toolless(wire), { choice: 'auto', stream });
      expect(textIn(answer)).toBe(wrong);
      expect(JSON.stringify(answer)).not.toContain('"error":{');
    }
    expect(upstream.requests.length).toBeOneOf(what === 'is reset' ? [4, 5, 6] : [4]);
  });

  it.each([
    ['a call', wire, 'required', prose, call('a')],
    ['an answer', toolless(wire), 'auto', wrong, '{"n": 5}'],
  ] as const)('the tokens of both replies are those of %s', async (_, asking, choice, first, second) => {
    const replies = [
      chatStream(first, { usage: { prompt: 10, completion: 5 } }),
      chatStream(second, { usage: { prompt: 20, completion: 7 } }),
    ];
    const { gateway } = await saying(...replies, ...replies);
    const withUsage: Wire = {
      ...asking,
      body: (each) => ({
        ...asking.body(each),
        ...(id === 'openai-chat' ? { stream_options: { include_usage: true } } : {}),
      }),
    };
    for (const stream of [false, true]) {
      const written = JSON.stringify(await ask(gateway, stream ? withUsage : asking, { choice, stream }));
      expect(written).toMatch(/"(prompt_tokens|input_tokens|prompt_eval_count)":30\b/);
      expect(written).toMatch(/"(completion_tokens|output_tokens|eval_count)":12\b/);
    }
  });

  it('a call of another tool, and the right one asked for, are one reply with one call', async () => {
    const { gateway } = await saying(chatStream(call('b', openaiTools[1]?.function.name)), chatStream(call('a')));
    expect(pathsIn(await ask(gateway, wire, { choice: 'named' }))).toEqual(['a']);
  });
});
