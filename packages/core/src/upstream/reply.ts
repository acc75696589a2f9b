import type { ChatEvent } from '../chat/event.ts';
import { DragomanError, toDragomanError } from '../errors.ts';
import type { RelayTarget } from '../plan/relay.ts';
import type { EngineSetup } from '../plan/setup.ts';
import type { Sink, Stage, StageFactory } from '../stream/stage.ts';
import type { Connection, Receiver, RepeatHints, Transport } from '../stream/transport.ts';
import type { UpstreamWire } from '../wires/wire.ts';
import { createAnswerJudge } from './answer-judge.ts';
import type { Answer, AnswerSink } from './answer-sink.ts';
import { clockOf, type DeadlineWatch } from './deadlines.ts';
import { FrameTap } from './frame-tap.ts';
import { Outlet } from './outlet.ts';
import { createAnswerReader, isAsAsked } from './read-answer.ts';
import { relayWhole } from './whole-body.ts';
import type { PreparedRequest } from './write-rendered.ts';

/** What a reply may tell the stages that it was built from. */
export interface ReplyHooks {
  /** The terminal event waits for something outside the stream. */
  readonly waiting: () => void;
  /** It has gone out, or sending it threw. */
  readonly settled: (thrown?: unknown) => void;
  /** Something came that the client is not shown: the upstream has begun to answer all the same. */
  readonly hidden: () => void;
  /** Nothing that is still to come will be shown: the reply ends well here, and the upstream's work stops. */
  readonly over: () => void;
  /** Whether that was said. */
  readonly endsEarly: () => boolean;
}

/**
 * One reply under way: takes an upstream's bytes, sends them through the stages, and sees to it that the client gets
 * exactly one terminal event and the upstream an end. Whatever throws on the way becomes one `error` event.
 */
export class Reply implements Answer, Receiver {
  /** Absent once the upstream has answered: what of it is still needed the stages hold. */
  #prepared: PreparedRequest | undefined;
  readonly #transport: Transport;
  readonly #maxBytes: number;
  /** Takes what the upstream writes as it is, where nothing has to change in it. */
  #relay: RelayTarget | undefined;
  readonly #outlet: Outlet;
  #stages: Stage<ChatEvent>;
  /** What is relayed needs no stages; until the upstream has answered as it was asked to, they may still be needed. */
  #makeStages: (() => Stage<ChatEvent>) | undefined;
  /** Somebody wants to see all events. */
  readonly #isWatched: boolean;
  readonly #watch: DeadlineWatch;
  #connection: Connection | undefined;
  #input: Stage<Uint8Array> | undefined;
  #bytes = 0;
  /** The upstream's answer is over, or given up: nothing more is taken from it. */
  #upstreamOver = false;
  #givenUp = false;
  #paused = false;
  #waiting = false;
  /** The reply has ended before the upstream has: nothing more is taken from it, and its work stops. */
  #endsEarly = false;
  /** A frame grew too long while a chunk was being read. */
  #broken: DragomanError | undefined;

  constructor(options: {
    readonly prepared: PreparedRequest;
    readonly setup: EngineSetup;
    readonly sink: AnswerSink;
    readonly stages: (hooks: ReplyHooks) => StageFactory<ChatEvent, ChatEvent>;
    /** Default: the upstream's own. */
    readonly transport?: Transport | undefined;
  }) {
    const { prepared, setup } = options;
    this.#transport = options.transport ?? prepared.upstream.transport;
    this.#prepared = prepared;
    this.#maxBytes = setup.maxReplyBytes;
    this.#relay = prepared.relay.relayed ? options.sink.relay : undefined;
    this.#isWatched = options.sink.watch !== undefined;
    this.#watch = clockOf(setup).watch(prepared.upstream.deadlines, (reason) => this.#expired(reason));
    this.#outlet = new Outlet({
      sink: options.sink,
      upstream: prepared.upstream.name,
      warnings: prepared.warnings,
      visible: () => this.#watch.visible(),
    });
    const hooks: ReplyHooks = {
      waiting: () => {
        this.#waiting = true;
      },
      settled: (thrown) => this.#settled(thrown),
      hidden: () => this.#watch.visible(),
      over: () => {
        this.#endsEarly = true;
      },
      endsEarly: () => this.#endsEarly,
    };
    const sink: Sink<ChatEvent> = (event) => this.#outlet.event(event);
    // While the upstream works, and not when its first words have come.
    if (this.#relay === undefined) this.#stages = options.stages(hooks)(sink);
    else {
      this.#stages = { push: sink, end: () => {} };
      this.#makeStages = later(options.stages, hooks, sink);
    }
  }

  send(): void {
    try {
      const prepared = this.#prepared;
      if (prepared === undefined) return;
      const judge: RepeatHints['judge'] = (status, contentType, retryAfter) =>
        createAnswerJudge({ prepared, status, contentType, retryAfter });
      const request = { repeats: { judge, onlyRefused: false }, ...prepared.upstreamRequest };
      this.#connection = this.#transport.send(request, this);
    } catch (thrown) {
      this.#upstreamOver = true;
      this.#crash(thrown);
    }
    // A transport may answer at once, and the client may have left or paused meanwhile.
    if (this.#givenUp) this.#connection?.abort();
    else if (this.#paused) this.#connection?.pause();
    this.#afterRead();
  }

  start(status: number, contentType: string, retryAfter?: number): void {
    const prepared = this.#prepared;
    if (this.#upstreamOver || prepared === undefined) return;
    this.#prepared = undefined;
    const { wire, upstream, request } = prepared;
    this.#watch.connected();
    const head = { status, contentType, retryAfter };
    const relay = isAsAsked(head, wire, request.stream) ? this.#relay : undefined;
    const reader = createAnswerReader(head, {
      wire,
      quirks: upstream.quirks,
      // Its readers know the reply, and stay as long as a stream runs.
      request: request.stream ? { ...request, messages: [] } : request,
      fail: (error) => {
        this.#broken ??= error;
      },
    });
    const sink: Sink<ChatEvent> = (event) => this.#stages.push(event);
    if (relay !== undefined && !request.stream) {
      this.#relay = undefined;
      this.#input = relayWhole({ reader, relay, changes: () => this.#useStages(), sink });
      return;
    }
    if (relay === undefined) this.#useStages();
    this.#relay = relay;
    this.#makeStages = undefined;
    const input = reader(sink);
    this.#input = relay?.start() === true ? this.#tapped(input, wire) : input;
  }

  data(chunk: Uint8Array): void {
    if (this.#upstreamOver || this.#endsEarly || this.#outlet.closed) return;
    this.#watch.read();
    this.#bytes += chunk.length;
    try {
      if (this.#bytes > this.#maxBytes) this.#broken = tooLarge(this.#maxBytes);
      else this.#read(chunk);
      if (this.#broken !== undefined) this.#endStages(this.#broken);
      else if (this.#endsEarly && !this.#outlet.closed) this.#endHere();
    } catch (thrown) {
      this.#crash(thrown);
    }
    this.#afterRead();
  }

  end(): void {
    this.#upstreamEnded();
  }

  fail(error: DragomanError): void {
    this.#upstreamEnded(error);
  }

  pause(): void {
    this.#paused = true;
    this.#watch.pause(true);
    this.#connection?.pause();
  }

  resume(): void {
    this.#paused = false;
    this.#watch.pause(false);
    this.#connection?.resume();
  }

  abort(): void {
    this.#outlet.close();
    this.#giveUpUpstream();
    this.#watch.stop();
  }

  breakOff(error: DragomanError): void {
    if (!this.#outlet.closed) this.#expired(error);
  }

  #useStages(): void {
    this.#stages = this.#makeStages?.() ?? this.#stages;
  }

  /** What is relayed is read only to know how the reply goes, unless somebody watches all of it. */
  #tapped(reader: Stage<Uint8Array>, { isQuiet }: UpstreamWire): Stage<Uint8Array> {
    if (isQuiet === undefined || this.#isWatched) return reader;
    return new FrameTap({ reader, isQuiet, hasSaid: () => this.#outlet.said });
  }

  #read(chunk: Uint8Array): void {
    if (this.#relay !== undefined) {
      this.#relay.bytes(chunk);
      this.#outlet.touch();
    }
    this.#input?.push(chunk);
  }

  #upstreamEnded(cut?: DragomanError): void {
    if (this.#upstreamOver) return;
    this.#upstreamOver = true;
    this.#watch.quiet();
    if (cut === undefined) this.#relay?.over();
    try {
      if (!this.#outlet.closed && !this.#endsEarly) this.#endStages(cut);
    } catch (thrown) {
      this.#crash(thrown);
    }
    this.#afterRead();
  }

  /** What came with the same read has been heard, the end of the reply perhaps, too. */
  #endHere(): void {
    this.#stages.push({ type: 'message-end', finishReason: 'stop' });
    this.#watch.quiet();
  }

  /** The end, or the cut, runs through all stages, and each lets out what it held back. */
  #endStages(cut?: DragomanError): void {
    this.#input?.end(cut);
    this.#stages.end(cut);
    // An error is made only where one is needed: its stack costs as much as reading a whole small answer.
    if (!this.#waiting && !this.#outlet.closed) {
      this.#outlet.fail(
        cut ?? new DragomanError('upstream-cut', 'The upstream stopped before its reply was finished.'),
      );
    }
  }

  /** After everything that may have let events out: writes them out, and lets go of an upstream that is done. */
  #afterRead(): void {
    try {
      this.#outlet.flush();
    } catch (thrown) {
      this.#crash(thrown);
    }
    if (!this.#outlet.closed) return;
    if (this.#outlet.failed || this.#endsEarly) this.#giveUpUpstream();
    if (this.#upstreamOver) this.#watch.stop();
    else this.#watch.drain();
  }

  #settled(thrown: unknown): void {
    this.#waiting = false;
    if (thrown !== undefined) this.#crash(thrown);
    this.#afterRead();
  }

  #expired(reason: DragomanError | 'drained'): void {
    if (reason === 'drained') {
      this.#giveUpUpstream();
      return;
    }
    this.#waiting = false;
    try {
      if (this.#upstreamOver) this.#outlet.fail(reason);
      else this.#endStages(reason);
    } catch (thrown) {
      this.#crash(thrown);
    }
    this.#afterRead();
  }

  /** A stage or the sink threw. The stages are in an unknown state, so the client is told directly. */
  #crash(thrown: unknown): void {
    try {
      this.#outlet.fail(toDragomanError(thrown));
    } catch {
      // The sink throws even on this: nobody is left to tell.
      this.#outlet.close();
      this.#giveUpUpstream();
    }
  }

  #giveUpUpstream(): void {
    if (this.#upstreamOver) return;
    this.#upstreamOver = true;
    this.#givenUp = true;
    this.#connection?.abort();
  }
}

/** Stands by itself: what listens for as long as the reply runs shares no scope with the request in it. */
function later(
  stages: (hooks: ReplyHooks) => StageFactory<ChatEvent, ChatEvent>,
  hooks: ReplyHooks,
  sink: Sink<ChatEvent>,
): () => Stage<ChatEvent> {
  return () => stages(hooks)(sink);
}

function tooLarge(maxBytes: number): DragomanError {
  return new DragomanError(
    'reply-too-large',
    `The upstream's reply is larger than ${maxBytes} bytes, see limits.replyBytes.`,
  );
}
