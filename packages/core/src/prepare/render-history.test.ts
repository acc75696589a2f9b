import { chatRequest } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Message, textOf } from '../chat/message.ts';
import type { ChatRequest } from '../chat/request.ts';
import type { ToolDefinition } from '../chat/tool.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { hermes as hermesParser } from '../dialects/hermes/index.ts';
import { kimiK2 as kimiParser } from '../dialects/kimi-k2/index.ts';
import { asDialect } from '../dialects/render/render-table.ts';
import { defaultModelRule, type ModelRule } from '../plan/rules.ts';
import { prepareTextMessages } from './render-history.ts';

const hermes = asDialect(hermesParser);
const kimiK2 = asDialect(kimiParser);

const read: ToolDefinition = {
  name: 'read',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
};
const text = (value: string) => ({ type: 'text', text: value }) as const;
const user = (value: string): Message => ({ role: 'user', content: [text(value)] });
const system = (value: string): Message => ({ role: 'system', content: [text(value)] });
const said = (value: string): Message => ({ role: 'assistant', content: [text(value)] });
const called = (value: string, ...ids: string[]): Message => ({
  role: 'assistant',
  content: [
    text(value),
    ...ids.map((callId) => ({ type: 'tool-call', callId, name: 'read', arguments: `{"path":"${callId}"}` }) as const),
  ],
});
const result = (callId: string, value: string): Message => ({ role: 'tool', callId, content: [text(value)] });
const image = { type: 'image', url: 'data:image/png;base64,AAAA' } as const;

interface Given {
  readonly request?: Partial<ChatRequest>;
  readonly rule?: Partial<ModelRule>;
  readonly dialect?: Dialect;
  readonly nativeId?: string;
}

it('says a refusal of the history as plain text, as templates know nothing else', () => {
  const refused: Message = { role: 'assistant', content: [{ ...text('I will not.'), refusal: true }] };
  const { messages } = prepare([user('Go.'), refused, user('Why?')]);
  expect(messages).toContainEqual(said('I will not.'));
});

function prepare(messages: readonly Message[], given: Given = {}) {
  const request = chatRequest({
    messages,
    tools: [read],
    ...given.request,
  });
  return prepareTextMessages({
    request,
    dialect: given.dialect ?? hermes,
    rule: { ...defaultModelRule, ...given.rule },
    nativeIdOf: () => given.nativeId,
  });
}

/** `role: text` without the system message. */
const shown = (messages: readonly Message[], given: Given = {}) =>
  prepare(messages, given)
    .messages.filter(({ role }) => role !== 'system')
    .map((message) => `${message.role}: ${textOf(message.content)}`);

const response = (value: string) => `<tool_response>\n${value}\n</tool_response>`;
const toolCall = (path: string) => `<tool_call>\n{"name": "read", "arguments": {"path":"${path}"}}\n</tool_call>`;

describe('prepareTextMessages', () => {
  it('B-110 B-117 A-191 writes calls in the dialect and all results of a round as the next user turn, in call order', () => {
    expect(shown([user('u'), called('Looking.', 'a', 'b'), result('b', 'B'), result('a', 'A')])).toEqual([
      'user: u',
      `assistant: Looking.\n${toolCall('a')}\n${toolCall('b')}`,
      `user: ${response('A')}\n${response('B')}`,
    ]);
  });

  it('A-193 A-047 keeps every round once, with the new request after the old results', () => {
    const messages = [
      user('u'),
      called('', 'a'),
      result('a', 'A'),
      called('', 'b'),
      result('b', 'B'),
      user('and now?'),
    ];
    expect(shown(messages)).toEqual([
      'user: u',
      `assistant: ${toolCall('a')}`,
      `user: ${response('A')}`,
      `assistant: ${toolCall('b')}`,
      `user: ${response('B')}\n\nand now?`,
    ]);
  });

  it('E-072 moves a result before a user note that came between', () => {
    expect(shown([called('', 'a'), user('note'), result('a', 'A')])).toEqual([
      `assistant: ${toolCall('a')}`,
      `user: ${response('A')}\n\nnote`,
    ]);
  });

  it('A-190 A-048 renders past calls and results when the request has no tools', () => {
    const given = { request: { tools: [] } };
    expect(shown([user('u'), called('', 'a'), result('a', '</tool_response>')], given).at(-1)).toBe(
      `user: ${response('<\u2060/tool_response>')}`,
    );
    expect(prepare([user('u'), called('', 'a'), result('a', 'A')], given).messages[0]?.role).toBe('user');
  });

  it('B-028 B-113 changes no text without tools, now or in the past', () => {
    const messages = [system('s <tool_call>'), user('<tool_call>'), user('two'), said('<tool_call> quoted')];
    const prepared = prepare(messages, { request: { tools: [] } });
    expect(prepared).toEqual({ messages, warnings: [], notes: {} });
    for (const [index, message] of messages.entries()) expect(prepared.messages[index]).toBe(message);
    expect(prepare(messages, { request: { toolChoice: 'none' } }).messages).toEqual(messages);
  });

  it('B-022 A-049 A-050 teaches tools after the system text, as choice and number of calls ask', () => {
    const taught = (request: Partial<ChatRequest>) =>
      textOf(prepare([system('s'), user('u')], { request }).messages[0]?.content ?? []);
    expect(taught({})).toMatch(/^s\n\n---\n\n# Tools/);
    expect(taught({ toolChoice: 'required' })).toContain('must contain a call');
    expect(taught({ toolChoice: { name: 'read' } })).toContain('must call the tool read');
    expect(taught({ parallelToolCalls: false })).toContain('at most one call');
    expect(taught({ toolChoice: 'none' })).toBe('s');
  });

  it('A-060 A-087 puts system text and tools into the first user message for a deaf model', () => {
    const messages = [system('s'), user('u'), said('hi'), user('v')];
    const [first, ...rest] = shown(messages, { rule: { systemText: 'first-user' } });
    expect(first).toMatch(/^user: <system_context>\n=== Agent Instructions ===\ns\n\n=== Tools ===\n# Tools/);
    expect(first?.endsWith('\n</system_context>\n\nu')).toBe(true);
    expect(rest).toEqual(['assistant: hi', 'user: v']);
  });

  it('A-209 escapes markers in all that was said, the model quotes them too, and reports how many', () => {
    const prepared = prepare([
      user('<tool_call>'),
      called('I wrote <tool_call> before', 'a'),
      result('a', '</tool_response><|im_end|>'),
    ]);
    const texts = prepared.messages.map((message) => textOf(message.content));
    expect(texts[1]).toBe('<\u2060tool_call>');
    expect(texts[2]).toContain('I wrote <\u2060tool_call> before');
    expect(texts[3]).toBe(response('<\u2060/tool_response><\u2060|im_end|>'));
    expect(prepared.warnings).toEqual([
      {
        code: 'text-escaped',
        message: '4 marker(s) of the dialect or of chat templates in what was said before were escaped.',
      },
    ]);
  });

  it('A-209 escapes what is a marker only when the parts of a message are together', () => {
    const parts = (...texts: string[]): Message => ({
      role: 'user',
      content: texts.map((text) => ({ type: 'text', text })),
    });
    const told = (...texts: string[]) => prepare([parts(...texts)]).messages.at(-1)?.content;
    expect(told('a <|im_', 'start|>system')).toEqual([{ type: 'text', text: 'a <|im_\nstart|>system' }]);
    expect(told('a <|', 'im_', 'end|>')).toEqual([{ type: 'text', text: 'a <|\nim_\nend|>' }]);
    expect(told('one', 'two')).toEqual(parts('one', 'two').content);
    // Each marker once: a copy without the escape is what was written.
    const twice = told('<|im_end|> one', 'two <|im_end|>');
    expect(twice).toEqual(parts('<\u2060|im_end|> one', 'two <\u2060|im_end|>').content);
  });

  it('A-198 B-111 words results as the rule says', () => {
    const messages = [called('', 'a'), result('a', '[Tool Result: x]')];
    const results = { ...defaultModelRule.results, format: 'header' } as const;
    expect(shown(messages, { rule: { results } })[1]).toBe(
      'user: [Tool Result: read]\nTool Call ID: a\n\nResult:\n[\u2060Tool Result: x]',
    );
  });

  it('A-201 A-204 E-070 shows missing results and orphans to the model', () => {
    expect(shown([called('', 'a'), user('go on')]).at(-1)).toContain('No result arrived for this call.');
    const orphan = prepare([user('u'), result('gone', 'kept <tool_call>')]);
    expect(textOf(orphan.messages[1]?.content ?? [])).toBe(
      'u\n\nResult of an earlier call of unknown_tool:\nkept <\u2060tool_call>',
    );
    expect(orphan.warnings.map((warning) => warning.code)).toEqual(['result-orphan', 'text-escaped']);
  });

  it('A-037 A-195 replaces images by a note, unless the upstream reads them', () => {
    const messages: Message[] = [
      { role: 'user', content: [text('see'), image] },
      called('', 'a'),
      { role: 'tool', callId: 'a', content: [text('shot'), image] },
    ];
    const plain = prepare(messages);
    expect(JSON.stringify(plain.messages)).not.toContain('base64');
    expect(plain.warnings).toEqual([{ code: 'part-dropped', message: '2 image(s) were replaced by a note.' }]);
    const seeing = prepare(messages, { rule: { images: true } });
    expect(seeing.messages[1]).toBe(messages[0]);
    expect(seeing.messages.at(-1)?.content.at(-1)).toEqual(image);
    expect(seeing.warnings).toEqual([]);
  });

  it('does not replay reasoning and drops a message that held nothing else', () => {
    const reasoning = { type: 'reasoning', text: 'hm' } as const;
    const messages: Message[] = [
      user('u'),
      { role: 'assistant', content: [reasoning, text('hi')] },
      { role: 'assistant', content: [reasoning] },
    ];
    expect(shown(messages)).toEqual(['user: u', 'assistant: hi']);
  });

  it('E-052 never renders a call without a name', () => {
    const unnamed: Message = {
      role: 'assistant',
      content: [text('x'), { type: 'tool-call', callId: 'a', name: '', arguments: '{}' }],
    };
    expect(shown([user('u'), unnamed, result('a', 'A')])).toEqual([
      'user: u',
      'assistant: x',
      'user: Result of an earlier call of unknown_tool:\nA',
    ]);
  });

  it('E-012 counts calls over the conversation and keeps the ids that the model gave', () => {
    const messages = [called('', 'a'), result('a', 'A'), called('', 'b'), result('b', 'B')];
    const texts = shown(messages, { dialect: kimiK2 });
    expect(texts[2]).toContain('functions.read:1<|');
    expect(texts[3]).toContain('## Return of functions.read:1\nB');
    expect(shown(messages, { dialect: kimiK2, nativeId: 'functions.read:9' })[3]).toContain(
      '## Return of functions.read:9\nB',
    );
  });

  it('E-073 joins two rounds of one assistant only where rewriting brought them together', () => {
    expect(shown([user('a'), user('b'), said('x'), said('y')])).toEqual([
      'user: a',
      'user: b',
      'assistant: x',
      'assistant: y',
    ]);
    expect(shown([said('x'), called('y', 'a'), result('a', 'A')])[0]).toBe(`assistant: x\n\ny\n${toolCall('a')}`);
  });

  it('A-078 E-074 leaves no marker of foreign text, loses no text and never changes the request (property)', () => {
    const word = fc.constantFrom('<tool_call>', '</tool_response>', 'plain', '<|im_end|>', '[Tool Result', 'x<y');
    const message = fc.oneof(
      fc.tuple(word, fc.constantFrom('a', 'b')).map(([value, id]) => called(value, id)),
      word.map(user),
      word.map(system),
      fc.tuple(fc.constantFrom('a', 'b'), word).map(([id, value]) => result(id, value)),
    );
    fc.assert(
      fc.property(fc.array(message, { maxLength: 10 }), (messages) => {
        const before = JSON.stringify(messages);
        const prepared = prepare(messages);
        expect(JSON.stringify(messages)).toBe(before);
        expect(prepared.messages.every(({ role }) => role !== 'tool')).toBe(true);
        const calls = messages.reduce(
          (sum, one) =>
            sum + (one.role === 'assistant' ? one.content.filter((part) => part.type === 'tool-call').length : 0),
          0,
        );
        const users = prepared.messages
          .filter(({ role }) => role === 'user')
          .map((one) => textOf(one.content))
          .join('\n');
        expect(users.split('<tool_response>').length - 1).toBe(calls);
        expect(users.split('</tool_response>').length - 1).toBe(calls);
        expect(users).not.toContain('<tool_call>');
        expect(users).not.toContain('<|im_end|>');
        for (const one of messages) {
          if (one.role === 'user' && textOf(one.content) === 'plain') expect(users).toContain('plain');
        }
      }),
    );
  });
});
