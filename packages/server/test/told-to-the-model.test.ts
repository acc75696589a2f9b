import { chatStream } from '@dragoman/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { gatewayForTest, upstreamForTest } from './for-test.ts';
import { platformForTest, upstreamsFor } from './platform-setup.ts';
import { readTool, type TestGateway } from './start-test-gateway.ts';

type Message = Readonly<Record<string, unknown>>;

interface Asked {
  readonly gateway: TestGateway;
  readonly model: string;
  /** What the model was told last: its whole prompt, or, where the upstream keeps the conversation, the newest message. */
  readonly told: () => string;
}

/** What the model writes next. */
let next = 'Done.';

beforeEach(() => {
  next = 'Done.';
});

async function beforeTextUpstream(): Promise<Asked> {
  const upstream = await upstreamForTest({ fallback: () => chatStream(next) });
  const models = { m: { toolCalling: { dialect: 'hermes' } } };
  const upstreams = { up: { wire: 'openai-chat', baseUrl: upstream.baseUrl, models } };
  const gateway = await gatewayForTest({ config: { upstreams } });
  const told = () => {
    const { messages } = JSON.parse(upstream.requests.at(-1)?.text ?? '{}');
    return messages.map(({ content }: { content: string }) => content).join('\n');
  };
  return { gateway, model: 'up/m', told };
}

async function beforePlatform(): Promise<Asked> {
  const platform = await platformForTest({ answer: () => next });
  const gateway = await gatewayForTest({ config: { upstreams: upstreamsFor(platform) } });
  const told = () => {
    const last = platform.requests.findLast(({ path }) => path.endsWith('/messages'));
    return String(Object(last?.body).text);
  };
  return { gateway, model: 'platform/m', told };
}

const user = (content: unknown): Message => ({ role: 'user', content });
const result = (id: string | undefined, content: string): Message => ({ role: 'tool', tool_call_id: id, content });
const call = (path: string) => `<tool_call>\n{"name": "read", "arguments": {"path": "${path}"}}\n</tool_call>`;
const count = (text: string, part: string) => text.split(part).length - 1;

describe.each([
  { name: 'that reads text and forgets', start: beforeTextUpstream },
  { name: 'that keeps the conversation', start: beforePlatform },
])('a request to an upstream $name', ({ start }) => {
  let asked: Asked;

  beforeEach(async () => {
    asked = await start();
  });

  async function ask(messages: readonly Message[], fields: object = { tools: [readTool] }) {
    const response = await asked.gateway.post({ model: asked.model, messages, ...fields });
    const body = await response.json();
    return { status: response.status, body, choice: body.choices?.[0], told: response.ok ? asked.told() : '' };
  }

  /** The model makes two calls; returns the history up to them and their ids. */
  async function afterCalls() {
    next = `${call('a.txt')}\n${call('b.txt')}`;
    const { choice } = await ask([user('Read both.')]);
    next = 'Done.';
    const ids: readonly string[] = choice.message.tool_calls.map(({ id }: { id: string }) => id);
    return { history: [user('Read both.'), choice.message], ids };
  }

  it('A-037: text beside an image is told, and the image is missed aloud', async () => {
    const parts = [
      { type: 'text', text: 'What is it?' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
    ];
    const { status, told } = await ask([user(parts)]);
    expect(status).toBe(200);
    expect(told).toContain('What is it?');
    await asked.gateway.record(({ warnings }) => Object(warnings)['part-dropped'] === 1);
  });

  it('A-038: of two messages before any answer both are told, in order', async () => {
    const { told } = await ask([user('You are on Linux.'), user('List the files.')]);
    expect(count(told, 'You are on Linux.')).toBe(1);
    expect(told.indexOf('You are on Linux.')).toBeLessThan(told.indexOf('List the files.'));
  });

  it('A-046: without tools and results there is not a word of tools', async () => {
    const { told } = await ask([{ role: 'system', content: 'Be brief.' }, user('hi')], {});
    expect(told).toContain('Be brief.');
    expect(told).not.toMatch(/tool/i);
  });

  it('A-047: a new request after old results is the task', async () => {
    const { history, ids } = await afterCalls();
    const results = [...ids].map((id) => result(id, `contents for ${id}`));
    next = 'Both are read.';
    await ask([...history, ...results]);
    next = 'Done.';
    const { told } = await ask([
      ...history,
      ...results,
      { role: 'assistant', content: 'Both are read.' },
      user('Now delete them.'),
    ]);
    expect(told.trimEnd().endsWith('Now delete them.')).toBe(true);
  });

  it('A-048 A-190: results are told although the request declares no tools', async () => {
    const { history, ids } = await afterCalls();
    const { status, told } = await ask([...history, ...ids.map((id) => result(id, `contents for ${id}`))], {});
    expect(status).toBe(200);
    for (const id of ids) expect(count(told, `contents for ${id}`)).toBe(1);
  });

  it('A-191 B-117: swapped results are told in the order of their calls, all of them', async () => {
    const { history, ids } = await afterCalls();
    const [first = '', second = ''] = ids;
    const { told } = await ask([...history, result(second, 'contents of b'), result(first, 'contents of a')]);
    expect(told.indexOf('contents of a')).toBeGreaterThan(0);
    expect(told.indexOf('contents of a')).toBeLessThan(told.indexOf('contents of b'));
  });

  it('A-201 A-202: a missing result is told as missing, and one that belongs to no call is left out', async () => {
    const { history, ids } = await afterCalls();
    const { told } = await ask([
      ...history,
      result(ids[0], 'contents of a'),
      result('call_other', 'contents of a stranger'),
    ]);
    expect(told).toContain('contents of a');
    expect(told).not.toContain('a stranger');
    const { warnings } = await asked.gateway.record(({ warnings: told }) => Object(told)['result-missing'] === 1);
    expect(warnings).toMatchObject({ 'result-orphan': 1 });
  });

  it('A-203: of two results for one call the last is told', async () => {
    const { history, ids } = await afterCalls();
    const both = [result(ids[0], 'the old one'), result(ids[0], 'the new one'), result(ids[1], 'b')];
    const { told } = await ask([...history, ...both]);
    expect(told).toContain('the new one');
    expect(told).not.toContain('the old one');
  });

  it('A-211 B-116: an empty result is told in words', async () => {
    const { history, ids } = await afterCalls();
    const { told } = await ask([...history, ...ids.map((id) => result(id, ' '))]);
    expect(told).toMatch(/no output/i);
  });

  it.each([
    ['none', { content: '' }, 'stop'],
    ['auto', { content: null, tool_calls: [{}] }, 'tool_calls'],
    ['required', { content: null, tool_calls: [{}] }, 'tool_calls'],
    [{ type: 'function', function: { name: 'read' } }, { content: null, tool_calls: [{}] }, 'tool_calls'],
  ])(
    'A-049: with tool_choice %j the model is told so, and what it writes is read so',
    async (choice, message, reason) => {
      next = call('a.txt');
      const tools = { tools: [readTool], tool_choice: choice };
      const { choice: answered, told } = await ask([user('Read it.')], tools);
      expect(answered).toMatchObject({ message, finish_reason: reason });
      expect(told.includes('Reads a file.')).toBe(choice !== 'none');
      const must = told.includes('Your next reply must');
      expect(must).toBe(choice !== 'none' && choice !== 'auto');
    },
  );

  it('A-050: with parallel_tool_calls false one of two calls is delivered', async () => {
    next = `${call('a.txt')}\n${call('b.txt')}`;
    const { choice } = await ask([user('Read both.')], { tools: [readTool], parallel_tool_calls: false });
    expect(choice.message.tool_calls).toHaveLength(1);
  });
});

describe('A-052: stop sequences', () => {
  it.each([
    { name: 'of a platform that knows none', start: beforePlatform },
    { name: 'of a server with the Responses API, which knows none', start: beforeResponses },
  ])('end the reply $name, at the right character, streamed and whole', async ({ start }) => {
    const { gateway, model } = await start();
    next = 'Grüße 🧭.\n\nUser: and more';
    const body = { model, messages: [user('hi')], stop: ['\n\nUser:', 'never'] };
    const whole = await (await gateway.post(body)).json();
    expect(whole.choices[0]).toMatchObject({ message: { content: 'Grüße 🧭.' }, finish_reason: 'stop' });
    const stream = await (await gateway.post({ ...body, stream: true })).text();
    expect(stream).not.toContain('User');
    expect(stream).toContain('"finish_reason":"stop"');
    expect(stream).not.toContain('"error"');
    const records = gateway.records().filter(({ route }) => route !== undefined);
    for (const { warnings } of records) expect(Object(warnings)['field-dropped']).toBeUndefined();
  });
});

describe('A-052: the length of a reply', () => {
  it('is held by the gateway before a platform that knows no limit, streamed and whole', async () => {
    const { gateway, model } = await beforePlatform();
    next = 'one two three four five six';
    const body = { model, messages: [user('hi')], max_tokens: 3 };
    const whole = await (await gateway.post(body)).json();
    expect(whole.choices[0]).toMatchObject({ message: { content: 'one two three f' }, finish_reason: 'length' });
    const stream = await (
      await gateway.post({ ...body, max_tokens: undefined, max_completion_tokens: 3, stream: true })
    ).text();
    expect(stream).toContain('"content":"f"');
    expect(stream).not.toContain('five');
    expect(stream).toContain('"finish_reason":"length"');
    const roomy = await (await gateway.post({ ...body, max_tokens: 6 })).json();
    expect(roomy.choices[0]).toMatchObject({ message: { content: next }, finish_reason: 'stop' });
  });

  it('cuts a call short, which then is text and never runs', async () => {
    const { gateway, model } = await beforePlatform();
    next = call('a/very/long/path/to/a.txt');
    const { choices } = await (
      await gateway.post({ model, messages: [user('hi')], tools: [readTool], max_tokens: 12 })
    ).json();
    expect(choices[0].message.tool_calls).toBeUndefined();
    expect(choices[0].finish_reason).toBe('length');
    expect(next.startsWith(choices[0].message.content)).toBe(true);
  });
});

async function beforeResponses(): Promise<Asked> {
  const frame = (data: object) => ({ text: `data: ${JSON.stringify(data)}\n\n` });
  const at = { item_id: 'msg_1', output_index: 0, content_index: 0 };
  const upstream = await upstreamForTest({
    fallback: () => {
      const part = { type: 'output_text', text: next, annotations: [] };
      const item = { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content: [part] };
      const response = { id: 'resp_1', object: 'response', model: 'm', status: 'completed', output: [item] };
      return {
        steps: [
          frame({ type: 'response.created', response: { ...response, status: 'in_progress', output: [] } }),
          frame({ type: 'response.output_item.added', output_index: 0, item: { ...item, content: [] } }),
          frame({ type: 'response.content_part.added', ...at, part: { ...part, text: '' } }),
          ...[...next].map((delta) => frame({ type: 'response.output_text.delta', ...at, delta })),
          frame({ type: 'response.output_text.done', ...at, text: next }),
          frame({ type: 'response.output_item.done', output_index: 0, item }),
          frame({ type: 'response.completed', response }),
        ],
      };
    },
  });
  const upstreams = { up: { wire: 'openai-responses', baseUrl: upstream.baseUrl, models: { m: {} } } };
  const gateway = await gatewayForTest({ config: { upstreams } });
  return { gateway, model: 'up/m', told: () => upstream.requests.at(-1)?.text ?? '' };
}
