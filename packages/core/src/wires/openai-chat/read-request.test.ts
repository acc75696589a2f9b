import { describe, expect, it } from 'vitest';
import { DragomanError } from '../../errors.ts';
import { readRequest } from './read-request.ts';

const user = { role: 'user', content: 'hi' };
const minimal = { model: 'm', messages: [user] };

/** Reads a body, frozen all the way down, so that any change would throw. */
const read = (body: object) => readRequest(freeze(structuredClone(body)));
const readMessages = (...messages: object[]) => read({ model: 'm', messages: [...messages, user] }).messages;

function freeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(Object.freeze(value))) freeze(inner);
  return value;
}

function refusal(body: unknown): { code: string; param: string | undefined } {
  try {
    readRequest(body);
  } catch (error) {
    if (error instanceof DragomanError) return { code: error.code, param: error.param };
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('readRequest', () => {
  it('conflict 40: reads the least possible body, not streamed', () => {
    expect(read(minimal)).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
      tools: [],
      toolChoice: 'auto',
      parallelToolCalls: true,
      stream: false,
      includeUsage: false,
      sampling: {},
      extra: {},
      warnings: [],
    });
  });

  it('A-052 A-053 reads sampling, the newer limit before the older, and null as absent', () => {
    const request = read({
      ...minimal,
      temperature: 0,
      top_p: 0.9,
      max_tokens: 5,
      max_completion_tokens: 7,
      stop: 'x',
      seed: 1,
      presence_penalty: null,
      frequency_penalty: 0.5,
      stream: true,
      stream_options: { include_usage: true },
      parallel_tool_calls: false,
      reasoning_effort: 'low',
      n: 1,
    });
    expect(request).toMatchObject({
      sampling: { temperature: 0, topP: 0.9, maxTokens: 7, stop: ['x'], seed: 1, frequencyPenalty: 0.5 },
      stream: true,
      includeUsage: true,
      parallelToolCalls: false,
      reasoningEffort: 'low',
      warnings: [],
    });
    expect(request.sampling).not.toHaveProperty('presencePenalty');
    expect(read({ ...minimal, stop: ['a', 'b'], reasoning: { effort: 'high' } })).toMatchObject({
      sampling: { stop: ['a', 'b'] },
      reasoningEffort: 'high',
    });
  });

  it.each([
    ['OpenRouter', { reasoning: { exclude: true } }],
    ['older OpenRouter', { include_reasoning: false }],
    ['Groq', { reasoning_format: 'hidden' }],
  ])('reads how clients of %s ask for no reasoning', (_, fields) => {
    expect(read({ ...minimal, ...fields })).toMatchObject({ hidesReasoning: true, warnings: [] });
    expect(read({ ...minimal, reasoning_format: 'parsed' })).not.toHaveProperty('hidesReasoning');
  });

  it('reads budgets and switches of reasoning, and names what it does not know of it', () => {
    expect(read({ ...minimal, reasoning: { max_tokens: 2000 } })).toMatchObject({ reasoningBudget: 2000 });
    expect(read({ ...minimal, reasoning: { enabled: false } })).toMatchObject({ reasoningEffort: 'none' });
    expect(read({ ...minimal, reasoning: { mood: 1 } }).warnings[0]?.message).toContain('reasoning.mood');
  });

  it('refuses sound, which no reply holds', () => {
    expect(refusal({ ...minimal, modalities: ['text', 'audio'] })).toEqual({
      code: 'unsupported-field',
      param: 'modalities',
    });
    expect(refusal({ ...minimal, audio: { voice: 'v' } })).toEqual({ code: 'unsupported-field', param: 'audio' });
    expect(read({ ...minimal, modalities: ['text'] }).warnings).toEqual([]);
  });

  it('A-019 keeps fields of this API in extra, and names unknown ones once', () => {
    const request = read({
      ...minimal,
      logit_bias: {},
      user: 'u',
      foo: 1,
      bar: 2,
    });
    expect(request.extra).toEqual({
      'openai-chat': { logit_bias: {}, user: 'u' },
    });
    expect(request.warnings).toEqual([
      { code: 'field-dropped', message: 'Fields that are not known were ignored: foo, bar.' },
    ]);
  });

  it('A-020 reads a missing model as the default one', () => {
    expect(readRequest({ messages: [user] }).model).toBe('');
  });

  it.each<[string, unknown, string | undefined]>([
    ['no body', undefined, undefined],
    ['a list', [], undefined],
    ['an empty model', { ...minimal, model: '' }, 'model'],
    ['a numeric model', { ...minimal, model: 5 }, 'model'],
    ['no messages', { model: 'm' }, 'messages'],
    ['empty messages', { model: 'm', messages: [] }, 'messages'],
    ['messages that are no list', { model: 'm', messages: 'hi' }, 'messages'],
    ['no user message', { model: 'm', messages: [{ role: 'system', content: 'x' }] }, 'messages'],
    ['a message that is no object', { model: 'm', messages: [user, 'x'] }, 'messages[1]'],
    ['an unknown role', { model: 'm', messages: [user, { role: 'robot', content: '' }] }, 'messages[1].role'],
    ['no role', { model: 'm', messages: [{ content: '' }] }, 'messages[0].role'],
    ['no user content', { model: 'm', messages: [{ role: 'user' }] }, 'messages[0].content'],
    ['null user content', { model: 'm', messages: [{ role: 'user', content: null }] }, 'messages[0].content'],
    ['no parts', { model: 'm', messages: [{ role: 'user', content: [] }] }, 'messages[0].content'],
    ['silent assistant', { model: 'm', messages: [user, { role: 'assistant', content: null }] }, 'messages[1].content'],
    [
      'an unknown part',
      { model: 'm', messages: [user, { role: 'user', content: [{ type: 'video' }] }] },
      'messages[1].content[0].type',
    ],
    [
      'a part of another API',
      { model: 'm', messages: [{ role: 'user', content: [{ type: 'input_text', text: 'x' }] }] },
      'messages[0].content[0].type',
    ],
    [
      'a text part without text',
      { model: 'm', messages: [{ role: 'user', content: [{ type: 'text' }] }] },
      'messages[0].content[0].text',
    ],
    [
      'an image without address',
      { model: 'm', messages: [{ role: 'user', content: [{ type: 'image_url', image_url: {} }] }] },
      'messages[0].content[0].image_url.url',
    ],
    [
      'calls that are no list',
      { model: 'm', messages: [user, { role: 'assistant', tool_calls: {} }] },
      'messages[1].tool_calls',
    ],
    [
      'numeric arguments',
      { model: 'm', messages: [user, { role: 'assistant', tool_calls: [{ function: { name: 'a', arguments: 5 } }] }] },
      'messages[1].tool_calls[0].function.arguments',
    ],
    [
      'a numeric call id',
      { model: 'm', messages: [user, { role: 'tool', tool_call_id: 5, content: '' }] },
      'messages[1].tool_call_id',
    ],
    ['tools that are no list', { ...minimal, tools: {} }, 'tools'],
    ['an unknown choice', { ...minimal, tool_choice: 'maybe' }, 'tool_choice'],
    ['a choice without name', { ...minimal, tool_choice: { type: 'function' } }, 'tool_choice.function.name'],
    [
      'a list of allowed tools that is none',
      { ...minimal, tool_choice: { type: 'allowed_tools' } },
      'tool_choice.tools',
    ],
    ['an undeclared choice', { ...minimal, tool_choice: { type: 'function', function: { name: 'x' } } }, 'tool_choice'],
    ['a textual flag', { ...minimal, stream: 'yes' }, 'stream'],
    ['a textual number', { ...minimal, temperature: '1' }, 'temperature'],
    ['no room for an answer', { ...minimal, max_tokens: 0 }, 'max_tokens'],
    ['a numeric stop', { ...minimal, stop: ['a', 5] }, 'stop[1]'],
    ['broken stream options', { ...minimal, stream_options: true }, 'stream_options'],
  ])('A-015 B-167 refuses %s and names the place', (_, body, param) => {
    expect(refusal(body)).toEqual({ code: 'bad-request', param });
  });

  it.each<[object, string]>([
    [{ ...minimal, n: 2 }, 'n'],
    [{ model: 'm', messages: [{ role: 'user', content: [{ type: 'input_audio' }] }] }, 'messages[0].content[0].type'],
    [{ model: 'm', messages: [{ role: 'user', content: [{ type: 'file' }] }] }, 'messages[0].content[0].type'],
  ])('A-019 says clearly what is not supported: %j', (body, param) => {
    expect(refusal(body)).toEqual({ code: 'unsupported-field', param });
  });
});

describe('messages', () => {
  it('A-030 A-031 keeps their order and takes developer for system', () => {
    const messages = readMessages(
      { role: 'system', content: 'a' },
      { role: 'developer', content: 'b' },
      { role: 'assistant', content: 'c' },
    );
    expect(messages.map((message) => message.role)).toEqual(['system', 'system', 'assistant', 'user']);
  });

  it('A-037 A-075 reads lists of text and images', () => {
    const content = [
      { type: 'text', text: 'a', cache_control: {} },
      { type: 'image_url', image_url: { url: 'data:x', detail: 'low', media_type: 'image/png' } },
      { type: 'image_url', image_url: 'http://x' },
      'b',
    ];
    const request = read({ model: 'm', messages: [{ role: 'user', content }] });
    expect(request.messages[0]?.content).toEqual([
      { type: 'text', text: 'a' },
      { type: 'image', url: 'data:x', detail: 'low' },
      { type: 'image', url: 'http://x' },
      { type: 'text', text: 'b' },
    ]);
    expect(request.warnings[0]?.message).toContain('messages[].content[].cache_control');
  });

  it('A-076 A-196 reads other content as its JSON text and absent content as none', () => {
    const text = (content: unknown) => readMessages({ role: 'tool', tool_call_id: 'a', content })[0]?.content;
    expect(text(null)).toEqual([]);
    expect(text(undefined)).toEqual([]);
    expect(text(5)).toEqual([{ type: 'text', text: '5' }]);
    expect(text({ a: 1 })).toEqual([{ type: 'text', text: '{"a":1}' }]);
    expect(readMessages({ role: 'system', content: null })[0]?.content).toEqual([]);
    expect(readMessages({ role: 'user', content: 5 })[0]?.content).toEqual([{ type: 'text', text: '5' }]);
  });

  it('A-190 A-194 A-195 A-197 reads results: id, name, lists, status', () => {
    expect(
      readMessages(
        {
          role: 'tool',
          tool_call_id: 'a',
          name: 'read',
          content: [
            { type: 'text', text: 'x' },
            { type: 'odd', v: 1 },
          ],
        },
        { role: 'tool', content: 'abc', is_error: true },
        { role: 'function', name: 'list', content: '', status: 'success' },
      ),
    ).toMatchObject([
      {
        role: 'tool',
        callId: 'a',
        name: 'read',
        content: [
          { type: 'text', text: 'x' },
          { type: 'text', text: '{"type":"odd","v":1}' },
        ],
      },
      { role: 'tool', callId: '', content: [{ type: 'text', text: 'abc' }], status: 'error' },
      { role: 'tool', callId: '', name: 'list', content: [{ type: 'text', text: '' }], status: 'ok' },
      { role: 'user' },
    ]);
  });

  it('A-054 reads calls with arguments as text, object or nothing, with and without ids, old and new', () => {
    const [first, second] = readMessages(
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'read', arguments: '{"n":1.0}' } },
          { function: { name: 'read', arguments: { x: 1 } } },
          { id: 'c', function: { name: 'list' } },
        ],
      },
      { role: 'assistant', content: 'text', function_call: { name: 'list', arguments: '' } },
    );
    expect(first?.content).toEqual([
      { type: 'tool-call', callId: 'a', name: 'read', arguments: '{"n":1.0}' },
      { type: 'tool-call', callId: '', name: 'read', arguments: '{"x":1}' },
      { type: 'tool-call', callId: 'c', name: 'list', arguments: '{}' },
    ]);
    expect(second?.content).toEqual([
      { type: 'text', text: 'text' },
      { type: 'tool-call', callId: '', name: 'list', arguments: '{}' },
    ]);
  });

  it('E-052 leaves out calls without a name and says so', () => {
    const request = read({
      model: 'm',
      messages: [user, { role: 'assistant', tool_calls: [{ id: 'a', function: { arguments: '{}' } }] }],
    });
    expect(request.messages[1]?.content).toEqual([]);
    expect(request.warnings[0]).toMatchObject({ code: 'field-dropped' });
  });

  it('reads reasoning under each of its names, before the text', () => {
    for (const field of ['reasoning_content', 'reasoning', 'reasoning_text']) {
      expect(
        readMessages({ role: 'assistant', content: [{ type: 'text', text: 'a' }], [field]: 'hm' })[0]?.content,
      ).toEqual([
        { type: 'reasoning', text: 'hm' },
        { type: 'text', text: 'a' },
      ]);
    }
  });

  it('keeps names and other message fields of this API, and names unknown ones', () => {
    const request = read({
      model: 'm',
      messages: [
        { role: 'system', content: 's', name: 'boss', copilot_cache_control: {} },
        { role: 'user', content: 'u', name: 'ann', cache_control: { type: 'x' } },
        { role: 'assistant', content: null, refusal: 'no' },
      ],
    });
    expect(request.messages).toMatchObject([
      { extra: { 'openai-chat': { name: 'boss' } } },
      { name: 'ann', extra: { 'openai-chat': { cache_control: { type: 'x' } } } },
      { role: 'assistant', content: [{ type: 'text', text: 'no', refusal: true }] },
    ]);
    expect(request.warnings[0]?.message).toContain('messages[].copilot_cache_control');
  });
});

describe('tools', () => {
  const tool = (fields: object) => ({ type: 'function', function: fields });
  const schema = { type: 'object', properties: { a: { type: 'string' } } };

  it('A-053 B-009 reads them in order and gives a schema to those without one', () => {
    const tools = [
      tool({ name: 'z', description: 'd', parameters: schema }),
      tool({ name: 'a' }),
      { function: { name: 'b', parameters: {} } },
    ];
    expect(read({ ...minimal, tools })).toMatchObject({
      tools: [
        { name: 'z', description: 'd', inputSchema: schema },
        { name: 'a', inputSchema: { type: 'object', properties: {} } },
        { name: 'b', inputSchema: { type: 'object', properties: {} } },
      ],
      warnings: [],
    });
  });

  it('B-010 leaves out malformed and repeated ones and says so', () => {
    const tools = [
      { type: 'function' },
      tool({}),
      null,
      tool({ name: 'ok' }),
      tool({ name: 'ok' }),
      tool({ name: 'p', parameters: 'x' }),
      { type: 'web_search' },
    ];
    const request = read({ ...minimal, tools });
    expect(request.tools.map((one) => one.name)).toEqual(['ok']);
    expect(request.warnings.map((warning) => warning.code)).toEqual(Array(6).fill('tool-dropped'));
  });

  it('A-054 reads the older functions and function_call', () => {
    const request = read({ ...minimal, functions: [{ name: 'f' }], function_call: { name: 'f' } });
    expect(request).toMatchObject({ tools: [{ name: 'f' }], toolChoice: { name: 'f' }, parallelToolCalls: false });
  });

  it.each<[unknown, unknown]>([
    [undefined, 'auto'],
    [null, 'auto'],
    ['auto', 'auto'],
    ['none', 'none'],
    ['required', 'required'],
    ['any', 'required'],
    [{ type: 'none' }, 'none'],
    [{ type: 'function', function: { name: 'f' } }, { name: 'f' }],
    [{ type: 'function', name: 'f' }, { name: 'f' }],
  ])('A-049 reads tool_choice %j', (choice, expected) => {
    expect(read({ ...minimal, tools: [tool({ name: 'f' })], tool_choice: choice }).toolChoice).toEqual(expected);
  });

  it('refuses to require a call of no tools, or of an undeclared one', () => {
    const none = 'tool_choice: requires a call, but the request has no tools.';
    for (const tools of [undefined, []]) {
      expect(() => read({ ...minimal, tools, tool_choice: 'required' })).toThrow(none);
    }
    const choice = { type: 'function', function: { name: 'g' } };
    expect(() => read({ ...minimal, tools: [tool({ name: 'f' })], tool_choice: choice })).toThrow(
      'names the tool "g", which is not declared. Declared: "f".',
    );
    expect(() => read({ ...minimal, tool_choice: choice })).toThrow('Declared: none.');
    expect(read({ ...minimal, tool_choice: 'auto' }).toolChoice).toBe('auto');
    expect(read({ ...minimal, tools: [{ type: 'web_search' }], tool_choice: 'required' }).toolChoice).toBe('required');
  });

  it.each([
    ['in a field of their own', (about: object) => ({ type: 'allowed_tools', allowed_tools: about })],
    ['beside the type', (about: object) => ({ type: 'allowed_tools', ...about })],
  ])('A-049 shows the model only the tools that are allowed, %s', (_, choose) => {
    const tools = ['f', 'g', 'h'].map((name) => tool({ name }));
    const named = [
      { type: 'function', function: { name: 'h' } },
      { type: 'function', name: 'f' },
    ];
    const asked = (about: object) => read({ ...minimal, tools, tool_choice: choose(about) });
    expect(asked({ mode: 'required', tools: named })).toMatchObject({
      tools: [{ name: 'f' }, { name: 'h' }],
      toolsWithheld: true,
      toolChoice: 'required',
    });
    expect(asked({ tools: named }).toolChoice).toBe('auto');
    expect(() => asked({ mode: 'none', tools: named })).toThrow('must be auto or required');
    expect(() => asked({ tools: [{ type: 'function', function: { name: 'x' } }] })).toThrow(
      '"x", which is not declared',
    );
  });

  it('A-049 keeps that arguments have to fit', () => {
    const { tools, warnings } = read({ ...minimal, tools: [tool({ name: 'f', strict: true }), tool({ name: 'g' })] });
    expect(tools.map(({ strict }) => strict)).toEqual([true, undefined]);
    expect(warnings).toEqual([]);
  });
});

describe('what servers would refuse or nobody needs', () => {
  const read = (fields: object) => readRequest({ model: 'm', messages: [{ role: 'user', content: 'hi' }], ...fields });

  it.each([
    ['17 pairs', Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`k${at}`, 'v']))],
    ['a name of 65 characters', { ['k'.repeat(65)]: 'v' }],
    ['a value of 513 characters', { k: 'v'.repeat(513) }],
    ['a value that is no string', { k: { nested: true } }],
  ])('C-037 leaves metadata with %s out and says so', (_, metadata) => {
    const { extra, warnings } = read({ metadata, user: 'u' });
    expect(extra).toEqual({ 'openai-chat': { user: 'u' } });
    expect(warnings).toMatchObject([{ code: 'field-dropped', message: expect.stringContaining('metadata') }]);
    const bounds = { ['k'.repeat(64)]: 'v'.repeat(512) };
    expect(read({ metadata: bounds })).toMatchObject({ extra: { 'openai-chat': { metadata: bounds } }, warnings: [] });
  });

  it.each(['pipeline', 'legacy'])(
    'E-092 takes toolCallProcessingMode %s, says that it has no effect, and drops it',
    (mode) => {
      const request = read({ toolCallProcessingMode: mode });
      expect(request.warnings).toMatchObject([
        { code: 'field-deprecated', message: expect.stringContaining('toolCall') },
      ]);
      expect(request).toEqual({ ...read({}), warnings: request.warnings });
    },
  );
});
