import type { Exchange } from './exchange.ts';

/** How an answer says that the key is missing (`key` is empty) or wrong; undefined when it says neither. */
export function keyRefusal(exchange: Exchange, key: string): string | undefined {
  if (exchange.kind !== 'reply') return undefined;
  if (key === '') return exchange.status === 401 ? 'asks for a key' : undefined;
  // Servers that ask for a key with 401 may refuse one with 403, as ours does.
  return exchange.status === 401 || exchange.status === 403 ? 'refuses the key' : undefined;
}
