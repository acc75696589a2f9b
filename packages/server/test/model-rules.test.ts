import { chatStream, type ScriptedUpstream } from '@dragoman/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { gatewayForTest, upstreamForTest } from './for-test.ts';
import { dataOf, readTool, type TestGateway } from './start-test-gateway.ts';

let upstream: ScriptedUpstream;

beforeEach(async () => {
  upstream = await upstreamForTest({ fallback: chatStream('Hello') });
});

/** A gateway whose only model follows this rule. */
async function start(rule: object): Promise<TestGateway> {
  const models = { m: { toolCalling: { dialect: 'hermes' }, ...rule } };
  const up = { wire: 'openai-chat', baseUrl: upstream.baseUrl, models };
  return gatewayForTest({ config: { upstreams: { up } } });
}

const asked = { model: 'up/m', messages: [{ role: 'user', content: 'Go on.' }], tools: [readTool] };
const call = (path: string) => `<tool_call>\n{"name": "read", "arguments": {"path": "${path}"}}\n</tool_call>`;

/** The choice of a whole answer to this reply, and the warnings in the log. */
async function answer(rule: object, reply: string, more: object = {}) {
  const gateway = await start(rule);
  upstream.next(chatStream(reply));
  const body = await (await gateway.post({ ...asked, ...more })).json();
  const { warnings = {} } = await gateway.record((record) => record.status === 200);
  const { message, finish_reason: finish } = body.choices[0];
  const paths = (message.tool_calls ?? []).map(
    (each: { function: { arguments: string } }) => JSON.parse(each.function.arguments).path,
  );
  return { message, finish, paths, warnings };
}

describe('sampling', () => {
  const qwen = { sampling: { temperature: 0.55, topP: 1 } };

  it('B-034: what the request leaves out comes from the model rule', async () => {
    const gateway = await start(qwen);
    await (await gateway.post(asked)).json();
    expect((await upstream.request(0)).body).toMatchObject({ temperature: 0.55, top_p: 1 });
  });

  it('B-034: what the request says wins, zero included', async () => {
    const gateway = await start(qwen);
    for (const temperature of [0.2, 0]) await (await gateway.post({ ...asked, temperature })).json();
    expect((await upstream.request(0)).body).toMatchObject({ temperature: 0.2, top_p: 1 });
    expect((await upstream.request(1)).body).toMatchObject({ temperature: 0, top_p: 1 });
  });

  it('B-034: without a rule nothing is added', async () => {
    const gateway = await start({});
    await (await gateway.post(asked)).json();
    expect((await upstream.request(0)).body).not.toHaveProperty('temperature');
  });
});

describe('an example exchange', () => {
  it('B-032: is shown where the rule says so, after the system text, and nowhere by default', async () => {
    const seen = async (rule: object, more: object = {}) => {
      const gateway = await start(rule);
      await (await gateway.post({ ...asked, ...more })).json();
      return JSON.stringify(upstream.requests.at(-1)?.body);
    };
    expect(await seen({})).not.toContain('only an example');
    const shown = JSON.parse(await seen({ exampleCall: true })).messages;
    expect(shown.map((message: { role: string }) => message.role)).toEqual([
      'system',
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
    ]);
    expect(shown[2].content).toContain('<tool_call>\n{"name": "read"');
    expect(shown.at(-1).content).toBe('Go on.');
    const first = JSON.parse(await seen({ exampleCall: true, systemText: 'first-user' })).messages[0];
    expect(first.content).toContain('Reads a file.');
    expect(await seen({ exampleCall: true }, { tools: undefined })).not.toContain('only an example');
  });
});

describe('calls', () => {
  it('D-009: all of them in order by default, the first one under maxCalls 1', async () => {
    const reply = `${call('a')}\n${call('b')}`;
    expect((await answer({}, reply)).paths).toEqual(['a', 'b']);
    const first = await answer({ policy: { maxCalls: 1 } }, reply);
    expect(first.paths).toEqual(['a']);
    expect(first.warnings).toMatchObject({ 'call-surplus': 1 });
    expect((await answer({}, reply, { parallel_tool_calls: false })).paths).toEqual(['a']);
  });

  it('D-010 E-019: a call in reasoning is a draft, or runs where nothing else does', async () => {
    const only = `<think>I read it. ${call('a')}</think>`;
    const ignored = await answer({}, only);
    expect(ignored).toMatchObject({ paths: [], finish: 'stop' });
    expect(ignored.message.reasoning_content).toContain('"path": "a"');
    expect(await answer({ policy: { reasoning: 'fire' } }, only)).toMatchObject({ paths: ['a'], finish: 'tool_calls' });
    expect((await answer({ policy: { reasoning: 'fire' } }, `${only}\n${call('b')}`)).paths).toEqual(['b']);
  });

  it('B-063: names are matched as the rule says, and what matches none is passed on or stays text', async () => {
    const reply = call('a').replace('read', 'Read');
    const exact = await answer({ policy: { names: 'exact' } }, reply);
    expect(exact.message.tool_calls[0].function.name).toBe('Read');
    expect(exact.warnings).toMatchObject({ 'call-undeclared': 1 });
    expect((await answer({ policy: { names: 'exact', undeclared: 'text' } }, reply)).paths).toEqual([]);
    const repaired = await answer({ policy: { names: 'normalised' } }, reply);
    expect(repaired.message.tool_calls[0].function.name).toBe('read');
    expect(repaired.warnings).toMatchObject({ 'name-repaired': 1 });
  });
});

describe('text', () => {
  it('B-089: text after a call is kept, or left out and counted in the log', async () => {
    const reply = `A ${call('a')} B`;
    expect((await answer({}, reply)).message.content).toBe('A  B');
    const dropped = await answer({ policy: { textAfterCalls: 'drop' } }, reply);
    expect(dropped).toMatchObject({ paths: ['a'], finish: 'tool_calls', message: { content: 'A ' } });
    expect(dropped.warnings).toMatchObject({ 'text-dropped': 1 });
  });

  it('D-012 D-013 D-014: marks of older prompts are text, or left out where the rule says so', async () => {
    const reply = 'STATE: idle\nFINAL: Hello.\nUser: and now?';
    expect((await answer({}, reply)).message.content).toBe(reply);
    const { message, warnings } = await answer({ legacyText: 'drop' }, reply);
    expect(message.content).toBe('Hello.');
    expect(warnings).toMatchObject({ 'text-dropped': 3 });
  });

  it('B-097 D-011: thinking goes to reasoning_content, the answer to content, streamed and whole', async () => {
    const gateway = await start({});
    for (const stream of [false, true]) {
      upstream.next(
        chatStream('The answer.', { reasoning: 'First I think.' }),
        chatStream('<think>First I think.</think>The answer.'),
      );
      for (const _ of ['in a field', 'in the text']) {
        const response = await gateway.post({ ...asked, stream });
        const bodies = stream
          ? dataOf(await response.text()).flatMap((data) => (data === '[DONE]' ? [] : [JSON.parse(data)]))
          : [await response.json()];
        const parts = bodies.map((body) => body.choices[0].delta ?? body.choices[0].message);
        expect(parts.map((part) => part.reasoning_content ?? '').join('')).toBe('First I think.');
        expect(parts.map((part) => part.content ?? '').join('')).toBe('The answer.');
      }
    }
  });
});
