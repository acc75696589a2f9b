import { violationsOf } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import type { ChatEvent } from '../chat/event.ts';
import { DragomanError, reworded } from '../errors.ts';
import { Outlet } from './outlet.ts';

function outlet(warnings: ConstructorParameters<typeof Outlet>[0]['warnings'] = []) {
  const heard: (ChatEvent | 'flush' | 'visible')[] = [];
  const out = new Outlet({
    sink: { event: (event) => heard.push(event), flush: () => heard.push('flush') },
    upstream: 'local',
    warnings,
    visible: () => heard.push('visible'),
  });
  return { out, heard, events: () => heard.filter((each) => typeof each !== 'string') };
}

const start: ChatEvent = { type: 'message-start', id: 'a', model: 'm' };
const error = new DragomanError('upstream-cut', 'cut');

describe('outlet', () => {
  it('lets exactly one terminal event pass and nothing after it', () => {
    const { out, events } = outlet();
    out.event(start);
    out.event({ type: 'message-end', finishReason: 'length' });
    out.event({ type: 'text-start', block: 0 });
    out.fail(error);
    expect(events()).toEqual([start, { type: 'message-end', finishReason: 'length' }]);
    expect([out.closed, out.failed]).toEqual([true, false]);
  });

  it.each([
    [new DragomanError('upstream-failed', 'The upstream answered 500: x'), 'The upstream "local" answered 500: x'],
    [new DragomanError('context-too-long', 'The upstream answered 400: x'), 'The upstream "local" answered 400: x'],
    [new DragomanError('upstream-unreachable', 'The upstream "up" is gone.'), 'The upstream "up" is gone.'],
    [new DragomanError('reply-too-large', "The upstream's reply is long."), "The upstream's reply is long."],
    [new DragomanError('internal', 'The upstream has no part in it.'), 'The upstream has no part in it.'],
  ])('names the upstream that an error speaks of, once: %s', (given, message) => {
    const known = reworded(given, given.message, { upstreamStatus: 500, retryAfter: 7, errorId: 'err_1' });
    const { out, events } = outlet();
    out.event({ type: 'error', error: known });
    const [event] = events();
    const { code } = given;
    expect(event).toMatchObject({ error: { code, message, upstreamStatus: 500, retryAfter: 7, errorId: 'err_1' } });
  });

  it('E-076 notes a reply that ends well and says nothing, and makes nothing up', () => {
    const end: ChatEvent = { type: 'message-end', finishReason: 'stop' };
    const reply = (...said: ChatEvent[]) => {
      const { out, events } = outlet();
      for (const event of [start, ...said, end]) out.event(event);
      return events();
    };
    const thought: ChatEvent[] = [
      { type: 'reasoning-start', block: 0 },
      { type: 'reasoning-delta', block: 0, text: 'Hm.' },
      { type: 'reasoning-end', block: 0 },
    ];
    const spoken = (text: string): ChatEvent[] => [
      { type: 'text-start', block: 0 },
      { type: 'text-delta', block: 0, text },
      { type: 'text-end', block: 0 },
    ];
    const noted = { type: 'warning', warning: { code: 'empty-reply' } };
    expect(reply()).toMatchObject([start, noted, end]);
    expect(reply(...thought)).toMatchObject([start, ...thought, noted, end]);
    expect(reply(...spoken(''))).toMatchObject([start, ...spoken(''), noted, end]);
    expect(reply(...spoken('Hi'))).toEqual([start, ...spoken('Hi'), end]);
    const call: ChatEvent[] = [
      { type: 'tool-call-start', block: 0, callId: 'c', name: 'n' },
      { type: 'tool-call-end', block: 0, arguments: '{}' },
    ];
    expect(reply(...call)).toEqual([start, ...call, end]);
  });

  it('A-171 closes an open block before an error, a call as cut', () => {
    const opens: ChatEvent[] = [
      { type: 'text-start', block: 0 },
      { type: 'reasoning-start', block: 0 },
      { type: 'tool-call-start', block: 0, callId: 'c', name: 'n' },
    ];
    const ends = opens.map((open) => {
      const { out, events } = outlet();
      out.event(start);
      out.event(open);
      out.fail(error);
      expect(violationsOf(events())).toEqual([]);
      return events().map(({ type }) => type)[2];
    });
    expect(ends).toEqual(['text-end', 'reasoning-end', 'tool-call-cut']);
  });

  it('reports what preparing dropped right after the start, and the first visible event once', () => {
    const { out, heard } = outlet([{ code: 'part-dropped', message: 'an image' }]);
    out.event(start);
    out.event({ type: 'text-start', block: 0 });
    out.event({ type: 'text-end', block: 0 });
    out.event({ type: 'text-start', block: 1 });
    expect(heard.map((each) => (typeof each === 'string' ? each : each.type))).toEqual([
      'message-start',
      'warning',
      'visible',
      'text-start',
      'text-end',
      'text-start',
    ]);
  });

  it('flushes only what is new, and nothing once the client has gone', () => {
    const { out, heard } = outlet();
    out.flush();
    out.event(start);
    out.flush();
    out.flush();
    expect(heard).toEqual([start, 'flush']);
    out.event({ type: 'text-start', block: 0 });
    out.close();
    out.flush();
    out.fail(error);
    expect(heard.filter((each) => each === 'flush')).toHaveLength(1);
    expect(out.failed).toBe(false);
  });
});
