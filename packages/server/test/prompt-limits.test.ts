import { chatStream, type ScriptedUpstream, startChatPlatform } from '@dragoman/testkit';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { gatewayForTest, upstreamForTest } from './for-test.ts';
import { description } from './platform-setup.ts';
import { readTool, type TestGateway } from './start-test-gateway.ts';

const user = (content: string) => ({ role: 'user', content });
const system = { role: 'system', content: 'Never forget this.' };
const called = (...ids: readonly string[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'read', arguments: `{"path":"${id}"}` } })),
});
const result = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content });

/** A file whose beginning and end show. */
const file = (name: string, length: number) => `<<${name}>>${'x'.repeat(length)}<<end of ${name}>>`;

const limit = 20_000;

describe('the prompt of a model that reads only text', () => {
  let upstream: ScriptedUpstream;
  let gateway: TestGateway;

  beforeEach(async () => {
    upstream = await upstreamForTest({ fallback: chatStream('Done.') });
    const toolCalling = { dialect: 'hermes' };
    const models = {
      limited: { toolCalling, maxPromptLength: limit },
      rounds: { toolCalling, results: { maxRoundLength: 2000 } },
      native: { toolCalling: 'native', maxPromptLength: limit, results: { maxRoundLength: 2000 } },
    };
    const up = { wire: 'openai-chat', baseUrl: upstream.baseUrl, models };
    gateway = await gatewayForTest({ config: { upstreams: { up } } });
  });

  async function ask(model: string, messages: readonly unknown[]) {
    const response = await gateway.post({ model: `up/${model}`, messages: [system, ...messages], tools: [readTool] });
    const body = await response.json();
    const sent = upstream.requests.at(-1)?.text;
    const seen: { content: string }[] = sent === undefined ? [] : JSON.parse(sent).messages;
    return { status: response.status, body, seen, prompt: seen.map(({ content }) => content).join('\n') };
  }

  const long = [
    user('Compare.'),
    ...['a', 'b', 'c'].flatMap((name) => [called(name), result(name, file(name, 9000))]),
    user('Which is best?'),
  ];

  it('A-210 B-118: is made to fit by its oldest results, and says so where they stand and in the log', async () => {
    const { status, prompt } = await ask('limited', long);
    expect(status).toBe(200);
    expect(prompt.length).toBeLessThanOrEqual(limit);
    for (const kept of ['Never forget this.', 'Compare.', 'Which is best?', file('c', 9000)])
      expect(prompt).toContain(kept);
    for (const name of ['a', 'b', 'c']) expect(prompt).toMatch(new RegExp(`<<${name}>>[^]*<<end of ${name}>>`));
    expect(prompt).toMatch(/<<a>>x+\n\[… \d+ more characters were left out …\]\nx+<<end of a>>/);
    const { warnings } = await gateway.record((each) => each.status === 200);
    expect(warnings).toEqual({ 'result-capped': 1 });
  });

  it('A-210: begins alike in the requests of some rounds', async () => {
    const next = (name: string) => [called(name), result(name, file(name, 300))];
    const first = await ask('limited', long);
    const second = await ask('limited', [...long, ...next('d')]);
    expect(second.seen.slice(0, first.seen.length)).toEqual(first.seen);
  });

  it('A-210: is refused with a word that agents know where results cannot make it fit', async () => {
    const { status, body } = await ask('limited', [user('y'.repeat(limit + 1))]);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({
      code: 'context_length_exceeded',
      message: expect.stringContaining('maxPromptLength'),
    });
    expect(upstream.requests).toEqual([]);
  });

  it('A-210: has a limit for what the results of one round have together', async () => {
    const { prompt } = await ask('rounds', [
      user('Go'),
      called('a', 'b'),
      result('a', file('a', 9000)),
      result('b', 'B'),
    ]);
    expect(prompt).toContain('<<end of a>>');
    expect(prompt.split('x').length).toBeLessThan(2200);
  });

  it('of a native model only results are limited: its upstream knows how much it takes', async () => {
    const { status, prompt } = await ask('native', [
      user('y'.repeat(limit + 1)),
      called('a'),
      result('a', file('a', 9000)),
    ]);
    expect(status).toBe(200);
    expect(prompt).toContain('y'.repeat(limit + 1));
    expect(prompt.split('x').length).toBeLessThan(2200);
  });
});

describe.each([
  { told: 'plainly', rule: {} },
  { told: 'by templates', rule: { prompts: true } },
])('a message to a platform that keeps the conversation, told $told', ({ rule }) => {
  /** A platform that refuses what is too long, whose model reads one file after the other. */
  async function start() {
    const platform = await startChatPlatform({
      answer: ({ text, before }) => {
        if (text.length > limit) return { status: 413 };
        return `<tool_call>\n{"name": "read", "arguments": {"path": "${before.length}"}}\n</tool_call>`;
      },
    });
    onTestFinished(() => platform.close());
    const m = { toolCalling: { dialect: 'hermes' }, maxPromptLength: limit, ...rule };
    const upstreams = {
      platform: { wire: 'conversation', baseUrl: platform.baseUrl, conversation: description, models: { m } },
    };
    const gateway = await gatewayForTest({ config: { upstreams } });
    const messages: unknown[] = [system, user('Read everything.')];
    /** Asks, and answers the call with a file of such a length. */
    const round = async (length: number) => {
      const response = await gateway.post({ model: 'platform/m', messages, tools: [readTool] });
      const body = await response.json();
      if (response.status !== 200) return body.error;
      const { message } = body.choices[0];
      messages.push(message, result(message.tool_calls[0].id, file(`${messages.length}`, length)));
      return undefined;
    };
    const texts = () => [...platform.chats.values()].map((turns) => turns.map(({ text }) => text));
    return { platform, messages, round, texts };
  }

  it('A-210: has only its own results shortened, since the platform knows the others', async () => {
    const { round, texts } = await start();
    for (const length of [15_000, 50_000, 15_000, 100]) expect(await round(length)).toBeUndefined();
    const [[, second = '', third = '', fourth = ''] = [], ...others] = texts();
    expect(others).toEqual([]);
    expect(second).toContain(file('2', 15_000));
    expect(third).toContain('more characters were left out');
    expect(third).toContain('<<end of 4>>');
    expect(third.length).toBeLessThanOrEqual(limit);
    expect(fourth).toContain(file('6', 15_000));
  });

  it('A-210: that tells a whole history again has its oldest results shortened', async () => {
    const { platform, round, texts } = await start();
    for (const length of [15_000, 15_000]) expect(await round(length)).toBeUndefined();
    platform.forget();
    expect(await round(100)).toBeUndefined();
    const [[told = ''] = []] = texts();
    expect(told.length).toBeLessThanOrEqual(limit);
    expect(told).toContain(file('4', 15_000));
    expect(told).toMatch(/<<2>>x+\n\[… \d+ more/);
  });

  it('A-210: is refused before it is sent where that is not enough', async () => {
    const { platform, messages, round } = await start();
    messages.push(user('y'.repeat(limit + 1)));
    expect(await round(0)).toMatchObject({ code: 'context_length_exceeded' });
    expect(platform.requests).toEqual([]);
  });

  it('A-210: one that a lost conversation makes too long is told as that', async () => {
    const { platform, messages, round, texts } = await start();
    for (let at = 0; at < 3; at += 1) {
      messages.push(user('y'.repeat(9000)));
      expect(await round(10)).toBeUndefined();
    }
    expect(texts()[0]).toHaveLength(3);
    platform.forget();
    expect(await round(10)).toMatchObject({ message: expect.stringContaining('maxPromptLength') });
  });
});
