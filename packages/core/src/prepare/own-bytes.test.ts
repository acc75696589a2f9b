import { chatRequest, runs, sample } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCuts, anyLines, cut } from '../../test/file-lines.ts';
import { collect } from '../chat/collect.ts';
import { textOf } from '../chat/message.ts';
import type { ToolDefinition } from '../chat/tool.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { formMarkers } from '../dialects/parser/markers/form-markers.ts';
import { dialects } from '../dialects/registry.ts';
import { anyDialect, readAny } from '../dialects/together/read-any.ts';
import { readTogether } from '../dialects/together/read-together.ts';
import { conversationOf } from '../library/conversation-of.ts';
import { createReplyParser } from '../library/create-reply-parser.ts';
import { defaultModelRule } from '../plan/rules.ts';
import { runStage } from '../stream/stage.ts';
import { prepareTextMessages } from './render-history.ts';

const text = { type: 'string' } as const;
const tools: readonly ToolDefinition[] = ['Edit', 'Task', 'name', 'path', 'command'].map((name) => ({
  name,
  inputSchema: { type: 'object', properties: { old_string: text, content: text }, required: ['content'] },
}));

/** What the model sees of a result, without the frame around it. */
function told(dialect: Dialect, found: string): string {
  const bare: Dialect = { ...dialect, renderResults: (results) => results.map((result) => result.text).join('') };
  const request = chatRequest({
    messages: [
      { role: 'assistant', content: [{ type: 'tool-call', callId: 'a', name: 'Task', arguments: '{}' }] },
      { role: 'tool', callId: 'a', content: [{ type: 'text', text: found }] },
    ],
    tools,
  });
  const { messages } = prepareTextMessages({
    request,
    dialect: bare,
    rule: defaultModelRule,
    nativeIdOf: () => undefined,
  });
  return textOf(messages.at(-1)?.content ?? []);
}

const hermes = dialects.get('hermes') ?? expect.fail('hermes');
const neighbours = ['cline-xml', 'anthropic-xml', 'tool-request'].flatMap((id) => dialects.get(id) ?? []);
const readers = [
  ...[...dialects].map(([id, dialect]) => ({ id, dialect })),
  { id: anyDialect, dialect: readAny(hermes) },
  { id: 'hermes and neighbours', dialect: readTogether(hermes, neighbours) },
];

/** All that the dialect's reader looks for, as far as a grammar says it. */
function literalsOf(dialect: Dialect): readonly string[] {
  const form = dialect.grammar?.({ tools });
  return form === undefined ? [] : [...formMarkers(form).keys()];
}

describe.each(sample(readers, 8))('$id: a model that copies lines of a result', ({ dialect }) => {
  const read = (pieces: readonly string[]) =>
    collect(runStage(createReplyParser({ dialect, tools, conversation: conversationOf({ escaped: true }) }), pieces));

  it('A-209 writes the bytes of the file into a call, streamed and whole', () => {
    fc.assert(
      fc.property(anyLines, anyCuts, (found, sizes) => {
        const copied = told(dialect, found);
        const json = JSON.stringify({ old_string: copied, content: copied });
        const call = dialect.renderCalls([{ callId: 'x', ordinal: 0, name: 'Edit', arguments: json }], tools);
        for (const { calls } of [read([call]), read(cut(call, sizes))]) {
          expect(calls.map((each) => JSON.parse(each.arguments))).toEqual([{ old_string: found, content: found }]);
        }
      }),
      { numRuns: runs(20) },
    );
  });

  it('A-209 writes them into its answer, streamed and whole, and calls nothing', () => {
    fc.assert(
      fc.property(anyLines, anyCuts, (found, sizes) => {
        const answer = `It says:\n${told(dialect, found)}\nNothing else.`;
        for (const { text: shown, calls } of [read([answer]), read(cut(answer, sizes))]) {
          expect(calls).toEqual([]);
          expect(shown).toBe(`It says:\n${found}\nNothing else.`);
        }
      }),
      { numRuns: runs(20) },
    );
  });

  it('A-209 loses nothing that is written like its own marks, wherever it stands', () => {
    for (const literal of sample(literalsOf(dialect), 20)) {
      for (const found of [literal, `a ${literal} b`, `x${literal}\n`]) {
        const { text: shown, calls } = read([`It says:\n${told(dialect, found)}\nNothing else.`]);
        expect(calls).toEqual([]);
        expect(shown).toBe(`It says:\n${found}\nNothing else.`);
      }
    }
  });
});
