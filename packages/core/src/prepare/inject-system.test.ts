import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message, Part } from '../chat/message.ts';
import { extractInjectedSystem, injectSystemIntoUserMessage, type Placed } from './inject-system.ts';

const text = (value: string): Part => ({ type: 'text', text: value });
const system = (...values: string[]): Message => ({ role: 'system', content: values.map(text) });
const user = (...values: string[]): Message => ({ role: 'user', content: values.map(text) });
const assistant: Message = { role: 'assistant', content: [{ type: 'text', text: 'hi' }] };
const tool: Message = { role: 'tool', callId: 'a', content: [text('x')] };
const image: Part = { type: 'image', url: 'data:image/png;base64,AA==' };

function firstText(placed: Placed): string {
  const [part] = placed.messages.find((message) => message.role === 'user')?.content ?? [];
  return part?.type === 'text' ? part.text : '';
}

describe('injectSystemIntoUserMessage', () => {
  it('A-060 A-064 A-065 A-066 A-068 puts the block before the first user text and drops the system message', () => {
    const own = '<context>\nc\n</context>\n<userRequest>\ndo\n</userRequest>';
    const placed = injectSystemIntoUserMessage([system('You are Copilot.'), user(own)]);
    expect(placed.messages).toHaveLength(1);
    expect(firstText(placed)).toBe(
      `<system_context>\n=== Agent Instructions ===\nYou are Copilot.\n</system_context>\n\n${own}`,
    );
    expect(placed.warnings).toEqual([]);
  });

  it('A-066 A-067 A-070 heads several system messages in order, each on its own line', () => {
    const block = firstText(injectSystemIntoUserMessage([system('one'), system('two'), user('u'), system('three')]));
    expect(block).toBe(
      '<system_context>\n=== Agent Instructions ===\none\n\n=== System Context 2 ===\ntwo\n\n=== System Context 3 ===\nthree\n</system_context>\n\nu',
    );
  });

  it('A-066 labels sections as the option says (conflict 4)', () => {
    const messages = [system('one'), system('two'), system('three'), user('u')];
    const headings = (labels: 'agent' | 'workspace' | 'parts') =>
      firstText(injectSystemIntoUserMessage(messages, { labels }))
        .split('\n')
        .filter((line) => line.startsWith('==='));
    expect(headings('agent')[1]).toBe('=== System Context 2 ===');
    expect(headings('workspace')).toEqual([
      '=== Agent Instructions ===',
      '=== Workspace Context ===',
      '=== System Context 3 ===',
    ]);
    expect(headings('parts')[2]).toBe('=== System Instructions (Part 3) ===');
  });

  it('A-063 changes the first user message only', () => {
    const second = user('second');
    const placed = injectSystemIntoUserMessage([system('s'), user('first'), second]);
    expect(placed.messages[1]).toBe(second);
  });

  it('A-062 A-069 A-077 returns the same list without a system message, without a user message, or with nothing to say', () => {
    for (const messages of [[user('u')], [system('s')], [], [system(''), user('u')]]) {
      expect(injectSystemIntoUserMessage(messages).messages).toBe(messages);
    }
  });

  it('A-062 A-072 leaves a running conversation alone unless told to inject always (A-087)', () => {
    const running = [system('s'), user('u'), assistant, tool, user('v')];
    expect(injectSystemIntoUserMessage(running).messages).toBe(running);
    const placed = injectSystemIntoUserMessage(running, { when: 'always' });
    expect(placed.messages).toHaveLength(4);
    expect(firstText(placed)).toContain('<system_context>');
  });

  it('A-071 reports long system text once, with its size and without its text', () => {
    const warnings = (length: number) => injectSystemIntoUserMessage([system('s'.repeat(length)), user('u')]).warnings;
    expect(warnings(9_999)).toEqual([]);
    expect(warnings(10_000)).toEqual([]);
    const message = 'The system text has 10001 characters. Shorten it if the context window is small.';
    expect(warnings(10_001)).toEqual([{ code: 'system-long', message }]);
  });

  it('A-073 takes another tag name when a text of the user already uses one, in any part and message', () => {
    const tagOf = (...messages: Message[]) =>
      firstText(injectSystemIntoUserMessage([system('s'), ...messages])).split('>')[0];
    expect(tagOf(user('a <system_context> b'))).toBe('<agent_system_context');
    expect(tagOf(user('a </system_context> b'))).toBe('<agent_system_context');
    expect(tagOf(user('a'), user('b', '<system_context>'))).toBe('<agent_system_context');
    expect(tagOf(user('<system_context>', '<agent_system_context>'))).toBe('<agent_system_context_2');
    expect(tagOf(user('<system_context></agent_system_context_2><agent_system_context_3>'))).toBe(
      '<agent_system_context_4',
    );
    expect(tagOf(user('the system_context is a word'))).toBe('<system_context');
    expect(firstText(injectSystemIntoUserMessage([system('</system_context>'), user('u')]))).toContain(
      '<agent_system_context>',
    );
  });

  it('A-074 puts the block as a new first part before list content', () => {
    const content = [image, text('a'), text('b')];
    const placed = injectSystemIntoUserMessage([system('s'), { role: 'user', content }]);
    const [message] = placed.messages;
    expect(message?.content).toHaveLength(4);
    expect(message?.content.slice(1)).toEqual(content);
    expect(firstText(placed)).toBe('<system_context>\n=== Agent Instructions ===\ns\n</system_context>\n\n');
  });

  it('A-075 joins the text parts of a system message by newline and reports its image', () => {
    const placed = injectSystemIntoUserMessage([{ role: 'system', content: [text('a'), image, text('b')] }, user('u')]);
    expect(firstText(placed)).toContain('===\na\nb\n</');
    expect(placed.warnings.map((warning) => warning.code)).toEqual(['part-dropped']);
  });

  it('A-076 takes empty content for empty text', () => {
    const placed = injectSystemIntoUserMessage([system('s'), { role: 'user', content: [] }]);
    expect(firstText(placed)).toContain('=== Agent Instructions ===\ns\n');
  });

  it('A-078 keeps other fields of the message and never changes the input', () => {
    const extra = { 'openai-chat': { cache: true } };
    const messages: Message[] = [system('s'), { role: 'user', content: [text('u')], name: 'ada', extra }];
    const before = structuredClone(messages);
    for (const message of messages) Object.freeze(Object.freeze(message).content);
    const [message] = injectSystemIntoUserMessage(Object.freeze(messages)).messages;
    expect(messages).toEqual(before);
    expect(message).toMatchObject({ role: 'user', name: 'ada', extra });
  });

  it('A-080 finds the block again under any tag name', () => {
    for (const own of ['u', '<system_context>', '<system_context><agent_system_context>\n']) {
      const prompt = `Human: ${firstText(injectSystemIntoUserMessage([system('the rules'), user(own)]))}`;
      expect(extractInjectedSystem(prompt)).toBe('=== Agent Instructions ===\nthe rules');
    }
    expect(extractInjectedSystem('no block <system_context> here')).toBeUndefined();
  });

  it('A-088 does the same when run twice, also when the client sends its system text again (property)', () => {
    const own = fc.array(
      fc.constantFrom('<system_context>', '</agent_system_context_2>', 'x', '<', '_2', 'agent_', '>\n'),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(
        fc.array(
          own.map((pieces) => pieces.join('')),
          { minLength: 1, maxLength: 3 },
        ),
        own,
        (systems, pieces) => {
          const messages = [...systems.map((one) => system(one)), user(pieces.join(''))];
          const once = injectSystemIntoUserMessage(messages).messages;
          expect(injectSystemIntoUserMessage(once).messages).toEqual(once);
          const again = [
            ...messages.filter((message) => message.role === 'system'),
            ...once.filter((message) => message.role === 'user'),
          ];
          expect(injectSystemIntoUserMessage(again).messages.filter(({ role }) => role === 'user')).toEqual(
            once.filter(({ role }) => role === 'user'),
          );
          const result = firstText({ messages: once, warnings: [] });
          expect(result.endsWith(pieces.join(''))).toBe(true);
        },
      ),
    );
  });
});
