import { describe, expect, it } from 'vitest';
import type { ChatRequest } from '../../chat/request.ts';
import { type DragomanError, toDragomanError } from '../../errors.ts';
import { type ReadRequestOptions, readRequest } from './read-request.ts';
import { sealText } from './sealed-text.ts';

const read = (body: object, options?: ReadRequestOptions): ChatRequest =>
  readRequest({ model: 'm', input: 'Hi', ...body }, options);

function refusal(body: object, options?: ReadRequestOptions): DragomanError {
  try {
    read(body, options);
  } catch (thrown) {
    return toDragomanError(thrown);
  }
  throw new Error('it was not refused');
}

const text = (words: string) => ({ type: 'text', text: words });
const call = (id: string, more: object = {}) => ({
  type: 'function_call',
  call_id: id,
  name: 'read',
  arguments: '{}',
  ...more,
});
const output = (id: string, words: unknown = 'ok') => ({ type: 'function_call_output', call_id: id, output: words });
const tool = (name: string, more: object = {}) => ({ type: 'function', name, parameters: { type: 'object' }, ...more });

describe('the conversation', () => {
  it('C-131 a string is one user message, and so is an item without a type', () => {
    expect(read({ input: 'Hi' }).messages).toEqual([{ role: 'user', content: [text('Hi')] }]);
    expect(read({ input: [{ role: 'user', content: 'Hi' }] }).messages).toEqual(read({ input: 'Hi' }).messages);
  });

  it('reads every role, and keeps the word developer', () => {
    const { messages } = read({
      instructions: 'Be brief.',
      input: [
        { type: 'message', role: 'system', content: [{ type: 'input_text', text: 's' }] },
        { type: 'message', role: 'developer', content: 'd' },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'u' }] },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'a', annotations: [] }] },
      ],
    });
    expect(messages.map(({ role }) => role)).toEqual(['system', 'system', 'system', 'user', 'assistant']);
    expect(messages[0]?.content).toEqual([text('Be brief.')]);
    expect(messages[2]?.extra).toEqual({ 'openai-responses': { role: 'developer' } });
  });

  it('C-137 joins reasoning, text and calls of one turn, and gives each output its own message', () => {
    const { messages } = read({
      input: [
        { role: 'user', content: 'go' },
        { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'hm' }] },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I read.' }] },
        call('c1'),
        call('c2', { arguments: '{"a":1.50}' }),
        output('c1'),
        output('c2', [
          { type: 'input_text', text: 'x' },
          { type: 'input_image', image_url: 'data:image/png;base64,AA' },
        ]),
        { type: 'message', role: 'assistant', content: 'done', phase: 'final_answer' },
      ],
    });
    expect(messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'hm' },
          text('I read.'),
          { type: 'tool-call', callId: 'c1', name: 'read', arguments: '{}' },
          { type: 'tool-call', callId: 'c2', name: 'read', arguments: '{"a":1.50}' },
        ],
      },
      { role: 'tool', callId: 'c1', content: [text('ok')] },
      { role: 'tool', callId: 'c2', content: [text('x'), { type: 'image', url: 'data:image/png;base64,AA' }] },
      { role: 'assistant', content: [text('done')], extra: { 'openai-responses': { phase: 'final_answer' } } },
    ]);
  });

  it('keeps two texts of the assistant apart, and text after a call with it', () => {
    const said = (words: string) => ({ role: 'assistant', content: [{ type: 'output_text', text: words }] });
    const { messages } = read({ input: [said('a'), said('b'), call('c1'), said('c'), output('c1')] });
    expect(messages.map(({ role, content }) => [role, content.length])).toEqual([
      ['assistant', 1],
      ['assistant', 3],
      ['tool', 1],
    ]);
  });

  it('passes sealed reasoning on, and reads what was sealed here', () => {
    const reasoning = (sealed: string) => ({ type: 'reasoning', summary: [], encrypted_content: sealed });
    const { messages } = read({ input: [reasoning('foreign'), call('c1'), reasoning(sealText('reasoning', 'höm'))] });
    expect(messages[0]?.content).toEqual([
      { type: 'reasoning', text: '', extra: { 'openai-responses': { encrypted_content: 'foreign' } } },
      { type: 'tool-call', callId: 'c1', name: 'read', arguments: '{}' },
      { type: 'reasoning', text: 'höm' },
    ]);
  });

  it('puts what came before in front, and finds items by reference', () => {
    const { messages } = read(
      { input: [{ type: 'item_reference', id: 'fc_1' }, output('c1'), { role: 'user', content: 'next' }] },
      {
        history: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'first' }] }],
        references: new Map([['fc_1', call('c1', { id: 'fc_1' })]]),
      },
    );
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
    expect(refusal({ input: [{ type: 'item_reference', id: 'x' }] }).param).toBe('input[0].id');
  });

  it('a compaction stands for what it sums up; one of another server is refused', () => {
    const item = (sealed: string) => ({ input: [{ type: 'compaction', encrypted_content: sealed }] });
    expect(read(item(sealText('summary', 'so far'))).messages).toEqual([{ role: 'user', content: [text('so far')] }]);
    expect(refusal(item('foreign')).param).toBe('input[0].encrypted_content');
  });

  it('leaves out items that only a vendor can run, and extensions, with a warning', () => {
    const { messages, warnings } = read({
      input: [{ type: 'web_search_call', id: 'ws' }, { type: 'acme:thing' }, { role: 'user', content: 'Hi' }],
    });
    expect(messages).toHaveLength(1);
    expect(warnings.map(({ code }) => code)).toEqual(['field-dropped', 'field-dropped']);
  });

  it('never changes the body', () => {
    const body = { model: 'm', input: [call('c1'), output('c1')], tools: [tool('read')], metadata: { a: 'b' } };
    const before = structuredClone(body);
    readRequest(body);
    expect(body).toEqual(before);
  });
});

describe('strictness', () => {
  const part = (role: string, type: string) => ({ input: [{ role, content: [{ type, text: 'x' }] }] });
  const cases: readonly [title: string, body: object, param: string][] = [
    ['C-134 output_text in a user message', part('user', 'output_text'), 'input[0].content[0].type'],
    ['C-134 input_text in an assistant message', part('assistant', 'input_text'), 'input[0].content[0].type'],
    ["Chat Completions' text", part('user', 'text'), 'input[0].content[0].type'],
    ['a part that is not known', part('user', 'hologram'), 'input[0].content[0].type'],
    ['a part without a type', { input: [{ role: 'user', content: [{ text: 'x' }] }] }, 'input[0].content[0].type'],
    [
      'an image for the system',
      { input: [{ role: 'system', content: [{ type: 'input_image' }] }] },
      'input[0].content[0].type',
    ],
    ['a message without content', { input: [{ role: 'user' }] }, 'input[0].content'],
    ['a role of another API', { input: [{ role: 'tool', content: 'x' }] }, 'input[0].role'],
    ['an item that is not known', { input: [{ type: 'riddle' }] }, 'input[0].type'],
    ['an item that is no object', { input: ['x'] }, 'input[0]'],
    ['a call without an id', { input: [call('')] }, 'input[0].call_id'],
    ['a call without a name', { input: [call('c', { name: '' })] }, 'input[0].name'],
    ['arguments that are an object', { input: [call('c', { arguments: {} })] }, 'input[0].arguments'],
    ['an output without an output', { input: [{ type: 'function_call_output', call_id: 'c' }] }, 'input[0].output'],
    ['C-135 a nested tool', { tools: [{ type: 'function', function: { name: 'read' } }] }, 'tools[0]'],
    ['a nested tool without a type', { tools: [{ function: { name: 'read' } }] }, 'tools[0]'],
    ['an empty model', { model: '' }, 'model'],
    ['no input', { input: undefined }, 'input'],
    ['empty input', { input: [] }, 'input'],
    ['input that is a number', { input: 3 }, 'input'],
    ['too small a limit', { max_output_tokens: 3 }, 'max_output_tokens'],
    [
      'too many metadata',
      { metadata: Object.fromEntries([...Array(17).keys()].map((at) => [`k${at}`, ''])) },
      'metadata',
    ],
    ['metadata with a long name', { metadata: { ['k'.repeat(65)]: '' } }, `metadata.${'k'.repeat(64)}`],
    ['metadata with a long value', { metadata: { k: 'v'.repeat(513) } }, 'metadata.k'],
    [
      'a choice that is not declared',
      { tools: [tool('a')], tool_choice: { type: 'function', name: 'b' } },
      'tool_choice.name',
    ],
    ['a choice that is not known', { tool_choice: 'maybe' }, 'tool_choice'],
    [
      'an allowed tool that is not declared',
      { tools: [tool('a')], tool_choice: { type: 'allowed_tools', tools: [tool('b')] } },
      'tool_choice.tools[0].name',
    ],
    ['a phase that is not known', { input: [{ role: 'assistant', content: 'x', phase: 'dawn' }] }, 'input[0].phase'],
  ];

  it.each(cases)('refuses %s, naming the place', (_, body, param) => {
    expect(refusal(body)).toMatchObject({ code: 'bad-request', param });
  });

  it.each([
    ['files', { input: [{ role: 'user', content: [{ type: 'input_file', file_data: 'x' }] }] }],
    ['uploaded images', { input: [{ role: 'user', content: [{ type: 'input_image', file_id: 'x' }] }] }],
    ['the background', { background: true }],
    ['conversations', { conversation: 'c' }],
    ['a choice of a hosted tool', { tool_choice: { type: 'web_search' } }],
  ])('says that %s are not supported', (_, body) => {
    expect(refusal(body).code).toBe('unsupported-field');
  });

  it('hints at Chat Completions where it looks like that', () => {
    expect(refusal({ input: undefined, messages: [] }).message).toContain('Chat Completions');
    expect(refusal({ tools: [{ type: 'function', function: { name: 'a' } }] }).message).toContain('Chat Completions');
  });

  it('C-134 C-135 lenient: reads what has one meaning', () => {
    const lenient = { lenient: true };
    expect(read(part('user', 'output_text'), lenient).messages[0]?.content).toEqual([text('x')]);
    expect(read(part('assistant', 'input_text'), lenient).messages[0]?.content).toEqual([text('x')]);
    const nested = { tools: [{ type: 'function', function: { name: 'read', description: 'd' } }] };
    expect(read(nested, lenient).tools).toMatchObject([{ name: 'read', description: 'd' }]);
    expect(read({ input: [call('c', { arguments: { a: 1 } })] }, lenient).messages[0]?.content).toMatchObject([
      { arguments: '{"a":1}' },
    ]);
    expect(read({ input: [{ type: 'riddle' }, { role: 'user', content: 'x' }] }, lenient).warnings).toHaveLength(1);
  });
});

describe('tools', () => {
  it('C-039 reads flat tools, keeps strict, and repairs a missing schema', () => {
    const { tools } = read({ tools: [tool('a', { description: 'd', strict: true }), { type: 'function', name: 'b' }] });
    expect(tools).toEqual([
      { name: 'a', description: 'd', inputSchema: { type: 'object' }, strict: true },
      { name: 'b', inputSchema: { type: 'object', properties: {} } },
    ]);
  });

  it('flattens groups and gives free tools one string parameter', () => {
    const { tools, messages } = read({
      tools: [
        { type: 'namespace', name: 'mcp__db', tools: [tool('query')] },
        { type: 'namespace', name: 'mcp__fs__', tools: [tool('query')] },
        { type: 'custom', name: 'apply_patch', format: { type: 'grammar', syntax: 'lark', definition: 'start: X' } },
      ],
      input: [
        call('c1', { name: 'query', namespace: 'mcp__db' }),
        { type: 'custom_tool_call', call_id: 'c2', name: 'apply_patch', input: 'a "b"\n' },
        output('c1'),
        { type: 'custom_tool_call_output', call_id: 'c2', output: 'done' },
      ],
    });
    expect(tools.map(({ name }) => name)).toEqual(['mcp__db__query', 'mcp__fs__query', 'apply_patch']);
    expect(tools[2]?.description).toContain('start: X');
    expect(tools[2]?.inputSchema).toMatchObject({ properties: { input: { type: 'string' } }, required: ['input'] });
    expect(messages[0]?.content).toMatchObject([
      { name: 'mcp__db__query' },
      { name: 'apply_patch', arguments: '{"input":"a \\"b\\"\\n"}' },
    ]);
    expect(messages.slice(1)).toMatchObject([{ role: 'tool' }, { role: 'tool', callId: 'c2' }]);
  });

  it('leaves out hosted, broken and repeated tools with a warning', () => {
    const { tools, warnings } = read({
      tools: [{ type: 'web_search' }, { type: 'function' }, tool('a'), tool('a'), 3, { type: 'namespace', name: 'n' }],
    });
    expect(tools.map(({ name }) => name)).toEqual(['a']);
    expect(warnings.map(({ code }) => code)).toEqual(Array(5).fill('tool-dropped'));
  });

  it('shows the model no other tools than those that are allowed', () => {
    const tools = [tool('a'), tool('b'), { type: 'namespace', name: 'n', tools: [tool('c')] }];
    const some = { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'b' }] };
    expect(read({ tools, tool_choice: some })).toMatchObject({
      tools: [{ name: 'b' }],
      toolsWithheld: true,
      toolChoice: 'required',
    });
    const one = { type: 'function', name: 'c', namespace: 'n' };
    expect(read({ tools, tool_choice: one }).toolChoice).toEqual({ name: 'n__c' });
    expect(read({ tools, tool_choice: 'none' })).toMatchObject({ tools: { length: 3 }, toolChoice: 'none' });
  });

  it('refuses to require a call of no tools, or of an undeclared one', () => {
    const none = 'tool_choice: requires a call, but the request has no tools.';
    for (const tools of [undefined, []]) expect(() => read({ tools, tool_choice: 'required' })).toThrow(none);
    expect(() => read({ tools: [tool('a')], tool_choice: { type: 'function', name: 'b' } })).toThrow(
      'names the tool "b", which is not declared. Declared: "a".',
    );
    expect(read({ tool_choice: 'auto' }).toolChoice).toBe('auto');
  });
});

it('reads sampling, and lets ride what only this wire knows', () => {
  const request = read({
    temperature: 0.5,
    top_p: 0.9,
    max_output_tokens: 100,
    presence_penalty: 1,
    frequency_penalty: -1,
    reasoning: { effort: 'high', summary: 'auto' },
    parallel_tool_calls: false,
    stream: true,
    store: false,
    include: ['reasoning.encrypted_content'],
    previous_response_id: 'resp_1',
    surprise: 1,
  });
  expect(request).toMatchObject({
    sampling: { temperature: 0.5, topP: 0.9, maxTokens: 100, presencePenalty: 1, frequencyPenalty: -1 },
    reasoningEffort: 'high',
    parallelToolCalls: false,
    stream: true,
    includeUsage: true,
    extra: {
      'openai-responses': {
        store: false,
        include: ['reasoning.encrypted_content'],
        previous_response_id: 'resp_1',
        reasoning: { summary: 'auto' },
      },
    },
  });
  expect(request.warnings).toMatchObject([{ code: 'field-dropped', message: expect.stringContaining('surprise') }]);
  expect(read({}).extra).toEqual({});
  expect(readRequest({ input: 'x' }).model).toBe('');
});

describe('what a server can do more', () => {
  it('the background is read where there is one, for what is stored', () => {
    const background = { background: true };
    expect(read({ background: true }, background).extra).toEqual({ 'openai-responses': { background: true } });
    expect(refusal({ background: true, store: false }, background)).toMatchObject({
      code: 'bad-request',
      param: 'background',
    });
    expect(refusal({ background: 'yes' }, background)).toMatchObject({ param: 'background' });
  });

  it('input may be empty where nothing is asked yet', () => {
    expect(read({ input: [] }, { inputOptional: true }).messages).toEqual([]);
    expect(refusal({ input: [] })).toMatchObject({ param: 'input' });
  });

  it('who continues a response answers calls that it knows', () => {
    const history = [call('call_1')];
    expect(read({ input: [output('call_1')] }, { history }).messages).toHaveLength(2);
    expect(read({ input: [call('call_2'), output('call_2')] }, { history }).messages).toHaveLength(3);
    const wrong = { input: [output('call_1'), output('call_3')] };
    expect(refusal(wrong, { history })).toMatchObject({ code: 'invalid-tool-results', param: 'input[1].call_id' });
    expect(read(wrong, { history, lenient: true }).messages).toHaveLength(3);
    expect(read(wrong).messages).toHaveLength(2);
  });
});
