import { BlockList, isIP } from 'node:net';
import type { Deadlines } from '@dragoman/core';
import type { Config, UpstreamConfig } from './schema.ts';

/** How long an upstream may be silent where the configuration does not say. */
type Silences = Pick<Deadlines, 'connect' | 'firstToken' | 'idle'>;

/**
 * A service far away answers within seconds: its headers come when it has taken the request, and the first token when it
 * has read the longest prompts that there are. Most of a minute without headers is a service that hangs.
 */
const farAway: Silences = { connect: 60_000, firstToken: 120_000, idle: 120_000 };

/** One that is asked for whole answers writes nothing before the last word: the SDKs of OpenAI and Anthropic wait as long. */
const wholeAnswers: Silences = { connect: 600_000, firstToken: 600_000, idle: 120_000 };

/**
 * On a machine of one's own, 50 to 300 tokens a second are read of a prompt that has tens of thousands, and not a byte comes
 * before the last of them; nor while a model is loaded. To end that is to begin anew. The client's patience is the limit.
 */
const nearby: Silences = { connect: 0, firstToken: 0, idle: 0 };

/** The deadlines of an upstream's replies: its own, those of the whole configuration, or what suits where it stands. */
export function deadlinesOf(entry: UpstreamConfig, { timeouts }: Pick<Config, 'timeouts'>): Deadlines {
  const { connect, firstToken, idle, total } = { ...silencesOf(entry), ...timeouts, ...entry.timeouts };
  return { connect, firstToken, idle, total };
}

function silencesOf({ baseUrl, quirks }: UpstreamConfig): Silences {
  if (baseUrl !== undefined && isNearby(new URL(baseUrl).hostname)) return nearby;
  return quirks.noStream === true ? wholeAnswers : farAway;
}

/** The ends of names that only a network of one's own has. */
const ownNames: readonly string[] = ['.localhost', '.local', '.lan', '.internal', '.home.arpa'];

const ownAddresses = new BlockList();
for (const [address, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
  ['0.0.0.0', 32],
] as const) {
  ownAddresses.addSubnet(address, bits, 'ipv4');
}
for (const [address, bits] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const) {
  ownAddresses.addSubnet(address, bits, 'ipv6');
}

/**
 * Whether an upstream stands on this machine or in a network of one's own, as far as its address tells: a name without a
 * dot is this machine's, or that of a container or a neighbour. `hostname` is that of a URL.
 */
export function isNearby(hostname: string): boolean {
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  const version = isIP(host);
  if (version !== 0) return ownAddresses.check(host, version === 4 ? 'ipv4' : 'ipv6');
  return !host.includes('.') || ownNames.some((end) => host.endsWith(end));
}
