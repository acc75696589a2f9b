import type {
  Answer,
  AnswerSink,
  ChatEvent,
  ClientWire,
  PromptNotes,
  RelayRequest,
  ReplyContext,
} from '@dragoman/core';
import { noteEvent, notePrompt } from '../log/request-note.ts';
import { type HttpExchange, watchOf } from './exchange.ts';
import { WholeRelay } from './relay.ts';
import { jsonText, sendJson, setWarnings } from './send.ts';

export interface WholeOptions {
  readonly exchange: HttpExchange;
  readonly wire: ClientWire;
  readonly context: ReplyContext;
  /** The request as it came, where its reply may be what an upstream wrote. */
  readonly relay?: RelayRequest | undefined;
}

/** Collects a reply and sends it as one JSON body. The engine bounds how long a reply may get. */
export class WholeAnswer implements AnswerSink {
  readonly relay?: WholeRelay;
  readonly watch: AnswerSink['watch'];
  readonly #exchange: HttpExchange;
  readonly #wire: ClientWire;
  readonly #context: ReplyContext;
  readonly #events: ChatEvent[] = [];
  #answer: Answer | undefined;
  #over = false;

  constructor({ exchange, wire, context, relay }: WholeOptions) {
    this.#exchange = exchange;
    this.watch = watchOf(exchange);
    if (relay !== undefined) this.relay = new WholeRelay(relay, { watched: this.watch !== undefined });
    this.#wire = wire;
    this.#context = context;
    exchange.response.on('close', () => {
      if (this.#over) return;
      this.#over = true;
      this.#answer?.abort();
    });
  }

  attach(answer: Answer): void {
    this.#answer = answer;
    this.#exchange.breakOff = (error) => answer.breakOff(error);
    if (this.#exchange.response.destroyed) answer.abort();
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
      this.#over = true;
      this.#exchange.refuse(event.error);
      return;
    }
    this.#events.push(event);
    if (event.type !== 'message-end') return;
    this.#over = true;
    try {
      const written = this.relay?.answer;
      if (written === undefined && this.#exchange.note.relayed === true) this.#exchange.note.relayed = false;
      const body = written ?? jsonText(this.#wire.writeMessage(this.#events, this.#context));
      this.#exchange.recorder?.wrote([body]);
      setWarnings(this.#exchange);
      sendJson(this.#exchange.response, 200, body);
    } catch (thrown) {
      this.#exchange.refuse(thrown);
    }
  }

  /** A whole answer leaves when it is whole. */
  flush(): void {}
}
