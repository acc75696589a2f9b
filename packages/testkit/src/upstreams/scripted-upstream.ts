import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { playReply } from './play-reply.ts';
import { errorReply, type ScriptedReply } from './scripted-reply.ts';

/** What the upstream saw of one request, and what became of its answer. */
export interface SeenRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
  /** The parsed body; undefined when it was not JSON. */
  readonly body: unknown;
  /** Bytes of the answer handed to the socket so far. Stands still when the client stops reading. */
  readonly bytesSent: number;
  /** Settles when the client went away before the answer was over; never otherwise. */
  readonly aborted: Promise<void>;
  /** Settles when the answer is over, one way or another: ended, cut by the script, or given up by the client. */
  readonly over: Promise<'ended' | 'cut' | 'aborted'>;
}

/** A reply, or a function that makes one of what was asked. */
export type NextReply = ScriptedReply | ((request: SeenRequest) => ScriptedReply);

export interface ScriptedUpstreamOptions {
  /** Answers when no reply is left. Default: a 500 that says so. */
  readonly fallback?: NextReply;
}

/** A real HTTP server on 127.0.0.1 whose answers are written down beforehand. */
export interface ScriptedUpstream {
  /** `http://127.0.0.1:port` */
  readonly origin: string;
  /** The origin with `/v1`, as a base URL for OpenAI-compatible clients. */
  readonly baseUrl: string;
  /** All requests in order of arrival, their bodies read. */
  readonly requests: readonly SeenRequest[];
  /** Connections accepted so far: one that is kept alive counts once. */
  readonly connections: number;
  /** Queues replies; each answers one request. */
  next(...replies: readonly NextReply[]): void;
  /** The `index`th request (from zero), once it has arrived. Rejects after `timeout` milliseconds, 5000 by default. */
  request(index: number, timeout?: number): Promise<SeenRequest>;
  /** Destroys all connections and stops listening. */
  close(): Promise<void>;
}

/** Starts a scripted upstream on a free port. */
export async function startScriptedUpstream(options: ScriptedUpstreamOptions = {}): Promise<ScriptedUpstream> {
  const fallback = options.fallback ?? errorReply(500, 'No reply is scripted for this request.');
  const queue: NextReply[] = [];
  const requests: SeenRequest[] = [];
  const arrivals = new Set<() => void>();
  let connections = 0;

  const server = createServer({ noDelay: true }, (request, response) => {
    const next = queue.shift() ?? fallback;
    void see(request, response).then(({ seen, play }) => {
      requests.push(seen);
      for (const arrived of arrivals) arrived();
      play(typeof next === 'function' ? next(seen) : next);
    });
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The scripted upstream has no port.');
  const origin = `http://127.0.0.1:${address.port}`;

  return {
    origin,
    baseUrl: `${origin}/v1`,
    requests,
    get connections() {
      return connections;
    },
    next: (...replies) => {
      queue.push(...replies);
    },
    request: (index, timeout = 5000) => arrival({ requests, arrivals, index, timeout }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Arrival {
  readonly requests: readonly SeenRequest[];
  readonly arrivals: Set<() => void>;
  readonly index: number;
  readonly timeout: number;
}

/** Waits until the `index`th request is there. */
function arrival({ requests, arrivals, index, timeout }: Arrival): Promise<SeenRequest> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      const seen = requests[index];
      if (seen === undefined) return;
      clearTimeout(timer);
      arrivals.delete(look);
      resolve(seen);
    };
    const timer = setTimeout(() => {
      arrivals.delete(look);
      reject(new Error(`Request ${index} did not arrive within ${timeout} ms; ${requests.length} did.`));
    }, timeout);
    arrivals.add(look);
    look();
  });
}

/** Reads the request whole and prepares the record that the answer's outcome is written to. */
async function see(
  request: IncomingMessage,
  response: ServerResponse,
): Promise<{ seen: SeenRequest; play: (reply: ScriptedReply) => void }> {
  let aborted = (): void => {};
  let over = (_: 'ended' | 'cut' | 'aborted'): void => {};
  let isOver = false;
  const whenAborted = new Promise<void>((resolve) => {
    aborted = resolve;
  });
  const whenOver = new Promise<'ended' | 'cut' | 'aborted'>((resolve) => {
    over = resolve;
  });
  const finish = (how: 'ended' | 'cut' | 'aborted'): void => {
    if (isOver) return;
    isOver = true;
    if (how === 'aborted') aborted();
    over(how);
  };
  response.on('close', () => finish(response.writableFinished ? 'ended' : 'aborted'));

  const text = await readText(request);
  let bytesSent = 0;
  const seen: SeenRequest = {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers,
    text,
    body: parsed(text),
    get bytesSent() {
      return bytesSent;
    },
    aborted: whenAborted,
    over: whenOver,
  };
  const play = (reply: ScriptedReply): void => {
    const onBytes = (count: number): void => {
      bytesSent += count;
    };
    void playReply({ reply, response, onBytes, onCut: () => finish('cut') });
  };
  return { seen, play };
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of request) if (chunk instanceof Uint8Array) chunks.push(chunk);
  } catch {
    // The client went away while it was still sending; what came until then is what we saw.
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
