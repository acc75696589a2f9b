import type { IncomingHttpHeaders } from 'node:http';
import { DragomanError } from '@dragoman/core';
import { isLoopback } from '../config/load-config.ts';
import type { Config } from '../config/schema.ts';
import { isAllowedOrigin } from './cors.ts';

/**
 * Guards a gateway without keys from web pages: any page can make a browser on this machine send a plain POST to
 * loopback, and by DNS rebinding it can read the answer as well. A page tells its origin, and a rebound name is in
 * `Host`; programs other than browsers send neither a foreign origin nor, in practice, a foreign host. Throws
 * `page-refused`, naming the setting that lets the caller in.
 */
export function refuseStrangers(
  headers: Pick<IncomingHttpHeaders, 'host' | 'origin'>,
  config: Pick<Config, 'cors' | 'listen'>,
): void {
  const { host, origin } = headers;
  if (origin !== undefined && !isAllowedOrigin(origin, config)) {
    throw refusal(`Pages of the origin ${shown(origin)} may not call`, 'add it to "cors.origins"');
  }
  if (host !== undefined && !isOwnHost(host, config)) {
    throw refusal(`Requests to the host ${shown(host)} are not answered`, 'add it to "listen.hosts"');
  }
}

/**
 * Whether `Host` names this machine. `.localhost` and `.internal` never resolve in public DNS, so no page can have such
 * a name rebound; containers reach their host by the second one.
 */
function isOwnHost(host: string, { listen }: Pick<Config, 'listen'>): boolean {
  const name = nameOf(host);
  if (isLoopback(name) || name === listen.host.toLowerCase()) return true;
  if (name.endsWith('.localhost') || name.endsWith('.internal')) return true;
  return listen.hosts?.some((each) => each === '*' || each.toLowerCase() === name) ?? false;
}

/** Without port and final dot, in lower case. */
function nameOf(host: string): string {
  const port = host.lastIndexOf(':');
  const name = port > host.lastIndexOf(']') ? host.slice(0, port) : host;
  return (name.endsWith('.') ? name.slice(0, -1) : name).toLowerCase();
}

function refusal(what: string, advice: string): DragomanError {
  return new DragomanError('page-refused', `${what} while the gateway has no key; ${advice}, or set a key.`);
}

function shown(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}
