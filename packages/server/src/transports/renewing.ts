import { afterTimeout } from '../after.ts';
import type { HttpTransport } from './http.ts';
import { type Outcome, RepeatedExchange } from './repeated-exchange.ts';

type Headers = Readonly<Record<string, string>>;

/**
 * A transport whose headers may be renewed while it is used. Each request is sent with what they are just then; they win
 * over the request's own. An answer of somebody who is not signed in (401, 403, or a web page instead of an answer) makes
 * it look again: if the headers are others by now, the request is sent once more and that answer counts. A request that
 * was refused so has done nothing, so it may be sent twice.
 */
export function createRenewingTransport(transport: HttpTransport, headersNow: () => Headers): HttpTransport {
  return {
    send: (request, receiver) => {
      let headers = headersNow();
      const next = () => ({ ...request, headers: { ...request.headers, ...headers } });
      const again = (outcome: Outcome, attempt: number) => {
        if (attempt > 1 || !isSignedOut(outcome)) return undefined;
        const before = headers;
        headers = headersNow();
        return Object.entries(headers).some(([name, value]) => before[name] !== value) ? 0 : undefined;
      };
      return new RepeatedExchange({ transport, rules: { next, again }, receiver, after: afterTimeout });
    },
    makeReady: () => transport.makeReady?.(),
    close: () => transport.close(),
  };
}

function isSignedOut(outcome: Outcome): boolean {
  if ('error' in outcome) return false;
  const { status, contentType } = outcome;
  return status === 401 || status === 403 || (status < 300 && contentType.includes('html'));
}
