import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChatEvent } from '../src/chat/event.ts';
import { parseJson } from '../src/framing/exact-json.ts';
import { writeJson } from '../src/framing/json-text.ts';
import { run } from '../src/stage.ts';
import { clientWires, upstreamWires } from '../src/wires/registry.ts';
import type { ClientWire, UpstreamWire } from '../src/wires/wire.ts';

/** Numbers that JavaScript changes, if only in their form. */
const odd = fc.oneof(
  fc.constantFrom('9007199254740993', '0.1000000000000000055', '1e400', '-0', '1.0', '1E3', '-0.0', '12e-1'),
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 80n }).map((number) => `${number}7`),
);
const number = fc.oneof(
  odd,
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((each) => JSON.stringify(each)),
);
const text = fc.string({ unit: 'binary' }).map((each) => JSON.stringify(each));
/** JSON text of arguments, with one such number at least. */
const argumentsText = fc
  .tuple(odd, fc.array(fc.oneof(number, text), { maxLength: 3 }), text)
  .map(
    ([first, list, key]) =>
      `{"first":${first},${key.replace('"', '"k')}:[${list.join(',')}],"deep":{"list":[{"n":${first}}]}}`,
  );

/** A request with one call and its result, in each client's own form; `json` stands where its arguments stand. */
const histories: Readonly<Record<string, (json: string) => string>> = {
  'openai-chat': (json) =>
    `{"model":"m","messages":[{"role":"user","content":"go"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"n","arguments":${JSON.stringify(json)}}}]},{"role":"tool","tool_call_id":"c1","content":"x"}]}`,
  'openai-responses': (json) =>
    `{"model":"m","input":[{"type":"message","role":"user","content":"go"},{"type":"function_call","call_id":"c1","name":"n","arguments":${JSON.stringify(json)}},{"type":"function_call_output","call_id":"c1","output":"x"}]}`,
  'anthropic-messages': (json) =>
    `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"n","input":${json}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"x"}]}]}`,
  'ollama-chat': (json) =>
    `{"model":"m","messages":[{"role":"user","content":"go"},{"role":"assistant","content":"","tool_calls":[{"id":"c1","function":{"name":"n","arguments":${json}}}]},{"role":"tool","tool_name":"n","content":"x"}]}`,
};

/** How an upstream's body holds them. */
const written: Readonly<Record<string, (json: string) => string>> = {
  'openai-chat': (json) => `"arguments":${JSON.stringify(json)}`,
  'openai-responses': (json) => `"arguments":${JSON.stringify(json)}`,
  'anthropic-messages': (json) => `"input":${json}`,
  'ollama-chat': (json) => `"arguments":${json}`,
};

/** Whole answers, and frames of streams, of the wires that hold objects. */
const replies: Readonly<
  Record<string, (json: string) => { readonly body: string; readonly frames: readonly string[] }>
> = {
  'anthropic-messages': (json) => {
    const block = `{"type":"tool_use","id":"c1","name":"n","input":${json}}`;
    const start =
      '{"type":"message_start","message":{"id":"m","content":[],"usage":{"input_tokens":1,"output_tokens":0}}}';
    return {
      body: `{"type":"message","id":"m","content":[${block}],"stop_reason":"tool_use"}`,
      frames: [start, `{"type":"content_block_start","index":0,"content_block":${block}}`, '{"type":"message_stop"}'],
    };
  },
  'ollama-chat': (json) => {
    const line = `{"model":"m","message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"n","arguments":${json}}}]},"done":true}`;
    return { body: line, frames: [line] };
  },
};

const callsIn = (events: readonly ChatEvent[]) =>
  events.flatMap((event) => (event.type === 'tool-call-end' ? [event.arguments] : []));

function reads(wire: ClientWire, json: string) {
  const history = histories[wire.id] ?? expect.fail(`no history in ${wire.id}`);
  return wire.readRequest(parseJson(history(json)));
}

/** Wires that carry text alone have no field for arguments. */
const calling = [...upstreamWires.values()].filter(({ textOnly }) => textOnly !== true);

describe.each([...clientWires.values()].filter(({ id }) => calling.some((wire) => wire.id === id)))(
  'arguments that a client of $id sends back',
  (client) => {
    it.each(calling)('reach $id digit for digit', (upstream: UpstreamWire) => {
      fc.assert(
        fc.property(argumentsText, (json) => {
          const request = reads(client, json);
          const { body, issues } = upstream.writeRequest(request, 'm', {});
          expect(writeJson(body)).toContain(written[upstream.id]?.(json) ?? 'no form');
          expect(() => JSON.parse(writeJson(body))).not.toThrow();
          expect(issues.filter(({ code }) => code !== 'field-dropped')).toEqual([]);
        }),
        { numRuns: 30 },
      );
    });
  },
);

describe.each(Object.keys(replies))('arguments that an upstream of %s writes', (id) => {
  it('keep their digits, in a stream and in a whole answer', () => {
    const wire = upstreamWires.get(id) ?? expect.fail(`no wire ${id}`);
    const request = reads(clientWires.get('openai-chat') ?? expect.fail('no client'), '{}');
    fc.assert(
      fc.property(argumentsText, (json) => {
        const { body, frames } = replies[id]?.(json) ?? expect.fail(`no replies of ${id}`);
        expect(callsIn(wire.readMessage(parseJson(body), request))).toEqual([json]);
        const streamed = run(
          wire.createStreamReader(request),
          frames.map((data) => ({ event: '', data })),
        );
        expect(callsIn(streamed)).toEqual([json]);
      }),
      { numRuns: 50 },
    );
  });
});
