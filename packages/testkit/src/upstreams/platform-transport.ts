import type { Connection, Receiver, Transport, UpstreamRequest } from '@dragoman/core';
import { DragomanError } from '@dragoman/core/errors';
import type { Platform } from './platform.ts';

const nothingToStop: Connection = { pause: () => {}, resume: () => {}, abort: () => {} };

/** A platform without a network: it answers at once, and a broken connection is an error as a transport tells it. */
export function platformTransport(platform: Pick<Platform, 'reply'>): Transport {
  const encoder = new TextEncoder();
  return {
    send({ path, body }: UpstreamRequest, receiver: Receiver): Connection {
      const { status = 200, headers = {}, steps } = platform.reply(path, body);
      receiver.start(status, headers['content-type']?.split(';')[0] ?? 'text/event-stream');
      for (const step of steps) {
        if ('text' in step) receiver.data(encoder.encode(step.text));
        if (!('cut' in step)) continue;
        receiver.fail(new DragomanError('upstream-cut', 'The connection broke.'));
        return nothingToStop;
      }
      receiver.end();
      return nothingToStop;
    },
  };
}
