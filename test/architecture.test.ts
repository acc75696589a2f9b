import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { missingLine } from './documents/match-output.ts';
import { readDocument } from './documents/read-document.ts';
import { traceRequest } from './documents/trace-request.ts';

// The request that ARCHITECTURE.md follows, sent through the real stages.

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { blocks } = readDocument(root, 'ARCHITECTURE.md');
const block = (name: string) => {
  const found = blocks.find(({ use, name: other }) => use === 'trace' && other === name);
  if (found === undefined) throw new Error(`ARCHITECTURE.md has no block "trace ${name}"`);
  return found.text;
};
const linesOf = (events: readonly unknown[]) => events.map((event) => JSON.stringify(event)).join('\n');

const trace = traceRequest(JSON.parse(block('client')), `${block('upstream')}\n\n`);

it('reads the request as the page says', () => {
  expect(trace.request).toMatchObject(JSON.parse(block('request')));
});

it('plans as the page says', () => {
  expect(trace.plan).toMatchObject(JSON.parse(block('plan')));
});

it('prepares the prompt that the page shows, and no tools', () => {
  expect(trace.upstreamBody).not.toHaveProperty('tools');
  const { messages } = JSON.parse(JSON.stringify(trace.upstreamBody));
  expect(missingLine(block('prompt'), messages[0].content)).toBeUndefined();
  expect(messages[1]).toEqual({ role: 'user', content: 'What is in README.md?' });
});

it('reads and parses the events that the page shows', () => {
  expect(linesOf(trace.upstreamEvents)).toBe(block('events'));
  expect(linesOf(trace.parsed)).toBe(block('parsed'));
});

it('writes the frames that the page shows, and the whole engine writes the same', () => {
  expect(missingLine(block('written'), trace.written)).toBeUndefined();
  expect(trace.written.split('\n').filter((line) => line !== '')).toHaveLength(block('written').split('\n').length);
  expect(trace.answered).toBe(trace.written);
});
