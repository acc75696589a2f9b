import { Buffer } from 'node:buffer';

/** Before its end a credential is told of, in milliseconds: time enough to renew it. */
const noticeBefore = 24 * 60 * 60 * 1000;

/** How the credentials of all upstreams are, by the worst of them. */
export type CredentialStatus = 'ok' | 'expiring' | 'expired';

export interface CredentialOptions {
  /** The headers that each upstream gets now, by its name. */
  readonly headers: ReadonlyMap<string, () => Readonly<Record<string, string>>>;
  /** Hears once of each credential that ends soon, naming the upstream and the moment, never the credential. */
  readonly report: (message: string) => void;
  /** Milliseconds since 1970. Default: the clock. */
  readonly now?: () => number;
}

/** Watches for credentials that tell when they end, as tokens with a date in them do. Others count as good. */
export class Credentials {
  readonly #options: CredentialOptions;
  readonly #told = new Set<string>();

  constructor(options: CredentialOptions) {
    this.#options = options;
  }

  status(): CredentialStatus {
    const now = (this.#options.now ?? Date.now)();
    let soonest = Number.POSITIVE_INFINITY;
    for (const [upstream, headersNow] of this.#options.headers) {
      for (const value of Object.values(headersNow())) {
        const end = expiryOf(value);
        if (end === undefined || end - now > noticeBefore) continue;
        this.#report(upstream, { end, now });
        soonest = Math.min(soonest, end);
      }
    }
    if (soonest === Number.POSITIVE_INFINITY) return 'ok';
    return soonest <= now ? 'expired' : 'expiring';
  }

  #report(upstream: string, { end, now }: { readonly end: number; readonly now: number }): void {
    const state = `${upstream} ${end} ${end <= now}`;
    if (this.#told.has(state)) return;
    this.#told.add(state);
    const when = `${end <= now ? 'ended' : 'will end'} at ${new Date(end).toISOString()}`;
    this.#options.report(`the credentials of the upstream "${upstream}" ${when}; renew them`);
  }
}

/** When the token in a header ends, in milliseconds since 1970; undefined where none tells. Reads JSON Web Tokens. */
export function expiryOf(header: string): number | undefined {
  for (const piece of header.split(/[\s;,=]+/)) {
    const [, claims, signature, ...rest] = piece.split('.');
    if (claims === undefined || signature === undefined || rest.length > 0) continue;
    const end = expOf(claims);
    if (end !== undefined) return end;
  }
  return undefined;
}

/** The moment in claims; later than any date can be, they tell nothing. */
function expOf(claims: string): number | undefined {
  try {
    const { exp }: { exp?: unknown } = Object(JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')));
    return typeof exp === 'number' && exp > 0 && exp < 100_000_000_000 ? exp * 1000 : undefined;
  } catch {
    return undefined;
  }
}
