import { type Platform, runs } from '@dragoman/testkit';
import {
  anyAct,
  type HistoryGateway,
  knownStyles,
  type Received,
  type Sending,
  World,
} from '@dragoman/testkit/histories';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { gatewayForTest, upstreamForTest } from './for-test.ts';
import { description } from './platform-setup.ts';

const paths: Readonly<Record<string, string>> = {
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  'anthropic-messages': '/v1/messages',
  'ollama-chat': '/api/chat',
};

type Calls = Received['calls'];
interface Item {
  readonly type: string;
  readonly id: string;
  readonly call_id: string;
  readonly name: string;
  readonly arguments: string;
  readonly input: object;
  readonly text: string;
  readonly content: readonly { readonly text: string }[];
}
interface ToolCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

const toolCalls = (calls: readonly ToolCall[] = []): Calls =>
  calls.map(({ id, function: { name, arguments: given } }) => ({
    callId: id,
    name,
    arguments: typeof given === 'string' ? given : JSON.stringify(given),
  }));

/** Text and calls of a whole reply, as each API holds them. */
const readers: Readonly<Record<string, (body: ReturnType<typeof JSON.parse>) => Omit<Received, 'complete'>>> = {
  'openai-chat': ({ choices: [{ message }] }) => ({
    text: message.content ?? '',
    calls: toolCalls(message.tool_calls),
  }),
  'ollama-chat': ({ message }) => ({ text: message.content, calls: toolCalls(message.tool_calls) }),
  'openai-responses': ({ output }: { output: readonly Item[] }) => ({
    text: output.flatMap(({ type, content }) => (type === 'message' ? content.map(({ text }) => text) : [])).join(''),
    calls: output
      .filter(({ type }) => type === 'function_call')
      .map(({ call_id: callId, name, arguments: given }) => ({ callId, name, arguments: given })),
  }),
  'anthropic-messages': ({ content }: { content: readonly Item[] }) => ({
    text: content.map(({ type, text }) => (type === 'text' ? text : '')).join(''),
    calls: content
      .filter(({ type }) => type === 'tool_use')
      .map(({ id, name, input }) => ({ callId: id, name, arguments: JSON.stringify(input) })),
  }),
};

/** A gateway over HTTP, before a platform over HTTP; started when the first request comes. */
function gatewayBefore(platform: Platform): HistoryGateway {
  const start = async () => {
    const upstream = await upstreamForTest({ fallback: ({ path, body }) => platform.reply(path, body) });
    const m = { toolCalling: { dialect: 'hermes' }, guards: { rounds: 0, repeats: false } };
    const models = { m1: m, m2: m };
    const keys = ['ann', 'bob'].map((name) => ({ name, key: name }));
    const place = { wire: 'conversation', baseUrl: upstream.origin, conversation: description, models };
    return await gatewayForTest({ config: { upstreams: { platform: place }, keys } });
  };
  let started: ReturnType<typeof start> | undefined;
  return {
    async send({ owner, wire, body, name }: Sending) {
      started ??= start();
      const named = name === undefined ? {} : { 'x-conversation-id': name };
      const response = await fetch(`${(await started).url}${paths[wire]}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${owner}`, ...named },
        body: JSON.stringify({ ...body, stream: false }),
      });
      const answer = await response.json();
      if (!response.ok) return { text: '', calls: [], complete: false };
      return { ...(readers[wire] ?? expect.fail(wire))(answer), complete: true };
    },
    forget() {
      started = undefined;
    },
  };
}

const anyStory = fc.record({
  clients: fc.array(
    fc.record({
      owner: fc.constantFrom('ann', 'ann', 'bob'),
      style: fc.constantFrom(...knownStyles),
      rules: fc.constantFrom('', 'rules1', 'rules2'),
      workspace: fc.nat(1),
    }),
    { minLength: 4, maxLength: 4 },
  ),
  styles: fc.constant(knownStyles),
  acts: fc.array(anyAct(4), { minLength: 20, maxLength: 40, size: 'max' }),
});

it('B-152 A-225 histories of agents over HTTP, which move between all APIs, never join a wrong conversation', {
  timeout: 600_000,
}, async ({ annotate }) => {
  const count = { first: 0, joined: 0, replayed: 0, needless: 0 };
  const property = fc.asyncProperty(anyStory, async ({ acts, ...story }) => {
    const world = new World({ ...story, linear: false, gateway: gatewayBefore });
    for (const act of acts) {
      const judged = await world.act(act);
      if (judged === undefined) continue;
      expect(judged.wrong, 'the model was told something else than the history says').toBeUndefined();
      count[judged.went] += 1;
      if (judged.needless) count.needless += 1;
    }
  });
  await fc.assert(property, { numRuns: runs(8) });
  await annotate(JSON.stringify(count));
});
