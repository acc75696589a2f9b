import type {
  Answer,
  AnswerSink,
  ChatEvent,
  ClientWire,
  GatewayError,
  PromptNotes,
  ReplyContext,
  Stage,
} from '@dragoman/core';
import { isVisible, noteEvent, notePrompt } from '../log/request-note.ts';
import type { Exchange } from './exchange.ts';
import { noteError, sendError } from './send.ts';
import type { Quiet } from './silence.ts';

export interface ReplyOptions {
  readonly exchange: Exchange;
  readonly wire: ClientWire;
  readonly context: ReplyContext;
}

const contentTypes = { sse: 'text/event-stream; charset=utf-8', ndjson: 'application/x-ndjson' } as const;

const streamHeaders = {
  'cache-control': 'no-cache',
  connection: 'keep-alive',
  'x-accel-buffering': 'no',
};

/**
 * Streams a reply to the client. Status and headers wait for the first event that the client would see, so an earlier
 * failure still gets its real status; after that errors travel inside the stream. All frames of one upstream read leave
 * in one write. A client that reads slowly pauses the upstream; one that goes away aborts it.
 */
export class StreamAnswer implements AnswerSink, Quiet {
  readonly #exchange: Exchange;
  readonly #wire: ClientWire;
  readonly #context: ReplyContext;
  readonly #writer: Stage<ChatEvent>;
  #frames: string[] = [];
  #answer: Answer | undefined;
  /** Something to see has come. Until then frames wait: clients choke on a role without content before an error. */
  #ready = false;
  #blocked = false;
  #over = false;
  lastWrite: number;

  constructor({ exchange, wire, context }: ReplyOptions) {
    this.#exchange = exchange;
    this.#wire = wire;
    this.#context = context;
    this.#writer = wire.createStreamWriter(context)((frame) => this.#frames.push(frame));
    const { silence } = exchange.gateway;
    this.lastWrite = silence.now();
    silence.watch(this);
    exchange.response.on('drain', () => this.#unblock());
    exchange.response.once('close', () => this.#closed());
  }

  /** The reply that fills this sink; it may have begun to, or even be over, before it could be handed in. */
  attach(answer: Answer): void {
    this.#answer = answer;
    this.#exchange.breakOff = (error) => answer.breakOff(error);
    if (this.#exchange.response.destroyed) answer.abort();
    else if (this.#blocked) answer.pause();
  }

  prepared(notes: PromptNotes): void {
    notePrompt(this.#exchange.note, notes);
  }

  event(event: ChatEvent): void {
    if (this.#over) return;
    noteEvent(this.#exchange.note, event, () => this.#exchange.elapsed());
    if (event.type === 'error') {
      this.#fail(event.error);
      return;
    }
    this.#writer.push(event);
    if (isVisible(event)) this.#ready = true;
    if (event.type === 'message-end') this.#finish();
  }

  flush(): void {
    if (!this.#ready || this.#frames.length === 0) return;
    const text = this.#frames.length === 1 ? (this.#frames[0] ?? '') : this.#frames.join('');
    this.#frames = [];
    this.#write(text);
  }

  onSilence(): void {
    if (this.#blocked || this.#over) return;
    const { keepAlive } = this.#wire;
    this.#write(typeof keepAlive === 'string' ? keepAlive : keepAlive(this.#context));
  }

  /** Tells an error as early as can be: with a status of its own, or inside the stream once that has begun. */
  #fail(error: GatewayError): void {
    // What can be seen has come, if only in this very read: whether the error gets a status must not hang on the cuts.
    if (this.#ready) this.flush();
    // An error has to be the first thing in a stream that has shown nothing yet.
    else this.#frames = [];
    if (this.#exchange.response.headersSent) {
      this.#ready = true;
      this.#writer.push({ type: 'error', error: noteError(this.#exchange, error) });
      this.#finish();
      return;
    }
    this.#over = true;
    this.#exchange.gateway.silence.forget(this);
    sendError(this.#exchange, error, this.#wire);
  }

  #finish(): void {
    this.#writer.end();
    this.#over = true;
    this.flush();
    this.#exchange.gateway.silence.forget(this);
    this.#exchange.response.end();
  }

  #write(text: string): void {
    const { response, note, gateway } = this.#exchange;
    if (response.destroyed || response.writableEnded) return;
    if (!response.headersSent) {
      response.writeHead(200, { 'content-type': contentTypes[this.#wire.framing], ...streamHeaders });
    }
    this.lastWrite = gateway.silence.now();
    note.chunks = (note.chunks ?? 0) + 1;
    if (response.write(text) || this.#blocked) return;
    this.#blocked = true;
    this.#answer?.pause();
  }

  #unblock(): void {
    if (!this.#blocked) return;
    this.#blocked = false;
    this.#answer?.resume();
  }

  #closed(): void {
    this.#exchange.gateway.silence.forget(this);
    if (this.#over) return;
    this.#over = true;
    this.#answer?.abort();
  }
}
