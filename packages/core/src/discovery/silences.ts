import type { Deadlines } from '../plan/rules.ts';

/** How long an upstream may be silent where nobody says. */
export type Silences = Pick<Deadlines, 'connect' | 'firstToken' | 'idle'>;

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

/** What suits an upstream by where it stands, and by whether it is asked for whole answers. */
export function usualTimeouts({ baseUrl, noStream = false }: Place): Silences {
  if (baseUrl !== undefined && isNearby(new URL(baseUrl).hostname)) return nearby;
  return noStream ? wholeAnswers : farAway;
}

interface Place {
  readonly baseUrl?: string | undefined;
  readonly noStream?: boolean;
}

/** The ends of names that only a network of one's own has. */
const ownNames: readonly string[] = ['.localhost', '.local', '.lan', '.internal', '.home.arpa'];

/**
 * Whether an upstream stands on this machine or in a network of one's own, as far as its address tells: a name without a
 * dot is this machine's, or that of a container or a neighbour. `hostname` is that of a URL, which has written addresses in
 * their shortest form.
 */
export function isNearby(hostname: string): boolean {
  if (hostname.startsWith('[')) return ownIpv6.test(hostname);
  if (/^\d+\.\d+\.\d+\.\d+$/.test(hostname)) return isOwnIpv4(hostname.split('.').map(Number));
  return !hostname.includes('.') || ownNames.some((end) => hostname.endsWith(end));
}

/** Loopback, unique local (fc00::/7) and link-local (fe80::/10). */
const ownIpv6 = /^\[(::1\]|f[cd]|fe[89ab])/;

function isOwnIpv4([first = -1, second = -1]: readonly number[]): boolean {
  if (first === 0 || first === 10 || first === 127) return true;
  if (first === 172) return second >= 16 && second <= 31;
  // Carriers' own networks are those of VPNs such as Tailscale, too.
  if (first === 100) return second >= 64 && second <= 127;
  return (first === 192 && second === 168) || (first === 169 && second === 254);
}
