import { describe, expect, it } from 'vitest';
import type { Message } from '../../chat/message.ts';
import type { ChatRequest } from '../../chat/request.ts';
import { writeJson } from '../../json/json-text.ts';
import { readObject } from '../read-values.ts';
import type { Quirks } from '../wire.ts';
import { anthropicMessagesQuirks } from './quirks.ts';
import { readRequest } from './read-request.ts';
import { writeRequest } from './write-request.ts';

const plain: ChatRequest = {
  model: 'm',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
  tools: [],
  toolChoice: 'auto',
  parallelToolCalls: true,
  stream: false,
  includeUsage: true,
  sampling: {},
  extra: {},
  warnings: [],
};
const text = (words: string) => [{ type: 'text' as const, text: words }];
const write = (request: Partial<ChatRequest>, quirks: Quirks = {}) =>
  writeRequest({ ...plain, ...request }, 'claude', quirks);
const bodyOf = (request: Partial<ChatRequest>, quirks: Quirks = {}) => readObject(write(request, quirks).body, 'body');
const turns = (...messages: Message[]) => bodyOf({ messages }).messages;

/** A body as a client of this wire would send it, with nothing that this wire does not model. */
const whole = {
  model: 'claude',
  max_tokens: 32_000,
  system: [
    { type: 'text', text: 'a' },
    { type: 'text', text: 'b', cache_control: { type: 'ephemeral', ttl: '1h' } },
  ],
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'hi', cache_control: { type: 'ephemeral' } }] },
    { role: 'system', content: 'A reminder.' },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm', signature: 'sig==' },
        { type: 'redacted_thinking', data: 'xyz' },
        { type: 'text', text: 'Reading.' },
        { type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'a' }, cache_control: { type: 'ephemeral' } },
      ],
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'toolu_1',
          content: [
            { type: 'text', text: 'x', cache_control: { type: 'ephemeral' } },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
            { type: 'tool_reference', tool_name: 'deploy' },
          ],
          is_error: true,
          cache_control: { type: 'ephemeral' },
        },
        { type: 'text', text: 'And this?' },
        { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
        { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'AA' }, title: 't' },
      ],
    },
  ],
  tools: [
    { name: 'read', description: 'Reads.', input_schema: { type: 'object' }, cache_control: { type: 'ephemeral' } },
    { name: 'late', input_schema: { type: 'object' }, defer_loading: true, input_examples: [{}] },
  ],
  tool_choice: { type: 'any', disable_parallel_tool_use: true },
  thinking: { type: 'enabled', budget_tokens: 1024 },
  context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] },
  output_config: { effort: 'max', format: { type: 'json_schema', schema: { type: 'object' } }, task_budget: {} },
  metadata: { user_id: 'u' },
  temperature: 1,
  top_p: 0.5,
  top_k: 3,
  stop_sequences: ['END'],
  stream: true,
};

describe('writeRequest', () => {
  it('writes back exactly what a client of this wire sent, cache markers and beta fields included', () => {
    const headers = { 'anthropic-beta': 'context-management-2025-06-27,x' };
    const written = writeRequest(readRequest(whole, { headers }), 'claude', {});
    expect(written.body).toEqual(whole);
    expect(written).toMatchObject({ path: '/messages', headers, warnings: [] });
    expect(writeRequest(readRequest(whole), 'claude', {})).not.toHaveProperty('headers');
  });

  it('E-047 writes the ids of calls and results as they are', () => {
    const call = (callId: string) => ({ type: 'tool-call' as const, callId, name: 'n', arguments: '{}' });
    const result = (callId: string): Message => ({ role: 'tool', callId, content: text('r') });
    expect(
      turns(
        { role: 'user', content: text('hi') },
        { role: 'assistant', content: [call('toolu_01'), call('call_n-1')] },
        result('call_n-1'),
        result('toolu_01'),
      ),
    ).toMatchObject([
      {},
      { content: [{ id: 'toolu_01' }, { id: 'call_n-1' }] },
      { content: [{ tool_use_id: 'call_n-1' }, { tool_use_id: 'toolu_01' }] },
    ]);
  });

  it('E-072 E-073 writes alternating turns, results right after their calls and first', () => {
    const calls: Message = {
      role: 'assistant',
      content: [{ type: 'tool-call', callId: 'a', name: 'n', arguments: '{"x":1}' }],
    };
    expect(
      turns(
        { role: 'system', content: text('one') },
        { role: 'system', content: text('two') },
        { role: 'user', content: text('hi') },
        { role: 'user', content: text('there') },
        { role: 'assistant', content: text('Well,') },
        calls,
        { role: 'system', content: text('Note.') },
        { role: 'tool', callId: 'a', content: [] },
        { role: 'user', content: text('go on') },
      ),
    ).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'hi' },
          { type: 'text', text: 'there' },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Well,' },
          { type: 'tool_use', id: 'a', name: 'n', input: { x: 1 } },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a' }] },
      { role: 'system', content: 'Note.' },
      { role: 'user', content: 'go on' },
    ]);
    expect(bodyOf({ messages: [{ role: 'system', content: text('one') }, ...plain.messages] }).system).toBe('one');
  });

  it('sends what is no object as text inside one, and says so', () => {
    for (const broken of ['{"a":', '[]', 'null']) {
      const call = { type: 'tool-call' as const, callId: 'a', name: 'n', arguments: broken };
      const written = write({ messages: [...plain.messages, { role: 'assistant', content: [call] }] });
      expect(written.warnings.map(({ code }) => code)).toEqual(['json-repaired']);
      expect(JSON.stringify(written.body)).toContain(JSON.stringify({ arguments: broken }));
    }
  });

  it('never sends a text of white space alone: it joins the text beside it, or is told', () => {
    const cache = { 'anthropic-messages': { cache_control: { type: 'ephemeral' } } };
    const user = (...texts: readonly string[]): Message => ({ role: 'user', content: texts.flatMap(text) });
    const call = { type: 'tool-call' as const, callId: 'c', name: 'n', arguments: '{}' };
    const result: Message = { role: 'tool', callId: 'c', content: text('\n') };
    const blocks = (...texts: readonly string[]) => texts.map((words) => ({ type: 'text', text: words }));
    expect(turns(user('  ', 'go', '\n', '', '!'))).toEqual([{ role: 'user', content: blocks('  go\n', '!') }]);
    const marked: Message = { role: 'user', content: [...text('go'), { type: 'text', text: ' ', extra: cache }] };
    expect(turns(marked)).toMatchObject([{ content: [{ text: 'go ', cache_control: { type: 'ephemeral' } }] }]);
    const past: Message = { role: 'assistant', content: [...text('\n\n'), call, ...text(' ')] };
    const { body, warnings } = write({ messages: [{ role: 'system', content: text(' ') }, user('go'), past, result] });
    expect(body).not.toHaveProperty('system');
    expect(body).toMatchObject({
      messages: [{ content: 'go' }, { content: [{ type: 'tool_use' }] }, { content: [{ type: 'tool_result' }] }],
    });
    expect(writeJson(body)).not.toContain('"content":"\\n"');
    expect(warnings).toMatchObject([{ code: 'field-dropped', message: expect.stringContaining('white space') }]);
  });

  it('keeps the digits of a number of the past', () => {
    const call = { type: 'tool-call' as const, callId: 'a', name: 'n', arguments: '{"id":12345678901234567890}' };
    const { body, warnings } = write({ messages: [...plain.messages, { role: 'assistant', content: [call] }] });
    expect(writeJson(body)).toContain('"input":{"id":12345678901234567890}');
    expect(warnings).toEqual([]);
  });

  it('leaves out reasoning that has no signature of this wire, once reported', () => {
    const content = [{ type: 'reasoning' as const, text: 'hm' }, ...text('a')];
    const written = write({
      messages: [...plain.messages, { role: 'assistant', content }, { role: 'assistant', content }],
    });
    expect(readObject(written.body, 'body').messages).toMatchObject([{}, { content: [{ text: 'a' }, { text: 'a' }] }]);
    expect(written.warnings).toHaveLength(1);
  });

  it('drops and reports what it has no word for', () => {
    const written = write({
      sampling: { temperature: 1.5, seed: 1, presencePenalty: 0.1, frequencyPenalty: 0 },
      extra: { 'openai-chat': { logprobs: true } },
    });
    expect(written.body).toMatchObject({ temperature: 1 });
    expect(written.warnings.map(({ code }) => code)).toEqual(Array(5).fill('field-dropped'));
  });

  it.each([
    ['auto', true, undefined],
    ['auto', false, { type: 'auto', disable_parallel_tool_use: true }],
    ['none', false, { type: 'none' }],
    ['required', true, { type: 'any' }],
    [{ name: 'read' }, true, { type: 'tool', name: 'read' }],
  ] as const)('writes the choice %j', (toolChoice, parallelToolCalls, expected) => {
    const tools = [{ name: 'read', inputSchema: true }];
    expect(bodyOf({ tools, toolChoice, parallelToolCalls })).toMatchObject({
      tools: [{ input_schema: { type: 'object' } }],
    });
    expect(bodyOf({ tools, toolChoice, parallelToolCalls }).tool_choice).toEqual(expected);
    expect(bodyOf({ tools: [], toolChoice, parallelToolCalls })).not.toHaveProperty('tool_choice');
  });

  it('asks for thinking as clients of other APIs mean it', () => {
    expect(bodyOf({ reasoningEffort: 'none' })).toMatchObject({ thinking: { type: 'disabled' } });
    expect(bodyOf({ reasoningEffort: 'none' })).not.toHaveProperty('output_config');
    expect(bodyOf({ reasoningBudget: 500 })).toMatchObject({ thinking: { type: 'enabled', budget_tokens: 1024 } });
    const own = { 'anthropic-messages': { thinking: { type: 'adaptive' } } };
    expect(bodyOf({ reasoningEffort: 'none', extra: own })).toMatchObject({ thinking: { type: 'adaptive' } });
    expect(write({ reasoningEffort: 'minimal' }).warnings).toMatchObject([{ code: 'field-dropped' }]);
    expect(write({ reasoningEffort: 'max' })).toMatchObject({
      body: { output_config: { effort: 'max' } },
      warnings: [],
    });
  });

  it('lets nothing into the header but names', () => {
    const extra = { 'anthropic-messages': { betas: ['good-1', 'bad\r\nx-evil: 1', 5, 'a b', 'c,d', ''] } };
    expect(write({ extra }).headers).toEqual({ 'anthropic-beta': 'good-1' });
  });

  const later: ChatRequest['messages'] = [
    ...plain.messages,
    { role: 'system', content: text('late') },
    ...plain.messages,
  ];
  const thought: Message = { role: 'assistant', content: [{ type: 'reasoning', text: 'hm' }] };
  const cases: [keyof typeof anthropicMessagesQuirks, Quirks[string], Partial<ChatRequest>, object, object][] = [
    ['maxTokens', 100, {}, { max_tokens: 8192 }, { max_tokens: 100 }],
    ['noStream', true, {}, { stream: true }, { stream: false }],
    [
      'noSystemInMessages',
      true,
      { messages: later },
      { messages: { length: 3 } },
      { system: 'late', messages: { length: 1 } },
    ],
    [
      'noEffort',
      true,
      { reasoningEffort: 'minimal' },
      { output_config: { effort: 'low' } },
      { output_config: undefined },
    ],
    [
      'unsignedThinking',
      true,
      { messages: [...plain.messages, thought] },
      { messages: { length: 1 } },
      { messages: [{}, { content: [{ type: 'thinking', thinking: 'hm', signature: '' }] }] },
    ],
  ];
  it.each(cases)('knows the quirk %s', (quirk, value, request, without, withIt) => {
    expect(bodyOf(request)).toMatchObject(without);
    const written = JSON.parse(JSON.stringify(bodyOf(request, { [quirk]: value })));
    expect({ output_config: undefined, ...written }).toMatchObject(withIt);
  });

  it('has a test for every quirk', () => {
    const ofTheEngine = ['callIds', 'anyToolName'];
    expect([...cases.map(([quirk]) => quirk), ...ofTheEngine]).toEqual(Object.keys(anthropicMessagesQuirks));
  });
});
