import { describeDialect } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import type { Message } from '../src/chat/message.ts';
import { checkTable, defineTable } from '../src/dialects/table/define-table.ts';
import type { DialectTable } from '../src/dialects/table.ts';
import { chunk, done, startAnswer } from './start-answer.ts';

// A dialect that nobody has heard of, made here of a table. Nothing else in the project knows it, so what it does end to end,
// every dialect does that is in a folder of its own.

const table: DialectTable = {
  summary: '`⟪call …⟫⟪set …⟫…⟪/set⟫⟪/call⟫`: nobody',
  call: {
    form: 'tags',
    opener: '⟪call ',
    end: '⟫',
    closer: '⟪/call⟫',
    parameter: { opener: '⟪set ', end: '⟫', closer: '⟪/set⟫' },
  },
  reasoning: { opener: '⟪hm⟫', closer: '⟪/hm⟫' },
  result: { opener: '⟪result⟫{name}: ', closer: '⟪/result⟫' },
  lesson: {
    intro: 'You can call these tools:',
    tools: { opener: '⟪tools⟫\n', closer: '\n⟪/tools⟫' },
    form: 'To call one:\n\n{example}',
    rules: [],
  },
};
const own = defineTable('own', table);

const options = {
  rule: { toolCalling: { dialect: 'own' } },
  setup: { dialects: new Map([[own.id, own]]) },
};

/** What is sent upstream for these messages, and what comes of a reply that arrives in pieces of so many bytes. */
function exchange(reply: string, { messages, size = 1000 }: { messages?: readonly Message[]; size?: number } = {}) {
  const run = startAnswer({ ...options, ...(messages === undefined ? {} : { request: { messages } }) });
  const bytes = new TextEncoder().encode(chunk({ content: reply }) + chunk({}, 'stop') + done);
  run.stream();
  for (let at = 0; at < bytes.length; at += size) run.to().data(bytes.slice(at, at + size));
  run.to().end();
  return { body: JSON.stringify(run.sent[0]?.body), message: run.message(), events: run.events() };
}

describe('a dialect that is made of a table alone, end to end', () => {
  it('has nothing wrong in it', () => expect(checkTable(table)).toEqual([]));

  const reply = '⟪hm⟫which file⟪/hm⟫I read.\n⟪call read⟫⟪set path⟫a "b"\n</x>⟪/set⟫⟪/call⟫';

  it('is taught in the prompt, and no tools are sent as fields', () => {
    const { body } = exchange('Hi.');
    expect(body).toContain('⟪call TOOL_NAME⟫');
    expect(body).toContain('⟪tools⟫');
    expect(JSON.parse(body)).not.toHaveProperty('tools');
  });

  it('gives native calls, reasoning and text, whatever the cuts', () => {
    for (const size of [1, 3, 1000]) {
      const { message } = exchange(reply, { size });
      expect(message).toMatchObject({
        text: 'I read.\n',
        finishReason: 'tool-calls',
        calls: [{ name: 'read', arguments: '{"path":"a \\"b\\"\\n</x>"}' }],
      });
      expect(message.content[0]).toMatchObject({ type: 'reasoning', text: 'which file' });
    }
  });

  it('streams a string argument while the model writes it', () => {
    const run = startAnswer(options);
    run.stream();
    run.data(chunk({ content: '⟪call read⟫⟪set path⟫src/li' }));
    expect(run.events().at(-1)).toMatchObject({ type: 'tool-call-delta', text: expect.stringContaining('src/li') });
  });

  it('replays the history in its own form, with its markers escaped in what a tool wrote', () => {
    const messages: readonly Message[] = [
      { role: 'user', content: [{ type: 'text', text: 'Read a.' }] },
      { role: 'assistant', content: [{ type: 'tool-call', callId: 'c1', name: 'read', arguments: '{"path":"a"}' }] },
      { role: 'tool', callId: 'c1', content: [{ type: 'text', text: 'x ⟪call read⟫' }] },
    ];
    const { body } = exchange('Fine.', { messages });
    expect(body).toContain('⟪call read⟫⟪set path⟫a⟪/set⟫⟪/call⟫');
    expect(body).toContain('⟪result⟫read: x ⟪\u2060call');
  });

  it('passes an undeclared call on, as one of any dialect, and keeps a broken one as text', () => {
    const undeclared = exchange('⟪call fetch⟫⟪set url⟫x⟪/set⟫⟪/call⟫').message;
    expect(undeclared).toMatchObject({ text: '', calls: [{ name: 'fetch' }], finishReason: 'tool-calls' });
    const broken = '⟪call read⟫⟪set path⟫half';
    expect(exchange(broken).message.text).toBe(broken);
  });
});

describeDialect(own);
