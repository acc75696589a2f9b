import { describe, expect, it } from 'vitest';
import { type Message, textOf } from '../chat/message.ts';
import { placeSystem } from './place-system.ts';
import { shortSystemText } from './system-field.ts';

const system = (text: string): Message => ({ role: 'system', content: [{ type: 'text', text }] });
const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const assistant: Message = { role: 'assistant', content: [{ type: 'text', text: 'hi' }] };
const shown = (messages: readonly Message[]) =>
  messages.map((message) => `${message.role}: ${textOf(message.content)}`);

describe('placeSystem', () => {
  it('A-061 A-084 B-028 changes nothing in system placement when no tools are taught', () => {
    const messages = [system('a'), user('u'), system('b')];
    expect(placeSystem(messages, { toolText: '', placement: 'system' }).messages).toBe(messages);
  });

  it('B-022 B-024 puts the client text first, several joined by a blank line, and the tools after it', () => {
    const { messages } = placeSystem([system('a'), system('b'), user('u')], { toolText: 'TOOLS', placement: 'system' });
    expect(shown(messages)).toEqual(['system: a\n\nb\n\n---\n\nTOOLS', 'user: u']);
  });

  it('B-023 sends a default only when tools are taught and no system text exists', () => {
    const { messages } = placeSystem([user('u')], { toolText: 'TOOLS', placement: 'system' });
    expect(shown(messages)[0]).toBe('system: You are a helpful assistant.\n\n---\n\nTOOLS');
    expect(placeSystem([user('u')], { toolText: '', placement: 'first-user' }).messages).toEqual([user('u')]);
  });

  it('A-060 A-087 moves system text and tools into the first user message of any conversation', () => {
    const { messages } = placeSystem([system('a'), user('u'), assistant, user('v')], {
      toolText: 'TOOLS',
      placement: 'first-user',
    });
    expect(shown(messages)).toEqual([
      'user: <system_context>\n=== Agent Instructions ===\na\n\n=== Tools ===\nTOOLS\n</system_context>\n\nu',
      'assistant: hi',
      'user: v',
    ]);
  });

  it('A-077 makes a user turn when there is none', () => {
    const { messages } = placeSystem([system('a')], { toolText: '', placement: 'first-user' });
    expect(messages).toHaveLength(1);
    expect(messages[0]?.role).toBe('user');
    expect(shown(messages)[0]).toContain('=== Agent Instructions ===\na\n');
  });

  it('A-079 writes to both places on request', () => {
    const { messages } = placeSystem([system('a'), user('u')], { toolText: 'TOOLS', placement: 'both' });
    expect(shown(messages)[0]).toBe('system: a\n\n---\n\nTOOLS');
    expect(shown(messages)[1]).toContain('=== Tools ===\nTOOLS\n</system_context>\n\nu');
  });

  it('A-079 A-118 sends the model from the place for system text to where it stands, when that is wanted', () => {
    const where = { toolText: 'TOOLS', placement: 'first-user', redundant: shortSystemText } as const;
    const { messages } = placeSystem([system('a'), user('u')], where);
    expect(shown(messages)).toEqual([
      `system: ${shortSystemText}`,
      expect.stringContaining('a\n\n=== Tools ===\nTOOLS'),
    ]);
    expect(placeSystem(messages, where).messages).toEqual(messages);
    expect(placeSystem([user('u')], { ...where, toolText: '' }).messages).toEqual([user('u')]);
    expect(shortSystemText.length).toBeLessThan(100);
    expect(textOf(messages[1]?.content ?? [])).not.toContain(shortSystemText);
  });

  it('A-066 heads several texts as the rule says', () => {
    const where = { toolText: '', placement: 'first-user' } as const;
    const texts = [system('a'), system('b'), user('u')];
    const headings = (labels: 'agent' | 'workspace' | 'parts') =>
      shown(placeSystem(texts, { ...where, labels }).messages)[0]?.match(/(?<==== ).*(?= ===)/g);
    expect(headings('agent')).toEqual(['Agent Instructions', 'System Context 2']);
    expect(headings('workspace')).toEqual(['Agent Instructions', 'Workspace Context']);
    expect(headings('parts')).toEqual(['System Instructions (Part 1)', 'System Instructions (Part 2)']);
  });

  it('B-026 B-027 applied twice changes nothing, whatever words the client uses itself', () => {
    for (const placement of ['system', 'first-user', 'both'] as const) {
      for (const toolText of ['', 'TOOLS <tools> Available Tools']) {
        for (const systems of [[], [system('Available Tools <tools>')], [system('a'), system('b')]]) {
          const once = placeSystem([...systems, user('u <system_context>')], { toolText, placement }).messages;
          expect(placeSystem(once, { toolText, placement }).messages).toEqual(once);
          if (toolText !== '') expect(shown(once).join('\n')).toContain(toolText);
        }
      }
    }
  });

  it('A-086 B-031 brings changed tools to the model', () => {
    const where = { placement: 'first-user' } as const;
    const once = placeSystem([system('a'), user('u')], { ...where, toolText: 'OLD' }).messages;
    const twice = placeSystem(once, { ...where, toolText: 'NEW' }).messages;
    expect(shown(twice).join('\n')).toContain('NEW');
  });
});
