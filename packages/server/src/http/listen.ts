import type { Server } from 'node:net';

/** Listens at an address; one of IPv6 may be in brackets. Rejects with Node's own error. */
export function listen(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: host.replace(/^\[|\]$/g, ''), port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
