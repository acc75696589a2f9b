import Anthropic from '@anthropic-ai/sdk';
import { errorReply, jsonReply, type NextReply, type ScriptedUpstream } from '@dragoman/testkit';
import OpenAI from 'openai';
import { beforeEach, describe, expect, it } from 'vitest';
import { gatewayForTest, upstreamForTest } from './for-test.ts';
import type { TestGateway } from './start-test-gateway.ts';
import { nativeStream } from './strict-upstream.ts';

type Fields = Readonly<Record<string, unknown>>;

const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value : []);

/** What Mistral's API says of ids that are not its own kind, in its own words. */
const mistral: NextReply = ({ text }) => {
  const messages = listOf(JSON.parse(text).messages);
  let waiting: unknown[] = [];
  for (const message of messages) {
    const ids = message.role === 'tool' ? [message.tool_call_id] : listOf(message.tool_calls).map(({ id }) => id);
    for (const id of ids) {
      if (typeof id === 'string' && /^[a-zA-Z0-9]{9}$/.test(id)) continue;
      return errorReply(400, `Tool call id was ${id} but must be a-z, A-Z, 0-9, with a length of 9.`);
    }
    if (message.role === 'tool') {
      if (!waiting.includes(message.tool_call_id)) return errorReply(400, 'Unexpected tool call id in tool results');
      waiting = waiting.filter((id) => id !== message.tool_call_id);
    } else if (waiting.length > 0) return errorReply(400, 'Not the same number of function calls and responses');
    else waiting = ids;
  }
  const turn = messages.filter(({ role }) => role === 'assistant').length;
  if (turn >= 3) return nativeStream([], 'Done.');
  return nativeStream([[`mIstral0${turn}`, 'read', `{"path":"${turn}.txt"}`]]);
};

/** What Anthropic's API says of ids and of results that are not in their place. */
const anthropic: NextReply = ({ text }) => {
  const refused = (message: string) =>
    jsonReply(400, { type: 'error', error: { type: 'invalid_request_error', message } });
  const seen = new Set<unknown>();
  let waiting: unknown[] = [];
  const messages = listOf(JSON.parse(text).messages);
  for (const [at, { content }] of messages.entries()) {
    const blocks = listOf(content);
    const results = blocks.filter(({ type }) => type === 'tool_result').map(({ tool_use_id }) => tool_use_id);
    if (waiting.some((id) => !results.includes(id)))
      return refused(`messages.${at}: tool_use ids without tool_result blocks`);
    if (results.some((id) => !waiting.includes(id))) return refused(`messages.${at}: unexpected tool_use_id`);
    waiting = blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id);
    for (const id of waiting) {
      if (typeof id !== 'string' || !/^[a-zA-Z0-9_-]+$/.test(id))
        return refused(`String should match pattern, not ${id}`);
      if (seen.has(id)) return refused('`tool_use` ids must be unique');
      seen.add(id);
    }
  }
  const events = [
    { type: 'message_start', message: { id: 'msg_1', usage: { input_tokens: 1, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Well done.' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } },
    { type: 'message_stop' },
  ];
  return { steps: events.map((event) => ({ text: `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n` })) };
};

/** Names its calls as hostile servers do, and counts from zero in each turn. */
const hostile: NextReply = ({ text }) => {
  const turn = listOf(JSON.parse(text).messages).filter(({ role }) => role === 'assistant').length;
  if (turn >= 2) return nativeStream([], 'Done.');
  return nativeStream([
    ['functions.read:0', 'read', '{"path":"a"}'],
    ['x'.repeat(200), 'read', '{"path":"b"}'],
    ['', 'read', '{"path":"c"}'],
  ]);
};

let upstreams: Readonly<Record<'mistral' | 'claude' | 'odd', ScriptedUpstream>>;
let gateway: TestGateway;

beforeEach(async () => {
  upstreams = {
    mistral: await upstreamForTest({ fallback: mistral }),
    claude: await upstreamForTest({ fallback: anthropic }),
    odd: await upstreamForTest({ fallback: hostile }),
  };
  const native = { toolCalling: 'native' };
  gateway = await gatewayForTest({
    config: {
      keys: [
        { name: 'ann', key: 'key-of-ann' },
        { name: 'bob', key: 'key-of-bob' },
      ],
      upstreams: {
        mistral: {
          wire: 'openai-chat',
          baseUrl: upstreams.mistral.baseUrl,
          models: { 'mistral-large-latest': native },
        },
        claude: { wire: 'anthropic-messages', baseUrl: upstreams.claude.baseUrl, models: { sonnet: native } },
        odd: { wire: 'openai-chat', baseUrl: upstreams.odd.baseUrl, models: { m: native } },
      },
    },
  });
});

const tools = [
  {
    type: 'function' as const,
    function: { name: 'read', parameters: { type: 'object', properties: { path: { type: 'string' } } } },
  },
];

/** Turns of the OpenAI SDK with one model until it calls no more; the conversation goes on in `messages`. */
async function converse(model: string, messages: OpenAI.ChatCompletionMessageParam[], apiKey = 'key-of-ann') {
  const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey, maxRetries: 0 });
  for (let turn = 0; turn < 6; turn += 1) {
    const { choices } = await client.chat.completions.create({ model, messages, tools });
    const [{ message } = expect.fail('no choice')] = choices;
    messages.push(message);
    if (message.tool_calls === undefined) return message.content;
    for (const { id } of message.tool_calls) messages.push({ role: 'tool', tool_call_id: id, content: `of ${id}` });
  }
  return expect.fail('it calls without end');
}

const idsIn = (messages: readonly OpenAI.ChatCompletionMessageParam[]) =>
  messages.flatMap((message) => (message.role === 'assistant' ? (message.tool_calls ?? []).map(({ id }) => id) : []));

const begin = (): OpenAI.ChatCompletionMessageParam[] => [{ role: 'user', content: 'Read them.' }];

describe('upstreams that check ids as the real ones do', () => {
  it('E-062 E-013 Mistral: its own ids come back to it over three turns', async () => {
    const messages = begin();
    expect(await converse('mistral/mistral-large-latest', messages)).toBe('Done.');
    expect(idsIn(messages)).toEqual(['mIstral00', 'mIstral01', 'mIstral02']);
  });

  it('E-062 E-063 E-067 a conversation moves from an odd server to Mistral to Anthropic and back', async () => {
    const messages = begin();
    expect(await converse('odd/m', messages)).toBe('Done.');
    const ids = idsIn(messages);
    expect(new Set(ids).size).toBe(6);
    expect(ids.filter((id) => !/^[A-Za-z0-9_-]{1,64}$/.test(id))).toEqual([]);
    messages.push({ role: 'user', content: 'Go on.' });
    expect(await converse('mistral/mistral-large-latest', messages)).toBe('Done.');
    messages.push({ role: 'user', content: 'Go on.' });
    expect(await converse('claude/sonnet', messages)).toBe('Well done.');
    messages.push({ role: 'user', content: 'Go on.' });
    expect(await converse('odd/m', messages)).toBe('Done.');
    const last = JSON.parse(upstreams.odd.requests.at(-1)?.text ?? '');
    const own = listOf(last.messages).flatMap(({ tool_calls }) => listOf(tool_calls).map(({ id }) => id));
    for (const at of [0, 3]) expect(own.slice(at, at + 2)).toEqual(['functions.read:0', 'x'.repeat(200)]);
  });

  it('E-063 Anthropic takes what the Anthropic SDK was given by an odd server', async () => {
    const client = new Anthropic({ baseURL: gateway.url, apiKey: 'key-of-ann', maxRetries: 0 });
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Read them.' }];
    const body = {
      max_tokens: 100,
      tools: [{ name: 'read', input_schema: { type: 'object' as const, properties: {} } }],
    };
    for (const model of ['odd/m', 'odd/m', 'claude/sonnet']) {
      const { content } = await client.messages.create({ ...body, model, messages });
      const uses = content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
      messages.push(
        { role: 'assistant', content },
        { role: 'user', content: uses.map((id) => ({ type: 'tool_result', tool_use_id: id, content: 'r' })) },
      );
      expect(uses).toHaveLength(model === 'odd/m' ? 3 : 0);
    }
  });

  it('E-012 what is kept for one key is not given to another, and the calls still pair', async () => {
    const messages = begin();
    await converse('odd/m', messages);
    const next = [...messages, { role: 'user' as const, content: 'Go on.' }];
    expect(await converse('odd/m', next, 'key-of-bob')).toBe('Done.');
    const last = JSON.parse(upstreams.odd.requests.at(-1)?.text ?? '');
    const calls = listOf(last.messages).flatMap(({ tool_calls }) => listOf(tool_calls).map(({ id }) => id));
    const results = listOf(last.messages).flatMap(({ role, tool_call_id }) => (role === 'tool' ? [tool_call_id] : []));
    expect(calls).not.toContain('x'.repeat(200));
    expect(results).toEqual(calls);
    expect(calls[0]).toBe('functions.read:0');
  });
});
