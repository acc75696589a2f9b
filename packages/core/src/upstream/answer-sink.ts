import type { ChatEvent } from '../chat/event.ts';
import type { DragomanError } from '../errors.ts';
import type { RelayTarget } from '../plan/relay.ts';
import type { PromptNotes } from '../prepare/prompt-notes.ts';
import type { ExchangeWatch } from './watch-exchange.ts';

/** Takes a reply's events. `flush` follows everything that came of one upstream read: the moment to write it out. */
export interface AnswerSink {
  /** Once, before the request is sent: what was done to it, for the log. */
  prepared?(notes: PromptNotes, relayed: boolean): void;
  event(event: ChatEvent): void;
  flush(): void;
  /** Present where the upstream's own frames would do, if nothing has to change in them. */
  readonly relay?: RelayTarget;
  /** Sees the exchange with the upstream. Default: nobody does, and nothing is done for it. */
  readonly watch?: ExchangeWatch | undefined;
}

/** A reply under way. */
export interface Answer {
  pause(): void;
  resume(): void;
  /** The client has gone: the upstream's work stops and the sink hears nothing more. */
  abort(): void;
  /** We cannot go on: the upstream's work stops and the sink gets what was read and then this error, unless it is over. */
  breakOff(error: DragomanError): void;
}
