import { collect } from '../chat/collect.ts';
import type { ChatEvent } from '../chat/event.ts';
import { type ConversationStep, replayed } from '../conversation/place-conversation.ts';
import { shownAfter } from '../conversation/shown-blocks.ts';
import { toDragomanError } from '../errors.ts';
import type { EngineSetup, Upstream } from '../plan/setup.ts';
import { refuseLong } from '../prepare/fit-prompt.ts';
import type { TurnRules } from '../stores/turn-queue.ts';
import type { Transport } from '../stream/transport.ts';
import type { ConversationPlace, UpstreamWire } from '../wires/wire.ts';
import { createAnswerJudge } from './answer-judge.ts';
import type { AnswerSink } from './answer-sink.ts';
import { ConversationExchange } from './conversation-exchange.ts';
import { trafficOf } from './traffic.ts';
import type { PreparedRequest } from './write-rendered.ts';

/** What one request to an upstream that keeps conversations needs on both of its ends. */
export interface ConversationEnds {
  /** In place of the upstream's own. */
  readonly transport: Transport;
  /** In place of the client's own. */
  readonly sink: AnswerSink;
}

/**
 * Keeps the new point after a reply, and settles the claim on the one before: only when the reply has ended well, so one
 * that breaks off moves nothing on. The client hears the conversation's id as an event after `message-start`.
 */
export function keepConversation(
  prepared: PreparedRequest,
  options: {
    readonly step: ConversationStep;
    readonly setup: EngineSetup;
    readonly sink: AnswerSink;
    /** Carries what is asked. */
    readonly transport: Transport;
  },
): ConversationEnds {
  const { step, transport } = options;
  const { wire, upstream, plan, request } = prepared;
  const keeping = new Keeping(prepared, options);
  const exchange = new ConversationExchange({
    transport,
    wire,
    upstream: upstream.name,
    model: plan.model,
    step,
    judge: (status, contentType, retryAfter) =>
      createAnswerJudge({ prepared, status, contentType, retryAfter, isKnown: (...refusal) => isKnown(wire, refusal) }),
    traffic: trafficOf(options.setup),
    waits: waitsAt(upstream),
    write: (place, whole) => {
      const { messages } = whole ? step.whole() : step.said;
      refuseLong(messages, plan);
      return wire.writeRequest({ ...request, messages }, plan.model, upstream.quirks, place);
    },
    placed: (place, rebuilt) => keeping.placed(place, rebuilt),
    reply: () => keeping.reply,
    // The message did not become part of the conversation: the point can be continued as if nothing had been.
    refused: () => step.settle('withdrawn'),
    left: () => keeping.left(),
  });
  keeping.exchange = exchange;
  return { transport: exchange, sink: keeping };
}

/** Whether a refusal says what the exchange answers by itself: that the conversation is lost, or busy. */
function isKnown({ conversation }: UpstreamWire, refusal: readonly [status: number, body: unknown]): boolean {
  return conversation?.isLost(...refusal) === true || conversation?.isBusy(...refusal) === true;
}

/** Where nothing is configured. */
const someWaits: TurnRules = { wait: 120_000, most: 100 };

/** A message stops waiting a little before a deadline would end the request: the client is to hear why. */
const part = 0.9;

function waitsAt({ waits = someWaits, deadlines: { connect, firstToken } }: Upstream): TurnRules {
  const limits = [connect, firstToken]
    .filter((deadline) => deadline > 0)
    .map((deadline) => Math.floor(deadline * part));
  return { ...waits, wait: Math.min(waits.wait, ...limits) };
}

class Keeping implements AnswerSink {
  readonly #prepared: PreparedRequest;
  readonly #step: ConversationStep;
  readonly #setup: EngineSetup;
  readonly #sink: AnswerSink;
  /** What the client has been shown: the reply as its next history will hold it. */
  readonly #events: ChatEvent[] = [];
  /** Hears how the reply goes. */
  exchange: ConversationExchange | undefined;
  /** What the upstream calls the reply. */
  reply = '';
  #place: ConversationPlace = {};
  #rebuilt = false;

  constructor(
    prepared: PreparedRequest,
    { step, setup, sink }: { readonly step: ConversationStep; readonly setup: EngineSetup; readonly sink: AnswerSink },
  ) {
    this.#prepared = prepared;
    this.#step = step;
    this.#setup = setup;
    this.#sink = sink;
  }

  placed(place: ConversationPlace, rebuilt: boolean): void {
    this.#place = place;
    this.#rebuilt = rebuilt;
  }

  /**
   * Nobody waits for the reply any more. Where messages may follow any point, it is as if nothing had been; elsewhere
   * the upstream may have heard the message, and its conversation is no longer what the history says.
   */
  left(): void {
    this.#step.settle(this.#prepared.wire.conversation?.branches === true ? 'withdrawn' : 'kept');
  }

  event(event: ChatEvent): void {
    this.#events.push(event);
    switch (event.type) {
      case 'message-start':
        this.reply = event.id;
        this.#sink.event(event);
        if (this.#place.id !== undefined) this.#sink.event({ type: 'conversation', id: this.#place.id });
        if (this.#rebuilt)
          this.#sink.event({ type: 'warning', warning: replayed('The upstream had lost the conversation') });
        return;
      case 'conversation':
        this.#place = {
          ...this.#place,
          ...(event.id === undefined ? {} : { id: event.id }),
          ...(event.parentId === undefined ? {} : { parent: event.parentId }),
        };
        if (event.id !== undefined) this.exchange?.located(event.id);
        break;
      case 'message-end': {
        this.exchange?.replied();
        const kept = this.#keep();
        if (kept === undefined) break;
        // The last event leaves late: the client's next request may go to a gateway that has to find the point.
        kept
          .then(() => this.#end(event))
          .catch((thrown) => this.#end({ type: 'error', error: toDragomanError(thrown) }));
        return;
      }
      case 'error':
        this.left();
        break;
      default:
    }
    this.#sink.event(event);
  }

  flush(): void {
    this.#sink.flush();
  }

  prepared(...told: Parameters<NonNullable<AnswerSink['prepared']>>): void {
    this.#sink.prepared?.(...told);
  }

  #end(event: ChatEvent): void {
    this.#sink.event(event);
    this.#sink.flush();
  }

  #keep(): Promise<void> | undefined {
    const { content } = collect(this.#events);
    const { id, parent } = this.#place;
    // After a reply of nothing a client's history shows nothing that could be found again.
    const said = content.some((part) => part.type === 'tool-call' || (part.type === 'text' && part.text.trim() !== ''));
    if (!said || (id === undefined && parent === undefined)) {
      this.left();
      return undefined;
    }
    const { told, depth, pointAfter, identity, settle, spoken } = this.#step;
    const before = this.#rebuilt ? undefined : this.#step.point;
    const { keys, ...known } = pointAfter(content);
    const point = {
      id: this.#setup.randomHex(24),
      conversation: id ?? '',
      depth: depth + 1,
      told,
      ...known,
      shown: shownAfter(before?.shown ?? [], spoken),
      ...(parent === undefined ? {} : { parent }),
      ...(identity === undefined ? {} : { identity }),
    };
    const kept = this.#setup.conversations?.put(point, keys);
    settle('kept');
    return kept;
  }
}
