import { violationsOf } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import { collect } from '../chat/collect.ts';
import type { ToolDefinition } from '../chat/tool.ts';
import { dialects } from '../dialects/registry.ts';
import { DragomanError } from '../errors.ts';
import { runStage } from '../stream/stage.ts';
import { openaiChatClient } from '../wires/openai-chat/index.ts';
import {
  createReplyParser,
  explainReply,
  extractInjectedSystem,
  formatToolResults,
  injectSystemIntoUserMessage,
  parseAllToolCalls,
  parseToolCalls,
  renderMessages,
  transformToolsToXML,
  validateToolCall,
  validateToolResults,
} from './library.ts';

const read: ToolDefinition = {
  name: 'read',
  description: 'Reads a file.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
};
const tools = [read];
const reply = 'Two files.\n<read>\n<path>a.md</path>\n</read>\nand\n<read>\n<path>b.md</path>\n</read>\nDone.';
const pathOf = (call: { arguments: string }) => JSON.parse(call.arguments).path;

describe('parseAllToolCalls', () => {
  it('B-040 B-044 B-060 finds all calls in order and the text around them', () => {
    const found = parseAllToolCalls(reply, { dialect: 'cline-xml', tools });
    expect(found.calls.map(pathOf)).toEqual(['a.md', 'b.md']);
    expect(found.text).toBe('Two files.\n\nand\n\nDone.');
    expect(found).toMatchObject({ finishReason: 'tool-calls', complete: true, warnings: [] });
  });

  it('A-122 B-059 gives equal calls ids of their own', () => {
    const [first, second] = parseToolCalls(`${'<read><path>a</path></read>'.repeat(2)}`, {
      dialect: 'cline-xml',
      tools,
    });
    expect(first?.callId).toMatch(/^call_[0-9a-f]{24}$/);
    expect(second?.callId).not.toBe(first?.callId);
  });

  it('B-062 is pure: the same text gives the same but for the ids, and frozen tools stay', () => {
    const options = { dialect: 'cline-xml', tools: Object.freeze([Object.freeze(read)]) } as const;
    const twice = [parseAllToolCalls(reply, options), parseAllToolCalls(reply, options)].map((found) => ({
      text: found.text,
      calls: found.calls.map(({ name, arguments: json }) => ({ name, json })),
    }));
    expect(twice[0]).toEqual(twice[1]);
  });

  it('A-134 B-046 leaves a call that broke off as text and says so', () => {
    const text = 'Hm <read><path>a.md';
    const found = parseAllToolCalls(text, { dialect: 'cline-xml', tools });
    expect(found).toMatchObject({ text, calls: [], finishReason: 'stop' });
    expect(found.warnings.map(({ code }) => code)).toEqual(['call-cut']);
  });

  it('names the dialects there are when one is unknown', () => {
    // @ts-expect-error ids are known while somebody types.
    expect(() => parseToolCalls('', { dialect: 'hermez', tools })).toThrow(/no dialect "hermez".*hermes/);
  });

  it('names the dialects there are when none is named, as callers without types may', () => {
    const options = JSON.parse('{"tools":[]}');
    expect(() => parseAllToolCalls('', options)).toThrow(/options name no dialect; there are .*hermes/);
    expect(() => createReplyParser({ ...options, dialect: null })).toThrow(/options name no dialect/);
  });

  it('reads whatever form it meets where the dialect is auto', () => {
    const glm = '<tool_call>read\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n</tool_call>';
    const hermes = '<tool_call>{"name":"read","arguments":{"path":"b"}}</tool_call>';
    const { calls, warnings } = parseAllToolCalls(`${glm}\n${hermes}`, { dialect: 'any', tools });
    expect(calls.map(pathOf)).toEqual(['a', 'b']);
    expect(warnings.map(({ code }) => code)).toEqual(['call-foreign']);
  });

  it('takes a dialect of your own', () => {
    const hermes = dialects.get('hermes');
    if (hermes === undefined) throw new Error('hermes is missing');
    const text = '<tool_call>{"name":"read","arguments":{"path":"a"}}</tool_call>';
    expect(parseToolCalls(text, { dialect: hermes, tools }).map(pathOf)).toEqual(['a']);
  });
});

describe('createReplyParser', () => {
  it('says of single characters what the whole text says, in events that keep the grammar', () => {
    const events = runStage(createReplyParser({ dialect: 'cline-xml', tools }), [...reply]);
    expect(violationsOf(events)).toEqual([]);
    const whole = parseAllToolCalls(reply, { dialect: 'cline-xml', tools });
    expect(collect(events).text).toBe(whole.text);
    expect(collect(events).calls.map(pathOf)).toEqual(whole.calls.map(pathOf));
  });

  it('ends with the error that cut the reply', () => {
    const cut = new DragomanError('upstream-cut', 'gone');
    const events = runStage(createReplyParser({ dialect: 'hermes', tools }), ['Hello'], cut);
    expect(violationsOf(events)).toEqual([]);
    expect(collect(events)).toMatchObject({ text: 'Hello', error: cut, complete: false });
  });
});

describe('renderMessages', () => {
  const request = openaiChatClient.readRequest({
    model: 'any',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Read a.md' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: '{"path":"a.md"}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'alpha' },
    ],
    tools: [{ type: 'function', function: { name: 'read', parameters: read.inputSchema } }],
  });

  it('writes tools, calls and results as text', () => {
    const { messages, warnings } = renderMessages(request, { dialect: 'hermes' });
    expect(warnings).toEqual([]);
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(JSON.stringify(messages)).toContain('<tool_response>\\nalpha\\n</tool_response>');
  });

  it('A-060 puts system text into the first user message where it is told to', () => {
    const { messages } = renderMessages(request, { dialect: 'hermes', systemText: 'first-user' });
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(JSON.stringify(messages[0])).toContain('<system_context>');
  });
});

describe('validateToolCall', () => {
  it.each([
    ['read', '{"path":"a"}', []],
    ['', '{}', ['The call has no name.']],
    ['rm', '{}', ['There is no tool "rm".']],
    ['read', '{}', ['The required parameter "path" is missing.']],
    ['read', '[1]', ['The arguments are not a JSON object.']],
    ['read', '{"path"', ['The arguments are not a JSON object.']],
    ['rm', '', ['There is no tool "rm".', 'The arguments are not a JSON object.']],
  ])('B-061 %s(%s)', (name, json, errors) => {
    expect(validateToolCall({ name, arguments: json }, tools)).toEqual({ valid: errors.length === 0, errors });
  });
});

it('the names of the briefs are there', () => {
  expect(transformToolsToXML([])).toBe('<tools>\n\n</tools>');
  const user = { role: 'user', content: [{ type: 'text', text: 'Hi' }] } as const;
  const system = { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] } as const;
  const [first] = injectSystemIntoUserMessage([system, user]).messages;
  const [part] = first?.content ?? [];
  expect(part?.type === 'text' && extractInjectedSystem(part.text)).toBe('=== Agent Instructions ===\nBe brief.');
  expect(validateToolResults([user])).toEqual([]);
  expect(
    formatToolResults([{ call: { callId: 'c', name: 'read', arguments: '{}' }, status: 'ok', text: 'alpha' }]),
  ).toContain('[Tool Result 1: read]');
});

describe('what callers without types get wrong is told with place and remedy', () => {
  const given = (text: string) => JSON.parse(text);
  const openai = given('[{"type":"function","function":{"name":"read","parameters":{}}}]');

  it.each([
    ['tools[0].name is missing', openai],
    ['tools[0].name is missing', [null]],
    ['tools is missing', undefined],
  ])('%s', (told, wrong) => {
    const parsed = () => parseToolCalls(reply, { dialect: 'hermes', tools: wrong });
    expect(parsed).toThrow(DragomanError);
    expect(parsed).toThrow(told);
    expect(parsed).toThrow('{ name, description, inputSchema }');
  });

  it('in conversations and contexts as well', () => {
    const conversation = { messages: [], tools: openai };
    expect(() => renderMessages(conversation, { dialect: 'hermes' })).toThrow('tools[0].name');
    expect(() => explainReply(reply, 'hermes', { tools: openai })).toThrow('tools[0].name');
  });

  it('and explainReply takes the id of a dialect, as its neighbours do', () => {
    expect(explainReply(reply, 'cline-xml', { tools }).ranges.filter(({ outcome }) => outcome === 'call')).toHaveLength(
      2,
    );
    // @ts-expect-error ids are known while somebody types.
    expect(() => explainReply(reply, 'clin-xml', { tools })).toThrow('There is no dialect "clin-xml"');
  });
});
