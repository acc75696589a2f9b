import { type FoundServer, localServers } from '@dragoman/core';
import { z } from 'zod';

/** The ports that clients look for a gateway at: the first, and those that it steps aside to. */
export const usualPorts = localServers.find(({ kind }) => kind === 'dragoman')?.ports ?? [];

/** Milliseconds until who holds a port has said what it is. */
const patience = 1_000;

export interface TakePortOptions<Started> {
  readonly host: string;
  /** The port that is wanted, and those that will do instead. */
  readonly ports: readonly [number, ...number[]];
  /** What answers on this machine. */
  readonly servers: readonly FoundServer[];
  /** Listens, or rejects with Node's own error. */
  readonly start: (port: number) => Promise<Started>;
}

/** A gateway of ours that listens already. */
export interface OtherGateway {
  readonly url: string;
  readonly version: string;
  readonly process: number | undefined;
}

export type TakenPort<Started> =
  | { readonly is: 'started'; readonly started: Started; readonly aside?: string }
  | { readonly is: 'served'; readonly by: OtherGateway };

/**
 * Listens on the wanted port. One that another program holds is left to it, and the next that is free taken; one that a
 * gateway of ours holds needs no second one. Where no other will do, and at the last, rejects with Node's own error.
 */
export async function takePort<Started>(options: TakePortOptions<Started>): Promise<TakenPort<Started>> {
  const { host, ports, servers, start } = options;
  let aside: string | undefined;
  for (const port of ports) {
    // Some systems let two programs listen at one port, of which then only one is heard.
    const found = ports.length > 1 ? servers.find(({ url }) => Number(new URL(url).port) === port) : undefined;
    if (found === undefined) {
      try {
        return { is: 'started', started: await start(port), ...(aside === undefined ? {} : { aside }) };
      } catch (thrown) {
        const isInUse = thrown instanceof Error && 'code' in thrown && thrown.code === 'EADDRINUSE';
        if (!isInUse || ports.length === 1) throw thrown;
      }
    }
    const other = await gatewayAt(`http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`);
    if (other !== undefined) return { is: 'served', by: other };
    const holder = found === undefined ? 'another program' : found.name;
    aside ??= `Port ${port}, where clients look first, is taken by ${holder}; "dragoman connect" knows this one.`;
  }
  throw Object.assign(new Error(`the ports ${ports.join(', ')} are in use`), { code: 'EADDRINUSE' });
}

const told = z.object({ dragoman: z.string(), process: z.int().optional() });

/** The gateway of ours that answers there. */
export async function gatewayAt(url: string): Promise<OtherGateway | undefined> {
  const answer = await fetch(`${url}/api/version`, { signal: AbortSignal.timeout(patience) }).catch(() => undefined);
  const version = told.safeParse(await answer?.json().catch(() => undefined));
  if (answer?.ok !== true || !version.success) return undefined;
  return { url, version: version.data.dragoman, process: version.data.process };
}
