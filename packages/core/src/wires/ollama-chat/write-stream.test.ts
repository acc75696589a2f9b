import { collectAsOllama, ollamaChatViolations, violationsOf } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collect } from '../../chat/collect.ts';
import type { ChatEvent } from '../../chat/event.ts';
import { EventWriter } from '../../chat/event-writer.ts';
import { DragomanError } from '../../errors.ts';
import { compactJson } from '../../json/compact-json.ts';
import { runStage } from '../../stream/stage.ts';
import type { ReplyContext } from '../wire.ts';
import { ollamaChatClient, ollamaGenerateClient } from './index.ts';
import { readRequest } from './read-request.ts';
import { createStreamReader } from './read-stream.ts';
import { createStreamWriter } from './write-stream.ts';

const request = readRequest({ model: 'm', messages: [{ role: 'user', content: 'hi' }] });
const context: ReplyContext = { request, replyId: '0a1b2c', created: 1_700_000_000, elapsed: () => 2.5 };

function events(write: (writer: EventWriter) => void): ChatEvent[] {
  const list: ChatEvent[] = [];
  const writer = new EventWriter((event) => list.push(event));
  writer.start('r', 'm');
  write(writer);
  expect(violationsOf(list)).toEqual([]);
  return list;
}

const lines = (list: readonly ChatEvent[], about = context) => runStage(createStreamWriter(about, 'chat'), list);
const stream = (list: readonly ChatEvent[], about = context) => lines(list, about).join('');

function twoCalls(writer: EventWriter): void {
  writer.reasoning('Let me look.');
  writer.text('I read ');
  writer.text('both.');
  writer.callStart('call_a', 'read');
  writer.callDelta('{"path":');
  writer.callDelta('"a"}');
  writer.callEnd();
  writer.callStart('call_b', 'now');
  writer.callEnd();
  writer.usage({ inputTokens: 7, outputTokens: 3, source: 'upstream' });
  writer.end('tool-calls');
}

describe('a stream of lines', () => {
  it('A-007 ends with done, counts and durations; calls are whole objects with ids', () => {
    const text = stream(events(twoCalls));
    expect(ollamaChatViolations(text)).toEqual([]);
    expect(text.split('\n').map((line) => (line === '' ? '' : JSON.parse(line)))).toEqual([
      line({ thinking: 'Let me look.' }),
      line({ content: 'I read ' }),
      line({ content: 'both.' }),
      line({ tool_calls: [{ id: 'call_a', function: { index: 0, name: 'read', arguments: { path: 'a' } } }] }),
      line({ tool_calls: [{ id: 'call_b', function: { index: 1, name: 'now', arguments: {} } }] }),
      {
        ...line({}),
        done: true,
        done_reason: 'stop',
        total_duration: 2_500_000,
        load_duration: 0,
        prompt_eval_count: 7,
        prompt_eval_duration: 2_500_000,
        eval_count: 3,
        eval_duration: 1,
      },
      '',
    ]);
    expect(collectAsOllama(text)).toMatchObject({ text: 'I read both.', thinking: 'Let me look.', doneReason: 'stop' });
  });

  const line = (message: object) => ({
    model: 'm',
    created_at: '2023-11-14T22:13:20.000Z',
    message: { role: 'assistant', content: '', ...message },
    done: false,
  });

  it('lets text out at once and a call when it is whole, on one line and with all its digits', () => {
    const out: string[] = [];
    const writer = createStreamWriter(context, 'chat')((one) => out.push(one));
    const list = events((events) => {
      events.text('a');
      events.callStart('x', 'read');
      events.callDelta('{\n  "id": 12345678901234567890,\r\n\t');
      events.callDelta('"text": "a \\" b\\n  c"\n}');
      events.callEnd();
      events.end('tool-calls');
    });
    const seen = list.map((event) => {
      writer.push(event);
      return [event.type, out.length];
    });
    expect(seen.find(([type]) => type === 'text-delta')).toEqual(['text-delta', 1]);
    expect(seen.find(([type]) => type === 'tool-call-end')).toEqual(['tool-call-end', 2]);
    expect(out[1]).toContain('"arguments":{"id":12345678901234567890,"text":"a \\" b\\n  c"}');
    expect(ollamaChatViolations(out.join(''), { uncounted: true })).toEqual([]);
  });

  it('never shows a call that was cut', () => {
    const text = stream(
      events((writer) => {
        writer.callStart('x', 'read');
        writer.callDelta('{"path":"a"');
        writer.callCut();
        writer.text('{"path":"a"');
        writer.end('length');
      }),
    );
    expect(collectAsOllama(text)).toMatchObject({ calls: [], text: '{"path":"a"', doneReason: 'length' });
  });

  it('ends with an error line and nothing else, also without a terminal event', () => {
    const failed = events((writer) => {
      writer.text('a');
      writer.fail(new DragomanError('upstream-cut', 'It broke off.'));
    });
    expect(stream(failed).split('\n').slice(1)).toEqual(['{"error":"It broke off."}', '']);
    expect(ollamaChatViolations(stream(failed))).toEqual([]);
    const silent = runStage(createStreamWriter(context, 'chat'), [], new DragomanError('idle-timeout', 'Too slow.'));
    expect(silent).toEqual(['{"error":"Too slow."}\n']);
    expect(runStage(createStreamWriter(context, 'chat'), [])).toHaveLength(1);
  });

  it('A-170 never parts a character, and shows a half one as it is at the end of its block', () => {
    const text = stream(
      events((writer) => {
        writer.reasoning('\ud83e');
        writer.reasoning('\udd9c');
        writer.text('a\ud83e');
        writer.text('\udd9cb');
        writer.end('stop');
      }),
    );
    expect(ollamaChatViolations(text, { uncounted: true })).toEqual([]);
    expect(collectAsOllama(text)).toMatchObject({ text: 'a🦜b', thinking: '🦜' });
  });

  it('has no counts and no durations that nobody measured', () => {
    const { elapsed: _, ...unmeasured } = context;
    const text = stream(
      events((writer) => writer.end('content-filter')),
      unmeasured,
    );
    expect(JSON.parse(text)).toEqual({ ...line({}), done: true, done_reason: 'content_filter' });
  });

  it('keeps silent streams alive with lines that every client can read', () => {
    for (const [wire, surface] of [
      [ollamaChatClient, 'chat'],
      [ollamaGenerateClient, 'generate'],
    ] as const) {
      const { keepAlive } = wire;
      const alive = typeof keepAlive === 'string' ? keepAlive : keepAlive(context);
      const rest = runStage(
        wire.createStreamWriter(context),
        events((writer) => writer.end('stop')),
      ).join('');
      expect(ollamaChatViolations(alive + alive + rest, { surface, uncounted: true })).toEqual([]);
      expect(collectAsOllama([alive, rest]).text).toBe('');
    }
  });
});

describe('a whole answer', () => {
  it.each([
    ['chat', ollamaChatClient],
    ['generate', ollamaGenerateClient],
  ] as const)('of %s says what its stream says', (surface, wire) => {
    const list = events(twoCalls);
    const text = runStage(wire.createStreamWriter(context), list).join('');
    expect(ollamaChatViolations(text, { surface })).toEqual([]);
    const whole = String(wire.writeMessage(list, context));
    expect(collectAsOllama([`${whole}\n`])).toEqual(collectAsOllama([text]));
    expect(JSON.parse(whole)).toMatchObject({ model: 'm', done: true, eval_count: 3, prompt_eval_count: 7 });
  });

  it('keeps the digits of numbers', () => {
    const list = events((writer) => {
      writer.callStart('x', 'read');
      writer.callDelta('{"id": 12345678901234567890}');
      writer.callEnd();
      writer.end('tool-calls');
    });
    expect(ollamaChatClient.writeMessage(list, context)).toContain('{"id":12345678901234567890}');
  });
});

describe('what is written and read again', () => {
  const block = fc.oneof(
    fc.record({ kind: fc.constant('text' as const), text: fc.string({ unit: 'grapheme', minLength: 1 }) }),
    fc.record({ kind: fc.constant('reasoning' as const), text: fc.string({ unit: 'grapheme', minLength: 1 }) }),
    fc.record({
      kind: fc.constant('call' as const),
      name: fc.string({ minLength: 1 }),
      json: fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value, undefined, 1)),
    }),
  );

  it('is the same text, reasoning and calls', () => {
    fc.assert(
      fc.property(fc.array(block), (blocks) => {
        const list = events((writer) => {
          blocks.forEach((one, at) => {
            if (one.kind === 'text') writer.text(one.text);
            else if (one.kind === 'reasoning') writer.reasoning(one.text);
            else {
              writer.callStart(`call_${at}`, one.name);
              writer.callDelta(one.json);
              writer.callEnd();
            }
          });
          writer.usage({ inputTokens: 1, outputTokens: 1, source: 'upstream' });
          writer.end(blocks.some(({ kind }) => kind === 'call') ? 'tool-calls' : 'stop');
        });
        const written = lines(list);
        expect(ollamaChatViolations(written.join(''))).toEqual([]);
        const frames = written.map((data) => ({ event: '', data }));
        const back = collect(runStage(createStreamReader(request), frames));
        const before = collect(list);
        expect(back).toMatchObject({
          text: before.text,
          reasoning: before.reasoning,
          finishReason: before.finishReason,
        });
        const values = (calls: typeof back.calls) =>
          calls.map((call) => ({ ...call, arguments: JSON.parse(call.arguments) }));
        expect(values(back.calls)).toEqual(values(before.calls));
      }),
    );
  });

  it('compactJson changes nothing but white space between values', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 1, '\t'), (value, space) => {
        expect(compactJson(JSON.stringify(value, undefined, space))).toBe(JSON.stringify(value));
      }),
    );
  });
});
