import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { askTextModel, findDialect } from '@dragoman/core';
import { describe, expect, it } from 'vitest';
import { KeptMetadata } from './kept-metadata.ts';
import { PartReader } from './read-parts.ts';
import { contentOf } from './whole-reply.ts';
import { PartWriter } from './write-parts.ts';

const tools = [{ name: 'read', inputSchema: { type: 'object', properties: {} } }];
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const signed = { some: { signature: 's' } };

const finish = (unified: 'stop' | 'other' | 'error' | 'interrupted' | 'tool-calls'): LanguageModelV4StreamPart => ({
  type: 'finish',
  finishReason: { unified, raw: `raw ${unified}` },
  usage,
  providerMetadata: signed,
});

const texts = (...deltas: string[]): LanguageModelV4StreamPart[] => [
  { type: 'text-start', id: 't' },
  ...deltas.map((delta): LanguageModelV4StreamPart => ({ type: 'text-delta', id: 't', delta })),
  { type: 'text-end', id: 't' },
];

function readAll(parts: readonly LanguageModelV4StreamPart[]): LanguageModelV4StreamPart[] {
  const request = {
    model: 'some',
    messages: [],
    tools,
    toolChoice: 'auto' as const,
    parallelToolCalls: true,
    stream: true,
    includeUsage: false,
    sampling: {},
    extra: {},
    warnings: [],
  };
  const out: LanguageModelV4StreamPart[] = [];
  const kept = new KeptMetadata();
  const pass = (part: LanguageModelV4StreamPart) => void out.push(part);
  const writer = new PartWriter(pass, kept);
  const { read } = askTextModel(request, { dialect: findDialect('hermes') });
  const reader = new PartReader({ stage: read((event) => writer.write(event)), pass, kept, warnings: [] });
  for (const part of parts) reader.read(part);
  reader.end();
  return out;
}

describe('parts of a reply', () => {
  it('pass as they are where they mean nothing to the engine', () => {
    const source = { type: 'source', sourceType: 'url', id: 's', url: 'https://example.org' } as const;
    const raw = { type: 'raw', rawValue: 1 } as const;
    const own: LanguageModelV4StreamPart[] = [
      { type: 'tool-input-start', id: 'p', toolName: 'search', providerExecuted: true },
      { type: 'tool-input-delta', id: 'p', delta: '{}' },
      { type: 'tool-input-end', id: 'p' },
      { type: 'tool-call', toolCallId: 'p', toolName: 'search', input: '{}', providerExecuted: true },
      { type: 'tool-result', toolCallId: 'p', toolName: 'search', result: 'found' },
    ];
    const out = readAll([...texts('Hi'), source, raw, ...own, finish('stop')]);
    expect(out).toEqual(expect.arrayContaining([source, raw, ...own]));
  });

  it('keep the signature of reasoning, and what is said of a native call', () => {
    const out = readAll([
      { type: 'reasoning-start', id: 'r', providerMetadata: signed },
      { type: 'reasoning-delta', id: 'r', delta: 'Hm.' },
      { type: 'reasoning-end', id: 'r' },
      { type: 'tool-input-start', id: 'c', toolName: 'read' },
      { type: 'tool-input-end', id: 'c' },
      { type: 'tool-call', toolCallId: 'c', toolName: 'read', input: '{}', providerMetadata: signed },
      finish('tool-calls'),
    ]);
    expect(contentOf(out)).toEqual([
      { type: 'reasoning', text: 'Hm.', providerMetadata: signed },
      { type: 'tool-call', toolCallId: 'c', toolName: 'read', input: '{}', providerMetadata: signed },
    ]);
    expect(out.filter(({ type }) => type === 'tool-input-start')).toHaveLength(1);
  });

  it.each([
    ['other', 'other'],
    ['stop', 'stop'],
    // A server that saw calls of which none is left.
    ['tool-calls', 'stop'],
    ['error', 'error'],
    ['interrupted', 'interrupted'],
  ] as const)('that end with %s say %s', (unified, said) => {
    const last = readAll([...texts('Hi'), finish(unified)]).at(-1);
    expect(last).toMatchObject({
      type: 'finish',
      finishReason: { unified: said, raw: `raw ${unified}` },
      providerMetadata: signed,
    });
  });

  it('never take a call for whole that a bad end has cut', () => {
    const out = readAll([...texts('<tool_call>{"name":"read","arguments":{}'), finish('error')]);
    expect(out.map(({ type }) => type)).not.toContain('tool-call');
    expect(contentOf(out)).toEqual([{ type: 'text', text: '<tool_call>{"name":"read","arguments":{}' }]);
  });

  it('that stop without an end end with an error, after what was held back', () => {
    const out = readAll(texts('Look: <tool_'));
    expect(contentOf(out)).toEqual([{ type: 'text', text: 'Look: <tool_' }]);
    expect(out.at(-1)).toMatchObject({ type: 'error', error: { code: 'upstream-cut' } });
  });
});
