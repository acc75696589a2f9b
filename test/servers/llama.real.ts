import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTool, startTestGateway, type TestGateway } from '../../packages/server/test/start-test-gateway.ts';
import { apis, ask, at } from './ask.ts';
import { askForCall, callApis, formOf } from './call-apis.ts';
import { ajv, tools as homeTools, word } from './questions.ts';
import { type Recorded, recorded } from './recorded.ts';
import { type RealServer, startLlama } from './start-servers.ts';

const window = 2048;
const wires = ['openai-chat', 'openai-responses', 'anthropic-messages', 'openai-completions'] as const;
const pairs = wires.flatMap((wire) => Object.keys(apis).map((api) => [wire, api] as const));
/** Far more than the window. */
const tooLong = 'word '.repeat(2 * window);
/** One pixel. */
const image =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

let server: RealServer;
let tools: RealServer;
let record: Recorded;
let gateway: TestGateway;

beforeAll(async () => {
  [server, tools] = await Promise.all([
    startLlama({ window, tools: false }),
    startLlama({ window: 8192, tools: true }),
  ]);
  record = await recorded(server.url);
  const native = { toolCalling: 'native' };
  const named = wires.map((wire) => {
    const rule = wire === 'openai-completions' ? {} : native;
    // What only completes text gets the template that this model was trained with.
    const quirks = wire === 'openai-completions' ? { template: 'chatml' } : {};
    return [wire, { wire, baseUrl: `${record.url}/v1`, quirks, models: { smollm2: rule } }];
  });
  const baseUrl = `${record.url}/v1`;
  const upstreams = {
    ...Object.fromEntries(named),
    hermes: { wire: 'openai-chat', baseUrl, models: { smollm2: { toolCalling: { dialect: 'hermes' } } } },
    tools: { wire: 'openai-chat', baseUrl: `${tools.url}/v1`, anyModel: native },
  };
  gateway = await startTestGateway({ config: { upstreams } });
});

afterAll(async () => {
  await gateway?.close();
  await record?.close();
  await Promise.all([server?.stop(), tools?.stop()]);
});

const shortPath = {
  type: 'object',
  properties: { path: { type: 'string', maxLength: 20 } },
  required: ['path'],
  additionalProperties: false,
};

describe.each(pairs)('llama.cpp over %s for clients of %s', (wire, api) => {
  const model = `${wire}/smollm2`;
  // Long enough whatever this model makes of it.
  const text = 'Write all numbers from 1 to 100: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,';

  it('streamed and whole say the same, and an answer that is cut says so', async () => {
    const whole = await ask(gateway.url, api, { model, stream: false, text });
    const streamed = await ask(gateway.url, api, { model, stream: true, text });
    expect(whole).toMatchObject({ status: 200, error: '', isCut: true });
    expect(whole.text).not.toBe('');
    expect(streamed).toMatchObject({ status: 200, error: '', isCut: true, text: whole.text });
  });

  it('a prompt beyond the window is told as such', async () => {
    const { status, error } = await ask(gateway.url, api, { model, stream: true, text: tooLong });
    expect(status).toBe(400);
    // Ollama's API has words and no code.
    expect(error).toMatch(api === 'ollama-chat' ? /context/ : /context_length_exceeded|prompt is too long/);
    expect(error).toMatch(/\d{4}/);
  });
});

it('an image for a model that reads only text is refused for good', async () => {
  const asked = { model: 'openai-chat/smollm2', stream: false, text: 'What is it?', image };
  const { status, error } = await ask(gateway.url, 'openai-chat', asked);
  expect(status).toBe(400);
  expect(error).toContain('image');
});

it('a client that goes stops the server', async () => {
  const leave = new AbortController();
  const body = JSON.stringify({
    model: 'openai-chat/smollm2',
    messages: [{ role: 'user', content: 'Count to 2000.' }],
  });
  const headers = { 'content-type': 'application/json' };
  const asked = fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers, body, signal: leave.signal });
  const gone = asked.catch(() => 'gone');
  while (!(await isBusy())) await sleep(10);
  leave.abort();
  expect(await gone).toBe('gone');
  // Bounded by the test's own limit; the answer itself would take far longer than the window has room for.
  while (await isBusy()) await sleep(10);
  const last = record.exchanges.at(-1);
  expect(last?.told).not.toContain('[DONE]');
});

async function isBusy(): Promise<boolean> {
  const slots = await (await fetch(`${server.url}/slots`)).json();
  return at(slots, 0, 'is_processing') === true;
}

it('a call that is required and does not come is told', async () => {
  const answer = await gateway.post({
    model: 'openai-chat/smollm2',
    messages: [{ role: 'user', content: 'Say hello.' }],
    tools: [readTool],
    tool_choice: 'required',
    max_tokens: 8,
  });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('x-dragoman-warnings')).toContain('call-missing=1');
});

it.each(['openai-responses', 'anthropic-messages'])(
  'over %s an answer that has to be JSON is asked for in words, too',
  async (wire) => {
    const schema = { type: 'object', properties: { colour: { type: 'string' } }, required: ['colour'] };
    const answer = await gateway.post({
      model: `${wire}/smollm2`,
      messages: [{ role: 'user', content: 'Name a colour.' }],
      response_format: { type: 'json_schema', json_schema: { name: 'colour', schema } },
      max_tokens: 30,
    });
    const [{ message, finish_reason: reason } = expect.fail()] = (await answer.json()).choices;
    // What it answers is the model's: JSON, something else, which is told, or more than it may write.
    if (reason !== 'length' && !message.content.includes('"colour"')) {
      expect(answer.headers.get('x-dragoman-warnings')).toMatch(/format-missed|answer-nudged|text-dropped/);
    }
    const asked = record.exchanges.map((each) => each.asked).filter((each) => each.includes('"colour"'));
    expect(asked.at(-1)?.split('colour').length).toBeGreaterThan(5);
  },
);

it('over Chat Completions the server holds its model to a schema', async () => {
  const schema = {
    type: 'object',
    properties: { colour: { enum: ['red', 'blue'] } },
    required: ['colour'],
    additionalProperties: false,
  };
  const answer = await gateway.post({
    model: 'openai-chat/smollm2',
    messages: [{ role: 'user', content: 'Name a colour.' }],
    response_format: { type: 'json_schema', json_schema: { name: 'colour', schema } },
    max_tokens: 60,
  });
  const content = at(await answer.json(), 'choices', 0, 'message', 'content');
  expect(['red', 'blue']).toContain(at(JSON.parse(String(content)), 'colour'));
});

it('one that calls natively fits the form of its answer over each API: held to that, it calls nothing', async () => {
  const fits = ajv.compile(word);
  for (const [place, api] of Object.keys(callApis).entries()) {
    const asked = { model: 'tools/smollm2', question: 'Say hello.', tools: homeTools.slice(0, 1), choice: 'auto' };
    const stream = place % 2 === 1;
    const got = await askForCall(gateway.url, api, { ...asked, stream, more: formOf[api]?.(word) ?? {} });
    expect(got.calls, api).toEqual([]);
    expect(fits(JSON.parse(got.text)), `${api}: ${got.text}`).toBe(true);
  }
});

it.each(['required', { type: 'function', function: { name: 'read' } }])(
  'a native call comes whole or is cut: %j',
  async (toolChoice) => {
    for (const maxTokens of [4, 200]) {
      const answer = await gateway.post({
        model: 'tools/smollm2',
        messages: [{ role: 'user', content: 'Read the file a.txt.' }],
        tools: [readTool],
        tool_choice: toolChoice,
        max_tokens: maxTokens,
        temperature: 0,
      });
      const choice = at(await answer.json(), 'choices', 0);
      const calls = at(choice, 'message', 'tool_calls');
      for (const call of Array.isArray(calls) ? calls : []) {
        expect(at(choice, 'finish_reason')).toBe('tool_calls');
        expect(at(JSON.parse(String(at(call, 'function', 'arguments'))), 'path')).toBeTypeOf('string');
      }
    }
  },
);

it.each(['required', { type: 'function', function: { name: 'read' } }])(
  'a model that calls natively calls where one is required, which the server by itself ignores: %j',
  async (toolChoice) => {
    await fetch(`${gateway.url}/v1/models`);
    const answer = await gateway.post({
      model: 'tools/smollm2',
      messages: [{ role: 'user', content: 'Hello, how are you?' }],
      tools: [{ ...readTool, function: { ...readTool.function, parameters: shortPath } }],
      tool_choice: toolChoice,
      max_tokens: 80,
      temperature: 0,
    });
    const choice = at(await answer.json(), 'choices', 0);
    expect(at(choice, 'finish_reason')).toBe('tool_calls');
    expect(at(choice, 'message', 'tool_calls', 0, 'function', 'name')).toBe('read');
    const given = at(choice, 'message', 'tool_calls', 0, 'function', 'arguments');
    expect(at(JSON.parse(String(given)), 'path')).toBeTypeOf('string');
  },
);

describe('the prompt cache', () => {
  it('is kept over the rounds of an agent: each prompt begins with the one before, byte for byte', async () => {
    const file = (round: number) => `Line ${round} of the file, with <tags>, "quotes" and {braces}.\n`.repeat(4);
    const messages: object[] = [{ role: 'system', content: 'You are a coding agent.' }];
    let former = '';
    for (let round = 0; round < 6; round += 1) {
      messages.push({ role: 'user', content: `Read file ${round}.` });
      const before = record.exchanges.length;
      const answer = await gateway.post({
        model: 'hermes/smollm2',
        messages,
        tools: [readTool],
        max_tokens: 12,
        temperature: 0,
      });
      const said = at(await answer.json(), 'choices', 0, 'message');
      const exchange = record.exchanges[before];
      const prompt = await promptOf(exchange?.asked ?? '');
      expect(prompt.startsWith(former)).toBe(true);
      // What it has kept is all that both prompts share; a few tokens at the seam are read again.
      if (former !== '')
        expect(readAnew(exchange?.told ?? '')).toBeLessThanOrEqual((await tokensOf(prompt.slice(former.length))) + 4);
      former = prompt;
      const id = `call_${round}`;
      const call = { id, type: 'function', function: { name: 'read', arguments: `{"path":"${round}.txt"}` } };
      messages.push(said as object, { role: 'user', content: 'Go on.' });
      messages.push({ role: 'assistant', content: null, tool_calls: [call] });
      messages.push({ role: 'tool', tool_call_id: id, content: file(round) });
    }
  });

  async function promptOf(asked: string): Promise<string> {
    const body = JSON.stringify({ messages: at(JSON.parse(asked), 'messages') });
    return String(at(await post('/apply-template', body), 'prompt'));
  }

  async function tokensOf(content: string): Promise<number> {
    const tokens = at(await post('/tokenize', JSON.stringify({ content, parse_special: true })), 'tokens');
    return Array.isArray(tokens) ? tokens.length : 0;
  }

  async function post(path: string, body: string): Promise<unknown> {
    // The server closes a connection that nothing has come over for five seconds, which is about as long as a round takes.
    const headers = { 'content-type': 'application/json', connection: 'close' };
    return (await fetch(server.url + path, { method: 'POST', headers, body })).json();
  }

  /** The tokens of the prompt that the server has read and not taken from its cache, as it says itself. */
  function readAnew(told: string): number {
    const [, count] = /"prompt_n":(\d+)/.exec(told) ?? [];
    return Number(count);
  }
});
