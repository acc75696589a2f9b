import { chatRequest } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Message, textOf } from '../chat/message.ts';
import type { ToolDefinition } from '../chat/tool.ts';
import { dialects } from '../dialects/registry.ts';
import { type Prompts, type PromptTemplate, type PromptVariable, promptVariables } from '../plan/prompt-template.ts';
import { defaultModelRule } from '../plan/rules.ts';
import { promptByTemplate } from './prompt-by-template.ts';
import { writeHistory } from './render-history.ts';

const variables = Object.keys(promptVariables).filter((name): name is PromptVariable => name in promptVariables);

/** Says all that it names, each under its name. */
function template(...mentions: readonly PromptVariable[]): PromptTemplate {
  const render: PromptTemplate['render'] = (values) =>
    mentions.flatMap((name) => (values[name] === '' ? [] : [`[${name}] ${values[name]}`])).join('\n');
  return { mentions: new Set(mentions), headings: ['# Task'], render };
}

function prompts(one: PromptTemplate, own: Partial<Prompts> = {}): Prompts {
  const all = { 'first-tools': one, tools: one, results: one, 'first-simple': one, simple: one };
  return { templates: () => all, rules: () => '', toolDocs: 'signature', context: 'merge', ...own };
}

const tools: readonly ToolDefinition[] = [
  { name: 'read', description: 'Reads.', inputSchema: { type: 'object', properties: { path: { type: 'string' } } } },
];

const say = (role: 'system' | 'user' | 'assistant', text: string): Message => ({
  role,
  content: [{ type: 'text', text }],
});
const calls: Message = {
  role: 'assistant',
  content: [{ type: 'tool-call', callId: 'c', name: 'read', arguments: '{}' }],
};
const result = (text: string): Message => ({ role: 'tool', callId: 'c', content: [{ type: 'text', text }] });

const dialect = dialects.get('hermes');

function report(
  messages: readonly Message[],
  used: Prompts,
  options: { images?: boolean; exampleCall?: boolean } = {},
) {
  if (dialect === undefined) throw new Error('there is no hermes');
  const rule = { ...defaultModelRule, ...options };
  const request = chatRequest({ messages, tools });
  const written = writeHistory({ request, dialect, rule, nativeIdOf: () => undefined });
  return promptByTemplate({ written, prompts: used, tools, dialect });
}

const textIn = ({ messages }: { readonly messages: readonly Message[] }) =>
  messages.map(({ content }) => textOf(content)).join('\n');

describe('a request that is told by a template', () => {
  const everything = prompts(template(...variables));

  it('A-115: results come with the context of the request that they belong to', () => {
    const history = [say('user', '<context>CTX</context> go'), calls, result('R')];
    expect(textIn(report(history, everything).news(false))).toContain('[context] <context>CTX</context>');
    const without = textIn(report(history, prompts(template('results', 'task'))).news(false));
    expect(without).not.toContain('CTX');
    const later = [...history, say('assistant', 'done'), say('user', 'thanks')];
    expect(textIn(report(later, everything).news(false))).not.toContain('CTX');
  });

  it('messages of the user before the last one are context where that is named, else a part of the task', () => {
    const messages = [say('user', 'first'), say('user', 'second')];
    expect(textIn(report(messages, everything).whole())).toContain('[context] first\n[task] second');
    expect(textIn(report(messages, prompts(template('task'))).whole())).toBe('[task] first\n\nsecond');
  });

  it('A-116: what rules and system text say is in the digest, and what templates make of it is not', () => {
    const messages = [say('system', 'S'), say('user', 'u')];
    const digest = (used: Prompts, given = messages) => report(given, used).digest();
    expect(digest(everything)).toBe(digest(prompts(template('task'))));
    expect(digest(everything)).toBe(digest(everything, [...messages, say('assistant', 'a'), say('user', 'v')]));
    expect(digest(prompts(template('task'), { rules: () => 'Be brief.' }))).not.toBe(digest(everything));
    expect(digest(everything, [say('system', 'T'), say('user', 'u')])).not.toBe(digest(everything));
  });

  it('B-032: an example of a call is history', () => {
    const told = textIn(report([say('user', 'u')], everything, { exampleCall: true }).whole());
    expect(told).toMatch(/\[history\] ## User\n\n[^\n]*show me once[\s\S]*## Assistant\n\n<tool_call>/);
  });

  it('what it says at the beginning is heard later, too, without what was said', () => {
    const rules = 'End with <final_answer>.';
    const messages = [say('system', 'S'), say('user', 'one'), say('assistant', 'two'), say('user', 'three')];
    const told = report(messages, prompts(template('system', 'rules', 'history', 'task'), { rules: () => rules }));
    expect(textIn(told.news(false))).not.toContain('S');
    const heard = told.messagesSeen();
    expect(heard.slice(0, -1)).toEqual(messages);
    expect(textIn({ messages: heard.slice(-1) })).toBe(`[system] S\n[rules] ${rules}`);
  });

  it('A-071: long system text is told of', () => {
    const told = report([say('system', 's'.repeat(10_001)), say('user', 'u')], everything);
    for (const said of [told.whole(), told.news(false)])
      expect(said.warnings.map(({ code }) => code)).toEqual(['system-long']);
  });

  it('images follow the text, those of the past in a new conversation only', () => {
    const image = { type: 'image', url: 'https://example.org/a.png' } as const;
    const messages: Message[] = [
      { role: 'user', content: [image, { type: 'text', text: 'look' }] },
      say('assistant', 'I see'),
      say('user', 'and?'),
    ];
    const images = (said: { readonly messages: readonly Message[] }) =>
      said.messages.flatMap(({ content }) => content.filter(({ type }) => type === 'image'));
    const told = report(messages, everything, { images: true });
    expect(images(told.whole())).toEqual([image]);
    expect(images(told.news(false))).toEqual([]);
  });

  it('A-111: loses no word, whatever the template names (property)', () => {
    let count = 0;
    const word = fc.constant(0).map(() => {
      count += 1;
      return `w${count}w`;
    });
    const tag = fc.constantFrom('context', 'attachments', 'instructions', 'userRequest', 'environment_info', 'b');
    const piece = fc.oneof(
      word,
      fc.tuple(tag, word).map(([name, inner]) => `<${name}>${inner}</${name}>`),
      fc.tuple(tag, word).map(([name, inner]) => `<${name}>${inner}`),
    );
    const text = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join('\n'));
    const turn = fc.oneof(
      text.map((words) => [say('user', words)]),
      text.map((words) => [say('assistant', words), say('user', 'next')]),
      text.map((words) => [calls, result(words)]),
    );
    const history = fc
      .tuple(text, text, fc.array(turn, { maxLength: 4 }))
      .map(([system, first, turns]) => [say('system', system), say('user', first), ...turns.flat()]);
    const optional = fc.subarray<PromptVariable>(['instructions', 'attachments', 'context', 'tool_list', 'rules']);
    fc.assert(
      fc.property(history, optional, (messages, named) => {
        const used = prompts(template('system', 'tools', 'history', 'results', 'task', ...named));
        const wordsOf = (from: readonly Message[]) =>
          from.flatMap(({ content }) => textOf(content).match(/w\d+w/g) ?? []);
        const told = report(messages, used);
        const whole = textIn(told.whole());
        expect(wordsOf(messages).filter((each) => !whole.includes(each))).toEqual([]);
        const since = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1);
        const news = textIn(told.news(false));
        expect(wordsOf(since.filter(({ role }) => role !== 'system')).filter((each) => !news.includes(each))).toEqual(
          [],
        );
      }),
    );
  });
});
