import type {
  Answer,
  AnswerSink,
  ChatEvent,
  ClientWire,
  DragomanError,
  PromptNotes,
  RelayRequest,
  ReplyContext,
  Stage,
  StreamWriter,
} from '@dragoman/core';
import { isVisible, noteEvent, notePrompt } from '../log/request-note.ts';
import { type Exchange, watchOf } from './exchange.ts';
import type { Recipient } from './recipient.ts';
import { Relay, withoutSecrets } from './relay.ts';
import { noteError } from './send.ts';

export interface StreamOptions {
  readonly exchange: Exchange;
  readonly wire: ClientWire;
  readonly context: ReplyContext;
  readonly recipient: Recipient;
  /** The request as it came, where its reply may be what an upstream wrote. */
  readonly relay?: RelayRequest | undefined;
}

/**
 * Streams a reply to whoever takes it. Frames wait for the first event that a client would see, so an earlier failure can
 * still be refused with a status of its own; after that errors travel inside the stream. All frames of one upstream read
 * leave together. A recipient that is full pauses the upstream; one that goes away aborts it.
 */
export class StreamAnswer implements AnswerSink {
  readonly relay?: Relay;
  readonly watch: AnswerSink['watch'];
  readonly #exchange: Exchange;
  readonly #recipient: Recipient;
  readonly #writer: StreamWriter;
  #frames: (string | Uint8Array)[] = [];
  #answer: Answer | undefined;
  /** Something to see has come. Until then frames wait: clients choke on a role without content before an error. */
  #ready: boolean;
  #blocked = false;
  #over = false;

  constructor({ exchange, wire, context, recipient, relay }: StreamOptions) {
    this.#exchange = exchange;
    this.watch = watchOf(exchange);
    this.#recipient = recipient;
    this.#ready = recipient.begun;
    const write = (frame: string | Uint8Array) => void this.#frames.push(frame);
    this.#writer = wire.createStreamWriter(context)(write);
    if (relay !== undefined)
      this.relay = new Relay({ wire, context, request: relay, watched: this.watch !== undefined }, write);
    recipient.listen({
      onDrain: () => this.#unblock(),
      onClose: () => this.#closed(),
      onWait: () => this.#wait(),
    });
    this.flush();
  }

  /** The reply that fills this sink; it may have begun to, or even be over, before it could be handed in. */
  attach(answer: Answer): void {
    this.#answer = answer;
    this.#exchange.breakOff = (error) => answer.breakOff(error);
    if (this.#recipient.gone) answer.abort();
    else if (this.#blocked) answer.pause();
  }

  prepared(notes: PromptNotes, relayed: boolean): void {
    this.relay?.letGo();
    notePrompt(this.#exchange.note, notes, relayed);
  }

  event(event: ChatEvent): void {
    if (this.#over) return;
    noteEvent(this.#exchange.note, event, () => this.#exchange.elapsed());
    this.#exchange.recorder?.event(event);
    this.#exchange.trace?.event(event);
    if (event.type === 'error') {
      this.#fail(event.error);
      return;
    }
    this.#stage().push(event);
    if (isVisible(event)) this.#ready = true;
    if (event.type === 'message-end') this.#finish();
  }

  flush(): void {
    if (!this.#ready || this.#frames.length === 0) return;
    const frames = this.#frames;
    this.#frames = [];
    this.#exchange.recorder?.wrote(frames);
    if (this.#recipient.write(frames) || this.#blocked) return;
    this.#blocked = true;
    this.#answer?.pause();
  }

  /** Tells an error as early as can be: with a status of its own, or inside the stream once that has begun. */
  #fail(error: DragomanError): void {
    if (this.relay?.started) this.#frames = [...withoutSecrets(this.#frames, this.#exchange.gateway.redact)];
    // What can be seen has come, if only in this very read: whether the error gets a status must not hang on the cuts.
    if (this.#ready) this.flush();
    // An error has to be the first thing in a stream that has shown nothing yet.
    else this.#frames = [];
    if (this.#recipient.begun) {
      this.#ready = true;
      this.#stage().push({ type: 'error', error: noteError(this.#exchange, error) });
      this.#finish();
      return;
    }
    this.#over = true;
    this.#exchange.refuse(error);
  }

  #stage(): Stage<ChatEvent> {
    return this.relay?.started ? this.relay : this.#writer;
  }

  #finish(): void {
    this.#stage().end();
    this.#over = true;
    this.flush();
    this.#recipient.end();
  }

  /** Frames of an upstream that come later belong to a reply that has begun otherwise: they are written anew. */
  #wait(): void {
    if (this.#over || this.#writer.wait === undefined || this.relay?.started) return;
    this.relay?.giveUp();
    this.#ready = true;
    this.#writer.wait();
    this.flush();
  }

  #unblock(): void {
    if (!this.#blocked) return;
    this.#blocked = false;
    this.#answer?.resume();
  }

  #closed(): void {
    if (this.#over) return;
    this.#over = true;
    this.#answer?.abort();
  }
}
