import { DragomanError } from '@dragoman/core';
import { describe, expect, it } from 'vitest';
import {
  activitiesOf,
  activityText,
  Batch,
  type ChatMessage,
  endText,
  errorText,
  isAtBottom,
  ScrollRule,
} from '../src/index.ts';

describe('activity', () => {
  it('D-071: there is a line for each call, none without calls', () => {
    const asked: ChatMessage = {
      role: 'assistant',
      content: '',
      tool_calls: [
        { id: 'c1', name: 'read', arguments: { path: 'a.md' } },
        { id: 'c2', name: 'list', arguments: {} },
      ],
    };
    const failed: ChatMessage = { role: 'tool', content: 'No.', tool_call_id: 'c1', tool_result: { status: 'error' } };
    expect(activitiesOf(asked, [failed])).toEqual([
      { callId: 'c1', status: 'error', text: 'could not read a.md' },
      { callId: 'c2', status: 'running', text: 'listing all files' },
    ]);
    expect(activitiesOf({ role: 'assistant', content: 'Hi' }, [])).toBeNull();
  });

  it.each([
    ['read', { path: 'a.md' }, 'reading a.md', 'read a.md', 'could not read a.md'],
    ['list', { path: 'notes' }, 'listing notes', 'listed notes', 'could not list notes'],
    ['write', { path: 'a.md', text: 'x' }, 'writing a.md', 'wrote a.md', 'could not write a.md'],
    ['move', { path: 'a', to: 'b' }, 'moving a to b', 'moved a to b', 'could not move a to b'],
    ['search', { text: 'tea' }, 'searching for "tea"', 'searched for "tea"', 'could not search for "tea"'],
    ['own', {}, 'calling own', 'called own', 'could not call own'],
  ])('D-072: %s says how it stands', (name, values, running, ok, error) => {
    const call = { name, arguments: values };
    expect([activityText(call, 'running'), activityText(call, 'ok'), activityText(call, 'error')]).toEqual([
      running,
      ok,
      error,
    ]);
    expect(activityText(call, 'rejected')).toContain('was not allowed to');
  });
});

describe('scrolling', () => {
  const at = (scrollTop: number, scrollHeight = 1_000) => ({ scrollTop, clientHeight: 200, scrollHeight });

  it('D-073: follows only within 50 px of the bottom, as it was before the content grew', () => {
    expect([800, 750, 749, 0].map((top) => isAtBottom(at(top)))).toEqual([true, true, false, false]);
    const rule = new ScrollRule();
    expect(rule.beforeGrowth(at(800))).toBe(true);
    // Measured afterwards, whoever reads along would have lost the bottom.
    expect(isAtBottom(at(800, 1_100))).toBe(false);
    expect(rule.beforeGrowth(at(0))).toBe(false);
  });

  it('D-074: the jump is offered when something new is out of sight, until its person is at the bottom', () => {
    const rule = new ScrollRule();
    rule.beforeGrowth(at(800));
    expect(rule.showsJump).toBe(false);
    rule.beforeGrowth(at(100));
    expect(rule.showsJump).toBe(true);
    rule.scrolled(at(300));
    expect(rule.showsJump).toBe(true);
    rule.scrolled(at(800));
    expect(rule.showsJump).toBe(false);
  });
});

it('D-077: 10,000 deltas are drawn as often as the host draws, none is lost', () => {
  const drawn: (readonly number[])[] = [];
  const frames: (() => void)[] = [];
  const batch = new Batch<number>(
    (flush) => void frames.push(flush),
    (items) => void drawn.push(items),
  );
  for (let delta = 0; delta < 10_000; delta += 1) {
    batch.push(delta);
    if (delta % 1_000 === 999) frames.shift()?.();
  }
  expect(drawn).toHaveLength(10);
  expect(drawn.flat()).toEqual(Array.from({ length: 10_000 }, (_, delta) => delta));
  batch.flush();
  expect(drawn).toHaveLength(10);
});

describe('ends', () => {
  const place = { server: 'http://127.0.0.1:11434', model: 'qwen3' };

  it('D-080: a reply without an answer has a note, one with an answer none', () => {
    expect(endText({ reason: 'answer' }, place)).toBeUndefined();
    expect(endText({ reason: 'empty' }, place)).toContain('no answer');
  });

  it('D-093: offline, a missing model, too small a window and time-outs have texts of their own, with a cure', () => {
    const texts = [
      new DragomanError('upstream-unreachable', 'x'),
      new DragomanError('upstream-refused', 'x', { upstreamStatus: 404 }),
      new DragomanError('context-too-long', 'x'),
      new DragomanError('connect-timeout', 'x'),
      new DragomanError('idle-timeout', 'x'),
      new DragomanError('upstream-unauthorized', 'x'),
    ].map((error) => errorText(error, place));
    expect(new Set(texts).size).toBe(texts.length);
    // They are read in a terminal, too.
    expect(texts.filter((text) => /CORS|settings/.test(text))).toEqual([]);
    expect([texts[0], texts[1], texts[2]]).toEqual([
      expect.stringContaining('http://127.0.0.1:11434 cannot be reached'),
      expect.stringContaining('ollama pull qwen3'),
      expect.stringContaining('num_ctx'),
    ]);
  });
});
