import { DragomanError } from '@dragoman/core';
import type { EventLog } from './event-log.ts';
import type { Exchange } from './exchange.ts';
import { HttpRecipient } from './http-recipient.ts';

/** Frames that leave in one write. */
const most = 64;

/**
 * Streams events from number `from` on, as fast as the client reads and as they come, to their end. A client that is left
 * behind, because events had to make room, is cut off: it can see that something is missing. Throws `bad-request` when
 * they are gone already.
 */
export function followLog(exchange: Exchange, { log, from }: { readonly log: EventLog; readonly from: number }): void {
  if (from < log.first) {
    const problem = `The events before number ${log.first} are no longer kept.`;
    throw new DragomanError('bad-request', `starting_after: ${problem}`, { param: 'starting_after' });
  }
  const recipient = new HttpRecipient(exchange, { framing: 'sse', keepAlive: () => ': keepalive\n\n' });
  let next = from;
  let isFull = false;
  const stop = log.follow(read);
  recipient.listen({ onDrain, onClose: stop });
  recipient.write([]);
  read();

  function onDrain(): void {
    isFull = false;
    read();
  }

  function read(): void {
    while (!isFull && !recipient.gone) {
      if (next < log.first) {
        stop();
        exchange.response.destroy();
        return;
      }
      const frames = log.slice(next, most);
      if (frames.length === 0) break;
      next += frames.length;
      isFull = !recipient.write(frames);
    }
    if (!log.over || isFull || recipient.gone) return;
    stop();
    recipient.end();
  }
}
