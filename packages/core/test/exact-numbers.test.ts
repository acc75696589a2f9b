import { runs } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChatEvent } from '../src/chat/event.ts';
import { parseJson } from '../src/json/exact-json.ts';
import { writeJson } from '../src/json/json-text.ts';
import { planRequest } from '../src/plan/plan.ts';
import { defaultModelRule } from '../src/plan/rules.ts';
import type { EngineSetup } from '../src/plan/setup.ts';
import { runStage } from '../src/stream/stage.ts';
import { prepareRequest } from '../src/upstream/write-rendered.ts';
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

/** A request with one call and its result, in each client's own form; `json` is where its arguments stand. */
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
  'openai-chat': (json) => {
    const calls = `"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"n","arguments":${json}}}]`;
    return {
      body: `{"choices":[{"index":0,"message":{${calls}},"finish_reason":"tool_calls"}]}`,
      frames: [`{"choices":[{"index":0,"delta":{${calls}},"finish_reason":"tool_calls"}]}`, '[DONE]'],
    };
  },
  'openai-responses': (json) => {
    const item = `{"type":"function_call","id":"i1","call_id":"c1","name":"n","status":"completed","arguments":${json}}`;
    const response = `{"id":"r","status":"completed","output":[${item}]}`;
    return {
      body: response,
      frames: [
        `{"type":"response.output_item.done","output_index":0,"item":${item}}`,
        `{"type":"response.completed","response":${response}}`,
      ],
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
          const { body, warnings } = upstream.writeRequest(request, 'm', {});
          expect(writeJson(body)).toContain(written[upstream.id]?.(json) ?? 'no form');
          expect(() => JSON.parse(writeJson(body))).not.toThrow();
          expect(warnings.filter(({ code }) => code !== 'field-dropped')).toEqual([]);
        }),
        { numRuns: runs(30) },
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
        const streamed = runStage(
          wire.createStreamReader(request),
          frames.map((data) => ({ event: '', data })),
        );
        expect(callsIn(streamed)).toEqual([json]);
      }),
      { numRuns: runs(50) },
    );
  });
});

/** A request that declares one tool with this schema, in each client's own form. */
const declarations: Readonly<Record<string, (json: string) => string>> = {
  'openai-chat': (json) =>
    `{"model":"u/m","messages":[{"role":"user","content":"go"}],"tools":[{"type":"function","function":{"name":"n","parameters":${json}}}]}`,
  'openai-responses': (json) =>
    `{"model":"u/m","input":"go","tools":[{"type":"function","name":"n","parameters":${json}}]}`,
  'anthropic-messages': (json) =>
    `{"model":"u/m","max_tokens":9,"messages":[{"role":"user","content":"go"}],"tools":[{"name":"n","input_schema":${json}}]}`,
  'ollama-chat': (json) =>
    `{"model":"u/m","messages":[{"role":"user","content":"go"}],"tools":[{"type":"function","function":{"name":"n","parameters":${json}}}]}`,
};

/** Schemas of arguments, the last two without what strict upstreams insist on. */
const schemas = odd.chain((number) =>
  fc.constantFrom(
    `{"type":"object","properties":{"a":{"type":"integer","maximum":${number}},"b":{"type":"string"}}}`,
    `{"type":"object","properties":{"a":{"enum":[${number},1]}},"minProperties":${number}}`,
    `{"properties":{"a":{"default":${number}}}}`,
    `{"type":"object","x-limit":${number}}`,
  ),
);

describe.each(Object.keys(declarations))('numbers in the tool schemas of a client of %s', (id) => {
  const client = clientWires.get(id) ?? expect.fail(`no wire ${id}`);
  const read = (json: string) => parseJson(declarations[id]?.(json) ?? expect.fail(`no declaration of ${id}`));

  it.each(calling)('reach $id as they were written', ({ id: wire }) => {
    fc.assert(
      fc.property(schemas, (json) => {
        const request = client.readRequest(read(json));
        const setup = setupOf(wire);
        const { upstreamRequest } = prepareRequest(request, { plan: planRequest(request, setup), setup });
        const body = writeJson(upstreamRequest.body);
        // What is missing is added after the rest.
        expect(body).toContain(json.slice(0, -1));
        expect(numbersOf(body)).toEqual(expect.arrayContaining(numbersOf(json)));
        expect(JSON.stringify(JSON.parse(body))).toContain('"type":"object"');
        expect(JSON.stringify(JSON.parse(body))).toContain('"properties":');
      }),
      { numRuns: runs(30) },
    );
  });

  it('reach the same wire in a body that is passed on', () => {
    fc.assert(
      fc.property(schemas, (json) => {
        const body = read(json);
        const request = client.readRequest(body);
        const setup = setupOf(id);
        const relay = { wire: id, body: Object.fromEntries(Object.entries(Object(body))) };
        const prepared = prepareRequest(request, { plan: planRequest(request, setup), setup, relay });
        // A schema that lacks something is repaired, which is a reason to write the request anew.
        expect(prepared.relay).toMatchObject({ relayed: json.startsWith('{"type":"object","properties":') });
        expect(writeJson(prepared.upstreamRequest.body)).toContain(json.slice(0, -1));
      }),
      { numRuns: runs(30) },
    );
  });
});

const numbersOf = (json: string) => json.match(/-?\d[\d.eE+-]*/g) ?? [];

function setupOf(wire: string): EngineSetup {
  const transport = { send: () => expect.fail('nothing is sent') };
  const deadlines = { connect: 0, firstToken: 0, idle: 0, total: 0 };
  const models = new Map([['m', { ...defaultModelRule, toolCalling: 'native', passthrough: 'always' } as const]]);
  return {
    upstreams: new Map([['u', { name: 'u', wire, transport, quirks: {}, deadlines, answersWhole: true, models }]]),
    aliases: new Map(),
    maxTools: 9,
    maxReplyBytes: 1e6,
    toolCalling: true,
    countTokens: async () => 0,
    now: () => 0,
    randomHex: (length) => '0'.repeat(length),
  };
}
