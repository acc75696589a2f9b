import { chatRequest, violationsOf } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import { collect } from '../../chat/collect.ts';
import type { ChatEvent } from '../../chat/event.ts';
import { DragomanError } from '../../errors.ts';
import { createQwenChatUpstream, type QwenChatSettings } from './index.ts';

interface Delta {
  readonly phase?: string | null;
  readonly status?: string;
  readonly usage?: object;
}

const created = { 'response.created': { chat_id: 'c1', parent_id: 'p1', response_id: 'r1' } };
const delta = (content: unknown, { usage, ...rest }: Delta = {}) => ({
  choices: [{ delta: { role: 'assistant', content, phase: 'answer', status: 'typing', ...rest } }],
  ...(usage === undefined ? {} : { usage }),
});
const think = (content: string, status = 'typing') => delta(content, { phase: 'think', status });
const finished = delta('', { status: 'finished' });

interface Reading extends Partial<QwenChatSettings> {
  /** How the stream stops short. */
  readonly cut?: DragomanError;
}

function read({ cut, ...settings }: Reading, ...frames: readonly unknown[]): ChatEvent[] {
  const events: ChatEvent[] = [];
  const factory = createQwenChatUpstream(settings).createStreamReader(chatRequest({ model: 'm' }));
  const reader = factory((event) => events.push(event));
  for (const frame of frames) {
    reader.push({ event: '', data: typeof frame === 'string' ? frame : JSON.stringify(frame) });
  }
  reader.end(cut);
  expect(violationsOf(events)).toEqual([]);
  return events;
}

const endOf = (...reading: Parameters<typeof read>) => read(...reading).at(-1);
const cut = new DragomanError('upstream-cut', 'The connection broke.');

describe('the phases of a reply', () => {
  it('think is reasoning, answer is text, and so is text without a phase', () => {
    const events = read(
      {},
      created,
      think('hm'),
      think('', 'finished'),
      delta('a'),
      delta('b', { phase: null }),
      finished,
    );
    expect(collect(events)).toMatchObject({ reasoning: 'hm', text: 'ab', complete: true, warnings: [] });
    expect(events[0]).toEqual({ type: 'message-start', id: 'r1', model: 'm' });
  });

  it('what a phase of another name holds leads to the answer and is not lost', () => {
    expect(collect(read({}, created, delta('searched', { phase: 'web_search' }), delta('a'), finished))).toMatchObject({
      reasoning: 'searched',
      text: 'a',
    });
  });

  it('frames that are none, and fields of other types, are passed over', () => {
    const events = read(
      {},
      '<html>',
      created,
      '[1]',
      delta(7),
      { choices: 'x' },
      { choices: [null] },
      delta('a'),
      finished,
    );
    expect(collect(events)).toMatchObject({ text: 'a', complete: true });
    expect(collect(events).warnings.map(({ code }) => code)).toEqual(['event-unreadable', 'event-unreadable']);
  });
});

it('frames that repeat all text so far, each phase for itself, say it once', () => {
  const events = read(
    {},
    created,
    ...['Let me', 'Let me think', 'Let me think of it.'].map((text) => think(text)),
    think('', 'finished'),
    ...['found', 'found 3 files'].map((text) => delta(text, { phase: 'search' })),
    ...['The q', 'The quick', 'The quick brown', 'The quick brown fox'].map((text) => delta(text)),
    delta('The quick brown fox', { status: 'finished' }),
  );
  expect(collect(events)).toMatchObject({
    reasoning: 'Let me think of it.found 3 files',
    text: 'The quick brown fox',
    complete: true,
    warnings: [],
  });
});

describe('where the next message goes', () => {
  const placesIn = (events: readonly ChatEvent[]) => events.filter(({ type }) => type === 'conversation');

  it('B-151: the chat and the parent are in the first frame', () => {
    expect(placesIn(read({}, created, delta('a'), finished))).toEqual([
      { type: 'conversation', id: 'c1', parentId: 'p1' },
    ]);
  });

  it('the parent may be configured to be elsewhere, in any frame', () => {
    const parent = ['choices', '0', 'delta', 'message_id'];
    const answered = { choices: [{ delta: { content: 'a', phase: 'answer', message_id: 9, status: 'finished' } }] };
    expect(placesIn(read({ parent }, created, answered))).toEqual([
      { type: 'conversation', id: 'c1' },
      { type: 'conversation', parentId: '9' },
    ]);
  });
});

describe('the end of a reply', () => {
  it('is the word after the answer, or [DONE], whatever happens to the connection afterwards', () => {
    expect(endOf({}, created, delta('a'), finished)).toEqual({ type: 'message-end', finishReason: 'stop' });
    expect(endOf({ cut }, created, delta('a'), finished)).toMatchObject({ type: 'message-end' });
    expect(endOf({}, created, delta('a'), '[DONE]', delta('late'))).toMatchObject({ type: 'message-end' });
    expect(endOf({}, created, delta('a', { status: 'finished' }))).toMatchObject({ type: 'message-end' });
  });

  it('is not the word after thinking', () => {
    expect(endOf({}, created, think('hm', 'finished'))).toMatchObject({
      type: 'error',
      error: { code: 'upstream-cut' },
    });
  });

  it('B-095: without a mark is a close in good order after an answer, and it is told', () => {
    const events = read({}, created, think('hm'), delta('a'));
    expect(events.at(-1)).toEqual({ type: 'message-end', finishReason: 'stop', unmarked: true });
    expect(collect(events)).toMatchObject({ text: 'a', complete: true, warnings: [{ code: 'end-unmarked' }] });
    expect(endOf({ cut }, created, delta('a'))).toMatchObject({ type: 'error', error: { code: 'upstream-cut' } });
    for (const frames of [[], [created], [created, think('hm', 'finished')]]) {
      expect(endOf({}, ...frames)).toMatchObject({ type: 'error', error: { code: 'upstream-cut' } });
    }
  });

  it('of a platform that marks nothing is a close in good order after an answer, and never a broken connection', () => {
    const end = 'close' as const;
    const events = read({ end }, created, think('hm'), delta('a'));
    expect(events.at(-1)).toEqual({ type: 'message-end', finishReason: 'stop' });
    expect(collect(events).warnings).toEqual([]);
    expect(endOf({ end, cut }, created, delta('a'))).toMatchObject({ type: 'error', error: { code: 'upstream-cut' } });
    expect(endOf({ end }, created, think('hm', 'finished'))).toMatchObject({ type: 'error' });
    expect(endOf({ end }, created)).toMatchObject({ type: 'error' });
    expect(endOf({ end })).toMatchObject({ type: 'error' });
  });
});

it('usage that grows from frame to frame is told once, as it was last', () => {
  const usage = (output: number) => ({
    input_tokens: 10,
    output_tokens: output,
    total_tokens: 10 + output,
    input_tokens_details: { cached_tokens: 4 },
    output_tokens_details: { reasoning_tokens: 2 },
  });
  const grown = [delta('a', { usage: usage(3) }), delta('b', { usage: usage(4) })];
  const told = {
    inputTokens: 10,
    outputTokens: 5,
    cachedInputTokens: 4,
    reasoningTokens: 2,
    source: 'upstream',
  };
  const whole = read({}, created, ...grown, finished, { usage: usage(5) });
  expect(whole.filter(({ type }) => type === 'usage')).toEqual([{ type: 'usage', usage: told }]);
  const broken = read({ cut }, created, ...grown);
  expect(broken.filter(({ type }) => type === 'usage')).toEqual([
    { type: 'usage', usage: { ...told, outputTokens: 4 } },
  ]);
});

it('a failure in the stream ends the reply with the words of the platform', () => {
  const refusal = { success: false, request_id: 'q', data: { code: 'RateLimited', details: 'too many' } };
  expect(endOf({}, created, delta('a'), refusal, delta('b'), finished)).toMatchObject({
    type: 'error',
    error: { code: 'upstream-rate-limited', message: 'The upstream reported an error: too many' },
  });
  expect(endOf({}, { error: { code: 'internal', details: 'broken' } })).toMatchObject({
    error: { code: 'upstream-failed', message: expect.stringContaining('broken') },
  });
});
