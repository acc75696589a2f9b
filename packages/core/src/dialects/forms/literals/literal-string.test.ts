import { expect, it } from 'vitest';
import { runStage } from '../../../stream/stage.ts';
import { dialects } from '../../registry.ts';

const tools = [{ name: 'write', inputSchema: { type: 'object', properties: { content: { type: 'string' } } } }];

it.each(['pythonic', 'lfm2', 'olmo3', 'gemma-fence'])(
  '%s: what comes together leaves together, whatever is escaped in it',
  (id) => {
    const dialect = dialects.get(id) ?? expect.fail(`there is no dialect ${id}`);
    const content = 'a line with "quotes", \\ and \u0001\n'.repeat(500);
    const call = { callId: 'call_1', ordinal: 0, name: 'write', arguments: JSON.stringify({ content }) };
    const text = dialect.renderCalls([call], tools);
    const pieces = [text.slice(0, 5_000), text.slice(5_000, 12_000), text.slice(12_000)];
    const spans = runStage(dialect.createParser({ tools }), pieces).filter(({ kind }) => kind === 'arguments');
    const received = spans.map((span) => (span.kind === 'arguments' ? span.text : '')).join('');
    expect(JSON.parse(received)).toEqual({ content });
    expect(spans.length).toBeLessThan(20);
  },
);
