import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { loadOpenresponsesSchema } from '../../../testkit/src/clients/openresponses-schema.ts';
import {
  LanguageModelToolCallPart as Call,
  LanguageModelDataPart as Data,
  LanguageModelToolResultPart as Result,
  LanguageModelTextPart as Text,
  LanguageModelThinkingPart as Thinking,
  LanguageModelPromptTsxPart as Tsx,
} from '../../test/fake-vscode.ts';
import { type Asked, type RequestOptions, toRequest } from './to-request.ts';

type Content = readonly unknown[] | string;

const message = (role: number, ...content: readonly unknown[]) => ({
  role,
  content: content.map((part) => (typeof part === 'string' ? new Text(part) : part)),
  name: undefined,
});
const translate = (messages: Asked['messages'], options: Partial<RequestOptions & Asked> = {}) =>
  toRequest({ messages, ...options }, { model: 'm', ...options });
const inputOf = (messages: Asked['messages'], options: Partial<RequestOptions & Asked> = {}) =>
  translate(messages, options).request.input;
const user = (text: string) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] });
const assistant = (text: string) => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [] }],
});
const bytes = (text: string) => new TextEncoder().encode(text);

describe('system text', () => {
  it('C-001 C-003: a message of role 3, which the stable API has no name for, becomes instructions', () => {
    const { request } = translate([message(3, 'S'), message(1, 'hi')]);
    expect(request.instructions).toBe('S');
    expect(request.input).toEqual([user('hi')]);
  });

  it('C-002: is in no item of the input', () => {
    const { request } = translate([message(3, 'SECRET RULES'), message(1, 'hi'), message(2, 'ho')]);
    expect(JSON.stringify(request.input)).not.toContain('SECRET RULES');
  });

  it('C-010: is taken out, for otherwise the model sees a wrong conversation and tool calling breaks', () => {
    const { input, instructions } = translate([message(3, 'You are an agent.'), message(1, 'go')]).request;
    expect(instructions).toBe('You are an agent.');
    expect(input.map((item) => (item.type === 'message' ? item.role : item.type))).toEqual(['user']);
  });

  it('C-004: of old versions, which disguised it as the first message of the assistant, is recognised', () => {
    const disguised = `You are an AI programming assistant. ${'Follow the rules of the user. '.repeat(5)}`;
    const { request } = translate([message(2, disguised), message(1, 'hi')]);
    expect(request.instructions).toBe(disguised);
    expect(request.input).toEqual([user('hi')]);
    expect(
      translate([message(2, '<instructions>Be brief.</instructions>'), message(1, 'hi')]).request.instructions,
    ).toBe('<instructions>Be brief.</instructions>');
  });

  it.each([
    'You are right, I missed that file.',
    'Sure! Here is the code you asked for.',
    `${'The tool reads a file and you must not call it twice. '.repeat(60)}`,
  ])('C-005: a real first answer stays one: %.40s', (answer) => {
    const { request } = translate([message(2, answer), message(1, 'go on')]);
    expect(request.instructions).toBeUndefined();
    expect(request.input).toEqual([assistant(answer), user('go on')]);
  });

  it('C-006: the disguise is looked for only where the setting says so', () => {
    const disguised = `<instructions>${'Be brief. '.repeat(20)}</instructions>`;
    const { request } = translate([message(2, disguised), message(1, 'hi')], { legacySystem: false });
    expect(request.instructions).toBeUndefined();
    expect(request.input).toEqual([assistant(disguised), user('hi')]);
  });

  it('C-007: of several text parts is joined as it stands; what is no text is left out with a note', () => {
    const { request, notes } = translate([
      message(3, 'a', new Data(new Uint8Array(), 'image/png'), 'b'),
      message(1, 'x'),
    ]);
    expect(request.instructions).toBe('ab');
    expect(notes).toEqual(['a data part of a system message was left out']);
  });

  it('C-008: of several messages is used in order', () => {
    expect(translate([message(3, 'one'), message(1, 'x'), message(3, 'two')]).request.instructions).toBe('one\n\ntwo');
  });

  it('C-009: a prompt from the settings is said where VS Code sends none', () => {
    expect(translate([message(1, 'x')], { systemText: 'T' }).request.instructions).toBe('T');
    expect(translate([message(3, 'S'), message(1, 'x')], { systemText: 'T' }).request.instructions).toBe('S');
    expect(translate([message(1, 'x')]).request.instructions).toBeUndefined();
  });

  it.each([
    ['instructions', 'S', ['user']],
    ['system', undefined, ['system', 'user']],
    ['developer', undefined, ['developer', 'user']],
    ['both', 'S', ['developer', 'user']],
  ] as const)('C-011: goes where the endpoint reads it: %s', (systemPrompt, instructions, roles) => {
    const { request } = translate([message(3, 'S'), message(1, 'x')], { shape: { systemPrompt } });
    expect(request.instructions).toBe(instructions);
    expect(request.input.map((item) => (item.type === 'message' ? item.role : ''))).toEqual(roles);
  });
});

describe('messages', () => {
  it('C-021: roles 1, 2 and unknown ones say input_text, output_text and input_text', () => {
    expect(inputOf([message(1, 'a'), message(2, 'b'), message(7, 'c')])).toEqual([
      user('a'),
      assistant('b'),
      user('c'),
    ]);
  });

  it('C-026 C-027: calls and results keep their id; nothing said is a result, too', () => {
    const items = inputOf([
      message(1, 'go'),
      message(2, 'I look.', new Call('c1', 'read', { path: 'a' }), new Call('c2', 'list', {})),
      message(1, new Result('c1', []), new Result('c2', [new Text('')]), 'and?'),
    ]);
    expect(items).toEqual([
      user('go'),
      assistant('I look.'),
      { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{"path":"a"}' },
      { type: 'function_call', call_id: 'c2', name: 'list', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c1', output: '' },
      { type: 'function_call_output', call_id: 'c2', output: '' },
      user('and?'),
    ]);
  });

  it('C-028: a result without its call becomes text, with a note', () => {
    const { request, notes } = translate([message(1, new Result('gone', [new Text('42')]), 'x')]);
    expect(JSON.stringify(request.input)).toContain('42');
    expect(request.input.every(({ type }) => type === 'message')).toBe(true);
    expect(notes).toEqual(['the result gone has no call: it is sent as text']);
  });

  it('C-028: a call without a result gets one that says so, with a note', () => {
    const { request, notes } = translate([message(2, new Call('c1', 'read', {})), message(1, 'x')]);
    expect(request.input.map(({ type }) => type)).toEqual(['function_call', 'function_call_output', 'message']);
    expect(notes).toHaveLength(1);
  });

  it('C-028: a result before its call, or after what the user said, moves to it', () => {
    const swapped = inputOf([
      message(1, 'x', new Result('c1', [new Text('r')])),
      message(2, new Call('c1', 'read', {})),
    ]);
    expect(swapped.map(({ type }) => type)).toEqual(['message', 'function_call', 'function_call_output']);
    const late = inputOf([
      message(2, new Call('c1', 'read', {})),
      message(1, 'by the way', new Result('c1', [new Text('r')])),
    ]);
    expect(late.map(({ type }) => type)).toEqual(['function_call', 'function_call_output', 'message']);
    expect(late[1]).toMatchObject({ output: 'r' });
  });

  it('C-054: an id that comes again in a later round is told apart, with its result', () => {
    const round = (text: string) => [
      message(2, new Call('call_0', 'read', {})),
      message(1, new Result('call_0', [new Text(text)])),
    ];
    const items = inputOf([message(1, 'go'), ...round('first'), ...round('second')]);
    expect(items.filter(({ type }) => type === 'function_call_output')).toEqual([
      { type: 'function_call_output', call_id: 'call_0', output: 'first' },
      { type: 'function_call_output', call_id: 'call_0_2', output: 'second' },
    ]);
  });

  it('C-029: messages of one role side by side become one where the endpoint wants it, two otherwise', () => {
    const messages = [message(1, 'a'), message(1, 'b')];
    expect(inputOf(messages)).toEqual([user('a'), user('b')]);
    const [one, ...more] = inputOf(messages, { shape: { mergeMessages: true } });
    expect(more).toEqual([]);
    expect(one).toMatchObject({ content: [{ text: 'a' }, { text: 'b' }] });
  });

  it.each([
    ['image/png', [0x89, 0x50, 0x4e, 0x47]],
    ['image/jpeg', [0xff, 0xd8, 0xff, 0xe0]],
    ['image/gif', [0x47, 0x49, 0x46, 0x38]],
    ['image/webp', [0x52, 0x49, 0x46, 0x46, 0, 0, 0, 0, 0x57, 0x45, 0x42, 0x50]],
  ])('C-030: an image is %s by its bytes, whatever type it came with', (type, data) => {
    const [item] = inputOf([message(1, new Data(new Uint8Array(data), 'image/*'))]);
    const url = `data:${type};base64,${Buffer.from(data).toString('base64')}`;
    expect(item).toMatchObject({ role: 'user', content: [{ type: 'input_image', image_url: url }] });
  });

  it('C-030: an image that no server reads is said in words; one of the assistant is left out with a note', () => {
    const [item] = inputOf([message(1, new Data(bytes('<svg/>'), 'image/svg+xml'))]);
    expect(JSON.stringify(item)).toContain('image/svg+xml is not supported');
    const { request, notes } = translate([message(1, 'x'), message(2, new Data(new Uint8Array(4), 'image/png'), 'y')]);
    expect(request.input).toEqual([user('x'), assistant('y')]);
    expect(notes).toHaveLength(1);
  });

  it('C-031: text and JSON data become text, unknown data is left out with a note, signs of Copilot without', () => {
    const { request, notes } = translate([
      message(
        1,
        new Data(bytes('plain'), 'text/plain'),
        new Data(bytes('{"a":1}'), 'application/json'),
        new Data(bytes('x'), 'application/x-foo'),
        new Data(bytes('ephemeral'), 'cache_control'),
      ),
    ]);
    expect(request.input).toMatchObject([{ content: [{ text: 'plain' }, { text: '{"a":1}' }] }]);
    expect(notes).toEqual(['data of type application/x-foo was left out']);
  });

  it('C-032: empty messages go; a request has something of a user', () => {
    expect(inputOf([message(1, ''), message(2), message(1, ' '), message(1, 'x')])).toEqual([user('x')]);
    expect(translate([message(3, 'Title, please.')]).request).toMatchObject({ input: [user('Title, please.')] });
    expect(inputOf([message(2, 'said')])).toEqual([assistant('said'), user('Continue.')]);
  });

  it('C-033: markers of chat templates in code of the user stay as they are', () => {
    const code = 'prompt = "<|im_start|>system" + "[INST]"';
    expect(inputOf([message(1, code)])).toEqual([user(code)]);
  });

  it('C-040: an answer of text alone is a list of parts, or a string where the endpoint wants one', () => {
    const messages = [message(1, 'a'), message(2, 'b')];
    expect(inputOf(messages)).toEqual([user('a'), assistant('b')]);
    expect(inputOf(messages, { shape: { answersAsText: true } })[1]).toEqual({
      type: 'message',
      role: 'assistant',
      content: 'b',
    });
  });

  it('thinking goes back as reasoning, with what only the server can read', () => {
    const thinking = new Thinking(['Hm', '.'], 'rs_1', { encrypted_content: 'sealed' });
    expect(inputOf([message(1, 'x'), message(2, thinking, 'y')])[1]).toEqual({
      type: 'reasoning',
      id: 'rs_1',
      summary: [{ type: 'summary_text', text: 'Hm.' }],
      encrypted_content: 'sealed',
    });
  });

  it('thinking that the server did not seal goes back only where the endpoint reads it', () => {
    const messages = [message(1, 'x'), message(2, new Thinking('Hm.', 'rs_1'), 'y')];
    expect(inputOf(messages)).toEqual([user('x'), assistant('y')]);
    expect(inputOf(messages, { shape: { thoughts: 'all' } })[1]).toMatchObject({ type: 'reasoning' });
  });

  it('a prompt-tsx tree in a result is its text', () => {
    const tree = {
      node: {
        type: 1,
        children: [
          { type: 2, text: 'one' },
          { type: 2, text: 'two', lineBreakBefore: true },
        ],
      },
    };
    const items = inputOf([message(2, new Call('c', 'n', {})), message(1, new Result('c', [new Tsx(tree)]), 'x')]);
    expect(items[1]).toMatchObject({ output: 'one\ntwo' });
  });
});

describe('tools', () => {
  const tool = (name: string, inputSchema?: object) => ({
    name,
    description: 'd',
    ...(inputSchema && { inputSchema }),
  });
  const toolsOf = (...tools: readonly object[]) =>
    translate([message(1, 'x')], { tools: tools as Asked['tools'] & object }).request.tools;

  it('C-024 C-113: are flat, also those that came nested', () => {
    const nested = { type: 'function', function: { name: 'a', description: 'd', parameters: { type: 'object' } } };
    expect(toolsOf(nested)).toEqual([
      { type: 'function', name: 'a', description: 'd', parameters: { type: 'object', properties: {} }, strict: false },
    ]);
  });

  it('C-038: names outside the allowed letters are rewritten, told apart, and read back', () => {
    const given = ['a.b/c d', 'a_b/c d', 'fine', 'ü', 'x'.repeat(80), `${'x'.repeat(70)}y`];
    const { request, names } = translate([message(1, 'x')], { tools: given.map((name) => tool(name)) });
    const written = (request.tools ?? []).map(({ name }) => name);
    for (const name of written) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(new Set(written).size).toBe(given.length);
    expect(written.map((name) => names.read(name))).toEqual(given);
    expect(written[2]).toBe('fine');
  });

  it('C-038: calls of the history have the same names as the tools', () => {
    const { request } = translate([message(2, new Call('c', 'a.b', {})), message(1, 'x')], { tools: [tool('a.b')] });
    expect(request.input[0]).toMatchObject({ name: request.tools?.[0]?.name });
  });

  it('C-039: schemas without type or properties, and missing ones, are repaired', () => {
    const [none, empty, typed] = toolsOf(tool('a'), tool('b', {}), tool('c', { type: 'object', required: [] })) ?? [];
    expect(none?.parameters).toEqual({ type: 'object', properties: {} });
    expect(empty?.parameters).toEqual({ type: 'object', properties: {} });
    expect(typed?.parameters).toEqual({ type: 'object', properties: {}, required: [] });
  });

  it('C-034: the choice is auto, required or none, and absent without tools', () => {
    const choice = (options: Partial<Asked>) => translate([message(1, 'x')], options).request.tool_choice;
    expect(choice({ tools: [tool('a')], toolMode: 1 })).toBe('auto');
    expect(choice({ tools: [tool('a')], toolMode: 2 })).toBe('required');
    expect(choice({ tools: [tool('a')], modelOptions: { tool_choice: 'none' } })).toBe('none');
    expect(choice({ toolMode: 2 })).toBeUndefined();
  });
});

describe('options', () => {
  const asked = (modelOptions: Readonly<Record<string, unknown>>) => translate([message(1, 'x')], { modelOptions });

  it("C-035: are the caller's, and nothing else is set", () => {
    const { request } = asked({ temperature: 0.7, topP: 0.9, max_tokens: 100 });
    expect(request).toMatchObject({ temperature: 0.7, top_p: 0.9, max_output_tokens: 100 });
    expect(Object.keys(translate([message(1, 'x')]).request).sort()).toEqual(['input', 'model', 'store', 'stream']);
  });

  it('C-035: underscore keys of VS Code never leave, unknown ones are noted, a limit below 16 is raised', () => {
    const { request, notes } = asked({ _conversationId: 'c', _telemetryTurn: 1, stop: ['x'], maxOutputTokens: 3 });
    expect(JSON.stringify(request)).not.toContain('_telemetryTurn');
    expect(request).not.toHaveProperty('stop');
    expect(request.max_output_tokens).toBe(16);
    expect(notes).toHaveLength(2);
  });

  it('C-036: effort is sent where it is given', () => {
    expect(translate([message(1, 'x')], { effort: 'high' }).request.reasoning).toMatchObject({ effort: 'high' });
    expect(translate([message(1, 'x')]).request.reasoning).toBeUndefined();
  });

  it('C-037: metadata keeps the limits', () => {
    const many = Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`k${index}`, 'v']));
    expect(Object.keys(asked({ metadata: many }).request.metadata as object)).toHaveLength(16);
    const { request, notes } = asked({ metadata: { ['n'.repeat(65)]: 'v'.repeat(513), number: 7 } });
    expect(request.metadata).toEqual({ ['n'.repeat(64)]: 'v'.repeat(512), number: '7' });
    expect(notes).toHaveLength(1);
  });

  it('C-041: fallback models and options of the provider are forwarded', () => {
    const shape = { fallbackModels: ['a/b', 'c/d'], providerOptions: { gateway: { order: ['x'] }, other: { y: 1 } } };
    expect(translate([message(1, 'x')], { shape }).request.providerOptions).toEqual({
      gateway: { order: ['x'], models: ['a/b', 'c/d'] },
      other: { y: 1 },
    });
  });
});

describe('any conversation', () => {
  const text = fc.oneof(fc.string(), fc.constantFrom('', ' ', '\n', '<|im_end|>'));
  const id = fc.constantFrom('c1', 'c2', 'c3', 'x'.repeat(70), '');
  const part = fc.oneof(
    text.map((value) => new Text(value)),
    fc.tuple(id, text).map(([callId, name]) => new Call(callId, name, { a: 1 })),
    fc.tuple(id, text).map(([callId, value]) => new Result(callId, [new Text(value)])),
    text.map((value) => new Thinking(value, 'r1')),
    text.map((value) => new Data(bytes(value), 'text/plain')),
    fc.uint8Array().map((data) => new Data(data, 'image/png')),
    fc.constant({ strange: true }),
  );
  const conversation = fc.array(
    fc.record({
      role: fc.constantFrom<number>(1, 2, 3, 7),
      content: fc.array(part, { maxLength: 5 }),
      name: fc.constant(undefined),
    }),
    { maxLength: 8 },
  );
  const schema = loadOpenresponsesSchema();

  test('C-022 C-023 C-025: is valid by the published schema, and never mixes the types of text', () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        const { request } = translate(messages, { shape: { thoughts: 'all' } });
        for (const item of request.input) {
          if (item.type !== 'message' || typeof item.content === 'string') continue;
          const types = item.content.map(({ type }) => type);
          expect(types.includes('output_text')).toBe(item.role === 'assistant');
          if (item.role === 'assistant') expect(new Set(types).size).toBe(1);
        }
        expect(schema?.check('CreateResponseBody', request) ?? []).toEqual([]);
      }),
    );
  });

  test('C-028: has calls and results in pairs, each with an id of its own of at most 64 characters', () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        let calls: string[] = [];
        let results: string[] = [];
        const seen = new Set<string>();
        const settle = () => {
          expect(results).toEqual(calls);
          for (const call of calls) {
            expect(seen.has(call)).toBe(false);
            expect(call.length).toBeGreaterThan(0);
            expect(call.length).toBeLessThanOrEqual(64);
            seen.add(call);
          }
          [calls, results] = [[], []];
        };
        for (const item of translate(messages).request.input) {
          if (item.type === 'function_call') {
            if (results.length > 0) settle();
            calls.push(item.call_id);
          } else if (item.type === 'function_call_output') results.push(item.call_id);
          else if (item.type === 'message') settle();
        }
        settle();
      }),
    );
  });

  test('every text of a user arrives', () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        const sent = JSON.stringify(translate(messages, { legacySystem: false }).request);
        for (const { role, content } of messages)
          for (const said of content)
            if (
              role !== 2 &&
              said instanceof Text &&
              content.some((other) => other === said) &&
              said.value.trim() !== ''
            )
              expect(sent).toContain(JSON.stringify(said.value).slice(1, -1));
      }),
    );
  });
});

it('says nothing of content that is a plain string', () => {
  const content: Content = 'old callers';
  expect(inputOf([{ role: 1, content: content as never, name: undefined }])).toEqual([user('old callers')]);
});
