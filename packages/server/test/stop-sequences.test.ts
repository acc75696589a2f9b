import Anthropic from '@anthropic-ai/sdk';
import { chatMessage, chatStream, type ScriptedUpstream } from '@dragoman/testkit';
import { Ollama } from 'ollama';
import OpenAI from 'openai';
import { beforeEach, describe, expect, it } from 'vitest';
import { gatewayForTest, upstreamForTest } from './for-test.ts';
import type { TestGateway } from './start-test-gateway.ts';

let upstream: ScriptedUpstream;
let gateway: TestGateway;

beforeEach(async () => {
  upstream = await upstreamForTest();
  gateway = await gatewayForTest({ upstream });
});

const stop = ['END', '\n\nUser:'];
const messages = [{ role: 'user' as const, content: 'Hi' }];
/** A server that knows nothing of the sequences that it was given. */
const said = 'One.\n\nUser: and END';

/** The text and the end of an answer, as the SDK of each API tells them. */
const clients: Readonly<Record<string, (model: string, stream: boolean) => Promise<readonly [string, unknown]>>> = {
  'Chat Completions': async (model, stream) => {
    const { chat } = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'any' });
    const { choices } = stream
      ? await chat.completions.stream({ model, messages, stop }).finalChatCompletion()
      : await chat.completions.create({ model, messages, stop });
    return [choices[0]?.message.content ?? '', choices[0]?.finish_reason];
  },
  Messages: async (model, stream) => {
    const { messages: api } = new Anthropic({ baseURL: gateway.url, apiKey: 'any' });
    const body = { model, messages, stop_sequences: stop, max_tokens: 100 };
    const answer = stream ? await api.stream(body).finalMessage() : await api.create(body);
    const text = answer.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
    return [text, [answer.stop_reason, answer.stop_sequence]];
  },
  "Ollama's chat": async (model, stream) => {
    const ollama = new Ollama({ host: gateway.url });
    const body = { model, messages, options: { stop } };
    if (!stream) {
      const { message, done_reason } = await ollama.chat(body);
      return [message.content, done_reason];
    }
    let text = '';
    let reason = '';
    for await (const line of await ollama.chat({ ...body, stream })) {
      text += line.message.content;
      reason = line.done_reason ?? '';
    }
    return [text, reason];
  },
};

const ends: Readonly<Record<string, unknown>> = {
  'Chat Completions': 'stop',
  Messages: ['stop_sequence', '\n\nUser:'],
  "Ollama's chat": 'stop',
};

describe.each(Object.entries(clients))('%s', (name, ask) => {
  it.each(['up/native', 'up/text'])('ends at its stop sequence where the server of %s writes on', async (model) => {
    upstream.next(chatStream(said), chatStream(said), chatMessage(said));
    for (const stream of [true, false, false]) expect(await ask(model, stream)).toEqual(['One.', ends[name]]);
  });
});

it('a server that writes on is stopped', async () => {
  upstream.next({ steps: [...chatStream(said, { finishReason: null, done: false }).steps, { stall: true }] });
  const response = await gateway.post({ model: 'up/native', messages, stop, stream: true });
  expect(await response.text()).toContain('"finish_reason":"stop"');
  await (await upstream.request(0)).aborted;
});
