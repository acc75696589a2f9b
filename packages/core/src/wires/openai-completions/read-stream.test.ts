import { chatRequest } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import { collect } from '../../chat/collect.ts';
import { toDragomanError } from '../../errors.ts';
import { runStage } from '../../stream/stage.ts';
import { createStreamReader, readMessage } from './read-stream.ts';

const request = chatRequest();

function read(...chunks: readonly (object | string)[]) {
  const frames = chunks.map((chunk) => ({
    event: '',
    data: typeof chunk === 'string' ? chunk : JSON.stringify(chunk),
  }));
  return runStage(createStreamReader(request), frames);
}

const text = (piece: string, finish: string | null = null, index = 0) => ({
  id: 'cmpl-1',
  object: 'text_completion',
  model: 'up',
  choices: [{ index, text: piece, logprobs: null, finish_reason: finish }],
});

describe('a stream', () => {
  it('gives its text, its reason and its usage, whoever of the servers wrote it', () => {
    const events = read(
      text('One, '),
      text('elsewhere', null, 1),
      text('two', 'length'),
      { choices: [], usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } },
      '[DONE]',
    );
    expect(events).toEqual([
      { type: 'message-start', id: 'cmpl-1', model: 'up' },
      { type: 'text-start', block: 0 },
      { type: 'text-delta', block: 0, text: 'One, ' },
      { type: 'text-delta', block: 0, text: 'two' },
      { type: 'text-end', block: 0 },
      { type: 'usage', usage: { inputTokens: 3, outputTokens: 2, source: 'upstream' } },
      { type: 'message-end', finishReason: 'length', rawFinishReason: 'length' },
    ]);
  });

  it.each([
    ['stop', 'stop'],
    ['eos_token', 'stop'],
    ['length', 'length'],
    ['max_tokens', 'length'],
    ['content_filter', 'content-filter'],
  ])('that ended by "%s" ended by %s', (word, reason) => {
    expect(read(text('x', word)).at(-1)).toMatchObject({ type: 'message-end', finishReason: reason });
  });

  it('is an error when it breaks off, says so, or was aborted', () => {
    const codeOf = (...chunks: readonly (object | string)[]) => {
      const last = read(...chunks).at(-1);
      return last?.type === 'error' ? last.error.code : last?.type;
    };
    expect(codeOf(text('Half'))).toBe('upstream-cut');
    expect(codeOf(text('Half'), { error: { message: 'boom', code: 500 } }, '[DONE]')).toBe('upstream-failed');
    expect(codeOf({ error: { code: 'context_length_exceeded', message: 'x' } })).toBe('context-too-long');
    expect(codeOf(text('Half', 'abort'))).toBe('upstream-failed');
  });

  it('survives a word that is no frame, and says so', () => {
    const events = read('oops', text('x', 'stop'));
    expect(events.map(({ type }) => type)).toContain('warning');
    expect(collect(events)).toMatchObject({ text: 'x', finishReason: 'stop' });
  });
});

describe('a whole body', () => {
  it('says what a stream of it would', () => {
    const body = { ...text('All of it', 'stop'), usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } };
    const { choices, usage } = body;
    expect(readMessage(body, request)).toEqual(read({ ...text('All of it', 'stop'), choices }, { usage }, '[DONE]'));
  });

  it('of another API, or of none, is refused', () => {
    for (const body of [{ choices: [{ message: { content: 'x' } }] }, { choices: [] }, [], 'x', null]) {
      expect(() => readMessage(body, request)).toThrow('is not a text completion');
    }
    const [, failed] = readMessage({ error: { message: 'no', code: 429 } }, request);
    expect(failed?.type === 'error' && toDragomanError(failed.error).code).toBe('upstream-rate-limited');
  });
});
