/** What became of one request. */
export type Exchange =
  | Reply
  /** Nothing came for the time that a server may be silent; `text` is what came before. */
  | { readonly kind: 'silent'; readonly seconds: number; readonly text: string }
  /** The reply broke off without its end, or went beyond every measure. */
  | { readonly kind: 'cut'; readonly reason: string; readonly text: string }
  | { readonly kind: 'unreachable'; readonly reason: string };

export interface Reply {
  readonly kind: 'reply';
  readonly status: number;
  /** Without parameters, in lower case; empty when none came. */
  readonly contentType: string;
  readonly text: string;
}

export interface AskOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent with POST; without one it is a GET. */
  readonly body?: string;
  /** Breaks the reply off after its first bytes. It then counts as whole. */
  readonly breakOff?: boolean;
}

export interface AskLimits {
  readonly fetch: typeof fetch;
  /** Milliseconds for which a server may say nothing. */
  readonly silence: number;
}

/** No reply to a few words is longer, in characters. */
const longest = 8_000_000;

/** Sends one request and reads all of its reply. Never throws. */
export async function ask(options: AskOptions, limits: AskLimits): Promise<Exchange> {
  const giveUp = new AbortController();
  const seen = { text: '', silent: false };
  const listen = () =>
    setTimeout(() => {
      seen.silent = true;
      giveUp.abort();
    }, limits.silence);
  let timer = listen();
  const heard = () => {
    clearTimeout(timer);
    timer = listen();
  };
  let reached = false;
  try {
    const response = await limits.fetch(options.url, { ...initOf(options), signal: giveUp.signal });
    reached = true;
    const contentType = (response.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
    const decoder = new TextDecoder();
    const reader = response.body?.getReader();
    for (let isOver = reader === undefined; !isOver; ) {
      heard();
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      seen.text += decoder.decode(value, { stream: !done });
      isOver = done || (options.breakOff === true && seen.text !== '');
      if (seen.text.length > longest) return { kind: 'cut', reason: 'the reply does not end', text: seen.text };
    }
    return { kind: 'reply', status: response.status, contentType, text: seen.text };
  } catch (thrown) {
    if (seen.silent) return { kind: 'silent', seconds: limits.silence / 1000, text: seen.text };
    const reason = reasonOf(thrown);
    return reached ? { kind: 'cut', reason, text: seen.text } : { kind: 'unreachable', reason };
  } finally {
    clearTimeout(timer);
    // Ends what is still coming after a reply that was broken off.
    giveUp.abort();
  }
}

function initOf({ headers, body }: AskOptions): RequestInit {
  if (body === undefined) return { headers };
  return { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body };
}

/** `fetch` hides the reason below its own message. */
function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const { cause } = thrown;
  if (!(cause instanceof Error)) return thrown.message;
  return cause.message === '' && 'code' in cause ? String(cause.code) : cause.message;
}
