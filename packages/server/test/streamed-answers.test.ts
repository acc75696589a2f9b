import {
  chatFrames,
  chatStream,
  collectAsAiSdk,
  openaiChatViolations,
  randomInteger,
  type ScriptedReply,
  type ScriptedUpstream,
  seededRandom,
} from '@dragoman/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { gatewayForTest, upstreamForTest } from './for-test.ts';
import { dataOf, type TestGateway } from './start-test-gateway.ts';

let upstream: ScriptedUpstream;
let gateway: TestGateway;

beforeEach(async () => {
  upstream = await upstreamForTest();
  const models = {
    tags: { toolCalling: { dialect: 'cline-xml' } },
    text: { toolCalling: { dialect: 'hermes' } },
    native: { toolCalling: 'native' },
  };
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
const streamed = { ...asked, stream: true };
const withUsage = { ...streamed, stream_options: { include_usage: true } };

const read = (path: string) => `<read>\n<filePath>${path}</filePath>\n</read>`;

/** What the client got of a streamed reply. */
async function stream(reply: ScriptedReply, body: object = streamed) {
  upstream.next(reply);
  const response = await gateway.post(body);
  expect(response.status).toBe(200);
  const text = await response.text();
  const chunks = dataOf(text)
    .filter((data) => data !== '[DONE]')
    .map((data) => JSON.parse(data));
  const deltas = chunks.flatMap((chunk) => (chunk.choices?.[0] === undefined ? [] : [chunk.choices[0].delta]));
  const fragments = deltas.flatMap((delta) => delta.tool_calls ?? []);
  const finish = chunks.map((chunk) => chunk.choices?.[0]?.finish_reason).filter(Boolean);
  const joined = (field: string) => deltas.map((delta) => delta[field] ?? '').join('');
  return { text, data: dataOf(text), chunks, deltas, fragments, finish, joined };
}

describe('a streamed answer', () => {
  it('B-080: the first call leaves before the upstream has ended', async () => {
    const [role = '', ...frames] = chatFrames(`${read('a.md')}\nand more`);
    upstream.next({ steps: [{ text: role }, { text: frames.slice(0, -3).join('') }, { stall: true }] });
    const response = await gateway.post(streamed);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (reader !== undefined && !text.includes('{\\"filePath\\":')) {
      const { value, done } = await reader.read();
      if (done) break;
      text += value;
    }
    expect(text).toContain('"name":"read"');
    expect(text).toContain('{\\"filePath\\":');
    await reader?.cancel();
    expect(await (await upstream.request(0)).over).toBe('aborted');
  });

  it('B-081: two replies at once do not influence each other', async () => {
    const replies = ['one', 'two'].map((path) => chatStream(`Text ${path}. ${read(path)}`, { pieces: 1, delay: 1 }));
    upstream.next(...replies);
    const texts = await Promise.all([0, 1].map(async () => (await gateway.post(streamed)).text()));
    const turns = texts.map((text) => collectAsAiSdk(text));
    expect(turns.map(({ calls }) => calls.map((call) => call.arguments)).sort()).toEqual([
      ['{"filePath":"one"}'],
      ['{"filePath":"two"}'],
    ]);
    for (const { text, calls } of turns) expect(text).toBe(`Text ${JSON.parse(calls[0]?.arguments ?? '').filePath}. `);
  });

  it('B-083 B-084 B-093: no part of a tag leaks, look-alikes are released, the same at every split', async () => {
    const text = `Say a <readme> b <re\n${read('a.md')}\nand <rea`;
    const { steps } = chatStream(text, { pieces: 1 });
    const size = [...steps].reduce((sum, step) => sum + ('text' in step ? Buffer.byteLength(step.text) : 0), 0);
    const random = seededRandom(83);
    const cuts = Array.from({ length: 12 }, () =>
      [1, 2, 3].map(() => randomInteger(random, 1, size)).sort((a, b) => a - b),
    );
    const variants: ScriptedReply[] = [
      { steps },
      { steps, everyByte: true },
      ...cuts.map((cutAt) => ({ steps, cutAt })),
    ];
    for (const variant of variants) {
      const { joined, fragments, text: sent } = await stream(variant);
      expect(joined('content')).toBe('Say a <readme> b <re\n\nand <rea');
      expect(fragments.map(({ function: about }) => about.arguments).join('')).toBe('{"filePath":"a.md"}');
      expect(sent).not.toContain('<read>');
      expect(sent).not.toContain('filePath>');
    }
  });

  it('B-085 B-086 B-087 B-088: one role, a start fragment for each call, then arguments with their index', async () => {
    const { deltas, fragments, text } = await stream(chatStream(`Three.\n${['a', 'b', 'c'].map(read).join('\n')}`));
    expect(deltas.filter((delta) => 'role' in delta)).toHaveLength(1);
    expect(deltas[0]).toEqual({ role: 'assistant', content: '' });
    const starts = fragments.filter((fragment) => 'id' in fragment);
    expect(starts).toEqual(
      [0, 1, 2].map((index) => ({
        index,
        id: expect.stringMatching(/^call_[0-9a-f]{24}$/),
        type: 'function',
        function: { name: 'read', arguments: '' },
      })),
    );
    for (const fragment of fragments) {
      if (starts.includes(fragment)) continue;
      expect(Object.keys(fragment)).toEqual(['index', 'function']);
      expect(Object.keys(fragment.function)).toEqual(['arguments']);
    }
    expect(openaiChatViolations(text)).toEqual([]);
  });

  it('B-089: text after a call is kept', async () => {
    const { joined, finish } = await stream(chatStream(`A ${read('a.md')} B`));
    expect(joined('content')).toBe('A  B');
    expect(finish).toEqual(['tool_calls']);
  });

  it('B-090: a call that the end of the reply cuts is text, and the finish reason says stop', async () => {
    const cut = '<read>\n<filePath>a.m';
    upstream.next(chatStream(`Look: ${cut}`));
    const body = await (await gateway.post(asked)).json();
    expect(body.choices[0]).toMatchObject({ message: { content: `Look: ${cut}` }, finish_reason: 'stop' });
    const { joined, finish } = await stream(chatStream(`Look: ${cut}`));
    expect(joined('content')).toBe(`Look: ${cut}`);
    expect(finish).toEqual(['stop']);
    const record = await gateway.record((each) => each.stream === true);
    expect(record.warnings).toMatchObject({ 'call-cut': 1 });
  });

  it('B-091 B-092: final chunk, usage chunk and [DONE] come last; the usage is the last one that came', async () => {
    const frames = chatFrames('Hi', { usage: { prompt: 7, completion: 9 } });
    const early = { choices: [], usage: { prompt_tokens: 7, completion_tokens: 1, total_tokens: 8 } };
    frames.splice(1, 0, `data: ${JSON.stringify(early)}\n\n`);
    const { data, chunks } = await stream({ steps: frames.map((text) => ({ text })) }, withUsage);
    expect(data.at(-1)).toBe('[DONE]');
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 7, completion_tokens: 9, total_tokens: 16 },
    });
    expect(chunks.at(-2).choices[0]).toMatchObject({ delta: {}, finish_reason: 'stop' });
    expect(chunks.filter((chunk) => chunk.usage !== undefined)).toHaveLength(1);
  });

  it('B-094: a web page in place of a reply is a 400 with a hint at credentials, streamed or not', async () => {
    const page = { headers: { 'content-type': 'text/html' }, steps: [{ text: '<html>Please log in, s3cret</html>' }] };
    for (const body of [asked, streamed]) {
      upstream.next(page);
      const response = await gateway.post(body);
      expect(response.status).toBe(400);
      const { error } = await response.json();
      expect(error.message).toContain('its key');
      expect(error.message).not.toContain('s3cret');
    }
  });

  it('B-095: an upstream that just stops loses no text, and the client gets a final chunk', async () => {
    const { joined, chunks, data } = await stream(chatStream('All of it', { done: false, finishReason: null }));
    expect(joined('content')).toBe('All of it');
    expect(data.at(-1)).toBe('[DONE]');
    expect(chunks.findLast((chunk) => chunk.choices !== undefined).choices[0].finish_reason).toBe('length');
    const finished = await stream(chatStream('All of it', { done: false }));
    expect(finished.finish).toEqual(['stop']);
    expect(finished.chunks.some((chunk) => chunk.error !== undefined)).toBe(false);
  });

  it('B-099: a line in the middle that is plainly no frame is passed over and counted in the log', async () => {
    const frames = chatFrames('one two');
    frames.splice(2, 0, 'data: oops\n\n');
    const { joined, finish } = await stream({ steps: frames.map((text) => ({ text })) });
    expect(joined('content')).toBe('one two');
    expect(finish).toEqual(['stop']);
    const record = await gateway.record((each) => each.status === 200);
    expect(record.warnings).toMatchObject({ 'event-unreadable': 1 });
  });
});
