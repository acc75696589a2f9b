import { patienceOf } from './client-patience.ts';
import type { HttpExchange } from './exchange.ts';
import type { Recipient, RecipientListener } from './recipient.ts';
import { joinFrames } from './relay.ts';
import { addWarnings, setWarnings, warningsHeader } from './send.ts';
import type { Quiet } from './silence.ts';

const contentTypes = {
  sse: 'text/event-stream; charset=utf-8',
  ndjson: 'application/x-ndjson',
} as const;

const streamHeaders = {
  'cache-control': 'no-cache',
  connection: 'keep-alive',
  'x-accel-buffering': 'no',
  trailer: warningsHeader,
};

export interface HttpStream {
  readonly framing: keyof typeof contentTypes;
  /** What fills a long silence. */
  readonly keepAlive: () => string;
}

/**
 * A stream as the body of an HTTP response. Status and headers leave with the first frame. Frames that come together
 * leave in one write, and a long silence is filled with what means nothing: from the beginning of the reply on, and before it
 * only when the client would give up, since status and headers leave with it.
 */
export class HttpRecipient implements Recipient, Quiet {
  readonly #exchange: HttpExchange;
  readonly #stream: HttpStream;
  readonly #clientPatience: number;
  #listener: RecipientListener | undefined;
  #full = false;
  /** When frames of the reply left last. */
  #lastFrames: number;
  lastWrite: number;

  constructor(exchange: HttpExchange, stream: HttpStream) {
    this.#exchange = exchange;
    this.#stream = stream;
    const { silence } = exchange.gateway;
    this.#clientPatience = patienceOf(exchange.headers);
    this.lastWrite = silence.now();
    this.#lastFrames = this.lastWrite;
    silence.watch(this);
    exchange.response.on('close', () => silence.forget(this));
  }

  get gone(): boolean {
    return this.#exchange.response.destroyed;
  }

  get begun(): boolean {
    return this.#exchange.response.headersSent;
  }

  get patience(): number | undefined {
    return this.begun ? undefined : (this.#exchange.gateway.silence.first ?? this.#clientPatience);
  }

  listen(listener: RecipientListener): void {
    const { onDrain, onClose } = listener;
    const { response } = this.#exchange;
    this.#listener = listener;
    response.on('drain', () => {
      this.#full = false;
      onDrain();
    });
    response.on('close', onClose);
  }

  write(frames: readonly (string | Uint8Array)[]): boolean {
    const { response, note, gateway } = this.#exchange;
    if (response.destroyed || response.writableEnded) return true;
    if (!response.headersSent) {
      setWarnings(this.#exchange);
      response.writeHead(200, { 'content-type': contentTypes[this.#stream.framing], ...streamHeaders });
    }
    this.lastWrite = gateway.silence.now();
    this.#lastFrames = this.lastWrite;
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
    addWarnings(this.#exchange);
    this.#exchange.response.end();
  }

  onSilence(): void {
    if (this.#full) return;
    const now = this.#exchange.gateway.silence.now();
    const framesAt = this.#lastFrames;
    if (now - framesAt >= this.#clientPatience) this.#listener?.onWait?.();
    if (this.#lastFrames !== framesAt) return;
    this.write([this.#stream.keepAlive()]);
    this.#lastFrames = framesAt;
  }
}
