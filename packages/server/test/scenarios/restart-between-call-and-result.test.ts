import { join } from 'node:path';
import OpenAI from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import type { ResponseInput } from 'openai/resources/responses/responses';
import { describe, expect, it, onTestFinished } from 'vitest';
import { description, model, platformForTest, textsOf, upstreamsFor, user } from '../platform-setup.ts';
import { makeScratchFolder } from '../scratch-folder.ts';
import { readTool, startTestGateway, type TestGateway } from '../start-test-gateway.ts';

const call = '<tool_call>\n{"name": "read", "arguments": {"path": "a.txt"}}\n</tool_call>';

/** Calls once, and tells what came of it, and what it was told at first. */
const answer: Parameters<typeof platformForTest>[0]['answer'] = ({ text, before }) => {
  if (!text.includes('contents of a.txt')) return `I look.\n${call}`;
  const told = [...before.map((turn) => turn.text), text].join('\n');
  return `Seen by ${told.includes('I am Ann') ? 'Ann' : 'nobody'}.`;
};

interface Restarting {
  /** Starts a gateway; the one before is stopped first. */
  start(): Promise<TestGateway>;
  /** What the platform was told in each of its conversations. */
  texts(): readonly (readonly string[])[];
}

/** Gateways one after the other before one platform; `store`: they share a file for what they keep. */
async function restarting(store: boolean): Promise<Restarting> {
  const platform = await platformForTest({ answer });
  const folder = await makeScratchFolder({});
  onTestFinished(() => folder.remove());
  const kept = store ? { store: `sqlite:${join(folder.path, 'dragoman.db')}` } : {};
  const config = { upstreams: upstreamsFor(platform, description), ...kept };
  let running: TestGateway | undefined;
  onTestFinished(async () => running?.close());
  return {
    async start() {
      await running?.close();
      running = await startTestGateway({ config });
      return running;
    },
    texts: () => textsOf(platform),
  };
}

const clientOf = ({ url }: TestGateway) => new OpenAI({ baseURL: `${url}/v1`, apiKey: 'any', maxRetries: 0 });

/** The two halves of a turn with Chat Completions, and with Responses whose history the gateway keeps. */
const apis = {
  async chat({ start }: Restarting): Promise<string | null | undefined> {
    const messages: ChatCompletionMessageParam[] = [user('I am Ann. Read a.txt.')];
    const ask = async (gateway: TestGateway) => {
      const tools = [{ ...readTool, type: 'function' as const }];
      const { choices } = await clientOf(gateway).chat.completions.create({ model, messages, tools });
      return choices[0]?.message ?? expect.fail();
    };
    const message = await ask(await start());
    const id = message.tool_calls?.[0]?.id ?? '';
    messages.push(message, { role: 'tool', tool_call_id: id, content: 'contents of a.txt' });
    return (await ask(await start())).content;
  },

  async responses({ start }: Restarting): Promise<string> {
    const ask = async (gateway: TestGateway, input: ResponseInput, previous: string | null) => {
      const tools = [{ type: 'function' as const, ...readTool.function, strict: false }];
      const body = { model, input, tools, previous_response_id: previous };
      return await clientOf(gateway).responses.create(body);
    };
    const first = await ask(await start(), [{ role: 'user', content: 'I am Ann. Read a.txt.' }], null);
    const made = first.output.find((item) => item.type === 'function_call') ?? expect.fail();
    const output = { type: 'function_call_output' as const, call_id: made.call_id, output: 'contents of a.txt' };
    return (await ask(await start(), [output], first.id)).output_text;
  },
};

describe('the gateway is stopped between a call and its result', () => {
  it.each(['chat', 'responses'] as const)('A-223 B-156 with a store, %s goes on where it was', async (api) => {
    const gateways = await restarting(true);
    expect(await apis[api](gateways)).toBe('Seen by Ann.');
    const [texts = [], ...others] = gateways.texts();
    expect(others).toEqual([]);
    expect(texts).toHaveLength(2);
    expect(texts[1]).not.toContain('I am Ann');
  });

  it('B-154 without a store, the history is told anew, and the log says so', async () => {
    const gateways = await restarting(false);
    let last: TestGateway | undefined;
    const start = async () => {
      last = await gateways.start();
      return last;
    };
    expect(await apis.chat({ ...gateways, start })).toBe('Seen by Ann.');
    expect(gateways.texts().map((texts) => texts.length)).toEqual([1, 1]);
    await last?.record(({ warnings }) => Object(warnings)['conversation-replayed'] === 1);
  });
});
