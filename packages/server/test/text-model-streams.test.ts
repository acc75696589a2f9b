import {
  chatFrames,
  chatMessage,
  chatStream,
  collectAsCopilot,
  openaiChatViolations,
  type ScriptedReply,
  type ScriptedUpstream,
  sample,
} from '@dragoman/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { gatewayForTest, upstreamForTest } from './for-test.ts';
import { dataOf, readTool, type TestGateway } from './start-test-gateway.ts';

let upstream: ScriptedUpstream;
let gateway: TestGateway;
let upstreams: object;

beforeEach(async () => {
  upstream = await upstreamForTest();
  const toolCalling = { dialect: 'anthropic-xml' };
  const models = {
    text: { toolCalling },
    whole: { toolCalling, textGranularity: 'whole', callGranularity: 'whole' },
    characters: { toolCalling, textGranularity: 'characters', callGranularity: 'characters' },
    words: { toolCalling, textGranularity: 'words', callGranularity: 'words' },
    sized: { toolCalling, textGranularity: { size: 7 }, callGranularity: { size: 7 } },
    complete: { toolCalling, callDeltas: 'complete' },
    stops: { toolCalling, finalAnswer: { withTools: 'stop' } },
    answers: { toolCalling, finalAnswer: { withTools: 'drop-tools' } },
  };
  upstreams = { up: { wire: 'openai-chat', baseUrl: upstream.baseUrl, models } };
  gateway = await gatewayForTest({ config: { upstreams } });
});

/** The same gateway, its replies written otherwise. */
async function restart(written: object): Promise<void> {
  await gateway.close();
  gateway = await gatewayForTest({ config: { upstreams, clientWires: { 'openai-chat': written } } });
}

const asked = { model: 'up/text', messages: [{ role: 'user', content: 'Go on.' }], tools: [readTool] };
const call = (path: string) => `<invoke name="read">\n<parameter name="path">${path}</parameter>\n</invoke>`;

/** What the client got of a streamed reply. */
async function stream(reply: ScriptedReply, more: object = {}) {
  upstream.next(reply);
  const response = await gateway.post({ ...asked, stream: true, ...more });
  expect(response.status).toBe(200);
  const text = await response.text();
  const data = dataOf(text);
  const chunks = data.filter((each) => each !== '[DONE]').map((each) => JSON.parse(each));
  const choices = chunks.flatMap((chunk) => chunk.choices ?? []);
  const deltas = choices.map((choice) => choice.delta);
  const fragments = deltas.flatMap((delta) => delta.tool_calls ?? []);
  return {
    text,
    data,
    chunks,
    deltas,
    fragments,
    content: deltas.map((delta) => delta.content ?? '').join(''),
    finish: choices.map((choice) => choice.finish_reason).filter(Boolean),
  };
}

async function whole(reply: ScriptedReply, more: object = {}) {
  upstream.next(reply);
  const response = await gateway.post({ ...asked, ...more });
  expect(response.status).toBe(200);
  const body = await response.json();
  return body.choices[0];
}

describe('calls and text of a reply', () => {
  it('A-134: a call that was never closed is text, nothing is lost, and the reply ends with stop', async () => {
    const broken = 'Look:\n<invoke name="read"><parameter name="path">v';
    expect(await whole(chatStream(broken))).toMatchObject({ message: { content: broken }, finish_reason: 'stop' });
    const { content, finish } = await stream(chatStream(broken));
    expect([content, finish]).toEqual([broken, ['stop']]);
    const record = await gateway.record((each) => each.stream === true);
    expect(record.warnings).toEqual({ 'call-cut': 1 });
  });

  it('A-140: a reply of one call has no content, its deltas follow the role', async () => {
    const { deltas, content } = await stream(chatStream(call('a')));
    expect(content).toBe('');
    expect(deltas[0].role).toBe('assistant');
    expect(deltas[1].tool_calls[0].function.name).toBe('read');
    expect((await whole(chatStream(call('a')))).message.content).toBeNull();
  });

  it.each(['', '  \n'])('A-141 A-165: of the reply %j only role, final chunk and [DONE] are left', async (reply) => {
    const { data, deltas, finish } = await stream(chatStream(reply));
    expect(deltas).toEqual([{ role: 'assistant', content: '' }, {}]);
    expect(finish).toEqual(['stop']);
    expect(data).toHaveLength(3);
    expect(data[2]).toBe('[DONE]');
    const { message } = await whole(chatMessage(reply));
    expect(message).toEqual(expect.objectContaining({ content: '' }));
    expect(message).not.toHaveProperty('tool_calls');
  });

  it('A-127 A-128 A-142: after a result plain text arrives, with and without a mark of the final answer', async () => {
    const history = [
      ...asked.messages,
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'alpha' },
    ];
    for (const reply of ['It says alpha.', '<final_answer>It says alpha.</final_answer>']) {
      const more = { messages: history };
      expect(await whole(chatStream(reply), more)).toMatchObject({
        message: { content: 'It says alpha.' },
        finish_reason: 'stop',
      });
      expect((await stream(chatStream(reply), more)).content).toBe('It says alpha.');
    }
  });

  it('A-144: a history that holds only the clean answer leads to the next question', async () => {
    const first = await whole(chatStream('<final_answer>It says alpha.</final_answer>'));
    expect(first.message.content).toBe('It says alpha.');
    const messages = [...asked.messages, first.message, { role: 'user', content: 'And b?' }];
    const second = await whole(chatStream(`I look.\n${call('b')}`), { messages });
    expect(second.finish_reason).toBe('tool_calls');
    const seen = JSON.parse(upstream.requests.at(-1)?.text ?? '').messages;
    expect(seen.slice(1)).toEqual([
      asked.messages[0],
      { role: 'assistant', content: 'It says alpha.' },
      { role: 'user', content: 'And b?' },
    ]);
  });

  it('A-143: an answer and a call in one reply are both delivered, and the call is to be run', async () => {
    const { content, fragments, finish } = await stream(
      chatStream(`<final_answer>Soon done.</final_answer>\n${call('a')}`),
    );
    expect(content.trim()).toBe('Soon done.');
    expect(fragments[0].function.name).toBe('read');
    expect(finish).toEqual(['tool_calls']);
  });

  it.each([
    ['stops', 1],
    ['answers', 0],
  ])('A-143: in either order %s says that the reply is over, with %i call(s) in it', async (model, calls) => {
    const answer = '<final_answer>Done!</final_answer>';
    for (const reply of [`${answer}\n${call('a')}`, `${call('a')}\n${answer}`]) {
      const { content, fragments, finish, text } = await stream(chatStream(reply), { model: `up/${model}` });
      // A reply that ends with `stop` in spite of its calls is what some clients stumble over and others want.
      if (calls === 0) expect(openaiChatViolations(text)).toEqual([]);
      expect({ content: content.trim(), finish }).toEqual({ content: 'Done!', finish: ['stop'] });
      expect(fragments.filter((each) => 'id' in each)).toHaveLength(calls);
    }
  });
});

describe('form of a stream', () => {
  const reply = `Two files  and 🙂.\n\n${call('a b\n  c')}\n${call('naïve/🙂.ts')}`;
  const values = ['a b\n  c', 'naïve/🙂.ts'];

  it('A-157 A-158 A-160 A-161 A-162 A-168: text, then one call after the other, as Copilot puts them together', async () => {
    const { text, chunks, fragments } = await stream(chatStream(reply));
    expect(openaiChatViolations(text)).toEqual([]);
    expect(fragments[0]).toEqual({
      index: 0,
      id: expect.stringMatching(/^call_/),
      type: 'function',
      function: { name: 'read', arguments: '' },
    });
    const indices = fragments.map((fragment) => fragment.index);
    expect(indices).toEqual([...indices].sort());
    expect(new Set(indices)).toEqual(new Set([0, 1]));
    const places = (field: string) => chunks.flatMap((chunk, at) => (chunk.choices[0].delta[field] ? [at] : []));
    expect(Math.max(...places('content'))).toBeLessThan(Math.min(...places('tool_calls')));
    const turn = collectAsCopilot([text]);
    expect(turn).toMatchObject({ outcome: 'success', begin: { name: 'read' }, problems: [] });
    expect(turn.calls.map((each) => JSON.parse(each.arguments).path)).toEqual(values);
    expect(new Set(turn.calls.map(({ id }) => id)).size).toBe(2);
  });

  it.each(['text', 'whole', 'characters', 'words', 'sized', 'complete'])(
    'A-156 A-159: the pieces of %s add up to the same text and the same arguments',
    async (model) => {
      const { content, fragments, text } = await stream(chatStream(reply), { model: `up/${model}` });
      expect(content).toBe('Two files  and 🙂.\n\n');
      const joined = (index: number) =>
        fragments
          .filter((fragment) => fragment.index === index)
          .map((fragment) => fragment.function.arguments)
          .join('');
      expect([0, 1].map((index) => JSON.parse(joined(index)).path)).toEqual(values);
      expect(openaiChatViolations(text)).toEqual([]);
      const counts = { complete: 2, whole: 2 }[model];
      if (counts !== undefined) expect(fragments.filter((each) => !('id' in each))).toHaveLength(counts);
    },
  );

  it('A-161: ids stay unique over a conversation in which the same call is made again', async () => {
    const messages: unknown[] = [...asked.messages];
    const ids: string[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      const { message } = await whole(chatStream(call('same')), { messages });
      ids.push(message.tool_calls[0].id);
      messages.push(message, { role: 'tool', tool_call_id: ids.at(-1), content: 'x' });
    }
    expect(new Set(ids).size).toBe(3);
  });

  it.each([
    ['stop', 'Hello', 'stop'],
    ['stop', call('a'), 'tool_calls'],
    ['length', 'Hel', 'length'],
    ['content_filter', 'Hel', 'content_filter'],
  ])('A-163 A-164: an upstream that ends with %s after %j gives one %s', async (finishReason, said, expected) => {
    const { finish, chunks, deltas } = await stream(chatStream(said, { finishReason }), {
      stream_options: { include_usage: true },
    });
    expect(finish).toEqual([expected]);
    const final = chunks.findIndex((chunk) => chunk.choices[0]?.finish_reason);
    expect(chunks.slice(final + 1).map((chunk) => chunk.choices)).toEqual([[]]);
    expect(deltas.at(-1)).toEqual({});
  });

  it('A-171 A-165: the error is between the final chunk and [DONE]', async () => {
    const [role = '', first = ''] = chatFrames('partial', { pieces: 7 });
    const { data, chunks } = await stream({ steps: [{ text: role + first }, { delay: 20 }, { cut: true }] });
    expect(chunks.findIndex((chunk) => 'error' in chunk)).toBe(chunks.length - 1);
    expect(chunks.filter((chunk) => chunk.choices?.[0]?.finish_reason)).toHaveLength(1);
    expect(data.at(-1)).toBe('[DONE]');
  });

  it('A-167: a beginToolCalls delta comes once, after the text and before the first call, and only when asked for', async () => {
    const holds = (deltas: readonly object[]) => deltas.flatMap((delta, at) => ('beginToolCalls' in delta ? [at] : []));
    expect(holds((await stream(chatStream(reply))).deltas)).toEqual([]);
    await restart({ beginToolCalls: true });
    const { deltas, fragments, text } = await stream(chatStream(reply));
    const [at = 0, ...others] = holds(deltas);
    expect(others).toEqual([]);
    expect(deltas[at].beginToolCalls).toEqual({ toolCallIds: [fragments[0].id] });
    expect(deltas.findLastIndex((delta) => delta.content)).toBeLessThan(at);
    expect(deltas.findIndex((delta) => delta.tool_calls)).toBeGreaterThan(at);
    expect(openaiChatViolations(text, { beginToolCalls: true })).toEqual([]);
  });

  it('A-172: the error of a broken stream comes after its final chunk, where VS Code shows it', async () => {
    const [role = '', first = ''] = chatFrames('partial', { pieces: 7 });
    const { chunks } = await stream({ steps: [{ text: role + first }, { delay: 20 }, { cut: true }] });
    expect(chunks.at(-1)).toHaveProperty('error.message');
    expect(chunks.at(-1)).not.toHaveProperty('choices');
    expect(chunks.at(-2)).toHaveProperty('choices.0.finish_reason', 'length');
  });

  it('B-071: what empty content is can be configured', async () => {
    await restart({ emptyStringContent: true });
    expect((await whole(chatStream(call('a')))).message.content).toBe('');
  });

  it('A-169: a megabyte of spaces, newlines and quotation marks arrives as it was written', async () => {
    const value = `  "x"\n\n\t   \\ 🙂  `.repeat(60_000);
    const { text } = await stream(chatStream(call(value), { pieces: 1000 }));
    const [only] = collectAsCopilot([text]).calls;
    expect(JSON.parse(only?.arguments ?? '').path === value).toBe(true);
  });

  it.each(sample([0, 1, 2, 3], 1))(
    'A-155 A-170: the same at every byte that the upstream may cut at, %i and every fourth',
    async (first) => {
      const short = `é🙂\n${call('🙂"é')}`;
      const [role = '', said = '', ...rest] = chatFrames(short, { pieces: [short], done: false });
      const steps = [role, said, ...rest].map((text) => ({ text }));
      const from = Buffer.byteLength(role);
      const shapes = new Set<string>();
      // The frame that says something: the others are of the same kind.
      for (let at = from + first; at <= from + Buffer.byteLength(said); at += 4) {
        const { content, fragments, text, finish } = await stream({ steps, cutAt: [at] });
        expect(text).not.toContain('\uFFFD');
        for (const piece of [...fragments.map((each) => each.function.arguments), content]) {
          expect(piece.isWellFormed()).toBe(true);
        }
        const joined = fragments.map((each) => each.function.arguments).join('');
        shapes.add(JSON.stringify([content, joined, finish]));
      }
      expect([...shapes]).toEqual([JSON.stringify(['é🙂\n', JSON.stringify({ path: '🙂"é' }), ['tool_calls']])]);
    },
  );

  it('A-176: what is no call leaves before the upstream says more', async () => {
    const [role = '', first = ''] = chatFrames('a < b', { pieces: 5 });
    upstream.next({ steps: [{ text: role + first }, { stall: true }] });
    const response = await gateway.post({ ...asked, stream: true });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (reader !== undefined && !text.includes('b"')) {
      const { value, done } = await reader.read();
      if (done) break;
      text += value;
    }
    const said = dataOf(text).map((each) => JSON.parse(each).choices[0].delta.content ?? '');
    expect(said.join('')).toBe('a < b');
    await reader?.cancel();
  });
});
