import { chatStream, Grammar, jsonReply, type ScriptedReply, type SeenRequest } from '@dragoman/testkit';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { askForCall, callApis, type ReadAnswer } from '../../../test/servers/call-apis.ts';
import { gatewayForTest, upstreamForTest } from './for-test.ts';

// What a client demands of calls holds, or the answer says that it did not: each API, each demand, each kind of server. The models do
// the wrong thing whenever they can.

const tools = ['read', 'list', 'find'].map((name) => ({
  name,
  description: name,
  schema: {
    type: 'object',
    properties: { path: { enum: ['a', 'b'] } },
    required: ['path'],
    additionalProperties: false,
  },
}));
const right = { name: 'read', arguments: { path: 'a' } };
const other = { name: 'find', arguments: { path: 'b' } };
const misfit = { name: 'read', arguments: { path: 'z' } };
type Call = typeof right;
type Reply = string | readonly Call[];

const isFitting = new Ajv2020().compile(tools[0]?.schema ?? {});
const names = ({ calls }: ReadAnswer) => calls.map(({ name }) => name);
const only = (answer: ReadAnswer, allowed: readonly unknown[]) => names(answer).every((name) => allowed.includes(name));

interface Demand {
  /** As Chat Completions say it; what an API has no word for is left out there. */
  readonly choice: string;
  readonly more?: (api: string) => Readonly<Record<string, unknown>> | undefined;
  readonly strict?: true;
  readonly wrong: Reply;
  readonly good: Reply;
  readonly holds: (answer: ReadAnswer) => boolean;
}

const allowed = (api: string, mode: string) => {
  const listed = (entry: (name: string) => object) => ['read', 'list'].map(entry);
  if (api === 'openai-chat') {
    const list = listed((name) => ({ type: 'function', function: { name } }));
    return { tool_choice: { type: 'allowed_tools', allowed_tools: { mode, tools: list } } };
  }
  if (api !== 'openai-responses') return undefined;
  return { tool_choice: { type: 'allowed_tools', mode, tools: listed((name) => ({ type: 'function', name })) } };
};

const demands: Readonly<Record<string, Demand>> = {
  required: { choice: 'required', wrong: 'I look.', good: [right], holds: ({ calls }) => calls.length > 0 },
  named: {
    choice: 'read',
    wrong: [other],
    good: [right],
    holds: (answer) => answer.calls.length > 0 && only(answer, ['read']),
  },
  allowed: {
    choice: 'auto',
    more: (api) => allowed(api, 'auto'),
    wrong: [other],
    good: 'I look.',
    holds: (answer) => only(answer, ['read', 'list']),
  },
  'allowed and required': {
    choice: 'required',
    more: (api) => allowed(api, 'required'),
    wrong: [other],
    good: [right],
    holds: (answer) => answer.calls.length > 0 && only(answer, ['read', 'list']),
  },
  none: { choice: 'none', wrong: [right], good: 'It is late.', holds: ({ calls }) => calls.length === 0 },
  strict: {
    choice: 'auto',
    strict: true,
    wrong: [misfit],
    good: [right],
    holds: ({ calls }) => calls.every((call) => isFitting(call.arguments)),
  },
  'strict and required': {
    choice: 'required',
    strict: true,
    wrong: [misfit],
    good: [right],
    holds: ({ calls }) => calls.length > 0 && calls.every((call) => isFitting(call.arguments)),
  },
  'one at a time': {
    choice: 'required',
    wrong: [right, { ...right, name: 'list' }],
    more: (api) => (api === 'ollama-chat' ? undefined : {}),
    good: [right],
    holds: ({ calls }) => calls.length === 1,
  },
};

const hermes = (calls: readonly Call[]) =>
  calls
    .map((call) => `{"name": "${call.name}", "arguments": ${JSON.stringify(call.arguments)}}`)
    .map((call) => `<tool_call>\n${call}\n</tool_call>`)
    .join('\n');
const written = (reply: Reply) => (typeof reply === 'string' ? reply : hermes(reply));

/** A native reply of a Chat Completions server. */
function native(reply: Reply): ScriptedReply {
  if (typeof reply === 'string') return chatStream(reply);
  const tool_calls = reply.map((call, index) => ({
    ...{ index, id: `call_${index}`, type: 'function' },
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  }));
  const message = { role: 'assistant', content: null, tool_calls };
  return jsonReply(200, {
    ...{ id: 'c', object: 'chat.completion', created: 1, model: 'm' },
    choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
  });
}

/** Servers: whose they say that they are, how their models call, and what they answer. */
interface Kind {
  readonly owner: string;
  readonly toolCalling: object | string;
  readonly constrainCalls?: string;
  readonly answer: (body: Readonly<Record<string, unknown>>, demand: Demand) => ScriptedReply;
  /** What is not to hold there, and is told. */
  readonly misses: readonly string[];
}

const kinds: Readonly<Record<string, Kind>> = {
  'a text model whose server takes a grammar': {
    owner: 'llamacpp',
    toolCalling: { dialect: 'hermes' },
    answer: ({ grammar }, { wrong, good }) => {
      const takes = typeof grammar === 'string' ? new Grammar(grammar) : undefined;
      const isFree = takes?.accepts(written(wrong)) ?? true;
      if (!isFree && takes?.accepts(written(good)) !== true) return jsonReply(400, { error: 'no way out' });
      return chatStream(written(isFree ? wrong : good));
    },
    misses: [],
  },
  'a text model whose server takes a schema': {
    owner: 'organization_owner',
    toolCalling: { dialect: 'hermes' },
    answer: ({ response_format }, { wrong, good }) => {
      const said = written(wrong);
      if (response_format === undefined) return chatStream(said);
      const { json_schema } = Object(response_format);
      const fits = new Ajv2020({ strict: false }).compile(Object(json_schema).schema);
      const [call] = typeof good === 'string' ? [] : good;
      if (!fits(call)) return jsonReply(400, { error: 'no way out' });
      return chatStream(JSON.stringify(call));
    },
    misses: ['strict'],
  },
  'the same where its model is told to choose': {
    owner: 'organization_owner',
    toolCalling: { dialect: 'hermes' },
    constrainCalls: 'choice',
    answer: ({ response_format }, { wrong, good }) => {
      if (response_format === undefined) return chatStream(written(wrong));
      const { json_schema } = Object(response_format);
      const fits = new Ajv2020({ strict: false }).compile(Object(json_schema).schema);
      const said = (reply: Reply) => (typeof reply === 'string' ? { answer: reply } : reply[0]);
      if (!fits(said(good))) return jsonReply(400, { error: 'no way out' });
      return chatStream(JSON.stringify(said(fits(said(wrong)) ? wrong : good)));
    },
    misses: [],
  },
  'a text model whose server takes neither': {
    owner: 'somebody',
    toolCalling: { dialect: 'hermes' },
    answer: (_, { wrong }) => chatStream(written(wrong)),
    misses: ['required', 'named', 'allowed and required', 'strict', 'strict and required'],
  },
  'a native server that honours': {
    owner: 'somebody',
    toolCalling: 'native',
    answer: (_, { good }) => native(good),
    misses: [],
  },
  'a native server that ignores, and is known to': {
    owner: 'llamacpp',
    toolCalling: 'native',
    answer: ({ response_format }, { wrong, good }) => {
      const [call] = typeof good === 'string' ? [] : good;
      return response_format === undefined ? native(wrong) : chatStream(JSON.stringify(call));
    },
    misses: ['strict'],
  },
  'a native server that ignores': {
    owner: 'somebody',
    toolCalling: 'native',
    answer: (_, { wrong }) => native(wrong),
    misses: ['required', 'named', 'allowed and required', 'strict', 'strict and required'],
  },
};

describe.each(Object.entries(kinds))('%s', (_, { owner, toolCalling, constrainCalls, answer, misses }) => {
  it.each(Object.keys(callApis))('what %s clients demand holds, or is told', async (api) => {
    let demand: Demand | undefined;
    const list = jsonReply(200, { object: 'list', data: [{ id: 'm', owned_by: owner }] });
    const upstream = await upstreamForTest({
      fallback: ({ method, path, body }: SeenRequest) => {
        if (method === 'GET') return path.endsWith('/models') ? list : jsonReply(404, {});
        return demand === undefined ? jsonReply(500, {}) : answer(Object(body), demand);
      },
    });
    const up = {
      wire: 'openai-chat',
      baseUrl: upstream.baseUrl,
      anyModel: { toolCalling, ...(constrainCalls && { constrainCalls }) },
    };
    const { url } = await gatewayForTest({ config: { upstreams: { up } } });
    await fetch(`${url}/v1/models`);
    const found: Record<string, string> = {};
    for (const [name, each] of Object.entries(demands)) {
      demand = each;
      const more = each.more === undefined ? {} : each.more(api);
      if (more === undefined) continue;
      for (const stream of [false, true]) {
        const given = tools.map((tool) => (each.strict === true ? { ...tool, strict: true } : tool));
        const asked = { model: 'up/m', question: 'Go on.', tools: given, choice: each.choice, stream, more };
        const got = await askForCall(url, api, asked);
        const isKept = each.holds(got);
        if (!isKept)
          expect(got.warnings, `${name}, ${stream ? 'streamed' : 'whole'}`).toContain(
            each.strict === true ? 'call-misfit' : 'call-missing',
          );
        if (!isKept) found[name] = 'missed';
      }
    }
    const expected = misses.filter((name) => api.startsWith('openai') || !name.startsWith('allowed'));
    expect(Object.keys(found)).toEqual(expected);
  });
});
