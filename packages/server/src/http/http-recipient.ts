import type { Exchange } from './exchange.ts';
import type { Recipient, RecipientListener } from './recipient.ts';
import { joinFrames } from './relay.ts';
import type { Quiet } from './silence.ts';

const contentTypes = {
  sse: 'text/event-stream; charset=utf-8',
  ndjson: 'application/x-ndjson',
} as const;

const streamHeaders = {
  'cache-control': 'no-cache',
  connection: 'keep-alive',
  'x-accel-buffering': 'no',
};

export interface HttpStream {
  readonly framing: keyof typeof contentTypes;
  /** What fills a long silence. */
  readonly keepAlive: () => string;
}

/**
 * A stream as the body of an HTTP response. Status and headers leave with the first frame. Frames that come together
 * leave in one write, and a long silence is filled with what means nothing.
 */
export class HttpRecipient implements Recipient, Quiet {
  readonly #exchange: Exchange;
  readonly #stream: HttpStream;
  #full = false;
  lastWrite: number;

  constructor(exchange: Exchange, stream: HttpStream) {
    this.#exchange = exchange;
    this.#stream = stream;
    const { silence } = exchange.gateway;
    this.lastWrite = silence.now();
    silence.watch(this);
    exchange.response.once('close', () => silence.forget(this));
  }

  get gone(): boolean {
    return this.#exchange.response.destroyed;
  }

  get begun(): boolean {
    return this.#exchange.response.headersSent;
  }

  listen({ onDrain, onClose }: RecipientListener): void {
    const { response } = this.#exchange;
    response.on('drain', () => {
      this.#full = false;
      onDrain();
    });
    response.once('close', onClose);
  }

  write(frames: readonly (string | Uint8Array)[]): boolean {
    const { response, note, gateway } = this.#exchange;
    if (response.destroyed || response.writableEnded) return true;
    if (!response.headersSent) {
      response.writeHead(200, { 'content-type': contentTypes[this.#stream.framing], ...streamHeaders });
    }
    this.lastWrite = gateway.silence.now();
    if (frames.length === 0) {
      response.flushHeaders();
      return true;
    }
    note.chunks = (note.chunks ?? 0) + 1;
    this.#full = !response.write(joinFrames(frames));
    return !this.#full;
  }

  end(): void {
    this.#exchange.gateway.silence.forget(this);
    this.#exchange.response.end();
  }

  onSilence(): void {
    if (!this.#full) this.write([this.#stream.keepAlive()]);
  }
}
