import { chatRequest } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import { createJsonUnescape } from '../chat/escape.ts';
import type { Message, ToolMessage } from '../chat/message.ts';
import { textOf } from '../chat/message.ts';
import type { ChatRequest } from '../chat/request.ts';
import type { Dialect, PastCall } from '../dialects/dialect.ts';
import { dialects } from '../dialects/registry.ts';
import { defaultModelRule, type ResultRule } from '../plan/rules.ts';
import { runStage } from '../stream/stage.ts';
import { forgetTexts } from './escaped-speech.ts';
import { prepareTextMessages } from './render-history.ts';

const tools = [
  {
    name: 'read',
    inputSchema: { type: 'object', properties: { path: { type: 'string' }, n: { type: 'integer' } } },
  },
  { name: 'list', inputSchema: { type: 'object', properties: {} } },
];
const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const call = (callId: string, name: string, json = '{}'): Message => ({
  role: 'assistant',
  content: [{ type: 'tool-call', callId, name, arguments: json }],
});
const result = (callId: string, text: string): Message => ({
  role: 'tool',
  callId,
  content: [{ type: 'text', text }],
});

const withMessages = (messages: readonly Message[], more: Partial<ChatRequest> = {}) =>
  chatRequest({
    messages,
    tools,
    ...more,
  });

function prepared(
  messages: readonly Message[],
  options: {
    readonly dialect?: string;
    readonly results?: Partial<ResultRule>;
    readonly request?: Partial<ChatRequest>;
  } = {},
): readonly Message[] {
  const dialect = dialects.get(options.dialect ?? 'hermes');
  if (dialect === undefined) throw new Error('no such dialect');
  const rule = { ...defaultModelRule, results: { ...defaultModelRule.results, ...options.results } };
  const request = withMessages(messages, options.request);
  return prepareTextMessages({ request, dialect, rule, nativeIdOf: () => undefined }).messages;
}

const shown = (messages: readonly Message[]) => messages.map(({ content }) => textOf(content)).join('\n');
const header = { results: { format: 'header' } } as const;

describe('rounds of calls and results, for a model that reads only text', () => {
  it('B-110 B-113 rewrites a history with results, and passes every other message as the same object', () => {
    const plain = [user('a'), { role: 'assistant', content: [{ type: 'text', text: 'b' }] } as const, user('c')];
    expect(prepared(plain, { request: { tools: [] } })).toEqual(plain);
    for (const [index, message] of prepared(plain, { request: { tools: [] } }).entries()) {
      expect(message).toBe(plain[index]);
    }
    const history = [...plain, call('x', 'list'), result('x', 'a.md'), user('d')];
    const rewritten = prepared(history, { request: { tools: [] } });
    expect(rewritten.slice(0, 3)).toEqual(plain);
    for (const [index, message] of plain.entries()) expect(rewritten[index]).toBe(message);
    expect(rewritten.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
    expect(rewritten.some(({ role }) => role === 'tool')).toBe(false);
  });

  it('B-111 makes a user message with a header, the id, a blank line and the result', () => {
    const [, , message] = prepared([user('go'), call('c1', 'list'), result('c1', 'a.md\nb.md')], {
      ...header,
      request: { tools: [] },
    });
    expect(message?.role).toBe('user');
    expect(textOf(message?.content ?? [])).toBe('[Tool Result: list]\nTool Call ID: c1\n\nResult:\na.md\nb.md');
  });

  it('B-112 takes the name from the nearest earlier call with that id, and says unknown without one', () => {
    const messages = [
      call('same', 'read'),
      result('same', 'first'),
      user('more'),
      call('same', 'list'),
      result('same', 'second'),
    ];
    const text = shown(prepared(messages, header));
    expect(text).toContain('[Tool Result: read]\nTool Call ID: same\n\nResult:\nfirst');
    expect(text).toContain('[Tool Result: list]\nTool Call ID: same\n\nResult:\nsecond');
    expect(shown(prepared([user('x'), result('gone', 'alone')], header))).toContain('unknown_tool:\nalone');
  });

  it.each([...dialects.keys()])(
    'B-117 %s: all results of a round reach the model, in the order of its calls',
    (dialect) => {
      const three: Message = {
        role: 'assistant',
        content: ['a', 'b', 'c'].map((callId) => ({ type: 'tool-call', callId, name: 'list', arguments: '{}' })),
      };
      const messages = prepared(
        [user('go'), three, result('c', 'r-three'), result('a', 'r-one'), result('b', 'r-two')],
        {
          dialect,
        },
      );
      const last = textOf(messages.at(-1)?.content ?? []);
      const places = ['r-one', 'r-two', 'r-three'].map((text) => last.indexOf(text));
      expect(places.every((place) => place >= 0)).toBe(true);
      expect(places).toEqual([...places].sort((left, right) => left - right));
    },
  );

  it('B-118 puts a capped result of a megabyte into the prompt', () => {
    const messages = [user('go'), call('x', 'list'), result('x', 'y'.repeat(1_000_000))];
    const text = shown(prepared(messages, { results: { maxLength: 2000 } }));
    expect(text).toContain(`${'y'.repeat(1000)}\n[… 998000 more characters were left out …]\n${'y'.repeat(1000)}`);
    expect(text.length).toBeLessThan(10_000);
  });

  it.each([...dialects.values()])('B-119 $id: a past call, written as text, parses to the same call', (dialect) => {
    const written = [
      '{"path":"a \\"b\\"\\n  <c>&amp;\\t","n":3}',
      '{"path":"007","n":-1}',
      '{"path":"</parameter></path></tool_call><|tool_call_end|>"}',
      '{}',
    ];
    const calls: readonly PastCall[] = written.map((json, ordinal) => ({
      callId: `c${ordinal}`,
      ordinal,
      name: 'read',
      arguments: json,
    }));
    const history: Message = {
      role: 'assistant',
      content: calls.map(({ callId, name, arguments: json }) => ({ type: 'tool-call', callId, name, arguments: json })),
    };
    const [, , assistant] = prepared([user('go'), history], { dialect: dialect.id });
    const spans = runStage(dialect.createParser({ tools }), [textOf(assistant?.content ?? [])]);
    const slices: string[] = [];
    for (const span of spans) {
      if (span.kind === 'call') slices.push('');
      if (span.kind === 'arguments') slices.push(`${slices.pop() ?? ''}${span.text}`);
    }
    expect(slices.map((json) => JSON.parse(createJsonUnescape()(json)))).toEqual(
      written.map((json) => JSON.parse(json)),
    );
  });
});

describe('the hundredth round of an agent', () => {
  it.each(['hermes', 'anthropic-xml'])('%s: writes only the calls and results that are new', (id) => {
    const found = dialects.get(id);
    if (found === undefined) throw new Error('no such dialect');
    let [written, results] = [0, 0];
    const dialect: Dialect = {
      ...found,
      renderCalls: (calls, ofTools) => {
        written += calls.length;
        return found.renderCalls(calls, ofTools);
      },
      renderResults: (told) => {
        results += told.length;
        return found.renderResults(told);
      },
    };
    const tell = (rounds: number, named = tools) => {
      [written, results] = [0, 0];
      const history = Array.from({ length: rounds }, (_, at) => [
        call(`call_${at}`, 'read', `{"path":"a folder with a <tool_call> in its name/file ${at}.md","n":${at}}`),
        result(`call_${at}`, `result ${at} ${'of many words '.repeat(10)}`),
      ]);
      const request = withMessages([user('go'), ...history.flat()], { tools: named });
      return prepareTextMessages({ request, dialect, rule: defaultModelRule, nativeIdOf: () => undefined });
    };
    const counts = [1, 10, 99, 100, 100].map((rounds) => {
      tell(rounds);
      expect(results).toBe(written);
      return written;
    });
    expect(counts).toEqual([1, 9, 89, 1, 0]);
    const again = tell(100);
    forgetTexts();
    expect(tell(100)).toEqual(again);
    expect(written).toBe(100);
    // Other tools, and what was written before may mean something else.
    tell(100, tools.slice(0, 1));
    expect(written).toBe(100);
  });

  it('of results that differ in anything, each is written', () => {
    const text = 'The same words. '.repeat(10);
    const told = (callId: string, more: Partial<ToolMessage>, rule?: Partial<ResultRule>) => {
      const answer = { role: 'tool', callId, content: [{ type: 'text', text }], ...more } as const;
      return shown(
        prepared([user('go'), call(callId, 'read'), answer], { dialect: 'kimi-k2', ...(rule && { results: rule }) }),
      );
    };
    const all = () => [
      told('c1', {}),
      told('c2', {}),
      told('c1', { status: 'error' }),
      told('c1', {}, { format: 'header' }),
      told('c1', { note: 'Read it once.' }),
    ];
    const first = all();
    expect(new Set(first).size).toBeGreaterThan(3);
    expect(all()).toEqual(first);
    forgetTexts();
    expect(all()).toEqual(first);
  });

  it('of calls that differ in anything, each is written', () => {
    const told = (callId: string, nativeId: string | undefined, json: string) => {
      const request = withMessages([user('go'), call(callId, 'read', json), result(callId, 'r')]);
      const dialect = dialects.get('kimi-k2');
      if (dialect === undefined) throw new Error('no such dialect');
      return shown(
        prepareTextMessages({ request, dialect, rule: defaultModelRule, nativeIdOf: () => nativeId }).messages,
      );
    };
    const all = [
      told('c1', undefined, '{"path":"a"}'),
      told('c1', 'functions.read:7', '{"path":"a"}'),
      told('c1', 'functions.read:8', '{"path":"a"}'),
      told('c1', 'functions.read:8', '{"path":"b"}'),
    ];
    expect(new Set(all).size).toBe(4);
    expect(told('c1', 'functions.read:7', '{"path":"a"}')).toBe(all[1]);
  });
});
