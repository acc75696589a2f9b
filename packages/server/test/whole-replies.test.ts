import type { ScriptedUpstream } from '@dragoman/testkit';
import { jsonReply, sample } from '@dragoman/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { ask, call, formed, pathsIn, textIn, wires } from './call-choices.ts';
import { gatewayForTest, upstreamForTest } from './for-test.ts';

/** What a whole answer says: a text, or a native call of `read`. */
type Said = string | { readonly path: string };

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
const tokens = { input_tokens: 10, output_tokens: 5 };

/** Bodies as servers of each API write them, without our own writers. */
const bodies: Readonly<Record<string, (said: Said) => object>> = {
  'openai-chat': (said) => ({
    id: 'c1',
    object: 'chat.completion',
    model: 'm',
    usage,
    choices: [
      typeof said === 'string'
        ? { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: said } }
        : {
            index: 0,
            finish_reason: 'tool_calls',
            message: {
              role: 'assistant',
              content: null,
              tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: JSON.stringify(said) } }],
            },
          },
    ],
  }),
  'openai-responses': (said) => ({
    id: 'resp_1',
    object: 'response',
    model: 'm',
    status: 'completed',
    usage: { ...tokens, total_tokens: 15 },
    output: [
      typeof said === 'string'
        ? {
            id: 'msg_1',
            type: 'message',
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text: said, annotations: [] }],
          }
        : {
            id: 'fc_1',
            type: 'function_call',
            call_id: 'call_1',
            name: 'read',
            arguments: JSON.stringify(said),
            status: 'completed',
          },
    ],
  }),
  'anthropic-messages': (said) => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    usage: tokens,
    stop_reason: typeof said === 'string' ? 'end_turn' : 'tool_use',
    content: [
      typeof said === 'string'
        ? { type: 'text', text: said }
        : { type: 'tool_use', id: 'toolu_1', name: 'read', input: said },
    ],
  }),
  'ollama-chat': (said) => ({
    model: 'm',
    created_at: '2026-11-20T10:00:00Z',
    done: true,
    done_reason: 'stop',
    prompt_eval_count: 10,
    eval_count: 5,
    message:
      typeof said === 'string'
        ? { role: 'assistant', content: said }
        : { role: 'assistant', content: '', tool_calls: [{ function: { name: 'read', arguments: said } }] },
  }),
};

let upstream: ScriptedUpstream;

beforeEach(async () => {
  upstream = await upstreamForTest();
});

describe.each(sample(Object.keys(bodies), 1))('a server of %s that refuses streams', (wireId) => {
  const body = bodies[wireId] ?? expect.fail();

  /** A gateway in front of a model that says these one after another. */
  async function saying(said: readonly Said[], rule: object) {
    upstream.next(
      ...said.map((each) => (request: { readonly body: unknown }) => {
        const { stream } = Object(request.body);
        return stream === false ? jsonReply(200, body(each)) : jsonReply(400, { error: { message: 'No streams.' } });
      }),
    );
    const models = { m: rule };
    const baseUrl = wireId === 'ollama-chat' ? upstream.origin : upstream.baseUrl;
    const up = { wire: wireId, baseUrl, quirks: { noStream: true }, models };
    return gatewayForTest({ config: { upstreams: { up } } });
  }

  for (const [client, wire] of Object.entries(wires)) {
    describe.each([false, true])(`to a client of ${client} that streams: %s`, (stream) => {
      const text = { toolCalling: { dialect: 'hermes' } };

      it('calls in text', async () => {
        const gateway = await saying([`Look:\n${call('a')}`], text);
        const answer = await ask(gateway, wire, { choice: 'auto', stream });
        expect([...new Set(pathsIn(answer))]).toEqual(['a']);
        expect(textIn(answer)).toContain('Look:');
        expect(textIn(answer)).not.toContain('tool_call');
      });

      it('native calls, and those that leak', async () => {
        const gateway = await saying([{ path: 'a' }, `Look:\n${call('b')}`], { toolCalling: 'native' });
        expect([...new Set(pathsIn(await ask(gateway, wire, { choice: 'auto', stream })))]).toEqual(['a']);
        expect([...new Set(pathsIn(await ask(gateway, wire, { choice: 'auto', stream })))]).toEqual(['b']);
        expect(await gateway.record(({ warnings }) => 'call-rescued' in Object(warnings))).toBeDefined();
      });

      it('a call that is required, as plain JSON, or when it is asked for again', async () => {
        const plain = JSON.stringify({ name: 'read', arguments: { path: 'a' } });
        const gateway = await saying([plain, 'You could read b.', call('b')], { ...text, nudge: { max: 1 } });
        expect([...new Set(pathsIn(await ask(gateway, wire, { choice: 'required', stream })))]).toEqual(['a']);
        const answer = await ask(gateway, wire, { choice: 'required', stream });
        expect([...new Set(pathsIn(answer))]).toEqual(['b']);
        expect(textIn(answer)).toContain('You could read b.');
        expect(upstream.requests).toHaveLength(3);
      });

      it('an answer of a form, and one that is asked for again', async () => {
        const asked = formed({ ...wire, body: (choice) => ({ ...wire.body(choice), tools: undefined }) });
        const gateway = await saying(['Like\n{"n": 1}\nso\n{"n": 2}', '{"n": "x"}', '```json\n{"n": 3}\n```'], {
          ...text,
          nudge: { answers: 'once' },
        });
        expect(textIn(await ask(gateway, asked, { choice: 'auto', stream }))).toBe('{"n": 2}');
        expect(textIn(await ask(gateway, asked, { choice: 'auto', stream }))).toBe('{"n": 3}');
      });

      it('an answer of a model whose frames could pass as they are', async () => {
        const gateway = await saying(['Hello.'], { toolCalling: 'native', passthrough: 'always' });
        expect(textIn(await ask(gateway, wire, { choice: 'auto', stream }))).toBe('Hello.');
      });
    });
  }
});
