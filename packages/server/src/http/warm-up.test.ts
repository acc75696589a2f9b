import { afterEach, expect, it, vi } from 'vitest';
import { warmUp } from './warm-up.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('waits for the start, goes on in steps, and ends', () => {
  vi.useFakeTimers();
  warmUp();
  vi.advanceTimersByTime(100);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(101);
  expect(vi.getTimerCount()).toBe(1);
  vi.runAllTimers();
  expect(vi.getTimerCount()).toBe(0);
});
