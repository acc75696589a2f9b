import { type SeenRequest, startScriptedUpstream } from '@dragoman/testkit';
import OpenAI from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { expect, it, onTestFinished } from 'vitest';
import { gatewayForTest } from '../for-test.ts';
import { platformForTest, textsOf, upstreamsFor, user } from '../platform-setup.ts';
import { readTool } from '../start-test-gateway.ts';
import { nativeStream } from '../strict-upstream.ts';

const call = (path: string) => `<tool_call>\n{"name": "read", "arguments": {"path": "${path}"}}\n</tool_call>`;

interface SentMessage {
  readonly role: string;
  readonly content: unknown;
  readonly tool_calls?: readonly { readonly id: string }[];
}

const idsIn = (messages: readonly SentMessage[]) =>
  messages.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id));

it('A-193 B-154 E-013 one conversation moves from a platform to a native model and back: history and ids survive, and what each has not seen it is told', async () => {
  const platform = await platformForTest({
    answer: ({ text, before }) => {
      const told = [...before.map((turn) => turn.text), text].join('\n');
      if (text.includes('What do you know')) return `I know ${told.match(/contents of \S+/g)?.join(' and ')}.`;
      return text.includes('contents of') ? 'I have it.' : `First.\n${call('by-platform.txt')}`;
    },
  });
  const seen: SentMessage[][] = [];
  const native = await startScriptedUpstream({
    fallback: ({ body }: SeenRequest) => {
      const { messages } = Object(body);
      seen.push(messages);
      const asks = messages.at(-1).role === 'user';
      return asks ? nativeStream([['call_native_1', 'read', '{"path":"by-native.txt"}']]) : nativeStream([], 'Read.');
    },
  });
  onTestFinished(() => native.close());
  const upstreams = {
    ...upstreamsFor(platform),
    native: { wire: 'openai-chat', baseUrl: native.baseUrl, models: { m: { toolCalling: 'native' } } },
  };
  const gateway = await gatewayForTest({ config: { upstreams } });
  const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'any', maxRetries: 0 });
  const messages: ChatCompletionMessageParam[] = [];
  const ids: string[] = [];

  /** Says something and runs calls until there are none. */
  const turn = async (model: string, words: string): Promise<string> => {
    messages.push(user(words));
    for (;;) {
      const tools = [{ ...readTool, type: 'function' as const }];
      const { choices } = await client.chat.completions.create({ model, messages, tools });
      const message = choices[0]?.message ?? expect.fail();
      messages.push(message);
      if (message.tool_calls === undefined) return message.content ?? '';
      for (const each of message.tool_calls) {
        if (each.type !== 'function') continue;
        ids.push(each.id);
        const content = `contents of ${JSON.parse(each.function.arguments).path}`;
        messages.push({ role: 'tool', tool_call_id: each.id, content });
      }
    }
  };

  expect(await turn('platform/m', 'Read one.')).toBe('I have it.');
  expect(await turn('native/m', 'Read another.')).toBe('Read.');
  expect(await turn('platform/m', 'What do you know?')).toBe(
    'I know contents of by-platform.txt and contents of by-native.txt.',
  );
  expect(await turn('native/m', 'And once more.')).toBe('Read.');

  // The native model got every call under the id that the client has, and its own under the id that it gave itself.
  expect(ids).toHaveLength(3);
  expect(new Set(ids).size).toBe(3);
  expect(idsIn(seen[0] ?? [])).toEqual(ids.slice(0, 1));
  expect(idsIn(seen[1] ?? [])).toEqual([ids[0], 'call_native_1']);
  expect(idsIn(seen.at(-1) ?? []).slice(0, 2)).toEqual([ids[0], 'call_native_1']);
  expect(JSON.stringify(seen[2])).toContain('I know contents of by-platform.txt');

  // The platform began anew when it had missed something, was told all of it once, and the log says why.
  const [before = [], after = [], ...others] = textsOf(platform);
  expect(others).toEqual([]);
  expect(before).toHaveLength(2);
  for (const once of ['Read one.', 'contents of by-platform.txt', 'Read another.', 'contents of by-native.txt']) {
    expect(after.join('\n').split(once), once).toHaveLength(2);
  }
  await gateway.record(({ warnings }) => Object(warnings)['conversation-replayed'] === 1);
});
