import { expect, it } from 'vitest';
import { Peak } from './running.ts';

function watched() {
  const waiting: (() => void)[] = [];
  let collected = 0;
  const peak = new Peak({
    collect: () => {
      collected += 1;
    },
    after: (_, act) => {
      waiting.push(act);
      return () => void waiting.splice(waiting.indexOf(act), 1);
    },
  });
  let active = 0;
  const run = (to: number) => {
    while (active < to) peak.rose(++active);
    while (active > to) peak.fell(--active);
  };
  const wait = () => {
    for (const act of waiting.splice(0)) act();
    return collected;
  };
  return { run, wait };
}

it('gives memory back once, when a peak has been over for a while', () => {
  const { run, wait } = watched();
  run(200);
  expect(wait()).toBe(0);
  run(26);
  expect(wait()).toBe(0);
  run(20);
  expect(wait()).toBe(1);
  run(0);
  expect(wait()).toBe(1);
});

it('waits while peaks follow each other, and does nothing after few requests', () => {
  const { run, wait } = watched();
  run(200);
  run(0);
  run(100);
  expect(wait()).toBe(0);
  run(0);
  expect(wait()).toBe(1);
  run(60);
  run(0);
  expect(wait()).toBe(1);
});
