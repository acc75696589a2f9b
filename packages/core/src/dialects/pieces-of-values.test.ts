import { countSteps } from '@dragoman/testkit';
import { expect, it } from 'vitest';
import type { Dialect } from './dialect.ts';
import { dialects } from './registry.ts';

const inputSchema = { type: 'object', properties: { path: { type: 'string' }, content: { type: 'string' } } };
const tools = [{ name: 'write', inputSchema }];
const written = 'some words';

/** A parser in the middle of the value of a call, as the dialect writes it. */
function insideValue(dialect: Dialect, sink: (text: string) => void) {
  const json = JSON.stringify({ path: 'a', content: written });
  const call = { callId: 'c', nativeId: 'functions.write:0', ordinal: 0, name: 'write', arguments: json };
  const reply = dialect.renderCalls([call], tools);
  const parser = dialect.createParser({ tools })((span) => {
    if (span.kind === 'arguments') sink(span.text);
  });
  parser.push(reply.slice(0, reply.lastIndexOf(written) + written.length));
  return parser;
}

it.each([...dialects.values()])(
  '$id: a piece of a value leaves at once, and is looked through a few times',
  (dialect) => {
    const left: string[] = [];
    const parser = insideValue(dialect, (text) => left.push(text));
    left.length = 0;
    const pieces = Array.from({ length: 1000 }, () => ' are');
    const steps = countSteps(() => {
      for (const piece of pieces) parser.push(piece);
    });
    expect(left).toEqual(pieces);
    // Once for what may matter, once for what JSON escapes, and once where it is a string of a string.
    expect(steps / pieces.join('').length).toBeLessThan(4);
  },
);
