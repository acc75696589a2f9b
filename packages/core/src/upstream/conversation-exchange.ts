import { type ConversationStep, placeOf } from '../conversation/place-conversation.ts';
import { DragomanError, toDragomanError } from '../errors.ts';
import type { TurnRules } from '../stores/turn-queue.ts';
import type { Connection, Receiver, RepeatHints, Transport, UpstreamRequest } from '../stream/transport.ts';
import type { ConversationPlace, UpstreamWire, WrittenRequest } from '../wires/wire.ts';
import type { Traffic, Visit } from './traffic.ts';
import { jsonOrText, WholeBody } from './whole-body.ts';

/** What one request of a conversation takes. */
export interface ExchangeOptions {
  readonly transport: Transport;
  readonly wire: UpstreamWire;
  readonly upstream: string;
  /** The upstream's own name for the model. */
  readonly model: string;
  readonly step: ConversationStep;
  /** Reads the beginning of an answer to the message, for a transport that sends it again. */
  readonly judge: RepeatHints['judge'];
  readonly traffic: Traffic;
  /** How long a message waits where the conversation is busy, and how many do. */
  readonly waits: TurnRules;
  /** The message, written for a place. `whole`: everything, for a new conversation. */
  readonly write: (place: ConversationPlace, whole: boolean) => WrittenRequest;
  /** The message goes to this place now; called again when a conversation was lost. */
  readonly placed: (place: ConversationPlace, rebuilt: boolean) => void;
  /** The upstream's own name of the reply that is under way; empty where it said none. */
  readonly reply: () => string;
  /** The upstream refused the message, or never got it. */
  readonly refused: () => void;
  /** Nobody waits for the answer any more. */
  readonly left: () => void;
}

/** A message, and where it is to go. */
interface Saying {
  readonly place: ConversationPlace;
  /** Everything, for a new conversation. */
  readonly whole: boolean;
  readonly receiver: Receiver;
}

/** Milliseconds that an upstream has to say that it has stopped writing a reply. */
const stopTime = 5000;

/**
 * A transport for one message to an upstream that keeps conversations: begins the conversation where there is none yet,
 * then sends the message into it, when it is free. If the upstream has lost the conversation, it begins another one and
 * sends everything there, once. Whoever receives sees only the last answer.
 */
export class ConversationExchange implements Transport, Connection {
  readonly #options: ExchangeOptions;
  readonly #unwanted = new AbortController();
  #connection: Connection | undefined;
  /** The message in the conversation that it goes to, once that is known. */
  #visit: Visit | undefined;
  #place: ConversationPlace = {};
  /** Counts requests: a connection that arrives after the next request was sent is an old one. */
  #sent = 0;
  /** The message has not been sent, or was refused, because the conversation is busy. */
  #waits = false;
  #paused = false;
  #rebuilt = false;

  constructor(options: ExchangeOptions) {
    this.#options = options;
  }

  send(_request: UpstreamRequest, receiver: Receiver): Connection {
    const { point } = this.#options.step;
    if (point === undefined) this.#begin(receiver);
    else this.#say({ place: placeOf(point), whole: false, receiver });
    return this;
  }

  /** The upstream has named the conversation that its reply is in. */
  located(id: string): void {
    if (this.#place.id === id) return;
    this.#leave();
    this.#place = { ...this.#place, id };
    this.#visit = this.#enter(id);
    this.#visit.joined();
  }

  /** The reply is over. Its stream may stay open. */
  replied(): void {
    this.#visit?.replied();
  }

  pause(): void {
    this.#paused = true;
    this.#connection?.pause();
  }

  resume(): void {
    this.#paused = false;
    this.#connection?.resume();
  }

  abort(): void {
    this.#unwanted.abort();
    this.#connection?.abort();
    if (this.#waits) {
      this.#visit?.closed();
      this.#options.refused();
      return;
    }
    this.#stop();
    this.#options.left();
  }

  /** Nobody reads the rest of a reply. Until the upstream has stopped writing it, its conversation is not free. */
  #stop(): void {
    const { wire, reply, transport, upstream } = this.#options;
    const visit = this.#visit;
    const written = wire.conversation?.stop?.({ ...this.#place, reply: reply() });
    if (visit === undefined || written === undefined) {
      visit?.closed();
      return;
    }
    visit.replied();
    const closed = () => {
      clearTimeout(timer);
      visit.closed();
    };
    const timer = setTimeout(() => {
      connection.abort();
      closed();
    }, stopTime);
    const connection = transport.send(
      { upstream, path: written.path, body: written.body },
      { start: () => {}, data: () => {}, end: closed, fail: closed },
    );
  }

  /** Begins a conversation and sends everything into it. */
  #begin(receiver: Receiver): void {
    this.#leave();
    const create = this.#options.wire.conversation?.create;
    if (create === undefined) {
      this.#say({ place: {}, whole: true, receiver });
      return;
    }
    const look = new AnswerLook(receiver, {
      // A page: whoever reads replies knows what to say of it.
      passes: (status, contentType) => isGood(status) && contentType === 'text/html',
      over: (status, body) => {
        if (!isGood(status)) {
          this.#options.refused();
          return false;
        }
        this.#say({ place: { id: create.read(body) }, whole: true, receiver });
        return true;
      },
    });
    this.#request(create.write(this.#options.model), look);
  }

  #say(saying: Saying): void {
    const { place } = saying;
    this.#leave();
    this.#visit = place.id === undefined ? undefined : this.#enter(place.id);
    this.#place = place;
    if (this.#visit === undefined || this.#visit.goes()) this.#post(saying);
    else this.#wait(saying, this.#visit);
  }

  /** The message does not go where it was to go. */
  #leave(): void {
    this.#visit?.closed();
    this.#visit = undefined;
  }

  #enter(id: string): Visit {
    return this.#options.traffic.enter(`${this.#options.upstream} ${id}`);
  }

  /** Sends the message when its turn has come. */
  #wait(saying: Saying, visit: Visit): void {
    this.#waits = true;
    const turn = visit.turn({ rules: this.#options.waits, signal: this.#unwanted.signal });
    const fail = (thrown: unknown) => {
      visit.closed();
      if (!this.#unwanted.signal.aborted) saying.receiver.fail(toDragomanError(thrown));
    };
    const refuse = (thrown: unknown) => {
      if (!this.#unwanted.signal.aborted) this.#options.refused();
      fail(thrown);
    };
    const post = () => {
      this.#waits = false;
      this.#post(saying);
    };
    turn.then(post, refuse).catch(fail);
  }

  #post(saying: Saying): void {
    const { place, whole, receiver } = saying;
    this.#options.placed(place, this.#rebuilt);
    const look = new AnswerLook(receiver, {
      // A refusal may come with a good status, but never as a stream.
      passes: (status, contentType) => isGood(status) && contentType !== 'application/json',
      over: (status, body) => this.#refused(saying, { status, body }),
    });
    const written = () => this.#written({ place, whole });
    const repeats = {
      judge: this.#options.judge,
      anew: written,
      onlyRefused: this.#options.wire.conversation?.branches !== true,
    };
    this.#request(
      { ...written(), repeats },
      {
        start: (...head) => look.start(...head),
        data: (chunk) => look.data(chunk),
        end: () => this.#closing(() => look.end()),
        fail: (error) => this.#closing(() => look.fail(error)),
      },
    );
  }

  /** Throws where all that is to be said is too long. */
  #written({ place, whole }: Omit<Saying, 'receiver'>): WrittenRequest {
    try {
      return this.#options.write(place, whole);
    } catch (thrown) {
      this.#leave();
      throw thrown;
    }
  }

  /** The stream of a reply is closed, unless what came was a refusal and the message goes out once more. */
  #closing(report: () => void): void {
    const sent = this.#sent;
    report();
    if (sent === this.#sent && !this.#waits) this.#visit?.closed();
  }

  /** Whether the message is on its way into another conversation, or the receiver knows that it is not. */
  #refused(saying: Saying, { status, body }: { readonly status: number; readonly body: unknown }): boolean {
    const { step, wire, refused } = this.#options;
    const rules = wire.conversation;
    // A whole reply in one piece.
    if (isGood(status) && rules?.refuses(body) !== true) return false;
    if (this.#visit !== undefined && this.#isBusy(this.#visit, { status, body })) {
      this.#visit.refused();
      this.#wait(saying, this.#visit);
      return true;
    }
    // A new conversation may be lost, too: where its id is taken, or the upstream does not know it yet.
    const canBegin = step.point !== undefined || rules?.create !== undefined;
    const isLost = canBegin && rules?.isLost(status, body) === true;
    if (isLost && !this.#rebuilt) {
      this.#rebuilt = true;
      this.#begin(saying.receiver);
      return true;
    }
    if (status < 500) refused();
    if (!isLost) return false;
    const words = 'The upstream lost the conversation, and refused the new one that was to take its place.';
    saying.receiver.fail(new DragomanError('upstream-failed', words, { upstreamStatus: status }));
    return true;
  }

  /** Too many requests, while another one is under way in the same conversation, are that one. */
  #isBusy(visit: Visit, { status, body }: { readonly status: number; readonly body: unknown }): boolean {
    const isBusy = this.#options.wire.conversation?.isBusy(status, body) === true;
    return isBusy || (status === 429 && visit.hasOther);
  }

  #request(
    { path, body, headers, repeats }: WrittenRequest & Pick<UpstreamRequest, 'repeats'>,
    receiver: Receiver,
  ): void {
    if (this.#unwanted.signal.aborted) return;
    this.#sent += 1;
    const sent = this.#sent;
    const request = {
      upstream: this.#options.upstream,
      path,
      body,
      ...(headers === undefined ? {} : { headers }),
      ...(repeats === undefined ? {} : { repeats }),
    };
    const connection = this.#options.transport.send(request, receiver);
    if (sent !== this.#sent) return;
    this.#connection = connection;
    if (this.#unwanted.signal.aborted) connection.abort();
    else if (this.#paused) connection.pause();
  }
}

const isGood = (status: number) => status >= 200 && status < 300;

/** Of an answer no more bytes are looked at; a refusal is shorter. */
const longestLook = 65_536;

/** What is asked of whoever looks. */
export interface LookOptions {
  /** By the headers alone: the receiver gets the answer as it comes. */
  readonly passes: (status: number, contentType: string) => boolean;
  /**
   * The answer has not passed, and is over or longer than anybody looks. True: that was all, and the receiver hears
   * nothing of it; false: it gets the answer now, byte for byte. What it throws, the receiver gets as an error. `body` is
   * parsed JSON, or text when it was not JSON.
   */
  readonly over: (status: number, body: unknown) => boolean;
}

/** Looks at an answer before its receiver gets it. */
export class AnswerLook implements Receiver {
  readonly #receiver: Receiver;
  readonly #options: LookOptions;
  /** `looking`: all that has come is held; `passing`: the receiver gets it; `over`: the receiver hears nothing more. */
  #state: 'looking' | 'passing' | 'over' = 'looking';
  #head: { readonly status: number; readonly contentType: string; readonly retryAfter: number | undefined } | undefined;
  #held: Uint8Array[] = [];
  #length = 0;

  constructor(receiver: Receiver, options: LookOptions) {
    this.#receiver = receiver;
    this.#options = options;
  }

  start(status: number, contentType: string, retryAfter?: number): void {
    this.#head = { status, contentType, retryAfter };
    if (this.#options.passes(status, contentType)) this.#pass();
  }

  data(chunk: Uint8Array): void {
    if (this.#state === 'passing') this.#receiver.data(chunk);
    if (this.#state !== 'looking') return;
    this.#held.push(chunk);
    this.#length += chunk.length;
    if (this.#length > longestLook) this.#decide();
  }

  end(): void {
    if (this.#state === 'looking') this.#decide();
    if (this.#state === 'passing') this.#receiver.end();
  }

  fail(error: DragomanError): void {
    if (this.#state !== 'over') this.#receiver.fail(error);
  }

  #decide(): void {
    const body = new WholeBody();
    for (const chunk of this.#held) body.push(chunk);
    try {
      if (this.#head !== undefined && this.#options.over(this.#head.status, jsonOrText(body.text()))) {
        this.#state = 'over';
        this.#held = [];
      } else this.#pass();
    } catch (thrown) {
      this.#state = 'over';
      this.#receiver.fail(toDragomanError(thrown));
    }
  }

  #pass(): void {
    this.#state = 'passing';
    if (this.#head === undefined) return;
    const { status, contentType, retryAfter } = this.#head;
    this.#receiver.start(status, contentType, retryAfter);
    for (const chunk of this.#held) this.#receiver.data(chunk);
    this.#held = [];
  }
}
