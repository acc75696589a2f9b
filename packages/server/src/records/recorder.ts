import {
  type ChatEvent,
  type ClientWire,
  collect,
  type EngineSetup,
  type ExchangeWatch,
  jsonOf,
  nativeIdsIn,
  type PreparedRequest,
  type ReplyContext,
  textOf,
  type UpstreamRequest,
  wireIdsIn,
} from '@dragoman/core';
import type { Config } from '../config/schema.ts';
import type { RequestNote } from '../log/request-note.ts';
import type { Past } from '../stores/kept-responses.ts';
import type { RecordBody, RecordedCall, RecordedError, RecordHead } from './exchange-record.ts';
import { harmlessHeaders } from './harmless-headers.ts';
import { JoinedEvents, recordedEvent } from './joined-events.ts';
import { joinPieces, type SaidBody, type SaidPieces, type SaidText } from './pack-body.ts';
import { recordedConfigText } from './recorded-config.ts';
import { Room } from './room.ts';
import { WatchedRequest } from './watched-request.ts';

export interface RecorderOptions {
  readonly level: RecordHead['level'];
  /** The most characters of one record, about. */
  readonly room: number;
  readonly config: Config;
  readonly owner: string;
  readonly wire: ClientWire;
  /** The client's headers. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The client's body, as it was parsed. */
  readonly body: unknown;
  /** What it was parsed from, where it is the very body that came. */
  readonly bytes?: Uint8Array | undefined;
  readonly context: ReplyContext;
  /** Milliseconds since 1970 when the request came. */
  readonly at: number;
}

/** How an exchange ended. */
export interface Ending {
  /** What the log says of it. */
  readonly note: RequestNote;
  /** The status that left; 499 when the client went before. */
  readonly status: number;
  readonly ms: number;
}

/** A record without its place in a conversation. */
export type UnplacedRecord = Omit<RecordHead, 'id' | 'conversation' | 'said'> & {
  /** At the level `full`. */
  readonly said?: SaidBody;
  readonly upstreamConversation?: NonNullable<RecordHead['conversation']['upstream']>;
};

/**
 * Watches one request for a reply while it is answered, and keeps what its record takes: at the level `metadata` the
 * text of the reply alone, by which the next request of the conversation is known, and which is written nowhere.
 */
export class Recorder implements ExchangeWatch {
  readonly options: RecorderOptions;
  readonly sent?: NonNullable<ExchangeWatch['sent']>;
  readonly #events: JoinedEvents;
  readonly #requests: WatchedRequest[] = [];
  readonly #frames: (string | Uint8Array)[] = [];
  readonly #drawn: string[] = [];
  #frameSize = 0;
  #framesMissing = 0;
  #prepared: PreparedRequest | undefined;
  #setup: EngineSetup | undefined;
  #past: RecordBody['past'];
  #collected: ReturnType<typeof collect> | undefined;

  constructor(options: RecorderOptions) {
    this.options = options;
    this.#events = new JoinedEvents(options.room);
    this.#drawn.push(options.context.replyId);
    if (options.level === 'full') this.sent = (request) => this.#watch(request);
  }

  /** What is prepared a second time, its upstream has refused: only the last counts. */
  prepared(prepared: PreparedRequest): void {
    this.#prepared = prepared;
    this.#requests.length = 0;
  }

  /** The setup for this reply, by which it is known what was drawn for it. */
  setupOf(setup: EngineSetup): EngineSetup {
    this.#setup = setup;
    if (this.options.level !== 'full') return setup;
    const { conversationDigest } = setup;
    return {
      ...setup,
      randomHex: (length) => this.#draw(setup.randomHex(length)),
      ...(conversationDigest && {
        conversationDigest: (text: string) => this.#draw(conversationDigest(text).slice(0, 8)),
      }),
    };
  }

  /** The request continues these items of the Responses API. */
  continues({ history, references }: Past): void {
    if (this.options.level !== 'full' || history.length + references.size === 0) return;
    this.#past = { history, references: [...references.values()] };
  }

  event(event: ChatEvent): void {
    this.#events.push(event);
  }

  /** What leaves for the client; nothing is kept of it that could change. */
  wrote(frames: readonly (string | Uint8Array)[]): void {
    if (this.options.level !== 'full') return;
    for (const frame of frames) {
      this.#frameSize += frame.length;
      if (this.#frameSize > this.options.room) this.#framesMissing += frame.length;
      else this.#frames.push(frame);
    }
  }

  /** Bytes that it keeps, about. */
  get size(): number {
    const sent = this.#requests.reduce((sum, { size }) => sum + size, 0);
    return (this.options.bytes?.length ?? 0) + sent + Math.min(this.#frameSize, this.options.room);
  }

  /** What the model said, as the client's next history will hold it; undefined where it was too long to be kept. */
  get reply(): ReturnType<typeof collect> | undefined {
    return this.#events.missing > 0 ? undefined : this.#collect();
  }

  /** The record of what has come to an end; undefined where nothing was meant for an upstream. */
  record({ note, status, ms }: Ending): UnplacedRecord | undefined {
    const prepared = this.#prepared;
    if (prepared === undefined) return undefined;
    const { wire, context, level, at } = this.options;
    const { plan } = prepared;
    const reply = this.#collect();
    const error = errorOf(note);
    const upstreamConversation = upstreamConversationOf(prepared, reply.conversation);
    return {
      level,
      at: new Date(at).toISOString(),
      requestId: note.requestId,
      ...(note.key === undefined ? {} : { key: note.key }),
      wire: wire.id,
      method: note.method,
      route: note.route,
      replyId: context.replyId,
      ...(reply.id === '' ? {} : { upstreamReplyId: reply.id }),
      model: plan.asked,
      plan: {
        upstream: plan.upstream,
        wire: plan.wire,
        model: plan.model,
        toolCalling: plan.toolCalling,
        reason: plan.reason,
      },
      stream: context.request.stream,
      ...(note.relayed === true ? { relayed: true } : {}),
      tools: context.request.tools.length,
      calls: reply.calls.length,
      status,
      ms: Math.round(ms * 10) / 10,
      ...(note.firstEvent === undefined ? {} : { firstEvent: note.firstEvent }),
      ...(reply.finishReason === undefined ? {} : { finish: reply.finishReason }),
      ...(reply.usage === undefined ? {} : { usage: reply.usage }),
      ...(error === undefined ? {} : { error }),
      ...(note.warnings === undefined ? {} : { warnings: { ...note.warnings } }),
      ...(upstreamConversation === undefined ? {} : { upstreamConversation }),
      ...(level === 'full' ? { said: this.#said(prepared, reply.calls) } : {}),
    };
  }

  /** Once, when all has come. */
  #collect(): ReturnType<typeof collect> {
    this.#collected ??= collect(this.#events.all());
    return this.#collected;
  }

  #said(prepared: PreparedRequest, calls: ReturnType<typeof collect>['calls']): SaidBody {
    const { headers, context, config, room: size } = this.options;
    const room = new Room(size);
    const system = prepared.request.messages.filter(({ role }) => role === 'system');
    const point = prepared.conversation?.point;
    return {
      request: {
        headers: harmlessHeaders(headers),
        body: room.take('request.body', textOfBody(this.options)),
      },
      sent: this.#requests.map((request, at) => request.record(`sent.${at}`, room)),
      system: room.take('system', system.map(({ content }) => textOf(content)).join('\n\n')),
      reply: this.#takeReply(room),
      events: this.#takeEvents(room),
      calls: calls.map((call) => this.#call(call, prepared)),
      ...(this.#past === undefined ? {} : { past: room.takeValue('past', this.#past) }),
      ...(point === undefined ? {} : { point }),
      drawn: this.#drawn,
      created: context.created,
      config: recordedConfigText(config, prepared.plan, this.#setup?.dialects),
      gaps: room.gaps,
    };
  }

  #takeReply(room: Room): SaidPieces {
    const texts = this.#frames.map((frame) =>
      typeof frame === 'string' ? frame : Buffer.from(frame).toString('utf8'),
    );
    room.miss('reply', this.#framesMissing);
    return room.takePieces('reply', joinPieces(texts));
  }

  #takeEvents(room: Room): RecordBody['events'] {
    room.miss('events', this.#events.missing);
    return this.#events.all().map((event) => {
      if ('text' in event) return recordedEvent({ ...event, text: room.take('events', event.text) });
      // The deltas have told them.
      return event.type === 'tool-call-end' ? { type: event.type, block: event.block } : recordedEvent(event);
    });
  }

  #call(
    call: { readonly callId: string; readonly name: string; readonly arguments: string },
    prepared: PreparedRequest,
  ) {
    const { callId: id, name } = call;
    const store = this.#setup?.callIds;
    const nativeId = nativeIdsIn(store)(call);
    const isNative = prepared.plan.toolCalling === 'native';
    const upstreamId = wireIdsIn(prepared.upstream.name, store)(call) ?? (isNative ? id : undefined);
    return {
      id,
      ...(nativeId === undefined ? {} : { nativeId }),
      ...(upstreamId === undefined ? {} : { upstreamId }),
      name,
      arguments: call.arguments,
    } satisfies RecordedCall;
  }

  #watch(request: UpstreamRequest): WatchedRequest {
    const watched = new WatchedRequest(request, this.options.room);
    this.#requests.push(watched);
    return watched;
  }

  #draw(digits: string): string {
    this.#drawn.push(digits);
    return digits;
  }
}

function textOfBody({ body, bytes }: RecorderOptions): SaidText {
  return bytes ?? (typeof body === 'object' && body !== null ? jsonOf(body) : JSON.stringify(body));
}

function errorOf({ errorId, errorCode, error, upstreamStatus }: RequestNote): RecordedError | undefined {
  if (errorCode === undefined) return undefined;
  return {
    ...(errorId === undefined ? {} : { id: errorId }),
    code: errorCode,
    ...(error === undefined ? {} : { message: error }),
    ...(upstreamStatus === undefined ? {} : { upstreamStatus }),
  };
}

/** Where the request went in an upstream that keeps conversations, and where the next one goes. */
function upstreamConversationOf(
  { conversation: step }: PreparedRequest,
  told: ReturnType<typeof collect>['conversation'],
): UnplacedRecord['upstreamConversation'] {
  if (step === undefined && told === undefined) return undefined;
  const id = told?.id ?? (step?.point?.conversation || undefined);
  const parent = step?.point?.parent;
  return {
    ...(id === undefined ? {} : { id }),
    ...(parent === undefined ? {} : { parent }),
    ...(told?.parentId === undefined ? {} : { next: told.parentId }),
  };
}
