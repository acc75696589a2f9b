import { expect, it } from 'vitest';
import { Room } from './room.ts';
import { WatchedRequest } from './watched-request.ts';

it('keeps what came, whatever becomes of the buffer that it came in', () => {
  const watched = new WatchedRequest({ upstream: 'up', path: '/chat', body: {} }, 1000);
  const buffer = Buffer.from('first, second');
  watched.data(buffer.subarray(0, 7));
  watched.data(buffer.subarray(7));
  buffer.fill('x');
  expect(watched.record('upstream', new Room(1000)).pieces).toEqual(['first, ', 'second']);
});
