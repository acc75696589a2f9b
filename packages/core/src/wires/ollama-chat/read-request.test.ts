import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../chat/message.ts';
import type { ChatRequest } from '../../chat/request.ts';
import { DragomanError } from '../../errors.ts';
import { readGenerateRequest, readRequest } from './read-request.ts';

const user = { role: 'user', content: 'hi' };
const chat = (fields: object = {}): ChatRequest => readRequest({ model: 'm', messages: [user], ...fields });
const messages = (...list: object[]): readonly Message[] => chat({ messages: list }).messages;
const codes = (request: ChatRequest) => request.warnings.map((warning) => warning.code);
const read = { type: 'function', function: { name: 'read', description: 'Reads.', parameters: { type: 'object' } } };

function refusal(body: unknown, reader = readRequest): DragomanError {
  try {
    reader(body);
  } catch (thrown) {
    if (thrown instanceof DragomanError) return thrown;
  }
  throw new Error('it was not refused');
}

describe('readRequest', () => {
  it('A-007 streams unless told otherwise and always wants usage', () => {
    expect(chat()).toMatchObject({ model: 'm', stream: true, includeUsage: true, toolChoice: 'auto', warnings: [] });
    expect(chat({ stream: false }).stream).toBe(false);
  });

  it('reads messages of all roles with images as base64', () => {
    const png = 'iVBORw0KGgoAAAA';
    const list = messages(
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'What is it?', images: [png, 'data:image/gif;base64,R0lGOD'] },
      { role: 'assistant', content: 'A bird.', thinking: 'Feathers.' },
      { role: 'user', content: '', images: ['/9j/4AAQ'] },
    );
    expect(list).toEqual([
      { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is it?' },
          { type: 'image', url: `data:image/png;base64,${png}` },
          { type: 'image', url: 'data:image/gif;base64,R0lGOD' },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Feathers.' },
          { type: 'text', text: 'A bird.' },
        ],
      },
      { role: 'user', content: [{ type: 'image', url: 'data:image/jpeg;base64,/9j/4AAQ' }] },
    ]);
  });

  it('takes the options that all wires know into sampling and lets the others ride', () => {
    const options = {
      temperature: 0.1,
      top_p: 0.9,
      num_predict: 64,
      stop: ['END'],
      seed: 7,
      presence_penalty: 1,
      frequency_penalty: 2,
      num_ctx: 8192,
      top_k: 40,
      mirostat: null,
    };
    const request = chat({ options, format: 'json', keep_alive: '5m', think: true });
    expect(request.sampling).toEqual({
      temperature: 0.1,
      topP: 0.9,
      maxTokens: 64,
      stop: ['END'],
      seed: 7,
      presencePenalty: 1,
      frequencyPenalty: 2,
    });
    expect(request.extra).toEqual({
      'ollama-chat': { keep_alive: '5m', think: true, options: { num_ctx: 8192, top_k: 40 } },
    });
    expect(request.warnings).toEqual([]);
    expect(chat({ options: { num_predict: -1, stop: 'END' } }).sampling).toEqual({ stop: ['END'] });
  });

  it('reads a level of thinking as an effort, true and false as what they are', () => {
    expect(chat({ think: 'high' })).toMatchObject({ reasoningEffort: 'high' });
    expect(chat({ think: false })).not.toHaveProperty('reasoningEffort');
    expect(chat({ think: false }).extra).toEqual({ 'ollama-chat': { think: false } });
    expect(refusal({ model: 'm', messages: [user], think: 3 }).param).toBe('think');
  });

  it('reads tools, leaves malformed ones out, and takes the tool_choice that Cline sends', () => {
    const request = chat({
      tools: [read, { type: 'function', function: { name: 'now' } }, read, { type: 'mcp' }, { function: {} }],
      tool_choice: { type: 'function', function: { name: 'read' } },
    });
    expect(request.tools).toEqual([
      { name: 'read', description: 'Reads.', inputSchema: { type: 'object' } },
      { name: 'now', inputSchema: { type: 'object', properties: {} } },
    ]);
    expect(codes(request)).toEqual(['tool-dropped', 'tool-dropped', 'tool-dropped']);
    expect(request.toolChoice).toEqual({ name: 'read' });
    expect(chat({ tools: [read], tool_choice: 'required' }).toolChoice).toBe('required');
    expect(chat({ tools: [read], tool_choice: { type: 'auto' } }).toolChoice).toBe('auto');
    for (const odd of ['sometimes', { type: 'function', function: { name: 'gone' } }, 7]) {
      const ignored = chat({ tools: [read], tool_choice: odd });
      expect(ignored.toolChoice).toBe('auto');
      expect(ignored.warnings[0]?.message).toContain('tool_choice');
    }
  });

  it('beside the name of a tool, its older name is of no account, whatever it holds', () => {
    const named = (names: object) => chat({ messages: [user, { role: 'tool', content: 'x', ...names }] });
    expect(named({ name: 'a' }).messages[1]).toMatchObject({ name: 'a' });
    const both = named({ tool_name: 'a', name: 7 });
    expect([both.messages[1], both.warnings]).toMatchObject([{ name: 'a' }, []]);
  });

  it('names what it does not know and refuses what it cannot read, with its place', () => {
    expect(chat({ foo: 1 }).warnings[0]?.message).toContain('foo');
    const place = (fields: object) => refusal({ model: 'm', messages: [user], ...fields }).param;
    expect(place({ model: '' })).toBe('model');
    expect(place({ messages: [] })).toBe('messages');
    expect(place({ messages: [{ role: 'robot' }] })).toBe('messages[0].role');
    expect(place({ messages: [{ role: 'user', content: 7 }] })).toBe('messages[0].content');
    expect(place({ messages: [{ role: 'user', content: [{ type: 'image_url' }] }] })).toBe('messages[0].content[0]');
    expect(place({ messages: [{ role: 'user', images: 'x' }] })).toBe('messages[0].images');
    expect(place({ options: [] })).toBe('options');
    expect(place({ options: { temperature: 'hot' } })).toBe('options.temperature');
    expect(place({ stream: 'no' })).toBe('stream');
    expect(refusal('x').code).toBe('bad-request');
  });

  it('refuses any JSON with a typed error and never throws anything else', () => {
    const roles = fc.constantFrom('user', 'tool', 'assistant', 'system');
    const some = fc.oneof(
      fc.jsonValue(),
      fc.record({ role: roles, content: fc.jsonValue(), tool_calls: fc.jsonValue() }),
    );
    fc.assert(
      fc.property(fc.array(some), fc.jsonValue(), (list, options) => {
        try {
          readRequest({ model: 'm', messages: list, options });
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(DragomanError);
        }
      }),
    );
  });
});

const call = (name: string, id?: string) => ({
  ...(id === undefined ? {} : { id }),
  function: { name, arguments: {} },
});
const calls = (...list: object[]) => ({ role: 'assistant', content: '', tool_calls: list });
const result = (content: string, fields: object = {}) => ({ role: 'tool', content, ...fields });

/** Call ids by name, and the result texts with the ids that they got. */
function pairs(...list: object[]) {
  const all = messages(user, ...list);
  const ids = all.flatMap((message) =>
    message.role === 'assistant'
      ? message.content.flatMap((part) => (part.type === 'tool-call' ? [part.callId] : []))
      : [],
  );
  const results = all.flatMap((message) =>
    message.role === 'tool'
      ? [[message.callId, message.content[0]?.type === 'text' ? message.content[0].text : '']]
      : [],
  );
  return { ids, results };
}

describe('calls and their results', () => {
  it('E-036 reads object arguments, and JSON text as it is', () => {
    const [, turn] = messages(
      user,
      calls(
        { function: { name: 'a', arguments: { x: [1] } } },
        { function: { name: 'b', arguments: '{"y": 2}' } },
        { function: {} },
      ),
    );
    expect(turn?.content).toMatchObject([
      { name: 'a', arguments: '{"x":[1]}' },
      { name: 'b', arguments: '{"y": 2}' },
    ]);
  });

  it('keeps ids that are there', () => {
    expect(
      pairs(
        calls(call('a', 'x'), call('a', 'y')),
        result('2', { tool_call_id: 'y' }),
        result('1', { tool_call_id: 'x' }),
      ),
    ).toEqual({
      ids: ['x', 'y'],
      results: [
        ['y', '2'],
        ['x', '1'],
      ],
    });
  });

  it('matches results without ids by name, and calls of one name in order', () => {
    const { ids, results } = pairs(
      calls(call('a'), call('b'), call('a')),
      result('b1', { tool_name: 'b' }),
      result('a1', { tool_name: 'a' }),
      result('a2', { name: 'a' }),
    );
    expect(ids).toEqual(['call_1_0', 'call_1_1', 'call_1_2']);
    expect(results).toEqual([
      ['call_1_1', 'b1'],
      ['call_1_0', 'a1'],
      ['call_1_2', 'a2'],
    ]);
  });

  it('matches results without ids and names in order, also where the calls have ids', () => {
    expect(pairs(calls(call('a', 'x'), call('b')), result('1'), result('2')).results).toEqual([
      ['x', '1'],
      ['call_1_1', '2'],
    ]);
  });

  it('gives a call without an id the one that its result kept', () => {
    expect(pairs(calls(call('a'), call('b')), result('2', { tool_call_id: 'kept', tool_name: 'b' }))).toEqual({
      ids: ['call_1_0', 'kept'],
      results: [['kept', '2']],
    });
  });

  it('leaves a result that fits nowhere as it came, and looks only at the latest calls', () => {
    const { ids, results } = pairs(
      calls(call('a')),
      calls(call('b')),
      result('late', { tool_name: 'a' }),
      result('odd', { tool_call_id: 'z' }),
    );
    expect(ids).toEqual(['call_1_0', 'z']);
    expect(results).toEqual([
      ['', 'late'],
      ['z', 'odd'],
    ]);
  });

  it('mints the same ids in every request, and none that is taken', () => {
    const first = [calls(call('a')), result('1')];
    const later = pairs(
      ...first,
      { role: 'assistant', content: 'ok' },
      user,
      calls(call('a', 'call_1_0')),
      result('2'),
    );
    expect(later.ids).toEqual(['call_1_0_', 'call_1_0']);
    expect(pairs(...first).ids).toEqual(['call_1_0']);
  });

  it('reads outputs of any form, images too', () => {
    const all = messages(user, calls(call('a'), call('b')), result('x', { images: ['/9j/'] }), {
      role: 'tool',
      content: { ok: [true] },
    });
    expect(all[2]?.content).toHaveLength(2);
    expect(all[3]?.content).toEqual([{ type: 'text', text: '{"ok":[true]}' }]);
  });

  it('is linear in the number of calls and results', () => {
    const many = 20_000;
    const list = [
      calls(...Array.from({ length: many }, (_, at) => call(`t${at % 7}`))),
      ...Array.from({ length: many }, (_, at) => result(String(at), { tool_name: `t${at % 7}` })),
    ];
    const { ids, results } = pairs(...list);
    expect(new Set(ids).size).toBe(many);
    expect(results.map(([id]) => id)).toEqual(ids);
  });
});

describe('readGenerateRequest', () => {
  const generate = (fields: object) => readGenerateRequest({ model: 'm', ...fields });

  it('makes a conversation of system, prompt and images', () => {
    const request = generate({
      prompt: 'Why?',
      system: 'Be brief.',
      images: ['/9j/'],
      raw: true,
      context: [],
      format: {},
    });
    expect(request.messages).toEqual([
      { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Why?' },
          { type: 'image', url: 'data:image/jpeg;base64,/9j/' },
        ],
      },
    ]);
    expect(request).toMatchObject({ stream: true, tools: [], outputFormat: { type: 'json-schema', schema: {} } });
    expect(request.warnings[0]?.message).toContain('raw');
  });

  it('refuses what a chat cannot say', () => {
    expect(refusal({ model: 'm', prompt: 'a', suffix: 'b' }, readGenerateRequest)).toMatchObject({
      code: 'unsupported-field',
      param: 'suffix',
    });
    expect(refusal({ model: 'm', prompt: 'a', context: [1] }, readGenerateRequest).param).toBe('context');
    expect(refusal({ model: 'm' }, readGenerateRequest).param).toBe('prompt');
  });
});
