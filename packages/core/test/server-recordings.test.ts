import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chatRequest } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import { collect } from '../src/chat/collect.ts';
import { decodeSse } from '../src/stream/sse-decoder.ts';
import { runStage } from '../src/stream/stage.ts';
import { clientWires, upstreamWires } from '../src/wires/registry.ts';
import { startAnswer } from './start-answer.ts';

/** One exchange with a real server: what was sent, the body that came back, and what a client is to be told of it. */
interface Recording {
  readonly request: Readonly<Record<string, unknown>>;
  readonly contentType: string;
  readonly body: string;
  readonly says: unknown;
}

const folder = fileURLToPath(new URL('../../../corpus/servers/', import.meta.url));

const recordings = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .flatMap((file) => {
    const wire = file.slice(file.lastIndexOf('.', file.length - '.json'.length - 1) + 1, -'.json'.length);
    const cases = JSON.parse(readFileSync(folder + file, 'utf8')) as Record<string, Recording>;
    return Object.entries(cases).map(([name, recording]) => ({ name, file, wire, recording }));
  });

type Recorded = (typeof recordings)[number];

/** The recording as the answer of an upstream, in pieces of `size` bytes. */
function replayed({ wire, recording }: Recorded, size: number) {
  const client = clientWires.get(wire) ?? expect.fail(wire);
  // The servers were asked for fewer tokens than clients of the Responses API may ask for.
  const { max_output_tokens: limit, ...request } = recording.request;
  const { tools, toolChoice, sampling, messages, stream } = client.readRequest(request);
  const limited = typeof limit === 'number' ? { ...sampling, maxTokens: limit } : sampling;
  const answer = startAnswer({ wire, request: { tools, toolChoice, sampling: limited, messages, stream } });
  const bytes = new TextEncoder().encode(recording.body);
  answer.to().start(200, recording.contentType);
  for (let at = 0; at < bytes.length; at += size) answer.to().data(bytes.subarray(at, at + size));
  answer.to().end();
  return answer;
}

/** What a client of the library hears of it. */
function heard(recorded: Recorded, size: number): unknown {
  const answer = replayed(recorded, size);
  const { text, reasoning, calls, finishReason, usage, warnings, complete } = answer.message();
  return {
    complete,
    finishReason,
    text,
    reasoning,
    calls: calls.map(({ name, arguments: json }) => ({ name, arguments: json })),
    tokens: [usage?.inputTokens, usage?.outputTokens],
    warnings: warnings.map(({ code }) => code),
  };
}

describe('recordings of real servers', () => {
  it.each(recordings)('$file, $name: says what it is to say', (recorded) => {
    const whole = heard(recorded, recorded.recording.body.length * 4);
    expect(whole).toEqual(recorded.recording.says);
    expect(heard(recorded, 7), 'in small pieces').toEqual(whole);
  });

  it.each([...clientWires])('a call that was cut before its arguments is none for clients of %s', (id, client) => {
    const upstream = upstreamWires.get(id) ?? expect.fail(id);
    const cut = recordings.filter(({ name, file }) => name === 'cutcall.stream' && file.startsWith('vllm'));
    expect(cut).toHaveLength(3);
    for (const recorded of cut) {
      const events = replayed(recorded, recorded.recording.body.length).events();
      const context = { request: chatRequest({ stream: true }), replyId: 'r1', created: 1 };
      const stream = runStage(client.createStreamWriter(context), events).join('');
      const frames = runStage(decodeSse({ fail: (error) => expect.fail(error.message) }), [
        new TextEncoder().encode(stream),
      ]);
      const lines = stream.split('\n').flatMap((data) => (data === '' ? [] : [{ event: '', data }]));
      const back = collect(
        runStage(upstream.createStreamReader(context.request), client.framing === 'sse' ? frames : lines),
      );
      expect(back).toMatchObject({ calls: [], finishReason: 'length' });
      expect(JSON.stringify(client.writeMessage(events, context))).not.toContain('get_weather');
    }
  });

  it('are there for each of the three servers', () => {
    const servers = new Set(recordings.map(({ file }) => file.slice(0, file.lastIndexOf('.', file.length - 6))));
    expect([...servers].sort()).toEqual(['llama.cpp', 'ollama', 'vllm']);
  });
});
