import { expect, it } from 'vitest';
import { oncePerMoment } from './terminal.ts';

it('signals that come together are one request to stop, later ones are another', () => {
  let time = 0;
  let asked = 0;
  const signal = oncePerMoment(
    () => {
      asked += 1;
    },
    () => time,
  );
  signal('SIGTERM');
  signal('SIGTERM');
  time = 499;
  signal('SIGTERM');
  expect(asked).toBe(1);
  time = 500;
  signal('SIGTERM');
  expect(asked).toBe(2);
});
