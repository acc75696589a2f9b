import type { ChatPlatform } from '@dragoman/testkit';
import { sized } from '@dragoman/testkit';
import type OpenAI from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { expect, it } from 'vitest';
import { gatewayForTest } from './for-test.ts';
import { clientOf, description, model, platformForTest, textsOf, upstreamsFor, user } from './platform-setup.ts';
import { readTool } from './start-test-gateway.ts';

const keys = ['ann', 'bob', 'eve', 'joe'].map((name) => ({ name, key: `key-of-${name}` }));
const readNotes = '<tool_call>\n{"name": "read", "arguments": {"path": "notes"}}\n</tool_call>';

/** Greets, calls the same in every conversation, stalls once over each result, and can say all that it was told. */
function forgetfulModel(): Parameters<typeof platformForTest>[0]['answer'] {
  const stalled = new Set<string>();
  return ({ text, before }) => {
    if (before.length === 0) return 'hello';
    if (text.startsWith('What')) return before.map((turn) => turn.text).join('\n');
    if (!text.includes('note of')) return readNotes;
    if (stalled.has(text)) return 'Noted.';
    stalled.add(text);
    return { stall: 'I am about to note it' };
  };
}

/** A reply as it streams. Where it stalls the client leaves, and has nothing. */
async function ask(
  client: OpenAI,
  messages: readonly ChatCompletionMessageParam[],
): Promise<ChatCompletionMessageParam> {
  const stream = client.chat.completions.stream({ model, messages: [...messages], tools: [readTool] as never });
  stream.on('content', (_, text) => {
    if (text.startsWith('I am about')) stream.abort();
  });
  const { content, tool_calls: calls } = await stream.finalMessage();
  return { role: 'assistant', content, ...(calls === undefined ? {} : { tool_calls: calls }) };
}

/** One conversation from a greeting to the question what the model knows; its answer. */
async function talk(client: OpenAI, secret: string): Promise<string> {
  const history = [user('hi')];
  const goOn = async () => history.push(await ask(client, history));
  await goOn();
  history.push(user('Read my notes.'));
  await goOn();
  const last = history.at(-1);
  const [call] = (last?.role === 'assistant' && last.tool_calls) || [];
  history.push({ role: 'tool', tool_call_id: call?.id ?? '', content: `note of ${secret}` });
  await expect(goOn()).rejects.toThrow('abort');
  await goOn();
  history.push(user('What do you know?'));
  await goOn();
  const told = history.at(-1)?.content;
  return typeof told === 'string' ? told : '';
}

/** What each conversation was told, results by their secrets. */
const secretsIn = (platform: ChatPlatform) =>
  textsOf(platform).map((texts) => [...new Set(texts.join('\n').match(/secret-\d+/g))]);

it('A-222 twenty conversations of four keys at once, in the same words, with the same calls, and with clients that leave and come back, keep their secrets', async () => {
  const count = sized(20);
  const platform = await platformForTest({ answer: forgetfulModel() });
  const gateway = await gatewayForTest({ config: { upstreams: upstreamsFor(platform, description), keys } });
  const replies = await Promise.all(
    Array.from({ length: count }, (_, at) => {
      const client = clientOf(gateway, keys[at % keys.length]?.key ?? '');
      return talk(client, `secret-${at}`);
    }),
  );
  for (const [at, reply] of replies.entries()) expect(reply.match(/secret-\d+/g)).toEqual([`secret-${at}`]);
  expect(platform.chats.size).toBe(count);
  const secrets = secretsIn(platform);
  expect(secrets.map((own) => own.length)).toEqual(secrets.map(() => 1));
  expect(new Set(secrets.flat()).size).toBe(count);
});
