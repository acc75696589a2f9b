import { expect, it } from 'vitest';
import { GatewayError } from '../errors.ts';
import { run } from '../stage.ts';
import { dialects } from './registry.ts';

const tools = [
  { name: 'list', inputSchema: { type: 'object', properties: {} } },
  { name: 'write', inputSchema: { type: 'object', properties: { content: { type: 'string' } } } },
];
const call = { callId: 'call_x', ordinal: 0 };
const cut = new GatewayError('upstream-cut', 'It stopped.');

it.each([...dialects.values()].map((dialect) => [dialect.id, dialect] as const))(
  '%s: a call that is quoted in a value runs nowhere, wherever the reply breaks off',
  (_, dialect) => {
    const inner = dialect.renderCalls([{ ...call, name: 'list', arguments: '{}' }], tools).replaceAll('"', "'");
    const outer = dialect.renderCalls([{ ...call, name: 'write', arguments: '{"content":"QUOTED"}' }], tools);
    const at = outer.indexOf('QUOTED');
    // As a model writes it that escapes nothing: on one line, so that it may stand in a string.
    const quoted = inner.replaceAll('\n', ' ');
    const reply = `${outer.slice(0, at)}${quoted} or ${quoted} end`;
    for (let length = at; length <= reply.length; length += 1) {
      const spans = run(dialect.createParser({ tools }), [reply.slice(0, length)], cut);
      const called = spans.flatMap((span) => (span.kind === 'call' ? [span.name] : []));
      expect(called, reply.slice(0, length)).not.toContain('list');
    }
  },
);
