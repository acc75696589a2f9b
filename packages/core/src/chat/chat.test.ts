import { checkEvents, violationsOf } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DragomanError } from '../errors.ts';
import { runStage } from '../stream/stage.ts';
import { type CollectedMessage, collect } from './collect.ts';
import type { ChatEvent } from './event.ts';
import { EventWriter } from './event-writer.ts';
import { replayMessage } from './replay.ts';

function written(write: (writer: EventWriter) => void): ChatEvent[] {
  const events: ChatEvent[] = [];
  write(new EventWriter((event) => events.push(event)));
  return events;
}

const good = written((writer) => {
  writer.start('r1', 'm');
  writer.reasoning('let me ');
  writer.reasoning('see');
  writer.text('I ');
  writer.text('read.');
  writer.callStart('call_1', 'read');
  writer.callDelta('{"path":');
  writer.callDelta('"a}"}');
  writer.callEnd();
  writer.callStart('call_2', 'list');
  writer.callDelta('{"dep');
  writer.callCut();
  writer.text('done');
  writer.warning({ code: 'call-cut', message: 'x' });
  writer.usage({ inputTokens: 1, outputTokens: 2, source: 'upstream' });
  writer.usage({ inputTokens: 1, outputTokens: 5, source: 'upstream' });
  writer.end('tool-calls', 'tool_calls');
});

describe('collect', () => {
  it('joins text and reasoning, keeps the order of parts, and does not take a cut call for a call', () => {
    expect(collect(good)).toEqual({
      id: 'r1',
      model: 'm',
      text: 'I read.done',
      reasoning: 'let me see',
      content: [
        { type: 'reasoning', text: 'let me see' },
        { type: 'text', text: 'I read.' },
        { type: 'tool-call', callId: 'call_1', name: 'read', arguments: '{"path":"a}"}' },
        { type: 'text', text: 'done' },
      ],
      calls: [{ callId: 'call_1', name: 'read', arguments: '{"path":"a}"}' }],
      warnings: [{ code: 'call-cut', message: 'x' }],
      usage: { inputTokens: 1, outputTokens: 5, source: 'upstream' },
      finishReason: 'tool-calls',
      rawFinishReason: 'tool_calls',
      complete: true,
    });
  });

  it('keeps what came of a broken stream and says that it is not complete', () => {
    const error = new DragomanError('upstream-cut', 'gone');
    const broken = collect([
      { type: 'message-start', id: 'r', model: 'm' },
      { type: 'text-start', block: 0 },
      { type: 'text-delta', block: 0, text: 'half' },
    ]);
    expect(broken).toMatchObject({ text: 'half', complete: false });
    expect(broken).not.toHaveProperty('finishReason');
    expect(collect([{ type: 'error', error }])).toMatchObject({ error, complete: false });
  });

  it('keeps the signature of a reasoning block', () => {
    const events = written((writer) => {
      writer.start('r', 'm');
      writer.reasoning('hm');
      writer.reasoningEnd({ wire: { signature: 's' } });
      writer.end('stop');
    });
    expect(collect(events).content).toEqual([{ type: 'reasoning', text: 'hm', extra: { wire: { signature: 's' } } }]);
  });
});

it('joins what the deltas of a text tell, apart from what those of the next tell', () => {
  const likely = (...tokens: number[]) => ({ wire: { logprobs: tokens } });
  const first = likely(1);
  const events = written((writer) => {
    writer.start('r', 'm');
    writer.marked({ text: 'a', extra: first });
    writer.text('b');
    writer.marked({ text: '', extra: likely(2, 3) });
    writer.textEnd({ wire: { logprobs: [4], citations: 'c' }, other: { x: 1 } });
    writer.marked({ text: 'c', extra: likely(5) });
    writer.end('stop');
  });
  expect(violationsOf(events)).toEqual([]);
  const message = collect(events);
  expect(message.content).toEqual([
    { type: 'text', text: 'ab', extra: { wire: { logprobs: [1, 2, 3, 4], citations: 'c' }, other: { x: 1 } } },
    { type: 'text', text: 'c', extra: likely(5) },
  ]);
  expect(first).toEqual(likely(1));
  expect(collect(replayMessage(message))).toEqual(message);
});

describe('EventWriter', () => {
  it('writes the events of another stream as they are', () => {
    const extra = { wire: { signature: 's' } };
    const failed = written((writer) => {
      writer.start('r', 'm');
      writer.reasoningEnd(extra);
      writer.reasoning('more');
      writer.fail(new DragomanError('upstream-cut', 'gone'));
    });
    const refused = written((writer) => {
      writer.start('r', 'm');
      writer.text('Well.');
      writer.marked({ text: 'I ', refusal: true });
      writer.marked({ text: 'will not.', refusal: true });
      writer.text('Sorry.');
      writer.end('stop');
    });
    expect(violationsOf(refused)).toEqual([]);
    expect(collect(refused).content).toEqual([
      { type: 'text', text: 'Well.' },
      { type: 'text', text: 'I will not.', refusal: true },
      { type: 'text', text: 'Sorry.' },
    ]);
    for (const events of [good, failed, refused]) {
      const again = written((writer) => {
        for (const event of events) writer.write(event);
      });
      expect(again).toEqual(events);
    }
  });
});

const text = fc.string({ unit: 'grapheme', minLength: 1 });
const part = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text }),
  fc.record({ type: fc.constant('refusal' as const), text }),
  fc.record({ type: fc.constant('reasoning' as const), text }),
  fc.record({ type: fc.constant('tool-call' as const), name: text, value: fc.dictionary(text, fc.jsonValue()) }),
);

/** Random messages; all calls have their own ids. */
const message = fc
  .record({ parts: fc.array(part, { maxLength: 6 }), ending: fc.constantFrom('stop', 'length', 'error') })
  .map(({ parts, ending }): CollectedMessage => {
    const events = written((writer) => {
      writer.start('r', 'm');
      parts.forEach((one, index) => {
        if (one.type === 'text') writer.text(one.text);
        else if (one.type === 'refusal') writer.marked({ text: one.text, refusal: true });
        else if (one.type === 'reasoning') writer.reasoning(one.text);
        else {
          writer.callStart(`call_${index}`, one.name);
          writer.callDelta(JSON.stringify(one.value));
          writer.callEnd();
        }
      });
      if (ending === 'error') writer.fail(new DragomanError('upstream-cut', 'gone'));
      else writer.end(ending === 'stop' ? 'stop' : 'length', ending);
    });
    return collect(events);
  });

describe('replay', () => {
  it('gives events that keep the grammar and collect to the same message', () => {
    fc.assert(
      fc.property(message, (one) => {
        expect(violationsOf(replayMessage(one))).toEqual([]);
        expect(collect(replayMessage(one))).toEqual(one);
      }),
    );
    expect(collect(replayMessage(collect(good)))).toEqual(collect(good));
  });
});

describe('checkEvents', () => {
  it('passes everything on and finds nothing in a good stream', () => {
    const violations: string[] = [];
    expect(
      runStage(
        checkEvents((violation) => violations.push(violation)),
        good,
      ),
    ).toEqual(good);
    expect(violations).toEqual([]);
  });

  it('lets an error are alone, when nothing was read', () => {
    expect(violationsOf([{ type: 'error', error: new DragomanError('connect-timeout', 'x') }])).toEqual([]);
  });

  const start: ChatEvent = { type: 'message-start', id: 'r', model: 'm' };
  const end: ChatEvent = { type: 'message-end', finishReason: 'stop' };
  const call = (block: number, callId: string, name = 'read'): ChatEvent => ({
    type: 'tool-call-start',
    block,
    callId,
    name,
  });
  const bad: readonly [string, string, readonly ChatEvent[]][] = [
    ['no start', 'before message-start', [end]],
    ['a second start', 'a second time', [start, start, end]],
    ['no terminal event', 'without a terminal event', [start]],
    ['something after the end', 'after the terminal event', [start, end, end]],
    ['a delta without block', 'no block is open', [start, { type: 'text-delta', block: 0, text: 'a' }, end]],
    [
      'the wrong kind of delta',
      'while text is open',
      [
        start,
        { type: 'text-start', block: 0 },
        { type: 'reasoning-delta', block: 0, text: 'a' },
        { type: 'text-end', block: 0 },
        end,
      ],
    ],
    [
      'a hole in the numbers',
      'number 1',
      [start, { type: 'text-start', block: 1 }, { type: 'text-end', block: 1 }, end],
    ],
    ['an end inside a block', 'is open', [start, { type: 'text-start', block: 0 }, end]],
    ['two open blocks', 'opens while', [start, { type: 'text-start', block: 0 }, { type: 'text-start', block: 1 }]],
    ['no name', 'no name', [start, call(0, 'a', ''), { type: 'tool-call-cut', block: 0 }, end]],
    ['no id', 'no id', [start, call(0, ''), { type: 'tool-call-cut', block: 0 }, end]],
    [
      'a repeated id',
      'repeats',
      [
        start,
        call(0, 'a'),
        { type: 'tool-call-cut', block: 0 },
        call(1, 'a'),
        { type: 'tool-call-cut', block: 1 },
        end,
      ],
    ],
    [
      'arguments that differ from the slices',
      'other arguments',
      [start, call(0, 'a'), { type: 'tool-call-end', block: 0, arguments: '{}' }, end],
    ],
    [
      'arguments that are no object',
      'not a JSON object',
      [
        start,
        call(0, 'a'),
        { type: 'tool-call-delta', block: 0, text: '[]' },
        { type: 'tool-call-end', block: 0, arguments: '[]' },
        end,
      ],
    ],
    [
      'B-194 a prefix that is whole',
      'were whole',
      [
        start,
        call(0, 'a'),
        { type: 'tool-call-delta', block: 0, text: '{}' },
        { type: 'tool-call-delta', block: 0, text: ' ' },
        { type: 'tool-call-end', block: 0, arguments: '{} ' },
        end,
      ],
    ],
    ['tool-calls without a call', 'without a whole call', [start, { type: 'message-end', finishReason: 'tool-calls' }]],
  ];
  it.each(bad)('finds %s', (_, words, events) => {
    expect(violationsOf(events).join('\n')).toContain(words);
  });
});
