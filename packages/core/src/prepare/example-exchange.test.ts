import { describe, expect, it } from 'vitest';
import { textOf } from '../chat/message.ts';
import { dialects } from '../dialects/registry.ts';
import { runStage } from '../stream/stage.ts';
import { exampleExchange } from './example-exchange.ts';

const tools = [
  {
    name: 'read',
    inputSchema: {
      type: 'object',
      properties: { filePath: { type: 'string' }, limit: { type: 'integer', default: 20 }, deep: { type: 'boolean' } },
      required: ['filePath', 'limit'],
    },
  },
  { name: 'list', inputSchema: { type: 'object', properties: {} } },
];

describe.each([...dialects.values()])('the example exchange of $id', (dialect) => {
  it('B-032 shows a call of the first tool that reads as one, and a result that says it is none', () => {
    const messages = exampleExchange(dialect, tools);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
    const spans = runStage(dialect.createParser({ tools }), [textOf(messages[1]?.content ?? [])]);
    expect(spans.filter(({ kind }) => kind === 'call')).toMatchObject([{ name: 'read' }]);
    const json = spans.map((span) => (span.kind === 'arguments' ? span.text : '')).join('');
    expect(JSON.parse(json)).toEqual({ filePath: 'path/to/file', limit: 20 });
    expect(textOf(messages[2]?.content ?? [])).toContain('only an example');
    expect(exampleExchange(dialect, [])).toEqual([]);
  });
});
