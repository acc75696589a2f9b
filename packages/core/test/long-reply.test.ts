import { sample, sized } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import type { ChatEvent } from '../src/chat/event.ts';
import type { Dialect, PastCall } from '../src/dialects/dialect.ts';
import { dialects } from '../src/dialects/registry.ts';
import { createReplyParser } from '../src/library/library.ts';

const tools = [
  {
    name: 'write',
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string' }, content: { type: 'string' } },
      required: ['path', 'content'],
    },
  },
];

const line = '  if (a < b && c["d"] > 1) { return `<div class="x">#e</div>`; } // 100 % \\n\n';

describe.each(sample([...dialects.values()], 1))('a reply of a megabyte in single characters, $id', (dialect) => {
  it('B-082 is one call, whole, with the id that it began with; bench/dialects measures what it costs', () => {
    const content = line.repeat(Math.ceil(sized(1_000_000) / line.length));
    const call: PastCall = {
      callId: 'c',
      ordinal: 0,
      name: 'write',
      arguments: JSON.stringify({ path: 'a.ts', content }),
    };
    const reply = `I write it.\n${dialect.renderCalls([call], tools)}`;
    const { ids, whole } = readSlowly(dialect, reply);
    expect(ids).toHaveLength(1);
    expect(JSON.parse(whole)).toEqual({ path: 'a.ts', content });
  });
});

function readSlowly(dialect: Dialect, reply: string): { ids: string[]; whole: string } {
  const ids: string[] = [];
  let whole = '';
  const parser = createReplyParser({ dialect, tools, limits: { callLength: 4_000_000 } })((event: ChatEvent) => {
    if (event.type === 'tool-call-start') ids.push(event.callId);
    if (event.type === 'tool-call-end') whole = event.arguments;
  });
  for (const letter of reply) parser.push(letter);
  parser.end();
  return { ids, whole };
}
