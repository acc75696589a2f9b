import {
  type ChatEvent,
  collect,
  decodeNdjson,
  decodeSse,
  type ExchangeWatch,
  type PreparedRequest,
  type Receiver,
  run,
  through,
} from '@dragoman/core';

/** Bytes of a reply that are kept. */
const mostBytes = 4 * 1024 * 1024;

/** Hears what a model itself wrote, before calls are read in it. Of several exchanges for one reply the last counts. */
export class HeardReply implements ExchangeWatch {
  #prepared: PreparedRequest | undefined;
  #contentType = '';
  #status = 0;
  #chunks: Uint8Array[] = [];
  #size = 0;

  prepared(prepared: PreparedRequest): void {
    this.#prepared = prepared;
  }

  sent(): Receiver {
    this.#chunks = [];
    this.#size = 0;
    return {
      start: (status, contentType) => {
        this.#status = status;
        this.#contentType = contentType;
      },
      data: (chunk) => {
        if (this.#size < mostBytes) this.#chunks.push(chunk);
        this.#size += chunk.length;
      },
      end: () => {},
      fail: () => {},
    };
  }

  /** Its text as it was written, with native calls as `name(arguments)`; what cannot be read, as it came. */
  written(): string {
    const bytes = Buffer.concat(this.#chunks);
    const prepared = this.#prepared;
    if (prepared === undefined || this.#status < 200 || this.#status >= 300) return bytes.toString('utf8');
    try {
      return told(eventsOf(bytes, { prepared, isWhole: this.#contentType === 'application/json' }));
    } catch {
      return bytes.toString('utf8');
    }
  }
}

function eventsOf(
  bytes: Buffer,
  { prepared, isWhole }: { readonly prepared: PreparedRequest; readonly isWhole: boolean },
): readonly ChatEvent[] {
  const { wire, request, upstream } = prepared;
  if (isWhole) return wire.readMessage(JSON.parse(bytes.toString('utf8')), request, upstream.quirks);
  const limit = { fail: () => {} };
  const frames = wire.framing === 'sse' ? decodeSse(limit) : decodeNdjson(limit);
  return run(through(frames, wire.createStreamReader(request, upstream.quirks)), [bytes]);
}

function told(events: readonly ChatEvent[]): string {
  const { content } = collect(events);
  const parts = content.map((part) => {
    if (part.type === 'text') return part.text;
    return part.type === 'reasoning' ? `(thinks) ${part.text}` : `${part.name}(${part.arguments})`;
  });
  return parts.join('\n');
}
