import { expect, it } from 'vitest';
import { Silence } from './silence.ts';

it('A-177: tells a stream that has been silent for long enough, and no other', () => {
  let now = 0;
  const silence = new Silence({ after: 15_000, now: () => now });
  const told: string[] = [];
  const stream = (name: string, lastWrite: number) => ({ lastWrite, onSilence: () => told.push(name) });
  const quiet = stream('quiet', 0);
  const busy = stream('busy', 1);
  silence.watch(quiet);
  silence.watch(busy);
  now = 14_999;
  silence.check();
  expect(told).toEqual([]);
  now = 15_000;
  silence.check();
  expect(told).toEqual(['quiet']);
  silence.forget(quiet);
  now = 20_000;
  silence.check();
  expect(told).toEqual(['quiet', 'busy']);
  silence.forget(busy);
});
