import { requestUrl } from 'obsidian';

/**
 * A `fetch` for servers that let no page read their answers (CORS): what the page may not, Obsidian itself may, only that its
 * answers come whole instead of streaming. `whole` is called once for each such server.
 */
export function createPageFetch(whole: (origin: string) => void): typeof fetch {
  const closed = new Set<string>();
  return async (input, init) => {
    const request = new Request(input, init);
    const { origin } = new URL(request.url);
    if (closed.has(origin)) return askWhole(request);
    // The body is needed a second time.
    const again = request.clone();
    try {
      return await fetch(request);
    } catch (error) {
      if (request.signal.aborted || !(error instanceof TypeError)) throw error;
      const response = await askWhole(again).catch(() => {
        throw error;
      });
      closed.add(origin);
      whole(origin);
      return response;
    }
  };
}

/** What Obsidian sets itself. */
const notOurs = new Set(['content-length', 'host', 'connection']);
/** Statuses whose responses have no body. */
const bodiless = new Set([101, 204, 205, 304]);

/** A `fetch` of Obsidian's own, which is no page's: CORS does not hold for it, and answers come whole. */
export const fetchWhole: typeof fetch = (input, init) => askWhole(new Request(input, init));

async function askWhole(request: Request): Promise<Response> {
  const { signal } = request;
  signal.throwIfAborted();
  const body = await request.text();
  const headers = Object.fromEntries([...request.headers].filter(([name]) => !notOurs.has(name)));
  const asked = requestUrl({
    url: request.url,
    method: request.method,
    headers,
    throw: false,
    ...(body !== '' && { body }),
  });
  const response = await new Promise<Awaited<typeof asked>>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    asked.then(resolve, reject);
  });
  const { status } = response;
  return new Response(bodiless.has(status) ? null : response.arrayBuffer, { status, headers: response.headers });
}
