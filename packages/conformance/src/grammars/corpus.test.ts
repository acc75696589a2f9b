import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkAnthropic } from './anthropic-grammar.ts';
import { checkOllamaChat } from './ollama-chat-grammar.ts';
import { checkOpenaiChat } from './openai-chat-grammar.ts';
import { checkOpenresponses } from './openresponses-grammar.ts';

// The shared corpus holds what the vendors' own servers write, which differs from our form and breaks no rule.

const corpus = new URL('../../../../corpus/streams/', import.meta.url);
const situations = readdirSync(corpus, { withFileTypes: true }).filter((entry) => entry.isDirectory());
const streams = situations.flatMap(({ name }) =>
  readdirSync(new URL(`${name}/`, corpus)).map((file) => [`${name}/${file}`] as const),
);
const read = (path: string) => readFileSync(new URL(path, corpus), 'utf8');

describe.each([
  // The upstream half always asks for usage.
  ['openai-chat.sse', (stream: string) => checkOpenaiChat(stream, { includeUsage: true })],
  ['openai-responses.sse', checkOpenresponses],
  ['anthropic-messages.sse', checkAnthropic],
  ['ollama-chat.ndjson', checkOllamaChat],
] as const)('%s', (file, check) => {
  const own = streams.filter(([path]) => path.endsWith(`/${file}`));

  it('has streams', () => {
    expect(own.length).toBeGreaterThan(8);
  });

  it.each(own)('%s breaks no rule', (path) => {
    expect(check(read(path)).filter(({ level }) => level === 'violation')).toEqual([]);
  });
});
