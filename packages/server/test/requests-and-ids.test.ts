import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chatStream, errorReply, type NextReply, type ScriptedReply, type ScriptedUpstream } from '@dragoman/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { run } from '../src/cli/run.ts';
import { gatewayForTest, upstreamForTest } from './for-test.ts';
import { readTool, type TestGateway } from './start-test-gateway.ts';
import { testTerminal } from './test-terminal.ts';

let upstream: ScriptedUpstream;
let gateway: TestGateway;
let config: object;

beforeEach(async () => {
  upstream = await upstreamForTest({ fallback: chatStream('Hello') });
  const strict = { mode: 'strict' };
  const models = {
    text: { toolCalling: { dialect: 'hermes' } },
    kimi: { toolCalling: { dialect: 'kimi-k2' } },
    strict: { toolCalling: { dialect: 'hermes' }, results: strict },
    native: { toolCalling: 'native' },
  };
  config = { upstreams: { up: { wire: 'openai-chat', baseUrl: upstream.baseUrl, models } } };
  gateway = await gatewayForTest({ config: { ...config } });
});

type Fields = Readonly<Record<string, unknown>>;
interface WireCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

const user = (content: string) => ({ role: 'user', content });
const system = (content: string) => ({ role: 'system', content });
const result = (id: string | undefined, content: unknown) => ({ role: 'tool', tool_call_id: id, content });
const called = (...ids: string[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'read', arguments: `{"path":"${id}"}` } })),
});

/** Sends a request and returns the answer's body with what the upstream saw. */
async function ask(messages: readonly unknown[], more: Fields = {}) {
  const response = await gateway.post({ model: 'up/text', messages, tools: [readTool], ...more });
  const body = await response.json();
  const seen = upstream.requests.at(-1)?.body;
  return { status: response.status, body, seen: isFields(seen) ? seen : {} };
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function messagesOf(seen: Fields): readonly { readonly role: string; readonly content: string }[] {
  return JSON.parse(JSON.stringify(seen.messages));
}

describe('what the upstream sees', () => {
  it('B-008: an empty list of tools is no tools', async () => {
    const empty = await ask([user('Hi')], { tools: [] });
    const none = await ask([user('Hi')], { tools: undefined });
    expect(empty.seen).toEqual(none.seen);
    expect(JSON.stringify(empty.seen)).not.toContain('tool');
  });

  it('B-023 B-024: default system text, and several joined by a blank line', async () => {
    const [front] = messagesOf((await ask([user('Hi')])).seen);
    expect(front?.role).toBe('system');
    expect(front?.content.startsWith('You are a helpful assistant.\n\n')).toBe(true);
    const [both] = messagesOf((await ask([system('a'), system('b'), user('Hi')])).seen);
    expect(both?.content.startsWith('a\n\nb\n\n')).toBe(true);
    expect(both?.content).toContain('Reads a file.');
  });

  it('B-028: without tools a text model gets the payload of a native one', async () => {
    const messages = [
      system('Be brief.'),
      user('Hi'),
      { role: 'assistant', content: 'Hello' },
      user('<tool_call> & <b>'),
    ];
    const payload = async (model: string) => {
      const { seen } = await ask(messages, { model, tools: undefined, temperature: 0.5, user: 'u' });
      return { ...seen, model: '' };
    };
    expect(await payload('up/text')).toEqual(await payload('up/native'));
    expect((await ask(messages, { tools: undefined })).seen.messages).toEqual(messages);
  });

  it('B-030: no messages are refused, naming the field', async () => {
    const { status, body } = await ask([]);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ param: 'messages' });
    expect(upstream.requests).toHaveLength(0);
  });

  it('B-031: a tool that is added in a later turn is taught', async () => {
    const added = { type: 'function', function: { ...readTool.function, name: 'grep', description: 'Finds text.' } };
    const turns = [user('Hi'), { role: 'assistant', content: 'Hello' }, user('And now?')];
    expect(JSON.stringify((await ask(turns.slice(0, 1))).seen)).not.toContain('Finds text.');
    expect(JSON.stringify((await ask(turns, { tools: [readTool, added] })).seen)).toContain('Finds text.');
  });
});

describe('results', () => {
  it.each<[string, readonly unknown[], readonly string[]]>([
    [
      'no id',
      [user('x'), called('a', 'b'), result(undefined, '1')],
      ['without tool_call_id could belong to several calls'],
    ],
    ['no content', [user('x'), called('a'), { role: 'tool', tool_call_id: 'a' }], ['has no content']],
    ['no assistant message', [user('x'), result('a', '1')], ['no assistant message']],
    [
      'no matching call',
      [user('x'), called('a'), result('a', '1'), result('zz', '2')],
      ['"zz"', 'no call has that id'],
    ],
    ['two faults', [user('x'), called('a', 'b'), result('a', '1'), result('zz', '2')], ['"zz"', '"b" of read has no']],
  ])('B-114: strict mode refuses %s', async (_, messages, reasons) => {
    const { status, body } = await ask(messages, { model: 'up/strict' });
    expect(status).toBe(400);
    expect(body.error.code).toBe('invalid_tool_results');
    for (const reason of reasons) expect(body.error.message).toContain(reason);
    expect(upstream.requests).toHaveLength(0);
  });

  it('B-115 B-116: an empty result is legal, and told as such', async () => {
    for (const model of ['up/text', 'up/strict']) {
      const { status, seen } = await ask([user('x'), called('a'), result('a', '')], { model });
      expect(status).toBe(200);
      expect(messagesOf(seen).at(-1)?.content).toContain('The tool ran successfully and returned no output.');
    }
  });

  it('B-117: three results of a round all reach the upstream', async () => {
    const messages = [user('x'), called('a', 'b', 'c'), result('c', 'r3'), result('a', 'r1'), result('b', 'r2')];
    const last = messagesOf((await ask(messages)).seen).at(-1)?.content ?? '';
    expect([last.indexOf('r1'), last.indexOf('r2'), last.indexOf('r3')].every((at) => at >= 0)).toBe(true);
    expect(last.indexOf('r1')).toBeLessThan(last.indexOf('r2'));
    expect(last.indexOf('r2')).toBeLessThan(last.indexOf('r3'));
  });

  it('B-118: a list is joined, an object is written as JSON', async () => {
    const list = [
      { type: 'text', text: 'one' },
      { type: 'text', text: 'two' },
    ];
    const messages = [user('x'), called('a', 'b'), result('a', list), result('b', { size: 3 })];
    const last = messagesOf((await ask(messages)).seen).at(-1)?.content ?? '';
    expect(last).toContain('one\ntwo');
    expect(last).toContain('{"size":3}');
  });

  it('B-120: a full cycle: the model calls, gets the result and ends with stop', async () => {
    const written = {
      'up/text': '<tool_call>\n{"name": "read", "arguments": {"path": "a.txt"}}\n</tool_call>',
      'up/kimi':
        '<|tool_calls_section_begin|><|tool_call_begin|>functions.read:0<|tool_call_argument_begin|>{"path": "a.txt"}<|tool_call_end|><|tool_calls_section_end|>',
    };
    for (const [model, call] of Object.entries(written)) await cycle(model, call);
  });
});

/** One call, its result and the final text. */
async function cycle(model: string, written: string): Promise<void> {
  upstream.next(chatStream(`I look.\n${written}`), chatStream('The file says: alpha.'));
  const first = await ask([user('Read a.txt')], { model });
  const { message, finish_reason } = first.body.choices[0];
  expect(finish_reason).toBe('tool_calls');
  const second = await ask([user('Read a.txt'), message, result(message.tool_calls[0].id, 'alpha')], { model });
  expect(second.body.choices[0]).toMatchObject({
    message: { content: 'The file says: alpha.' },
    finish_reason: 'stop',
  });
  const [, , assistant, answer] = messagesOf(second.seen);
  expect(assistant).toEqual({ role: 'assistant', content: `I look.\n${written}` });
  expect(answer?.content).toContain('alpha');
}

/** An API that refuses results whose ids it did not warning, and warnings two calls a turn until the third. */
function strictApi(): NextReply {
  const issued = new Set<string>();
  let turn = 0;
  return ({ body }): ScriptedReply => {
    const messages = isFields(body) && Array.isArray(body.messages) ? body.messages : [];
    const ids = (role: string) =>
      messages.flatMap((message) => {
        if (message.role !== role) return [];
        return role === 'tool' ? [message.tool_call_id] : (message.tool_calls ?? []).map((call: WireCall) => call.id);
      });
    const strange = [...ids('tool'), ...ids('assistant')].filter((id) => !issued.has(id));
    if (strange.length > 0 || ids('tool').join() !== ids('assistant').join()) return errorReply(400, 'unknown id');
    turn += 1;
    if (turn > 3) return chatStream('Done.');
    const fragments = [0, 1].map((index) => {
      const id = `call_T${turn}-${index}`;
      issued.add(id);
      const about = { name: 'read', arguments: `{"path":"${id}"}` };
      return { choices: [{ index: 0, delta: { tool_calls: [{ index, id, type: 'function', function: about }] } }] };
    });
    const end = { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] };
    return { steps: [{ text: [...fragments, end].map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('') }] };
  };
}

describe('ids over a whole conversation', () => {
  it('E-013 E-015 E-016: a strict API accepts three turns of two calls, each result beside its call', async () => {
    const api = strictApi();
    upstream.next(api, api, api, api);
    const messages: unknown[] = [user('Go')];
    for (let turn = 1; turn <= 3; turn += 1) {
      const { body } = await ask(messages, { model: 'up/native' });
      const { message } = body.choices[0];
      expect(message.tool_calls.map((call: WireCall) => call.id)).toEqual([`call_T${turn}-0`, `call_T${turn}-1`]);
      messages.push(message, ...message.tool_calls.map((call: WireCall) => result(call.id, `output of ${call.id}`)));
    }
    const last = await ask(messages, { model: 'up/native' });
    expect(last.status).toBe(200);
    expect(last.body.choices[0].message.content).toBe('Done.');
    const seen = JSON.stringify(last.seen);
    for (const id of ['call_T1-0', 'call_T2-1', 'call_T3-1']) expect(seen).toContain(`output of ${id}`);
  });

  it('E-060: ids of every form pass through a native model and come back unchanged', async () => {
    const ids = ['call_abc123', 'hist_tool_5b1f', 'toolu_01', 'functions.read:0', 'terminal:0', 'a1b2c3d4e'];
    for (const id of ids) {
      const { seen } = await ask([user('x'), called(id), result(id, 'r')], { model: 'up/native' });
      expect(seen.messages).toMatchObject([{}, { tool_calls: [{ id }] }, { tool_call_id: id }]);
    }
  });

  it('E-018: explain shows calls and results with their ids', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dragoman-explain-'));
    const file = join(folder, 'config.json');
    writeFileSync(file, JSON.stringify(config));
    const request = {
      model: 'up/native',
      tools: [readTool],
      messages: [user('x'), called('call_9'), result('call_9', 'alpha')],
    };
    const terminal = testTerminal({ input: JSON.stringify(request), cwd: folder });
    expect(await run(['explain', '--config', file], terminal)).toBe(0);
    rmSync(folder, { recursive: true });
    const { upstreamRequest } = JSON.parse(terminal.out());
    expect(upstreamRequest.body.messages).toMatchObject([
      {},
      { tool_calls: [{ id: 'call_9', function: { name: 'read' } }] },
      { role: 'tool', tool_call_id: 'call_9', content: 'alpha' },
    ]);
    expect(upstream.requests).toHaveLength(0);
  });
});
