import { chatFrames, chatMessage, chatStream, collectAsAiSdk, collectAsCopilot, sample } from '@dragoman/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { checkTurn } from './recorded-fetch.ts';
import { dataOf } from './start-test-gateway.ts';
import {
  eachDialect,
  type TextGateway,
  textGatewayForTest,
  type Wanted,
  wantedOf,
  written,
} from './start-text-gateway.ts';

let gateway: TextGateway;

beforeEach(async () => {
  gateway = await textGatewayForTest();
});

const awkward: Wanted = ['write', { path: 'ünï/🦜.txt', content: 'a "b" \\ <c> & </d>\n\n  𝒳 } ]] {\t"e": 1\n' }];

describe.each(sample(eachDialect, 1))('a text model that writes $id', ({ id, dialect }) => {
  it('A-170 B-093 A-161 a reply that comes in single bytes is the same, multi-byte characters included', async () => {
    const text = `Grüße 🦜 –\n${written(dialect, [awkward])}`;
    gateway.upstream.next({ ...chatStream(text, { pieces: 40 }), everyByte: true }, chatMessage(text));
    const { copilot } = checkTurn(await gateway.stream(id));
    expect(copilot.text.trimEnd()).toBe('Grüße 🦜 –');
    expect(wantedOf(copilot.calls)).toEqual([awkward]);
    const [choice] = (await gateway.whole(id)).choices;
    expect(choice?.message.content).toBe(copilot.text);
    expect(wantedOf(choice?.message.tool_calls?.map((call) => call.function) ?? [])).toEqual([awkward]);
    expect(choice?.finish_reason).toBe('tool_calls');
  });

  it('A-162 A-160 text first, then several calls strictly one after another', async () => {
    const wanted: Wanted[] = [['read', { path: 'a b.txt', limit: 5 }], awkward, ['read', { path: 'c' }]];
    gateway.upstream.next(chatStream(`First I look.\n\n${written(dialect, wanted)}`, { pieces: 3 }));
    const stream = await gateway.stream(id);
    const { copilot } = checkTurn(stream);
    expect(wantedOf(copilot.calls)).toEqual(wanted);
    expect(copilot.begin).toEqual({ name: 'read', spaced: true });
    expect(new Set(copilot.calls.map((call) => call.id)).size).toBe(3);
    expect(stream.lastIndexOf('"content"')).toBeLessThan(stream.indexOf('"tool_calls":['));
  });

  it('A-140 a call without text: no content delta at all', async () => {
    gateway.upstream.next(chatStream(written(dialect, [['read', { path: 'a' }]])));
    const stream = await gateway.stream(id);
    expect(wantedOf(checkTurn(stream).copilot.calls)).toEqual([['read', { path: 'a' }]]);
    expect(stream.match(/"content":"[^"]/g)).toBeNull();
  });

  it('calls in a code fence stay text, the real one after it runs', async () => {
    const fenced = `For example:\n~~~\n${written(dialect, [['read', { path: 'no' }]])}\n~~~\n`;
    gateway.upstream.next(chatStream(`${fenced}${written(dialect, [['read', { path: 'yes' }]], 1)}`, { pieces: 5 }));
    const { copilot } = checkTurn(await gateway.stream(id));
    expect(copilot.text.trimEnd()).toBe(fenced.trimEnd());
    expect(wantedOf(copilot.calls)).toEqual([['read', { path: 'yes' }]]);
  });

  it('A-169 one argument of 1 MB with runs of spaces and newlines arrives byte for byte', async () => {
    const content = `  start${' '.repeat(1000)}\n\n\n${'line of text\t \r\n 🦜  '.repeat(50_000)}end  `;
    expect(content.length).toBeGreaterThan(1_000_000);
    gateway.upstream.next(chatStream(written(dialect, [['write', { path: 'big', content }]]), { pieces: 4096 }));
    const stream = await gateway.stream(id);
    // The models of the clients parse after every piece, which is fine for kilobytes only.
    const text = dataOf(stream)
      .slice(0, -1)
      .map((data) => JSON.parse(data).choices[0].delta.tool_calls?.[0].function.arguments ?? '')
      .join('');
    expect(JSON.parse(text)).toEqual({ path: 'big', content });
    expect(stream).toContain('"finish_reason":"tool_calls"');
  });

  it('a call that broke off never runs; all of what was written for it is readable', async () => {
    const call = written(dialect, [['write', { path: 'a', content: 'half of it' }]]);
    const text = `Now.\n${call.slice(0, call.indexOf('half') + 4)}`;
    gateway.upstream.next(chatStream(text), chatStream(text, { finishReason: 'length' }), chatMessage(text));
    const stopped = await gateway.stream(id);
    for (const turn of [collectAsCopilot([stopped]), collectAsAiSdk(stopped)]) {
      expect(turn.text).toContain('half');
      for (const each of turn.calls) expect(() => JSON.parse(each.arguments)).toThrow();
    }
    const limited = collectAsCopilot([await gateway.stream(id)]);
    expect(limited).toMatchObject({ calls: [], outcome: 'too-long' });
    const [choice] = (await gateway.whole(id)).choices;
    expect(choice?.message.tool_calls).toBeUndefined();
    expect(choice?.message.content).toContain('half');
    expect(choice?.finish_reason).toBe('stop');
  });
});

it('A-170 B-093 a reply cut at every single byte is the same, fifty replies at a time', async () => {
  const [{ dialect } = expect.fail()] = eachDialect.filter(({ id }) => id === 'hermes');
  const text = `Grüße 🦜 ${written(dialect, [['read', { path: 'ß𝒳.txt' }]])}`;
  const reply = chatStream(text, { pieces: [text] });
  const [role = '', said = ''] = chatFrames(text, { pieces: [text] });
  const forms = new Set<string>();
  // The frame that says something: the others are of the same kind.
  const end = Buffer.byteLength(role + said);
  const from = Buffer.byteLength(role);
  const all = sample(
    Array.from({ length: end - from + 1 }, (_, index) => from + index),
    50,
  );
  for (let at = 0; at < all.length; at += 50) {
    const cuts = all.slice(at, at + 50);
    // Replies are taken in order of arrival, so only the set of cuts is known, not who got which.
    gateway.upstream.next(...cuts.map((at) => ({ ...reply, cutAt: [at] })));
    for (const stream of await Promise.all(cuts.map(() => gateway.stream('hermes')))) {
      const { text: content, calls } = collectAsCopilot([stream]);
      forms.add(JSON.stringify([content, wantedOf(calls)]));
    }
  }
  expect([...forms]).toEqual([JSON.stringify(['Grüße 🦜 ', [['read', { path: 'ß𝒳.txt' }]]])]);
});

describe('answers without calls', () => {
  it.each(['', '  \n'])('A-141 an empty reply %j: a role chunk, the final chunk and [DONE]', async (text) => {
    gateway.upstream.next(chatStream(text), chatMessage(text));
    const stream = await gateway.stream('hermes');
    const { copilot } = checkTurn(stream);
    expect(copilot.calls).toEqual([]);
    expect(copilot.text.trim()).toBe('');
    const whole = await gateway.whole('hermes');
    expect(whole.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: copilot.text } });
    expect(whole.choices[0]?.message).not.toHaveProperty('tool_calls');
  });

  it.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['content_filter', 'content_filter'],
  ])('A-163 the upstream ends with %s', async (word, expected) => {
    gateway.upstream.next(chatStream('Some text', { finishReason: word }));
    const last = dataOf(await gateway.stream('hermes')).at(-2) ?? '';
    expect(JSON.parse(last).choices[0]).toEqual({ index: 0, delta: {}, logprobs: null, finish_reason: expected });
  });

  it('A-176 a text that only looks like a marker arrives complete', async () => {
    const text = 'a < b, <tool, <tool_cal> and <|tool_calls_section_be';
    for (const { id } of sample(eachDialect, 2)) {
      gateway.upstream.next(chatStream(text, { pieces: 1 }));
      expect(checkTurn(await gateway.stream(id)).copilot.text).toBe(text);
    }
  });

  it('an upstream that ignores "stream" and answers in one piece is streamed all the same', async () => {
    const [{ id, dialect } = expect.fail()] = eachDialect;
    gateway.upstream.next(chatMessage(`Here. ${written(dialect, [['read', { path: 'a' }]])}`));
    expect(wantedOf(checkTurn(await gateway.stream(id)).copilot.calls)).toEqual([['read', { path: 'a' }]]);
  });
});

describe('usage', () => {
  const options = { stream_options: { include_usage: true } };

  it('B-091 the last three frames: final chunk, usage, [DONE]; A-166 none when it was not asked for', async () => {
    gateway.upstream.next(chatStream('Hi', { usage: { prompt: 7, completion: 2 } }), chatStream('Hi'));
    const stream = await gateway.stream('hermes', options);
    expect(checkTurn(stream, true).copilot.usage).toEqual({ prompt: 7, completion: 2, total: 9 });
    const [final = '', usage = '', done] = dataOf(stream).slice(-3);
    expect(JSON.parse(final).choices[0].finish_reason).toBe('stop');
    expect(JSON.parse(usage)).toMatchObject({ choices: [], usage: { total_tokens: 9 } });
    expect(done).toBe('[DONE]');
    expect(await gateway.stream('hermes')).not.toContain('"usage"');
  });

  it('B-092 usage that grows over the chunks: the last one counts', async () => {
    const frames = chatFrames('Hello', { done: false });
    const grown = [1, 2, 3].map(
      (tokens) =>
        `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 10, completion_tokens: tokens, total_tokens: 10 + tokens } })}\n\n`,
    );
    const steps = [...frames.slice(0, 2), grown[0], ...frames.slice(2), grown[1], grown[2], 'data: [DONE]\n\n'];
    gateway.upstream.next({ steps: steps.map((text = '') => ({ text })) });
    const { copilot } = checkTurn(await gateway.stream('hermes', options), true);
    expect(copilot.usage).toEqual({ prompt: 10, completion: 3, total: 13 });
  });

  it('B-075 an upstream that counts nothing: counted here, streamed and whole alike', async () => {
    gateway.upstream.next(chatStream('Hello there'), chatStream('Hello there'));
    const { copilot } = checkTurn(await gateway.stream('hermes', options), true);
    expect(copilot.usage?.prompt).toBeGreaterThan(0);
    expect(copilot.usage?.completion).toBeGreaterThan(0);
    const { usage } = await gateway.whole('hermes');
    expect(usage).toMatchObject({ completion_tokens: copilot.usage?.completion, total_tokens: copilot.usage?.total });
  });
});
