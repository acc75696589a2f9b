import { describe, expect, it } from 'vitest';
import type { ChatRequest } from '../../chat/request.ts';
import { DragomanError } from '../../errors.ts';
import { openaiChatUpstream } from '../openai-chat/index.ts';
import { readRequest } from './read-request.ts';
import { writeRequest } from './write-request.ts';

const user = { role: 'user', content: 'hi' };
const base = { model: 'm', max_tokens: 100, messages: [user] };
const read = (fields: object): ChatRequest => readRequest({ ...base, ...fields });
const messagesOf = (...messages: object[]) => read({ messages }).messages;
const own = (fields: object) => ({ extra: { 'anthropic-messages': fields } });
const cache = { cache_control: { type: 'ephemeral' } };

function refused(fields: object): { code: string; param: string | undefined } {
  try {
    read(fields);
  } catch (thrown) {
    if (thrown instanceof DragomanError) return { code: thrown.code, param: thrown.param };
  }
  return { code: 'none', param: undefined };
}

describe('readRequest', () => {
  it('reads the smallest body', () => {
    expect(read({})).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
      tools: [],
      toolChoice: 'auto',
      parallelToolCalls: true,
      stream: false,
      includeUsage: true,
      sampling: { maxTokens: 100 },
      extra: {},
      warnings: [],
    });
  });

  it('reads sampling and effort', () => {
    const request = read({
      temperature: 0.5,
      top_p: 0.9,
      stop_sequences: ['END'],
      stream: true,
      output_config: { effort: 'low' },
    });
    expect(request.sampling).toEqual({ temperature: 0.5, topP: 0.9, maxTokens: 100, stop: ['END'] });
    expect(request).toMatchObject({ stream: true, reasoningEffort: 'low' });
  });

  it('lets what it does not model ride, known or not, with the betas that announce it', () => {
    const fields = {
      thinking: { type: 'adaptive' },
      metadata: { user_id: '{"device_id":"x"}' },
      context_management: { edits: [] },
      top_k: 5,
      brand_new: [1],
      mcp_servers: [],
    };
    const headers = { 'anthropic-beta': 'one-2025, two-2026' };
    const request = readRequest({ ...base, ...fields, betas: ['two-2026', 'three'] }, { headers });
    expect(request.extra).toEqual({ 'anthropic-messages': { ...fields, betas: ['one-2025', 'two-2026', 'three'] } });
    expect(request.warnings).toEqual([]);
  });

  it('does not need a model, nor max_tokens where its options say so', () => {
    const request = readRequest({ messages: [user] }, { maxTokensOptional: true });
    expect(request).toMatchObject({ model: '', sampling: {} });
  });

  it('never changes the body', () => {
    const body = JSON.stringify({ ...base, system: [{ type: 'text', text: 's', ...cache }], tools: [{ name: 'a' }] });
    const parsed = JSON.parse(body);
    readRequest(parsed);
    expect(JSON.stringify(parsed)).toBe(body);
  });
});

describe('messages', () => {
  it('takes system text as a string and as blocks, with their cache markers', () => {
    expect(read({ system: 'Be kind.' }).messages[0]).toEqual({
      role: 'system',
      content: [{ type: 'text', text: 'Be kind.' }],
    });
    const blocks = [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b', ...cache },
    ];
    expect(read({ system: blocks }).messages[0]).toEqual({
      role: 'system',
      content: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b', ...own(cache) },
      ],
    });
    expect(read({ system: '' }).messages).toHaveLength(1);
  });

  it('keeps system messages between the turns in their places', () => {
    const roles = messagesOf(
      user,
      { role: 'system', content: 'Note.' },
      { role: 'assistant', content: 'ok' },
      { role: 'system', content: [{ type: 'text', text: 'Later.' }] },
      user,
    ).map(({ role }) => role);
    expect(roles).toEqual(['user', 'system', 'assistant', 'system', 'user']);
  });

  it('A-195 reads calls and results: content as string or blocks, errors, images, markers', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
    const [, assistant, ...rest] = messagesOf(
      user,
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 'sig' },
          { type: 'redacted_thinking', data: 'secret' },
          { type: 'text', text: 'Reading.' },
          { type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'a', deep: [1, { b: null }] } },
          { type: 'tool_use', id: 'toolu_2', name: 'list', input: {}, ...cache },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: 'text', ...cache },
          { type: 'text', text: 'go on' },
          {
            type: 'tool_result',
            tool_use_id: 'toolu_2',
            content: [{ type: 'text', text: 'x' }, image],
            is_error: true,
          },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_9' }] },
    );
    expect(assistant).toEqual({
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'hm', ...own({ signature: 'sig' }) },
        { type: 'reasoning', text: '', ...own({ redacted: 'secret' }) },
        { type: 'text', text: 'Reading.' },
        { type: 'tool-call', callId: 'toolu_1', name: 'read', arguments: '{"path":"a","deep":[1,{"b":null}]}' },
        { type: 'tool-call', callId: 'toolu_2', name: 'list', arguments: '{}', ...own(cache) },
      ],
    });
    expect(rest).toEqual([
      { role: 'tool', callId: 'toolu_1', content: [{ type: 'text', text: 'text' }], ...own(cache) },
      {
        role: 'tool',
        callId: 'toolu_2',
        status: 'error',
        content: [
          { type: 'text', text: 'x' },
          { type: 'image', url: 'data:image/png;base64,AAAA' },
        ],
      },
      { role: 'user', content: [{ type: 'text', text: 'go on' }] },
      { role: 'tool', callId: 'toolu_9', content: [] },
    ]);
  });

  it('lets blocks ride that only this API has, with their text or a note in their place', () => {
    const text = { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Inside.' } };
    const pdf = { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'AA' } };
    const reference = { type: 'tool_reference', tool_name: 'deploy' };
    const request = read({
      messages: [
        { role: 'user', content: [text, pdf] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: [reference] }] },
      ],
    });
    expect(request.messages).toMatchObject([
      {
        content: [
          { type: 'text', text: 'Inside.', ...own({ block: text }) },
          { type: 'text', text: '[a document that you cannot read]', ...own({ block: pdf }) },
        ],
      },
      { role: 'tool', content: [{ text: 'deploy', ...own({ block: reference }) }] },
    ]);
    expect(request.warnings.map(({ code }) => code)).toEqual(['part-dropped']);
  });

  it('lets what tools of Anthropic wrote ride on texts without a word, and says so', () => {
    const blocks = [
      { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
      { type: 'web_search_tool_result', tool_use_id: 's', content: [] },
      { type: 'text', text: 'Found.', citations: [{ type: 'web_search_result_location', url: 'u' }] },
    ];
    const request = read({ messages: [user, { role: 'assistant', content: blocks }] });
    expect(request.messages[1]?.content.map((part) => 'text' in part && part.text)).toEqual(['', '', 'Found.']);
    expect(request.warnings).toHaveLength(2);
    expect(writeRequest(request, 'm', {}).body).toMatchObject({ messages: [user, { content: blocks }] });
  });

  it('keeps tools that Anthropic runs for an upstream of this wire, and says so', () => {
    const tools = [
      { type: 'web_search_20250305', name: 'web_search', max_uses: 5 },
      { name: 'own', input_schema: {} },
    ];
    const request = read({ messages: [user], tools, mcp_servers: [{ type: 'url', url: 'u', name: 'n' }] });
    expect(request.tools.map(({ name }) => name)).toEqual(['own']);
    expect(request.warnings).toMatchObject([
      { code: 'tool-dropped', message: expect.stringContaining('web_search_20250305') },
    ]);
    const { body } = writeRequest(request, 'm', {});
    expect(body).toMatchObject({ tools: [{ name: 'own' }, tools[0]], mcp_servers: [{ name: 'n' }] });
    expect(body).not.toHaveProperty('foreignTools');
  });

  it('carries a choice of a tool that Anthropic runs to upstreams of this wire; others are told that it is lost', () => {
    const tools = [{ type: 'web_search_20250305', name: 'web_search' }, { name: 'own' }];
    const tool_choice = { type: 'tool', name: 'web_search', disable_parallel_tool_use: true };
    const request = read({ messages: [user], tools, tool_choice });
    expect(request).toMatchObject({ toolChoice: 'auto', parallelToolCalls: false });
    const { body } = writeRequest(request, 'm', {});
    expect(body).toMatchObject({ tools: [{ name: 'own' }, tools[0]], tool_choice });
    expect(body).not.toHaveProperty('foreignChoice');
    const elsewhere = openaiChatUpstream.writeRequest(request, 'm', {});
    expect(elsewhere.body).not.toHaveProperty('tool_choice');
    expect(elsewhere.warnings).toContainEqual({
      code: 'field-dropped',
      message: expect.stringContaining('foreignChoice'),
    });
    expect(() => read({ messages: [user], tools, tool_choice: { type: 'tool', name: 'bash' } })).toThrow('"bash"');
  });

  it.each<[object, string]>([
    [{ max_tokens: undefined }, 'max_tokens'],
    [{ max_tokens: 0 }, 'max_tokens'],
    [{ max_tokens: '5' }, 'max_tokens'],
    [{ model: '' }, 'model'],
    [{ model: 7 }, 'model'],
    [{ messages: undefined }, 'messages'],
    [{ messages: [] }, 'messages'],
    [{ messages: [{ role: 'assistant', content: 'x' }] }, 'messages'],
    [{ messages: ['x'] }, 'messages[0]'],
    [{ messages: [{ role: 'tool', content: 'x' }] }, 'messages[0].role'],
    [{ messages: [{ content: 'x' }] }, 'messages[0].role'],
    [{ messages: [{ role: 'user' }] }, 'messages[0].content'],
    [{ messages: [{ role: 'user', content: [] }] }, 'messages[0].content'],
    [{ messages: [user, { role: 'user', content: 5 }] }, 'messages[1].content'],
    [{ messages: [{ role: 'user', content: [{ type: 'text' }] }] }, 'messages[0].content[0].text'],
    [{ messages: [{ role: 'user', content: [{ text: 'x' }] }] }, 'messages[0].content[0].type'],
    [{ messages: [{ role: 'user', content: [{ type: 'input_text', text: 'x' }] }] }, 'messages[0].content[0].type'],
    [{ messages: [{ role: 'user', content: [{ type: 'image_url' }] }] }, 'messages[0].content[0].type'],
    [{ messages: [{ role: 'user', content: [{ type: 'tool_use', id: 'x' }] }] }, 'messages[0].content[0].type'],
    [{ messages: [{ role: 'user', content: [{ type: 'thinking' }] }] }, 'messages[0].content[0].type'],
    [
      { messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'x' } }] }] },
      'messages[0].content[0].source.type',
    ],
    [
      { messages: [{ role: 'user', content: [{ type: 'tool_result', content: 'x' }] }] },
      'messages[0].content[0].tool_use_id',
    ],
    [{ messages: [user, { role: 'assistant', content: [{ type: 'tool_result' }] }] }, 'messages[1].content[0].type'],
    [
      { messages: [user, { role: 'assistant', content: [{ type: 'tool_use', id: 'x' }] }] },
      'messages[1].content[0].name',
    ],
    [
      { messages: [user, { role: 'assistant', content: [{ type: 'tool_use', id: 'x', name: 'n', input: [] }] }] },
      'messages[1].content[0].input',
    ],
    [{ system: 5 }, 'system'],
    [{ system: [{ type: 'image', source: { type: 'url', url: 'x' } }] }, 'system[0].type'],
    [{ stream: 'yes' }, 'stream'],
    [{ stop_sequences: 'x' }, 'stop_sequences'],
    [{ temperature: '1' }, 'temperature'],
    [{ tools: {} }, 'tools'],
    [{ tool_choice: 'auto' }, 'tool_choice'],
    [{ tool_choice: { type: 'required' } }, 'tool_choice.type'],
    [{ tool_choice: { type: 'tool' } }, 'tool_choice.name'],
    [{ tool_choice: { type: 'tool', name: 'gone' } }, 'tool_choice.name'],
    [{ tool_choice: { type: 'auto', disable_parallel_tool_use: 1 } }, 'tool_choice.disable_parallel_tool_use'],
  ])('C-134 names the place of the mistake in %j', (fields, param) => {
    expect(refused(fields)).toEqual({ code: 'bad-request', param });
  });

  it('refuses threads, which would have to be kept', () => {
    expect(refused({ thread: { type: 'create' } })).toEqual({ code: 'unsupported-field', param: 'thread' });
    expect(refused({ thread: null }).code).toBe('none');
  });

  it('refuses a body that is no object', () => {
    for (const body of [null, 'x', [], 5]) expect(() => readRequest(body)).toThrow('JSON object');
  });
});

describe('tools', () => {
  const schema = { type: 'object', properties: { path: { type: 'string' } } };

  it('reads tools with what only this API knows of them, deferred ones too', () => {
    const { tools } = read({
      tools: [
        { name: 'read', description: 'Reads.', input_schema: schema, ...cache },
        { type: 'custom', name: 'late', input_schema: schema, defer_loading: true, strict: true },
        { name: 'bare' },
      ],
    });
    expect(tools).toEqual([
      { name: 'read', description: 'Reads.', inputSchema: schema, ...own(cache) },
      { name: 'late', inputSchema: schema, strict: true, ...own({ defer_loading: true }) },
      { name: 'bare', inputSchema: { type: 'object', properties: {} } },
    ]);
  });

  it('B-010 leaves out, and reports, what it cannot declare', () => {
    const { tools, warnings } = read({
      tools: [
        { type: 'web_search_20250305', name: 'web_search', max_uses: 5 },
        { type: 'bash_20250124', name: 'bash' },
        { name: '' },
        { name: 'a', description: 5 },
        { name: 'b', input_schema: 'x' },
        { name: 'c', input_schema: schema },
        { name: 'c', input_schema: schema },
        null,
      ],
    });
    expect(tools.map(({ name }) => name)).toEqual(['c']);
    expect(warnings.map(({ code }) => code)).toEqual(Array(7).fill('tool-dropped'));
    expect(warnings[0]?.message).toContain('web_search_20250305');
  });

  it.each([
    [{ type: 'auto' }, 'auto', true],
    [{ type: 'any' }, 'required', true],
    [{ type: 'none' }, 'none', true],
    [{ type: 'tool', name: 'read' }, { name: 'read' }, true],
    [{ type: 'any', disable_parallel_tool_use: true }, 'required', false],
  ])('reads tool_choice %j', (choice, toolChoice, parallelToolCalls) => {
    expect(read({ tools: [{ name: 'read' }], tool_choice: choice })).toMatchObject({ toolChoice, parallelToolCalls });
  });

  it('refuses to require a call of no tools, or of an undeclared one', () => {
    const none = 'tool_choice: requires a call, but the request has no tools.';
    for (const tools of [undefined, []]) expect(() => read({ tools, tool_choice: { type: 'any' } })).toThrow(none);
    const tools = [{ name: 'read' }, { name: 'list' }];
    expect(() => read({ tools, tool_choice: { type: 'tool', name: 'raed' } })).toThrow(
      'names the tool "raed", which is not declared. Declared: "read", "list".',
    );
    expect(read({ tool_choice: { type: 'auto' } }).toolChoice).toBe('auto');
  });
});
