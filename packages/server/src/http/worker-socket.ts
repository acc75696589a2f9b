import { DragomanError } from '@dragoman/core';
import { Admission, mostStrangers } from '../transports/worker/admission.ts';
import { messageBytes, type WorkerUpstream } from '../transports/worker/worker-upstream.ts';
import type { HttpExchange } from './exchange.ts';
import { refuseStrangers } from './refuse-strangers.ts';

/** `GET /workers/<upstream>` that becomes a WebSocket: a worker connects. */
export function openWorkerSocket(exchange: HttpExchange, name: string): void {
  const { gateway, request } = exchange;
  const upstream = upstreamAt(exchange, name);
  // A page that knows the token may come from anywhere: a browser sends nothing along by itself that would let it in.
  if (upstream.token === undefined) refuseStrangers(request.headers, gateway.config);
  if (upstream.strangers >= mostStrangers) {
    throw new DragomanError('upstream-overloaded', `${mostStrangers} workers are connecting already. Try again soon.`);
  }
  const { log, setup, sockets } = gateway;
  exchange.upgrade?.((socket) => {
    const id = `worker_${setup.randomHex(12)}`;
    const admission = new Admission({ socket, upstream, addressToken: tokenIn(request.url), id, log });
    sockets.add(admission);
    socket.once('close', () => sockets.delete(admission));
  }, messageBytes);
}

/** The same without a WebSocket: there is nothing to read. */
export function answerWorkers(exchange: HttpExchange, name: string): void {
  upstreamAt(exchange, name);
  throw new DragomanError('bad-request', 'Workers connect here with a WebSocket; docs/workers.md tells how.');
}

function upstreamAt({ gateway }: HttpExchange, name: string): WorkerUpstream {
  const upstream = gateway.workers.get(name);
  if (upstream !== undefined) return upstream;
  throw new DragomanError(
    'route-unknown',
    'No upstream of this name waits for workers; it needs "workers" in the configuration.',
  );
}

/** For workers that cannot say it in a message. */
function tokenIn(url = ''): string | undefined {
  return new URLSearchParams(url.slice(url.indexOf('?') + 1)).get('token') ?? undefined;
}
