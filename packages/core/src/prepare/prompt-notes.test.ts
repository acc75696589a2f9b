import { describe, expect, it } from 'vitest';
import type { Message } from '../chat/message.ts';
import { defaultModelRule } from '../plan/rules.ts';
import { matchResults } from './match-results.ts';
import { placeSystem } from './place-system.ts';
import { noteResults } from './prompt-notes.ts';

const user: Message = { role: 'user', content: [{ type: 'text', text: 'Go' }] };
const calls = (...ids: string[]): Message => ({
  role: 'assistant',
  content: ids.map((callId) => ({ type: 'tool-call', callId, name: 'read', arguments: '{}' })),
});
const result = (callId: string, text: string): Message => ({
  role: 'tool',
  callId,
  content: [{ type: 'text', text }],
});
const rule = defaultModelRule.results;
const noted = (...messages: Message[]) => noteResults(messages, matchResults(messages, rule));

describe('noteResults', () => {
  it('A-207 A-208 tells of the last round what was expected, what came and what was matched', () => {
    const messages = [user, calls('old'), result('old', 'x'), calls('call_0123456789', 'b', 'c')];
    expect(noted(...messages, result('b', 'Error: no'), result('call_0123456789', 'abc'), result('zz', 'x'))).toEqual({
      expected: 3,
      received: 3,
      matched: [
        { tool: 'read', callId: 'call_012…', status: 'ok', length: 3 },
        { tool: 'read', callId: 'b', status: 'error', length: 9 },
      ],
    });
    expect(noted(...messages)).toEqual({ expected: 3, received: 0, matched: [] });
  });

  it('A-207 says nothing of rounds that the model has answered, and of chats without calls', () => {
    const spoken: Message = { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] };
    expect(noted(user, calls('a'), result('a', 'x'), spoken, user)).toBeUndefined();
    expect(noted(user)).toBeUndefined();
  });

  it('A-208 stays short for a round of very many calls', () => {
    const ids = Array.from({ length: 500 }, (_, index) => `call_${index}`);
    const note = noted(user, calls(...ids), ...ids.map((id) => result(id, 'x')));
    expect(note).toMatchObject({ expected: 500, received: 500 });
    expect(note?.matched).toHaveLength(20);
  });
});

describe('the note of system text', () => {
  const system = (text: string): Message => ({ role: 'system', content: [{ type: 'text', text }] });

  it('A-081 counts what went into a user message, and only that', () => {
    const messages = [system('four'), system('six six'), user];
    for (const placement of ['first-user', 'both'] as const) {
      expect(placeSystem(messages, { toolText: 'TOOLS', placement }).system).toEqual({
        place: placement,
        texts: 2,
        length: 11,
      });
      expect(placeSystem([user], { toolText: 'TOOLS', placement }).system).toBeUndefined();
    }
    expect(placeSystem(messages, { toolText: 'TOOLS', placement: 'system' }).system).toBeUndefined();
  });
});
