import { expect, it } from 'vitest';
import { Room } from './room.ts';
import { cutPieces } from './said-pieces.ts';
import { WatchedRequest } from './watched-request.ts';

it('keeps what came, whatever becomes of the buffer that it came in', () => {
  const watched = new WatchedRequest({ upstream: 'up', path: '/chat', body: {} }, 1000);
  const buffer = Buffer.from('first, second');
  watched.data(buffer.subarray(0, 7));
  watched.data(buffer.subarray(7));
  buffer.fill('x');
  expect(cutPieces(watched.record('upstream', new Room(1000)).pieces)).toEqual(['first, ', 'second']);
});

it.each(['first, second', 'erste, zweite: ä€😀'])('has the pieces in which it came: %s', (text) => {
  const watched = new WatchedRequest({ upstream: 'up', path: '/chat', body: {} }, 1000);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 1) watched.data(bytes.subarray(at, at + 1));
  const { pieces } = watched.record('upstream', new Room(1000));
  // A cut inside of a character becomes one after it.
  expect(cutPieces(pieces)).toEqual([...text]);
});
