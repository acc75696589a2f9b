import {
  type ChatEvent,
  type ClientWire,
  collect,
  type EngineSetup,
  type ExchangeWatch,
  jsonOf,
  type KnownPoint,
  nativeIdsIn,
  type Plan,
  type PreparedRequest,
  type ReplyContext,
  textOf,
  type UpstreamRequest,
  wireIdsIn,
} from '@dragoman/core';
import type { Config } from '../config/schema.ts';
import type { RequestNote } from '../log/request-note.ts';
import type { Past } from '../stores/kept-responses.ts';
import type { RecordBody, RecordedCall, RecordedConversation, RecordedError, RecordHead } from './exchange-record.ts';
import { harmlessHeaders } from './harmless-headers.ts';
import { JoinedEvents, recordedEvent } from './joined-events.ts';
import { KeptPieces } from './kept-pieces.ts';
import { cutText, type SaidBody, type SaidText } from './pack-body.ts';
import { type PlaceNames, placeNames } from './place-record.ts';
import { recordedConfigText } from './recorded-config.ts';
import type { SaidRecord } from './redact-record.ts';
import { Room } from './room.ts';
import type { SaidPieces } from './said-pieces.ts';
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

/** What was asked, as far as its record tells it: nothing of it keeps what it was read from. */
interface Asked {
  readonly names: PlaceNames;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: SaidText;
}

/** Where a request goes, as far as its record tells it. */
interface Going {
  readonly plan: Plan;
  readonly upstream: string;
  readonly point: KnownPoint | undefined;
}

/** How an exchange ended. */
export interface Ending {
  /** What the log says of it. */
  readonly note: RequestNote;
  /** The status that left; 499 when the client went before. */
  readonly status: number;
  readonly ms: number;
}

/** Its id, and its place in a conversation. */
export interface Placed {
  readonly id: string;
  readonly place: Pick<RecordedConversation, 'id' | 'step' | 'parent'>;
}

/**
 * Watches one request for a reply while it is answered, and keeps what its record takes: at the level `metadata` the
 * text of the reply alone, by which the next request of the conversation is known, and which is written nowhere. While the
 * upstream is at work it lets go of all that the request was read from and written to, which an open stream would hold.
 */
export class Recorder implements ExchangeWatch {
  readonly owner: string;
  /** What the client says that the conversation is. */
  readonly identity: string | undefined;
  readonly sent?: NonNullable<ExchangeWatch['sent']>;
  readonly #level: RecordHead['level'];
  readonly #room: number;
  readonly #config: Config;
  readonly #about: Pick<RecordHead, 'wire' | 'at' | 'replyId' | 'stream' | 'tools'>;
  readonly #created: number;
  readonly #events: JoinedEvents;
  readonly #requests: WatchedRequest[] = [];
  /** What has left for the client. */
  readonly #frames: KeptPieces;
  readonly #drawn: string[] = [];
  #options: RecorderOptions | undefined;
  #asked: Asked | undefined;
  #going: Going | undefined;
  /** All system text, as the model saw it. */
  #system: SaidText = '';
  #setup: EngineSetup | undefined;
  #past: RecordBody['past'];
  #collected: ReturnType<typeof collect> | undefined;
  #open: OpenRecorder | undefined;

  constructor(options: RecorderOptions) {
    const { owner, level, room, config, wire, at, context } = options;
    const { request, replyId, created } = context;
    this.owner = owner;
    this.identity = request.conversation;
    this.#level = level;
    this.#room = room;
    this.#config = config;
    this.#about = {
      wire: wire.id,
      at: new Date(at).toISOString(),
      replyId,
      stream: request.stream,
      tools: request.tools.length,
    };
    this.#created = created;
    this.#options = options;
    this.#events = new JoinedEvents(room);
    this.#frames = new KeptPieces(room);
    this.#drawn.push(replyId);
    if (level === 'full') this.sent = (request) => this.#watch(request);
  }

  /** What is prepared a second time, its upstream has refused: only the last counts. */
  prepared({ plan, upstream, request, conversation }: PreparedRequest): void {
    const system = this.#level === 'full' ? request.messages.filter(({ role }) => role === 'system') : [];
    this.#going = { plan, upstream: upstream.name, point: conversation?.point };
    this.#system = system.map(({ content }) => textOf(content)).join('\n\n');
    this.#requests.length = 0;
    this.#toSettle();
  }

  /** Lets go of what its request was read from and written to. */
  settle(): void {
    for (const request of this.#requests) request.settle();
    this.#system = cutText(this.#system);
    if (this.#options !== undefined) this.#asked = askedIn(this.#options);
    this.#options = undefined;
  }

  /** The setup for this reply, by which it is known what was drawn for it. */
  setupOf(setup: EngineSetup): EngineSetup {
    this.#setup = setup;
    if (this.#level !== 'full') return setup;
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
    if (this.#level !== 'full' || history.length + references.size === 0) return;
    this.#past = { history, references: [...references.values()] };
  }

  event(event: ChatEvent): void {
    this.#events.push(event);
  }

  /** What leaves for the client; nothing is kept of it that could change. */
  wrote(frames: readonly (string | Uint8Array)[]): void {
    if (this.#level !== 'full') return;
    for (const frame of frames) this.#frames.add(frame);
  }

  /** Bytes that it keeps, about. */
  get size(): number {
    const sent = this.#requests.reduce((sum, { size }) => sum + size, 0);
    const asked = this.#asked?.body ?? this.#options?.bytes ?? '';
    return asked.length + sent + this.#frames.size;
  }

  /** What the model said, as the client's next history will hold it; undefined where it was too long to be kept. */
  get #reply(): ReturnType<typeof collect> | undefined {
    return this.#events.missing > 0 ? undefined : this.#collect();
  }

  /** Under which names it is found, and what it goes on from. */
  get names(): Pick<PlaceNames, 'before'> & { readonly own: readonly string[] } {
    const { before, own } = this.#askedOf().names;
    return { before, own: own(this.#reply) };
  }

  /** Something was meant for an upstream. */
  get isPrepared(): boolean {
    return this.#going !== undefined;
  }

  /** The record of what has come to an end, which was prepared. */
  record({ note, status, ms }: Ending, { id, place }: Placed): SaidRecord {
    const going = this.#going;
    if (going === undefined) throw new Error('a record is made of what was meant for an upstream');
    const { plan, point } = going;
    const { wire, at, replyId, stream, tools } = this.#about;
    const reply = this.#collect();
    if (this.#open !== undefined) this.#open.recorder = undefined;
    return {
      head: {
        id,
        level: this.#level,
        at,
        requestId: note.requestId,
        key: note.key,
        wire,
        method: note.method,
        route: note.route,
        conversation: {
          id: place.id,
          step: place.step,
          parent: place.parent,
          identity: this.identity,
          upstream: upstreamConversationOf(point, reply.conversation),
        },
        replyId,
        upstreamReplyId: reply.id === '' ? undefined : reply.id,
        model: plan.asked,
        plan: {
          upstream: plan.upstream,
          wire: plan.wire,
          model: plan.model,
          toolCalling: plan.toolCalling,
          reason: plan.reason,
        },
        stream,
        relayed: note.relayed === true ? true : undefined,
        tools,
        calls: reply.calls.length,
        status,
        ms: Math.round(ms * 10) / 10,
        firstEvent: note.firstEvent,
        finish: reply.finishReason,
        usage: reply.usage,
        error: errorOf(note),
        warnings: note.warnings,
      },
      said: this.#level === 'full' ? this.#said(going, reply.calls) : undefined,
    };
  }

  /** Once, when all has come. */
  #collect(): ReturnType<typeof collect> {
    this.#collected ??= collect(this.#events.all());
    return this.#collected;
  }

  /** What was asked. */
  #askedOf(): Asked {
    this.settle();
    if (this.#asked === undefined) throw new Error('a record is made of a request that it was begun with');
    return this.#asked;
  }

  #said(going: Going, calls: ReturnType<typeof collect>['calls']): SaidBody {
    const { plan, point } = going;
    const { headers, body } = this.#askedOf();
    const room = new Room(this.#room);
    return {
      request: { headers, body: room.take('request.body', body) },
      sent: this.#requests.map((request, at) => request.record(`sent.${at}`, room)),
      system: room.take('system', this.#system),
      reply: this.#takeReply(room),
      events: this.#takeEvents(room),
      calls: calls.map((call) => this.#call(call, going)),
      past: this.#past && room.takeValue('past', this.#past),
      point,
      drawn: this.#drawn,
      created: this.#created,
      config: recordedConfigText(this.#config, plan, this.#setup?.dialects),
      gaps: room.gaps,
    };
  }

  #takeReply(room: Room): SaidPieces {
    room.miss('reply', this.#frames.missing);
    return room.takePieces('reply', this.#frames.take());
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
    { plan, upstream }: Going,
  ) {
    const { callId: id, name } = call;
    const store = this.#setup?.callIds;
    const nativeId = nativeIdsIn(store)(call);
    const isNative = plan.toolCalling === 'native';
    const upstreamId = wireIdsIn(upstream, store)(call) ?? (isNative ? id : undefined);
    return { id, nativeId, upstreamId, name, arguments: call.arguments } satisfies RecordedCall;
  }

  #watch(request: UpstreamRequest): WatchedRequest {
    const watched = new WatchedRequest(request, this.#room);
    this.#requests.push(watched);
    this.#toSettle();
    return watched;
  }

  /** Lets go of its request if its reply is still open in a while. */
  #toSettle(): void {
    if (this.#open?.recorder === undefined) this.#open = unsettled.add(this);
  }

  #draw(digits: string): string {
    this.#drawn.push(digits);
    return digits;
  }
}

/** Milliseconds after which an open reply lets go of its request: most are over before, and are recorded at once. */
const openFor = 50;

/** Milliseconds of one turn in which requests are let go of. */
const turn = 8;

/** One that may have to let go of its request; none once it has, or its record is made. */
interface OpenRecorder {
  recorder: Recorder | undefined;
}

/**
 * Recorders that keep what their requests were read from; one timer for all. No set: each time a set grows or shrinks, V8 makes a
 * new table that the old one leads to. One that has grown old keeps all later ones and what was in them, until all garbage is collected.
 */
class Unsettled {
  readonly #all: OpenRecorder[] = [];
  #isPlanned = false;

  add(recorder: Recorder): OpenRecorder {
    const open = { recorder };
    this.#all.push(open);
    if (!this.#isPlanned) {
      this.#isPlanned = true;
      setTimeout(() => this.#settle(), openFor).unref();
    }
    return open;
  }

  #settle(): void {
    const until = performance.now() + turn;
    for (let open = this.#all.pop(); open !== undefined; open = this.#all.pop()) {
      const { recorder } = open;
      open.recorder = undefined;
      try {
        recorder?.settle();
      } catch {
        // Whoever makes the record tries it again, and tells it.
      }
      if (performance.now() > until) {
        setImmediate(() => this.#settle());
        return;
      }
    }
    this.#isPlanned = false;
  }
}

const unsettled = new Unsettled();

function askedIn(options: RecorderOptions): Asked {
  const { level, owner, context, headers } = options;
  const { messages, conversation: identity } = context.request;
  return {
    names: placeNames({ owner, messages, identity }),
    headers: level === 'full' ? harmlessHeaders(headers) : {},
    body: level === 'full' ? cutText(textOfBody(options)) : '',
  };
}

function textOfBody({ body, bytes }: RecorderOptions): SaidText {
  return bytes ?? (typeof body === 'object' && body !== null ? jsonOf(body) : JSON.stringify(body));
}

function errorOf({ errorId, errorCode, error, upstreamStatus }: RequestNote): RecordedError | undefined {
  if (errorCode === undefined) return undefined;
  return { id: errorId, code: errorCode, message: error, upstreamStatus };
}

/** Where the request went in an upstream that keeps conversations, and where the next one goes. */
function upstreamConversationOf(
  point: KnownPoint | undefined,
  told: ReturnType<typeof collect>['conversation'],
): RecordedConversation['upstream'] {
  if (point === undefined && told === undefined) return undefined;
  return { id: told?.id ?? (point?.conversation || undefined), parent: point?.parent, next: told?.parentId };
}
