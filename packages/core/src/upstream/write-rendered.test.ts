import { chatRequest, Grammar } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import type { Message } from '../chat/message.ts';
import type { ChatRequest } from '../chat/request.ts';
import type { JsonSchema } from '../chat/tool.ts';
import { explain } from '../explain.ts';
import { planRequest } from '../plan/plan.ts';
import { defaultModelRule, type ModelRule } from '../plan/rules.ts';
import type { EngineSetup, Upstream } from '../plan/setup.ts';
import { upstreamWires } from '../wires/registry.ts';
import { prepareRequest } from './write-rendered.ts';

const messages: readonly Message[] = [
  { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
  { role: 'user', content: [{ type: 'text', text: 'Read a.txt' }] },
  {
    role: 'assistant',
    content: [{ type: 'tool-call', callId: 'call_1', name: 'read', arguments: '{"path":"a.txt"}' }],
  },
  { role: 'tool', callId: 'call_1', content: [{ type: 'text', text: 'the file' }] },
];

async function explained(
  rule: Partial<ModelRule>,
  own: { request?: Partial<ChatRequest>; setup?: Partial<EngineSetup>; quirks?: Upstream['quirks'] } = {},
) {
  const request = chatRequest({
    model: 'up/m',
    messages,
    tools: [{ name: 'read', inputSchema: { type: 'object', properties: { path: { type: 'string' } } } }],
    toolChoice: 'required',
    parallelToolCalls: false,
    stream: false,
    ...own.request,
  });
  const frozen = JSON.stringify(request);
  const setup: EngineSetup = {
    upstreams: new Map([
      [
        'up',
        {
          name: 'up',
          wire: 'openai-chat',
          quirks: own.quirks ?? {},
          deadlines: { connect: 0, firstToken: 0, idle: 0, total: 0 },
          models: new Map([['m', { ...defaultModelRule, ...rule }]]),
          transport: { send: () => expect.fail('explaining sends nothing') },
        },
      ],
    ]),
    aliases: new Map(),
    maxTools: 8,
    maxReplyBytes: 1_000_000,
    toolCalling: true,
    countTokens: async () => 0,
    now: () => 0,
    randomHex: (length) => '0'.repeat(length),
    ...own.setup,
  };
  const told = await explain(request, setup);
  expect(JSON.stringify(request)).toBe(frozen);
  return { ...told, body: JSON.stringify(told.upstreamRequest.body) };
}

describe('explain', () => {
  it('refuses tools that no model has room for, where they are told as text', async () => {
    const tool = (characters: number) => ({ name: 'read', description: 'x'.repeat(characters), inputSchema: {} });
    const rule = { toolCalling: { dialect: 'hermes' } } as const;
    await expect(explained(rule, { request: { tools: [tool(300_000)] } })).rejects.toMatchObject({
      code: 'context-too-long',
      param: 'tools',
      message: expect.stringContaining('at most 300000 are told'),
    });
    await explained(rule, { request: { tools: [tool(290_000)] } });
    await explained({ toolCalling: 'native' }, { request: { tools: [tool(300_000)] } });
  });

  it('forbids calls by grammar where none is wanted, and nothing where they are free', async () => {
    const tools = [{ name: 'read', inputSchema: { type: 'object' } }];
    const quirks = { grammarField: 'grammar' };
    const told = async (toolChoice: 'none' | 'auto') => {
      const given = { messages: messages.slice(0, 1), tools, toolChoice };
      const { upstreamRequest, constraint } = await explained(
        { toolCalling: { dialect: 'hermes' } },
        { request: given, quirks },
      );
      return { grammar: Object(upstreamRequest.body).grammar, constraint };
    };
    const { grammar, constraint } = await told('none');
    expect(constraint).toBe('no call, by grammar');
    const accepts = (text: string) => new Grammar(String(grammar)).accepts(text);
    expect([accepts('It is late.'), accepts('I look. <tool_call>\n{"name": "read", "arguments": {}}')]).toEqual([
      true,
      false,
    ]);
    expect(await told('auto')).toEqual({ grammar: undefined, constraint: undefined });
  });

  it.each(['hermes', 'anthropic-xml'])(
    'leaves schemas open that are too large for a grammar, and says so: %s',
    async (dialect) => {
      const properties = (count: number) =>
        Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, { type: 'integer', maximum: at }]));
      const given = (count: number): Partial<ChatRequest> => ({
        messages: messages.slice(0, 2),
        tools: [
          { name: 'small', inputSchema: { type: 'object', properties: properties(2) } },
          { name: 'large', inputSchema: { type: 'object', properties: properties(count) } },
        ],
      });
      const quirks = { grammarField: 'grammar' };
      const rule = { toolCalling: { dialect } } as const;
      const told = async (count: number) => {
        const { warnings, upstreamRequest } = await explained(rule, { request: given(count), quirks });
        const { grammar } = Object(upstreamRequest.body);
        return { codes: warnings.map(({ code }) => code), grammar: String(grammar) };
      };
      const [few, many] = [await told(20), await told(7_000)];
      expect(few.codes).not.toContain('limit-reached');
      expect(few.grammar).toContain('p19');
      expect(many.codes).toContain('limit-reached');
      expect(many.grammar).toContain('p1');
      expect(many.grammar).not.toContain('p19');
      expect(many.grammar.length).toBeLessThan(400_000);
    },
  );

  it('a native model gets the request as it is', async () => {
    const { plan, upstreamRequest, body } = await explained({ toolCalling: 'native' });
    expect([plan.toolCalling, upstreamRequest.upstream, upstreamRequest.path]).toEqual([
      'native',
      'up',
      '/chat/completions',
    ]);
    expect(upstreamRequest.body).toMatchObject({ model: 'm', stream: true, tool_choice: 'required' });
    for (const part of ['"tools"', '"tool_call_id":"call_1"', 'Be brief.']) expect(body).toContain(part);
  });

  it('tells how far a loop of calls has come, and what the guards say to it', async () => {
    const { loop, warnings } = await explained({ toolCalling: 'native', guards: { rounds: 1 } });
    expect(loop).toEqual({ limits: { rounds: 1, note: 0, stop: 0 }, rounds: 1, repeats: 1, decision: 'stop' });
    expect(warnings.map(({ code }) => code)).toEqual(['loop-stopped']);
    const { loop: other, warnings: none } = await explained({ toolCalling: { dialect: 'hermes' } });
    expect(other).toEqual({ limits: { rounds: 0, note: 3, stop: 0 }, rounds: 1, repeats: 1, decision: 'go on' });
    expect(none).toEqual([]);
  });

  it('a native model that is deaf to system text gets it in the first user message', async () => {
    const { upstreamRequest, body } = await explained({ toolCalling: 'native', systemText: 'first-user' });
    expect(upstreamRequest.body).toMatchObject({
      messages: [{ role: 'user' }, { role: 'assistant' }, { role: 'tool' }],
    });
    expect(body).toContain('Be brief.');
  });

  it('a text model gets tools, calls and results as text, and no field that speaks of tools', async () => {
    for (const dialect of ['hermes', 'anthropic-xml', 'cline-xml', 'kimi-k2']) {
      const { plan, upstreamRequest, body } = await explained({ toolCalling: { dialect } });
      expect(plan.toolCalling).toBe(dialect);
      for (const field of ['tools', 'tool_choice', 'parallel_tool_calls']) {
        expect(upstreamRequest.body, dialect).not.toHaveProperty(field);
      }
      for (const part of ['the file', 'a.txt', 'Be brief.']) expect(body, dialect).toContain(part);
      expect(body).not.toContain('tool_call_id');
    }
  });

  it('tells what had to be dropped or repaired, and what was tolerated before', async () => {
    const image: Message = { role: 'user', content: [{ type: 'image', url: 'https://example.org/a.png' }] };
    const { warnings } = await explained(
      { toolCalling: { dialect: 'hermes' } },
      { request: { messages: [image], warnings: [{ code: 'tool-dropped', message: 'one tool' }] } },
    );
    expect(warnings.map(({ code }) => code)).toEqual(['tool-dropped', 'part-dropped']);
  });

  it('strips tools when tool calling is switched off, but keeps the history', async () => {
    for (const toolCalling of ['native', { dialect: 'hermes' }] as const) {
      const { plan, upstreamRequest, body } = await explained({ toolCalling }, { setup: { toolCalling: false } });
      expect(plan.toolCalling).toBe('none');
      expect(upstreamRequest.body).not.toHaveProperty('tools');
      expect(upstreamRequest.body).not.toHaveProperty('tool_choice');
      expect(body).toContain('the file');
    }
  });
});

describe('the form of an answer', () => {
  const outputFormat = { type: 'json' } as const;
  const words = 'one JSON value and nothing else';

  it.each([
    ['a native model', { toolCalling: 'native' }, {}],
    ['a text model whose rule says so', { toolCalling: { dialect: 'hermes' }, outputFormat: 'native' }, { tools: [] }],
  ] as const)('A-051 is left to the upstream for %s', async (_, rule, request) => {
    const { upstreamRequest, body, warnings } = await explained(rule, { request: { outputFormat, ...request } });
    expect(upstreamRequest.body).toMatchObject({ response_format: { type: 'json_object' } });
    expect(body).not.toContain(words);
    expect(warnings).toEqual([]);
  });

  it.each([
    ['without tools', { tools: [] }, { dialect: 'hermes' }],
    ['that may not call', { toolChoice: 'none' }, { dialect: 'hermes' }],
    ['that may write any dialect', { tools: [] }, 'text'],
  ] as const)('A-051 is asked for by the field and in words of a text model %s', async (_, request, toolCalling) => {
    const { upstreamRequest, body, warnings } = await explained(
      { toolCalling },
      { request: { outputFormat, ...request } },
    );
    expect(upstreamRequest.body).toMatchObject({ response_format: { type: 'json_object' } });
    expect(body).toContain(`Your answer must be ${words}`);
    expect(warnings).toEqual([]);
  });

  it.each([
    ['a model with taught tools', { toolCalling: { dialect: 'hermes' } }, 'writes its calls as text'],
    ['a model whose rule says so', { toolCalling: 'native', outputFormat: 'taught' }, 'the model rule'],
  ] as const)('A-051 is asked for in words of %s, and told', async (_, rule, why) => {
    const { upstreamRequest, body, warnings } = await explained(rule, { request: { outputFormat } });
    expect(upstreamRequest.body).not.toHaveProperty('response_format');
    expect(body).toContain(`When you answer instead of calling a tool, your answer must be ${words}`);
    expect(body.indexOf('Be brief.')).toBeLessThan(body.indexOf(words));
    expect(warnings).toEqual([{ code: 'field-dropped', message: expect.stringContaining(why) }]);
  });

  it('A-051 is asked for in words where the wire has no field for it', async () => {
    const base = upstreamWires.get('openai-chat') ?? expect.fail();
    const wires = new Map([['openai-chat', { ...base, outputFormats: [] }]]);
    const schema = { type: 'object', properties: { city: { type: 'string' } } };
    const { upstreamRequest, body, warnings } = await explained(
      { toolCalling: 'native' },
      { setup: { wires }, request: { outputFormat: { type: 'json-schema', schema } } },
    );
    expect(upstreamRequest.body).not.toHaveProperty('response_format');
    expect(body).toContain(JSON.stringify(JSON.stringify(schema)).slice(1, -1));
    expect(warnings).toMatchObject([{ code: 'field-dropped' }]);
  });
});

describe('the effort of reasoning', () => {
  it.each([
    [undefined, 'max', { reasoning_effort: 'max' }, 0],
    [['low', 'high'], 'high', { reasoning_effort: 'high' }, 0],
    [['low', 'high'], 'max', { reasoning_effort: 'high' }, 1],
    [[], 'high', {}, 1],
  ] as const)('C-036 goes to a model that knows %j: %s', async (efforts, reasoningEffort, expected, told) => {
    const rule = efforts === undefined ? {} : { efforts };
    const { upstreamRequest, warnings } = await explained(
      { toolCalling: 'native', ...rule },
      { request: { reasoningEffort } },
    );
    const { reasoning_effort } = Object(upstreamRequest.body);
    expect({ ...(reasoning_effort === undefined ? {} : { reasoning_effort }) }).toEqual(expected);
    expect(warnings.map(({ code }) => code)).toEqual(Array(told).fill('field-dropped'));
  });

  it('C-036 is told by its budget, too', async () => {
    const { upstreamRequest } = await explained(
      { toolCalling: 'native', efforts: ['low'] },
      { request: { reasoningBudget: 32_000 } },
    );
    expect(upstreamRequest.body).toMatchObject({ reasoning_effort: 'low' });
  });
});

describe('a native request', () => {
  const prepared = (request: ChatRequest, rule: Partial<ModelRule> = {}, own: Partial<Upstream> = {}) => {
    const place: Upstream = {
      name: 'up',
      wire: 'openai-chat',
      quirks: {},
      deadlines: { connect: 0, firstToken: 0, idle: 0, total: 0 },
      models: new Map([['m', { ...defaultModelRule, toolCalling: 'native', ...rule }]]),
      transport: { send: () => expect.fail('nothing is sent') },
      ...own,
    };
    const setup: EngineSetup = {
      upstreams: new Map([['up', place]]),
      aliases: new Map(),
      maxTools: 8,
      maxReplyBytes: 1_000_000,
      toolCalling: true,
      countTokens: async () => 0,
      now: () => 0,
      randomHex: (length) => '0'.repeat(length),
    };
    return prepareRequest(request, { plan: planRequest(request, setup), setup });
  };
  const tool = (name: string, inputSchema: JsonSchema = { type: 'object', properties: {} }) => ({ name, inputSchema });
  const native = (own: Partial<ChatRequest> = {}) =>
    chatRequest({ model: 'up/m', messages, tools: [tool('read')], stream: true, ...own });

  it('E-074 with a history in order keeps the very same messages and tools, for every wire', () => {
    for (const wire of ['openai-chat', 'openai-responses', 'anthropic-messages', 'ollama-chat']) {
      const request = native();
      const { request: seen, warnings } = prepared(request, {}, { wire });
      expect(seen.messages).toBe(request.messages);
      expect(seen.tools).toBe(request.tools);
      expect(warnings).toEqual([]);
    }
  });

  it('C-028 C-029 E-070 with one that is not is repaired, in the way that rule and quirk say, and told of it', () => {
    const [system, user, call] = messages;
    if (system === undefined || user === undefined || call === undefined) return expect.unreachable();
    const request = native({ messages: [system, user, user, call, user] });
    const { request: seen, warnings } = prepared(request);
    expect(seen.messages.map(({ role }) => role)).toEqual(['system', 'user', 'user', 'assistant', 'tool', 'user']);
    expect(warnings.map(({ code }) => code)).toEqual(['result-missing']);
    const merged = prepared(request, {}, { quirks: { mergeRoles: true } });
    expect(merged.request.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'user']);
    const strict = { ...defaultModelRule.results, mode: 'strict' as const };
    expect(() => prepared(request, { results: strict })).toThrow('has no result');
  });

  it('C-038 C-039 has legal names and whole schemas where the upstream insists on them', () => {
    const called: Message = {
      role: 'assistant',
      content: [{ type: 'tool-call', callId: 'call_1', name: 'a.b/c d', arguments: '{}' }],
    };
    const result: Message = { role: 'tool', callId: 'call_1', content: [{ type: 'text', text: 'r' }] };
    const request = native({
      tools: [tool('a.b/c d', {}), tool('a_b_c_d')],
      toolChoice: { name: 'a.b/c d' },
      messages: [...messages.slice(0, 2), called, result],
    });
    const { upstreamRequest, names } = prepared(request);
    const body = JSON.parse(JSON.stringify(upstreamRequest.body));
    const [odd, legal] = body.tools.map((each: { function: object }) => each.function);
    expect(odd).toMatchObject({
      name: expect.stringMatching(/^a_b_c_d_[0-9a-f]{8}$/),
      parameters: { type: 'object', properties: {} },
    });
    expect(legal.name).toBe('a_b_c_d');
    expect(body.tool_choice.function.name).toBe(odd.name);
    expect(body.messages[2].tool_calls[0].function.name).toBe(odd.name);
    expect(names?.declaredName(odd.name)).toBe('a.b/c d');
    const any = prepared(request, {}, { quirks: { anyToolName: true } });
    expect(JSON.stringify(any.upstreamRequest.body)).not.toContain('a_b_c_d_');
    expect(JSON.stringify(prepared(request, {}, { wire: 'ollama-chat' }).upstreamRequest.body)).not.toContain(
      'a_b_c_d_',
    );
  });

  it('E-061 E-062 E-067 has ids in the form of the quirk, else of the model, else of the wire', () => {
    const idIn = (rule: Partial<ModelRule>, own: Partial<Upstream> = {}) => {
      const { request } = prepared(native(), rule, own);
      const [, , called, result] = request.messages;
      const part = called?.role === 'assistant' ? called.content[0] : undefined;
      const id = part?.type === 'tool-call' ? part.callId : '';
      expect(result).toMatchObject({ callId: id });
      return id;
    };
    expect(idIn({})).toBe('call_1');
    expect(idIn({ upstreamName: 'mistral-large' })).toMatch(/^[A-Za-z0-9]{9}$/);
    expect(idIn({ upstreamName: 'kimi-k2' })).toBe('functions.read:0');
    expect(idIn({ upstreamName: 'mistral-large' }, { quirks: { callIds: 'short' } })).toBe('call_1');
    expect(idIn({}, { quirks: { callIds: 'number' } })).toBe('0');
  });
});
