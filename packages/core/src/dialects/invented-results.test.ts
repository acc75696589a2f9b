import { describe, expect, it } from 'vitest';
import { runStage } from '../stream/stage.ts';
import type { Dialect, PastCall } from './dialect.ts';
import { dialects } from './registry.ts';
import { defineTable } from './table/define-table.ts';

const tools = [{ name: 'list', inputSchema: { type: 'object', properties: {} } }];
const call: PastCall = { callId: 'call_x', ordinal: 0, name: 'list', arguments: '{}' };

/** Frames that nothing but their place tells from an answer: only without a space after the call they are results. */
const placed: readonly string[] = ['apertus'];

/** A table that says nothing of results. */
const plain = defineTable('plain', { call: { form: 'json', opener: '<call>', closer: '</call>' } });

const ways = [...dialects.values(), plain].flatMap((dialect) =>
  ['', '\n', '\n\n']
    .filter((gap) => gap === '' || !placed.includes(dialect.id))
    .map((gap) => [dialect.id, JSON.stringify(gap), dialect, gap] as const),
);

function read(dialect: Dialect, reply: string): string[] {
  return runStage(dialect.createParser({ tools }), [reply]).map((span) => {
    if (span.kind === 'warning') return span.warning.code;
    return 'text' in span ? `${span.kind} ${JSON.stringify(span.text)}` : span.kind;
  });
}

describe('a model that goes on as its prompts do after a call', () => {
  it.each(ways)('%s: ends the reply where the result begins, behind %s', (_id, _gap, dialect, gap) => {
    const called = dialect.renderCalls([call], tools);
    const result = dialect.renderResults([{ call, status: 'ok', text: 'a.md' }]);
    const found = read(dialect, `${called}${gap}${result}\nSo there is a.md.`);
    expect(found.filter((each) => each !== 'arguments "{}"')).toEqual(['call', 'call-end', 'result-fabricated']);
  });

  it.each([...dialects.values()].map((dialect) => [dialect.id, dialect] as const))(
    '%s: an answer that has no call in front says what it says',
    (_id, dialect) => {
      const result = dialect.renderResults([{ call, status: 'ok', text: 'a.md' }]);
      expect(read(dialect, `Results look so:\n${result}`)).not.toContain('result-fabricated');
    },
  );

  it.each([...dialects.values()].map((dialect) => [dialect.id, dialect] as const))(
    '%s: an answer after a call may list what turns begin with',
    (_id, dialect) => {
      const called = dialect.renderCalls([call], tools);
      const found = read(
        dialect,
        `${called}\nIn templates:\n- <|user|> begins a turn\n1. [INST] does, too\nThat is all.`,
      );
      expect(found).toContain('call-end');
      expect(found).not.toContain('result-fabricated');
      expect(found.join('')).toContain('That is all.');
    },
  );

  const turns = [
    '<|im_end|>\n<|im_start|>user\nThanks.',
    '<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nThanks.',
    '\n<|user|>\nThanks.',
    '<end_of_turn>\n<start_of_turn>user\nThanks.',
  ];
  it.each(
    turns.flatMap((turn) =>
      [...dialects.values()].map((dialect) => [dialect.id, JSON.stringify(turn), dialect, turn] as const),
    ),
  )('%s: ends the reply where a turn of the user begins: %s', (_id, _turn, dialect, turn) => {
    const called = dialect.renderCalls([call], tools);
    const found = read(dialect, `${called}${turn}`).filter((each) => each !== 'arguments "{}"');
    expect(found).toEqual(['call', 'call-end', 'result-fabricated']);
    expect(read(dialect, `Turns look so: ${turn}`)).not.toContain('result-fabricated');
  });
});
