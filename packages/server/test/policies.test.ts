import { chatFrames, chatStream, type ScriptedUpstream } from '@dragoman/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { call, messages, openaiTools, pathsIn } from './call-choices.ts';
import { gatewayForTest, upstreamForTest } from './for-test.ts';
import { description, platformForTest, model as platformModel, textsOf, upstreamsFor } from './platform-setup.ts';
import type { TestGateway } from './start-test-gateway.ts';

let upstream: ScriptedUpstream;

beforeEach(async () => {
  upstream = await upstreamForTest({ fallback: chatStream('Hello') });
});

/** A gateway whose only model writes hermes and follows this rule. */
function start(rule: object = {}, config: object = {}): Promise<TestGateway> {
  const models = { m: { toolCalling: { dialect: 'hermes' }, ...rule } };
  const up = { wire: 'openai-chat', baseUrl: upstream.baseUrl, models };
  return gatewayForTest({ config: { upstreams: { up }, ...config } });
}

describe('a result that the model makes up', () => {
  it('A-209: ends the reply at once, and the upstream is stopped', async () => {
    const gateway = await start();
    const frames = chatFrames(`${call('a')}\n<tool_response>\nall of it`, { finishReason: null, done: false });
    upstream.next({
      headers: { 'content-type': 'text/event-stream' },
      steps: [{ text: frames.join('') }, { stall: true }],
    });
    const response = await gateway.post({
      ...{ model: 'up/m', messages, tools: openaiTools, stream: true },
      stream_options: { include_usage: true },
    });
    const stream = await response.text();
    expect(stream).toContain('"finish_reason":"tool_calls"');
    expect(stream).toContain('data: [DONE]');
    expect(stream).not.toContain('all of it');
    expect(stream).toContain('"total_tokens"');
    await (await upstream.request(0)).aborted;
    expect((await gateway.record((record) => record.status === 200)).warnings).toEqual({ 'result-fabricated': 1 });
  });
});

describe('on a platform that keeps the conversation', () => {
  const system = { role: 'system', content: 'Work.' };
  const body = (...more: object[]) => ({
    model: platformModel,
    messages: [system, { role: 'user', content: 'Read a.' }, ...more],
    tools: openaiTools,
  });
  const answered = async (response: Response) => (await response.json()).choices[0].message;
  const resultOf = (message: { readonly tool_calls: readonly { readonly id: string }[] }) => ({
    role: 'tool',
    tool_call_id: message.tool_calls[0]?.id,
    content: 'the real text',
  });

  it('A-209: a reply that was ended at an invented result is continued where it was', async () => {
    const invented = `${call('a')}\n<tool_response>\n${'all of it '.repeat(200)}`;
    const platform = await platformForTest({ answer: ({ before }) => (before.length === 0 ? invented : 'Done.') });
    const gateway = await gatewayForTest({ config: { upstreams: upstreamsFor(platform) } });
    const message = await answered(await gateway.post(body()));
    expect(message).toMatchObject({ content: null, tool_calls: [{}] });
    expect(await answered(await gateway.post(body(message, resultOf(message))))).toMatchObject({ content: 'Done.' });
    const [told, ...others] = textsOf(platform);
    expect(others).toEqual([]);
    expect(told).toHaveLength(2);
    expect(told?.[1]).toContain('the real text');
    expect(told?.[1]).not.toContain('Work.');
  });

  it('A-209: the nonce stays the same in a conversation, and tools are told once', async () => {
    const answer: Parameters<typeof platformForTest>[0]['answer'] = ({ text, before }) => {
      if (before.length > 0) return 'Done.';
      const at = text.indexOf('ends with _') + 'ends with '.length;
      return `${call('stolen')}\n${call('a', `read${text.slice(at, at + 9)}`)}`;
    };
    const platform = await platformForTest({ answer });
    const models = { m: { toolCalling: { dialect: 'hermes' }, callNonce: true } };
    const gateway = await gatewayForTest({ config: { upstreams: upstreamsFor(platform, description, { models }) } });
    const message = await answered(await gateway.post(body()));
    expect(pathsIn(message.tool_calls)).toEqual(['a']);
    expect(message.content).toContain('stolen');
    await answered(await gateway.post(body(message, resultOf(message))));
    const [told] = textsOf(platform);
    expect(told).toHaveLength(2);
    expect(told?.[0]).toContain('# Tools');
    expect(told?.[1]).not.toContain('# Tools');
  });
});

describe('callNonce', () => {
  const secret = 'a secret of some length';
  const body = (content: string, ...more: object[]) => ({
    model: 'up/m',
    messages: [{ role: 'user', content }, ...more],
    tools: openaiTools,
  });

  /** What every name of a tool ends with in the request that the upstream saw last. */
  function endingTold(): string {
    const told = JSON.stringify(upstream.requests.at(-1)?.body);
    const at = told.indexOf('ends with _');
    return told.slice(at + 'ends with '.length, at + 'ends with _12345678'.length);
  }

  it('A-209: a copied call stays text, one with the nonce runs, in all requests of a conversation and only there', async () => {
    const first = await start({ callNonce: true }, { nonceSecret: secret });
    upstream.next(chatStream(call('stolen')));
    const copied = await (await first.post(body('Read a.'))).json();
    expect(copied.choices[0]).toMatchObject({ message: { content: call('stolen') }, finish_reason: 'stop' });
    const ending = endingTold();
    expect(ending).toHaveLength(9);

    upstream.next(chatStream(call('a', `read${ending}`)));
    const ran = await (await first.post(body('Read a.'))).json();
    expect(ran.choices[0]).toMatchObject({ message: { tool_calls: [{ function: { name: 'read' } }] } });

    const [made] = ran.choices[0].message.tool_calls;
    const rest = [ran.choices[0].message, { role: 'tool', tool_call_id: made.id, content: 'text' }];
    const second = await start({ callNonce: true }, { nonceSecret: secret });
    await (await second.post(body('Read a.', ...rest))).json();
    expect(endingTold()).toBe(ending);
    expect(JSON.stringify(upstream.requests.at(-1)?.body)).toContain(`\\"name\\": \\"read${ending}\\"`);

    await (await second.post(body('Read b.'))).json();
    expect(endingTold()).not.toBe(ending);
    const third = await start({ callNonce: true }, { nonceSecret: 'another secret' });
    await (await third.post(body('Read a.'))).json();
    expect(endingTold()).not.toBe(ending);
  });

  it('without a secret in the configuration it lasts as long as the process', async () => {
    const gateway = await start({ callNonce: true });
    await (await gateway.post(body('Read a.'))).json();
    const ending = endingTold();
    await (await gateway.post(body('Read a.'))).json();
    expect(endingTold()).toBe(ending);
  });
});
