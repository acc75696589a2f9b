import { expect, it } from 'vitest';
import type { Span } from '../dialect.ts';
import { hermes } from '../hermes/index.ts';

it('a call that was too long is text, which nobody waits in for the end of a string', () => {
  const tools = [{ name: 'note', inputSchema: { properties: { title: { type: 'string' } }, required: ['title'] } }];
  const limits = { callLength: 100 };
  const found: Span[] = [];
  const parser = hermes.createParser({ tools, limits })((span) => void found.push(span));
  // A quotation mark is missing, and each of the following might close the string.
  const reply = `<tool_call>{"name": "note", "arguments": {"title": ${'"name": "edit", "arguments": {'.repeat(50)}`;
  for (const letter of reply) parser.push(letter);
  const text = found.map((span) => ('text' in span ? span.text : '')).join('');
  expect(text.length).toBeGreaterThan(reply.length - 2 * limits.callLength);
});
