import { describe, expect, it } from 'vitest';
import type { Message } from '../chat/message.ts';
import type { ToolDefinition } from '../chat/tool.ts';
import { readTurn } from './read-turn.ts';

const text = (value: string) => [{ type: 'text' as const, text: value }];
const user: Message = { role: 'user', content: text('Do it.') };
const system: Message = { role: 'system', content: text('You help.') };
const called: Message = {
  role: 'assistant',
  content: [{ type: 'tool-call', callId: 'c', name: 'read', arguments: '{}' }],
};
const marked: Message = {
  role: 'assistant',
  content: [...text('<final_answer>Done</final_answer>'), ...called.content],
};
const answered: Message = { role: 'assistant', content: text('Done.') };
const result: Message = { role: 'tool', callId: 'c', content: text('out') };
const tools: readonly ToolDefinition[] = [{ name: 'read', inputSchema: { type: 'object', properties: {} } }];

describe('what a turn asks for', () => {
  it.each([
    ['tools and nothing said yet', [system, user], tools, 'tools'],
    ['tools, and the model has answered', [user, called, result, answered, user], tools, 'tools'],
    ['results', [user, called, result], tools, 'results'],
    ['results after an answer marked as final', [user, marked, result], tools, 'tools'],
    ['results without tools', [user, called, result], [], 'results'],
    ['results, and a word of the user after them', [user, called, result, user], tools, 'results'],
    ['neither tools nor results', [system, user], [], 'simple'],
    ['a talk without tools', [user, answered, user], [], 'simple'],
  ] as const)('A-044 A-045 A-046 A-047 A-048 %s', (_name, messages, declared, kind) => {
    expect(readTurn({ messages, tools: declared }).kind).toBe(kind);
  });

  it('A-040 knows an answer by its mark, and because nothing was called', () => {
    expect(readTurn({ messages: [user, marked], tools }).isAnswered).toBe(true);
    expect(readTurn({ messages: [user, answered], tools }).isAnswered).toBe(true);
    expect(readTurn({ messages: [user, called], tools }).isAnswered).toBe(false);
  });

  it('A-041 sees results only after what the model said last', () => {
    expect(readTurn({ messages: [user, called, result], tools }).hasResults).toBe(true);
    expect(readTurn({ messages: [user, called], tools }).hasResults).toBe(false);
    expect(readTurn({ messages: [user, called, result, answered, user], tools }).hasResults).toBe(false);
  });

  it('A-038 takes the last user message for the request and those before it for what surrounds it', () => {
    expect(readTurn({ messages: [system, user, user], tools })).toMatchObject({
      isNew: true,
      request: 2,
      context: [1],
    });
    expect(readTurn({ messages: [user, answered, user], tools })).toMatchObject({
      isNew: false,
      request: 2,
      context: [],
    });
    expect(readTurn({ messages: [system], tools })).toMatchObject({ request: -1, context: [] });
  });
});
