import { type FoundServer, localServers } from '@dragoman/core';
import { z } from 'zod';
import { codeOf } from '../code-of.ts';
import { type Overrides, readEnvironment } from '../config/environment.ts';
import { listenUrl } from '../config/listen-url.ts';
import type { Config } from '../config/schema.ts';
import { ownCommand } from './how-started.ts';
import { CommandError, type Terminal } from './terminal.ts';

/** The ports that clients look for a gateway at: the first, and those that it steps aside to. */
export const usualPorts = localServers.find(({ kind }) => kind === 'dragoman')?.ports ?? [];

/** Milliseconds until who holds a port has said what it is. */
const patience = 1_000;

interface Wishes {
  readonly config: Config;
  readonly flags: Overrides;
}

/** The ports that will do, the wanted one first. */
function portsFor(terminal: Pick<Terminal, 'env'>, wishes: Wishes): readonly [number, ...number[]] {
  const { port } = wishes.config.listen;
  return mayStepAside(terminal, wishes) ? [port, ...usualPorts.slice(1)] : [port];
}

/** Others than the usual port will do where nobody has named one, nor configured upstreams for clients that know it. */
export function mayStepAside({ env }: Pick<Terminal, 'env'>, { config, flags }: Wishes): boolean {
  const { port } = config.listen;
  const named = flags.port ?? readEnvironment(env).overrides.port;
  const isOpen = config.findUpstreams === true || Object.keys(config.upstreams).length === 0;
  return named === undefined && port === usualPorts[0] && isOpen;
}

/** Why nobody can listen there, by Node's own error, and what to do. `holder` is the program that does. */
export function whyNotListening(
  thrown: unknown,
  { host, port, holder }: Pick<Config['listen'], 'host' | 'port'> & { readonly holder?: string | undefined },
): string {
  const code = codeOf(thrown);
  if (code === 'EADDRINUSE') {
    const guess = holder === undefined ? (port === 11434 ? ' (Ollama uses it too)' : '') : ` by ${holder}`;
    return `Port ${port} on ${host} is in use${guess}. Stop what listens there, or choose another port with --port.`;
  }
  if (code === 'EACCES') return `Port ${port} on ${host} needs more rights. Choose one above 1023 with --port.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `${host} is not an address of this machine. Choose another with --host.`;
  }
  return `Cannot listen on ${host}:${port}: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
}

export interface TakePortOptions<Started> {
  readonly host: string;
  /** The port that is wanted, and those that will do instead. */
  readonly ports: readonly [number, ...number[]];
  /** What answers on this machine. */
  readonly servers: readonly FoundServer[];
  /** Listens, or rejects with Node's own error. */
  readonly start: (port: number) => Promise<Started>;
}

interface TakeConfiguredOptions<Started> extends Wishes, Pick<TakePortOptions<Started>, 'servers' | 'start'> {}

/** `takePort` for what is configured. Rejects with a CommandError that says what to do. */
export async function takeConfiguredPort<Started>(
  terminal: Pick<Terminal, 'env'>,
  { config, flags, servers, start }: TakeConfiguredOptions<Started>,
): Promise<TakenPort<Started>> {
  const { host, port } = config.listen;
  try {
    return await takePort({ host, ports: portsFor(terminal, { config, flags }), servers, start });
  } catch (thrown) {
    if (thrown instanceof CommandError) throw thrown;
    const other = await gatewayAt(listenUrl({ host, port }));
    const holder =
      other && `Dragoman ${other.version}${other.process === undefined ? '' : ` (process ${other.process})`}`;
    throw new CommandError(whyNotListening(thrown, { host, port, holder }));
  }
}

/** What to do where a gateway serves already. */
export function alreadyServed({ url, version, process: id }: OtherGateway): string {
  return [
    `Dragoman ${version}${id === undefined ? '' : ` (process ${id})`} serves already at ${url}.`,
    'It finds what starts on this machine by itself, so there is nothing to do:',
    `  ${ownCommand} launch             starts an agent with one of its models`,
    `  ${ownCommand} serve --port 0     starts another one`,
    '',
  ].join('\n');
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
        if (codeOf(thrown) !== 'EADDRINUSE' || ports.length === 1) throw thrown;
      }
    }
    const other = await gatewayAt(listenUrl({ host, port }));
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
