import { describe, expect, it } from 'vitest';
import { runStage } from '../stream/stage.ts';
import { dialects } from './registry.ts';

const tools = [{ name: 'say', inputSchema: { type: 'object', properties: { text: { type: 'string' } } } }];
const call = { callId: 'a', ordinal: 0, name: 'say', arguments: '{"text":"hello"}' };

/** Each closer after the value of the call, as the dialect itself writes it. */
const rows = [...dialects.values()].flatMap((dialect) => {
  const written = dialect.renderCalls([call], tools);
  const tail = written.slice(written.lastIndexOf('hello') + 'hello'.length);
  const closers = [
    '</tool_call>',
    '</tool_calls>',
    '</function>',
    '</TOOLCALL>',
    '<|tool_call_end|>',
    '<|action_end|>',
  ];
  return closers
    .filter((closer) => tail.includes(closer))
    .map((closer) => ({ id: dialect.id, dialect, written, closer }));
});

it('finds the dialects', () => {
  expect(rows.length).toBeGreaterThan(8);
});

describe.each(rows)('$id', ({ dialect, written, closer }) => {
  it.each([closer, `\n${closer}`])('a closer that stands twice is no text: %j', (extra) => {
    const spans = runStage(dialect.createParser({ tools }), [written + extra]);
    expect(spans.filter(({ kind }) => kind === 'call')).toHaveLength(1);
    expect(spans.filter(({ kind }) => kind === 'text')).toEqual([]);
  });
});
