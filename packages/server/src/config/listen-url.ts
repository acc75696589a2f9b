import type { Config } from './schema.ts';

/** The address of a gateway as its own machine reaches it: one that listens on every address, by loopback. */
export function listenUrl({ host, port }: Pick<Config['listen'], 'host' | 'port'>): string {
  const named = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${named.includes(':') && !named.startsWith('[') ? `[${named}]` : named}:${port}`;
}
