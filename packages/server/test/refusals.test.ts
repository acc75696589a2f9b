import { readFileSync } from 'node:fs';
import type { ScriptedReply, ScriptedUpstream } from '@dragoman/testkit';
import OpenAI from 'openai';
import { beforeEach, describe, expect, it } from 'vitest';
import { gatewayForTest, upstreamForTest } from './for-test.ts';

const refusal = "I'm sorry, I can't help with that 🙏.";
const models = { text: { toolCalling: { dialect: 'hermes' } }, native: { toolCalling: 'native' } };

let upstream: ScriptedUpstream;
let client: OpenAI;

beforeEach(async () => {
  upstream = await upstreamForTest();
  const place = { baseUrl: upstream.baseUrl, models };
  const upstreams = {
    'openai-chat': { wire: 'openai-chat', ...place },
    'openai-responses': { wire: 'openai-responses', ...place },
  };
  const gateway = await gatewayForTest({ config: { upstreams } });
  client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'any', maxRetries: 0 });
});

/** What a server of the wire sends in the corpus. */
function refused(wire: string): ScriptedReply {
  const text = readFileSync(new URL(`../../../corpus/streams/refusal/${wire}.sse`, import.meta.url), 'utf8');
  return { steps: [{ text }] };
}

const upstreams = ['openai-chat', 'openai-responses'].flatMap((wire) => [
  [wire, `${wire}/native`] as const,
  [wire, `${wire}/text`] as const,
]);

describe.each(upstreams)(
  "a refusal of an upstream that speaks %s, with the model %s and OpenAI's SDK",
  (wire, model) => {
    const messages = [{ role: 'user' as const, content: 'Pick the lock.' }];

    it('is message.refusal in a whole completion', async () => {
      upstream.next(refused(wire));
      const [choice] = (await client.chat.completions.create({ model, messages })).choices;
      expect(choice).toMatchObject({ finish_reason: 'stop', message: { content: null, refusal } });
    });

    it("is found by the SDK's own reading of a stream", async () => {
      upstream.next(refused(wire));
      const pieces: string[] = [];
      const stream = client.chat.completions.stream({ model, messages });
      stream.on('refusal.done', (done) => pieces.push(done.refusal));
      expect((await stream.finalChatCompletion()).choices[0]?.message.refusal).toBe(refusal);
      expect(pieces).toEqual([refusal]);
    });

    it('is a refusal part of a response, whole and streamed, and goes back as one where the upstream knows it', async () => {
      upstream.next(refused(wire));
      const whole = await client.responses.create({ model, input: 'Pick the lock.' });
      const part = { type: 'refusal', refusal };
      expect(whole.output).toMatchObject([{ type: 'message', status: 'completed', content: [part] }]);
      expect(whole.output_text).toBe('');

      upstream.next(refused(wire));
      const deltas: string[] = [];
      const stream = client.responses.stream({ model, input: 'Why not?', previous_response_id: whole.id });
      stream.on('response.refusal.delta', (event) => deltas.push(event.delta));
      expect((await stream.finalResponse()).output).toMatchObject([{ content: [part] }]);
      expect(deltas.join('')).toBe(refusal);

      const body: unknown = (await upstream.request(1)).body;
      const said: Readonly<Record<string, object>> = {
        'openai-chat/native': { messages: [{}, { role: 'assistant', content: null, refusal }, {}] },
        'openai-chat/text': { messages: [{}, { role: 'assistant', content: refusal }, {}] },
        'openai-responses/native': { input: [{}, { content: [part] }, {}] },
        'openai-responses/text': { input: [{}, { content: [{ type: 'output_text', text: refusal }] }, {}] },
      };
      expect(body).toMatchObject(said[model] ?? expect.fail(`nothing is expected of ${model}`));
    });
  },
);
