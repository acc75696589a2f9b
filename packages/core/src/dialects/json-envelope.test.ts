import { cutText, everySingleCut } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import { runStage } from '../stream/stage.ts';
import type { Span } from './dialect.ts';
import { hermes as hermesParser } from './hermes/index.ts';
import { type EnvelopeAnswers, jsonEnvelope } from './json-envelope.ts';
import { asDialect } from './render/render-table.ts';
import { readAny } from './together/read-any.ts';

const hermes = asDialect(hermesParser);

const tools = [
  { name: 'read', inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] } },
  { name: 'list', inputSchema: { type: 'object', properties: {} } },
];

/** Spans of one kind in a row as one: how finely they are cut means nothing. */
function joined(spans: readonly Span[]): readonly Span[] {
  const all: Span[] = [];
  for (const span of spans) {
    const last = all.at(-1);
    if ('text' in span && last !== undefined && 'text' in last && last.kind === span.kind) {
      all[all.length - 1] = { ...last, text: last.text + span.text };
    } else all.push(span);
  }
  return all;
}

function read(pieces: readonly string[], answers: EnvelopeAnswers = 'text'): readonly Span[] {
  return joined(runStage(jsonEnvelope(hermes, answers).createParser({ tools }), pieces));
}

const text = (said: string): readonly Span[] => (said === '' ? [] : [{ kind: 'text', text: said }]);
const call = (name: string, given: string): readonly Span[] => [
  { kind: 'call', name },
  { kind: 'arguments', text: given },
  { kind: 'call-end' },
];

const replies: readonly (readonly [EnvelopeAnswers, string, readonly Span[]])[] = [
  ['text', '{"answer": "It is late."}', text('It is late.')],
  ['text', ' {\n"answer" : "a \\"b\\" \\\\ \\n \\u00e9 \\ud83d\\ude00 }{"}\n', text('a "b" \\ \n é 😀 }{')],
  ['text', '{"answer": ""}', []],
  // Whatever an answer quotes is no call.
  [
    'text',
    '{"answer": "<tool_call>{\\"name\\": \\"list\\"}</tool_call>"}',
    text('<tool_call>{"name": "list"}</tool_call>'),
  ],
  ['text', '{"name": "read", "arguments": {"path": "a"}}', call('read', '{"path": "a"}')],
  ['none', '{"name": "list", "arguments": {}}', call('list', '{}')],
  ['json', '{"answer": {"a": ["]}", 1]}}', text('{"a": ["]}", 1]}')],
  ['json', '{"answer": [1, "\\\\"] }', text('[1, "\\\\"] ')],
  ['json', '{"answer": "a \\"b\\""}', text('"a \\"b\\""')],
  ['json', '{"name": "list", "arguments": {}}', call('list', '{}')],
  // An answer that broke off has been shown.
  ['text', '{"answer": "It is', text('It is')],
  // What is no envelope is read in the model's own dialect; nothing of it is lost.
  ['text', 'It is late.', text('It is late.')],
  ['text', '<tool_call>\n{"name": "list", "arguments": {}}\n</tool_call>', call('list', '{}')],
  ['text', '{"other": 1}', text('{"other": 1}')],
  ['text', '{"answer": "a"} and more', text('aand more')],
  ['text', '{"ans', text('{"ans')],
  [
    'text',
    '<think>Late?</think>\n{"answer": "It is late."}',
    [{ kind: 'reasoning', text: 'Late?' }, ...text('It is late.')],
  ],
];

describe('a reply that is one JSON object', () => {
  it.each(replies)('with answers %s: %s', (answers, reply, spans) => {
    expect(read([reply], answers)).toEqual(spans);
    for (const cuts of everySingleCut(reply)) expect(read(cutText(reply, cuts), answers)).toEqual(spans);
    expect(read([...reply], answers)).toEqual(spans);
  });

  it('leaves while it is written', () => {
    const spans: Span[] = [];
    const reader = jsonEnvelope(hermes, 'text').createParser({ tools })((span) => spans.push(span));
    reader.push('{"answer": "It');
    expect(spans).toEqual(text('It'));
    reader.push(' is');
    expect(spans).toEqual([...text('It'), ...text(' is')]);
  });

  it('of white space there is an end', () => {
    const endless = `{${' '.repeat(1000)}`;
    expect(read([endless])).toEqual(text(endless));
  });
});

describe('what a model is told of it', () => {
  const dialect = (answers: EnvelopeAnswers) => jsonEnvelope(hermes, answers);
  const prompt = { choice: 'auto', parallel: true } as const;

  it('tools, the form of a call and that of an answer', () => {
    const lesson = dialect('text').renderTools(tools, prompt);
    for (const part of ['"name":"read"', '{"name": "TOOL_NAME"', 'its only key is "answer"'])
      expect(lesson).toContain(part);
    expect(dialect('none').renderTools(tools, { ...prompt, choice: { name: 'read' } })).toContain(
      'must call the tool read',
    );
    expect(dialect('none').renderTools(tools, prompt)).not.toContain('answer');
  });

  it('tools as JSON, however many forms of JSON the model is read in', () => {
    const lesson = jsonEnvelope(readAny(hermes), 'text').renderTools(tools, prompt);
    expect(lesson).toContain('{"type":"function","function":{"name":"read"');
  });

  it('past calls, which are read again as they were', () => {
    const past = { callId: 'c', ordinal: 0, name: 'read', arguments: '{"path": "a"}' };
    const written = dialect('text').renderCalls([past], tools);
    expect(read([written])).toEqual(call('read', '{"path": "a"}'));
  });

  it('is the same dialect each time', () => {
    expect(dialect('text')).toBe(dialect('text'));
    expect(dialect('text')).not.toBe(dialect('json'));
  });
});
