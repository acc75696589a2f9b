import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Open files that are neither a client's connection nor one to an upstream: libraries, stores, the log. */
const ownFiles = 64;

/** Connections that are taken beyond the bound, so that their clients hear why they are refused. */
const refusedAtOnce = 16;

/**
 * Bounds the connections of clients: each may need another one to an upstream, and a process without free files answers
 * nobody. What connects beyond that becomes a member of `surplus` until it is gone; far beyond it is closed at once.
 */
export function boundConnections(server: Server, surplus: WeakSet<object>): void {
  const files = mostFiles();
  if (files === undefined) return;
  const most = Math.max(4, Math.floor((files - ownFiles - refusedAtOnce) / 2));
  const open = new Set<Socket>();
  server.maxConnections = most + refusedAtOnce;
  server.prependListener('connection', (socket: Socket) => {
    // One that asks for a protocol that is not spoken here comes a second time.
    if (open.has(socket) || surplus.has(socket)) return;
    if (open.size >= most) {
      surplus.add(socket);
      return;
    }
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
}

/** The process's limit of open files, where the system tells it: on Linux. */
function mostFiles(): number | undefined {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    const [, soft] = /^Max open files +(\d+) /m.exec(limits) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}
