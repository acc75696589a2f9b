import { writeJsonBytes } from '../json/json-bytes.ts';
import type { Receiver, Transport, UpstreamRequest } from '../stream/transport.ts';
import type { PreparedRequest } from './write-rendered.ts';

/** Sees what goes to an upstream and what comes back, and changes nothing. What it throws breaks the reply. */
export interface ExchangeWatch {
  /** Once, before anything is sent. */
  prepared(prepared: PreparedRequest): void;
  /**
   * A request leaves; returns what sees its answer, before whoever reads it. An upstream that keeps conversations may be
   * asked more than once for one reply. Absent where nobody looks at what is sent.
   */
  sent?(request: UpstreamRequest): Receiver;
}

/** What carries a prepared request whose exchange is watched; the upstream's own transport where nobody looks at what is sent. */
export function watched(prepared: PreparedRequest, watch: ExchangeWatch | undefined): Transport {
  const { transport } = prepared.upstream;
  watch?.prepared(prepared);
  const sent = watch?.sent?.bind(watch);
  if (sent === undefined) return transport;
  return {
    send(request, to) {
      const written = withBytes(request);
      return transport.send(written, both(sent(written), to));
    },
  };
}

/** Written once, for who watches and for the transport. */
function withBytes(request: UpstreamRequest): UpstreamRequest {
  if (request.bytes !== undefined || request.method === 'GET') return request;
  return { ...request, bytes: writeJsonBytes(request.body) };
}

/** Two watches as one, the first one first. */
export function watchBoth(first: ExchangeWatch, second: ExchangeWatch): ExchangeWatch {
  return {
    prepared(prepared) {
      first.prepared(prepared);
      second.prepared(prepared);
    },
    sent(request) {
      const one = first.sent?.(request);
      const other = second.sent?.(request);
      if (one === undefined || other === undefined) return one ?? other ?? nobody;
      return both(one, other);
    },
  };
}

const nobody: Receiver = { start: () => {}, data: () => {}, end: () => {}, fail: () => {} };

function both(first: Receiver, second: Receiver): Receiver {
  return {
    start(status, contentType, retryAfter) {
      first.start(status, contentType, retryAfter);
      second.start(status, contentType, retryAfter);
    },
    data(chunk) {
      first.data(chunk);
      second.data(chunk);
    },
    end() {
      first.end();
      second.end();
    },
    fail(error) {
      first.fail(error);
      second.fail(error);
    },
  };
}
