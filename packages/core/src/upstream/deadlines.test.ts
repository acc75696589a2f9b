import { describe, expect, it } from 'vitest';
import type { DragomanError } from '../errors.ts';
import type { Deadlines } from '../plan/rules.ts';
import { DeadlineClock, tickLength } from './deadlines.ts';

const off: Deadlines = { connect: 0, firstToken: 0, idle: 0, total: 0 };

/** A clock that only moves when it is told to. */
function fakeTime() {
  let now = 1000;
  const ticks = new Set<() => void>();
  const clock = new DeadlineClock({
    now: () => now,
    every: (milliseconds, tick) => {
      expect(milliseconds).toBe(tickLength);
      ticks.add(tick);
      return () => ticks.delete(tick);
    },
  });
  const pass = (milliseconds: number): void => {
    for (let passed = 0; passed < milliseconds; passed += tickLength) {
      now += tickLength;
      for (const tick of ticks) tick();
    }
  };
  const watch = (deadlines: Partial<Deadlines>) => {
    const reasons: (DragomanError | 'drained')[] = [];
    const watched = clock.watch({ ...off, ...deadlines }, (reason) => reasons.push(reason));
    const codes = () => reasons.map((reason) => (reason === 'drained' ? reason : reason.code));
    return { watched, codes };
  };
  return { pass, watch, timers: () => ticks.size };
}

describe('deadlines', () => {
  it('use one timer, and none while nothing is under way', () => {
    const { watch, timers } = fakeTime();
    expect(timers()).toBe(0);
    const first = watch({});
    const second = watch({});
    expect(timers()).toBe(1);
    first.watched.stop();
    expect(timers()).toBe(1);
    second.watched.stop();
    expect(timers()).toBe(0);
  });

  it('connect: until the headers', () => {
    const { pass, watch, timers } = fakeTime();
    const late = watch({ connect: 500 });
    const inTime = watch({ connect: 500 });
    pass(400);
    inTime.watched.connected();
    pass(600);
    expect(late.codes()).toEqual(['connect-timeout']);
    expect(inTime.codes()).toEqual([]);
    inTime.watched.stop();
    expect(timers()).toBe(0);
  });

  it('first token: reads that show the client nothing do not count', () => {
    const { pass, watch } = fakeTime();
    const { watched, codes } = watch({ firstToken: 500, idle: 300 });
    watched.connected();
    for (let step = 0; step < 6; step += 1) {
      watched.read();
      pass(100);
    }
    expect(codes()).toEqual(['first-token-timeout']);
  });

  it('idle: between two reads, but never while the client is slow', () => {
    const { pass, watch } = fakeTime();
    const { watched, codes } = watch({ firstToken: 500, idle: 300 });
    watched.connected();
    watched.read();
    watched.visible();
    pass(300);
    watched.pause(true);
    pass(5000);
    watched.pause(false);
    pass(300);
    expect(codes()).toEqual([]);
    pass(100);
    expect(codes()).toEqual(['idle-timeout']);
  });

  it('idle: counts from the headers when there is no deadline for the first token', () => {
    const { pass, watch } = fakeTime();
    const { watched, codes } = watch({ idle: 300 });
    pass(1000);
    expect(codes()).toEqual([]);
    watched.connected();
    pass(400);
    expect(codes()).toEqual(['idle-timeout']);
  });

  it('total: whatever happens, and once', () => {
    const { pass, watch } = fakeTime();
    const { watched, codes } = watch({ idle: 300, total: 1000 });
    watched.connected();
    watched.visible();
    for (let step = 0; step < 20; step += 1) {
      watched.read();
      pass(100);
    }
    expect(codes()).toEqual(['total-timeout']);
  });

  it('an upstream that does not end after its reply gets five seconds', () => {
    const { pass, watch, timers } = fakeTime();
    const { watched, codes } = watch({ idle: 300 });
    watched.connected();
    watched.drain();
    pass(5000);
    expect(codes()).toEqual([]);
    pass(200);
    expect(codes()).toEqual(['drained']);
    expect(timers()).toBe(0);
  });

  it('stop watching when told to, and only the total counts when the upstream has ended', () => {
    const { pass, watch } = fakeTime();
    const stopped = watch({ total: 300 });
    stopped.watched.stop();
    const quiet = watch({ idle: 300, firstToken: 300, total: 2000 });
    quiet.watched.connected();
    quiet.watched.quiet();
    pass(1000);
    expect([stopped.codes(), quiet.codes()]).toEqual([[], []]);
    pass(1000);
    expect(quiet.codes()).toEqual(['total-timeout']);
  });
});
