import { describe, expect, it } from 'vitest';
import {
  type ChatMessage,
  fromOpenaiMessages,
  pairCalls,
  readChat,
  readMessage,
  toOpenaiMessages,
  withoutStateLines,
} from '../src/index.ts';

const call = { id: 'c1', name: 'read', arguments: { path: 'a.md' } };
const shapes: readonly ChatMessage[] = [
  { role: 'user', content: 'Read.' },
  { role: 'assistant', content: 'I look.', tool_calls: [call] },
  { role: 'tool', content: 'Alpha', tool_call_id: 'c1' },
  { role: 'assistant', content: 'Alpha.', think: 'Hm.' },
];
const migrated = (messages: readonly unknown[], more: object = {}) => {
  const reading = readChat(JSON.stringify({ ...more, messages }), { id: 'x', now: 5 });
  if ('fault' in reading) throw new Error(reading.fault);
  return reading.chat;
};

describe('a message', () => {
  it('D-020: has one of four shapes; the content field is required, and text is refused', () => {
    for (const message of shapes) expect(readMessage(message)).toEqual({ message });
    const faults: readonly (readonly [unknown, string])[] = [
      [{ role: 'user', text: 'old' }, 'no field "text"'],
      [{ role: 'user' }, 'content'],
      [{ role: 'robot', content: '' }, 'no role "robot"'],
      [{ role: 'tool', content: '' }, 'tool_call_id'],
      [{ role: 'assistant', content: '', tool_calls: [{ name: 'read', arguments: {} }] }, '"id"'],
      [{ role: 'assistant', content: '', tool_calls: [{ ...call, arguments: '{}' }] }, '"arguments"'],
      [{ role: 'user', content: '', rawText: '' }, 'no field "rawText"'],
      ['words', 'object'],
    ];
    for (const [value, word] of faults) expect(readMessage(value)).toEqual({ fault: expect.stringContaining(word) });
  });

  it('D-024, D-025: calls have id, name and arguments; results name them', () => {
    expect(JSON.parse(JSON.stringify(shapes[1]))).toEqual({
      role: 'assistant',
      content: 'I look.',
      tool_calls: [{ id: 'c1', name: 'read', arguments: { path: 'a.md' } }],
    });
    const twice = [shapes[0], shapes[1], shapes[2], shapes[1], shapes[2]].flatMap((each) => each ?? []);
    expect(pairCalls(twice).flatMap((each) => (each.role === 'tool' ? each.tool_call_id : []))).toEqual(['c1', 'c1-2']);
  });

  it("D-026, D-027, D-028: the history in OpenAI's form, in order, and back", () => {
    const [user, asked, result] = shapes;
    const history = [user, asked, result].flatMap((each) => each ?? []);
    const sent = toOpenaiMessages(history);
    expect(sent).toEqual([
      user,
      {
        role: 'assistant',
        content: 'I look.',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: '{"path":"a.md"}' } }],
      },
      result,
    ]);
    expect(JSON.stringify(sent)).not.toContain('[TOOL RESULT');
    expect(fromOpenaiMessages(sent)).toEqual(history);
  });

  it('calls without results get one, results without calls go', () => {
    const [user, asked, result] = shapes;
    const broken = [user, result, asked, user].flatMap((each) => each ?? []);
    expect(pairCalls(broken)).toEqual([
      user,
      asked,
      expect.objectContaining({ tool_result: { status: 'cancelled' } }),
      user,
    ]);
    expect(
      pairCalls(
        [asked].flatMap((each) => each ?? []),
        { running: true },
      ),
    ).toEqual([asked]);
  });
});

describe('STATE lines', () => {
  it.each([
    ['STATE: idle\nHello', 'Hello'],
    ['STATE: idle\n\nHello', 'Hello'],
    ['Hello\nSTATE: tool_use\nyou', 'Hello\nyou'],
    ['NEEDS_CONFIRMATION: true\nMay I?', 'May I?'],
    ['The STATE: of the art', 'The STATE: of the art'],
    ['STATE: of the art is a phrase.', 'STATE: of the art is a phrase.'],
    ['```\nSTATE: idle\n```', '```\nSTATE: idle\n```'],
    ['state: idle', 'state: idle'],
    ['', ''],
  ])('D-012, D-013: %j is shown as %j', (text, shown) => {
    expect(withoutStateLines(text)).toBe(shown);
  });
});

describe('migration', () => {
  const old = [
    { role: 'user', text: 'STATE: idle', rawText: 'STATE: idle' },
    {
      role: 'assistant',
      text: 'STATE: reading\nI look.',
      rawText: 'x',
      header: 'STATE: reading',
      headerExpanded: true,
      thinkExpanded: false,
      activityLine: 'reading a.md',
      think: 'Hm.',
      toolCalls: [{ name: 'read', args: { path: 'a.md' } }],
      retrigger: true,
    },
    { role: 'tool', text: 'Alpha', toolCallId: '0-read' },
    {
      role: 'assistant',
      content: 'Alpha.',
      tool_calls: [{ id: 'c9', name: 'list', arguments: '{"path":""}' }],
      toolResult: 'a.md',
    },
  ];

  it('D-021, D-022, D-031: fields get their names, what only a view needs goes, calls keep their results', () => {
    expect(migrated(old).messages).toEqual([
      // What a person said stays, whatever it looks like.
      { role: 'user', content: 'STATE: idle' },
      {
        role: 'assistant',
        content: 'I look.',
        tool_calls: [{ id: '0-read', name: 'read', arguments: { path: 'a.md' } }],
        think: 'Hm.',
      },
      { role: 'tool', content: 'Alpha', tool_call_id: '0-read' },
      { role: 'assistant', content: 'Alpha.', tool_calls: [{ id: 'c9', name: 'list', arguments: { path: '' } }] },
      { role: 'tool', content: 'a.md', tool_call_id: 'c9' },
    ]);
  });

  it('D-031: migration is idempotent, also for mixed files and bare lists', () => {
    const first = migrated([...old, ...shapes]);
    expect(migrated(first.messages, { ...first, version: 2 })).toEqual(first);
    const bare = readChat(JSON.stringify(old), { id: 'x', now: 5 });
    expect('chat' in bare && bare.chat.messages).toEqual(migrated(old).messages);
  });

  it('D-032: missing content becomes an empty string; what is no message goes', () => {
    expect(migrated([{ role: 'user' }, null, 7, { role: 'robot' }, { text: 'x' }]).messages).toEqual([
      { role: 'user', content: '' },
    ]);
  });

  it('D-031, D-035: what cannot be read, and what is newer, is told apart', () => {
    const read = (text: string) => readChat(text, { id: 'x', now: 5 });
    expect(read('{"messages":[')).toEqual({ fault: 'unreadable' });
    expect(read('7')).toEqual({ fault: 'unreadable' });
    expect(read('{"messages":7}')).toEqual({ fault: 'unreadable' });
    expect(read('{"version":3,"messages":[]}')).toEqual({ fault: 'newer' });
  });
});
