import type { ChatEvent } from '../chat/event.ts';
import type { ChatRequest, OutputFormat } from '../chat/request.ts';
import type { Warning } from '../chat/warning.ts';
import type { DragomanError } from '../errors.ts';
import type { Sink, Stage, StageFactory } from '../stream/stage.ts';
import type { CallIdFormName } from './shared-quirks.ts';

/** One SSE event or one line of JSON, as framing decodes it. `event` is the SSE event name, empty when there is none. */
export interface Frame {
  readonly event: string;
  readonly data: string;
  /** Bytes of it were not UTF-8; U+FFFD stands for them. */
  readonly damaged?: true;
}

/** What a reply needs to know of the request and the moment; handed in so that writers stay pure. */
export interface ReplyContext {
  readonly request: ChatRequest;
  /** The reply's own id, without the wire's prefix. */
  readonly replyId: string;
  /** Seconds since 1970. */
  readonly created: number;
  /** The client has frames of this reply that an upstream wrote; the writer only ends it. */
  readonly relayed?: boolean;
  /** Milliseconds since the request came, at the moment of the call; absent where nobody measures. */
  readonly elapsed?: () => number;
  /** Hears what a reply holds and the wire cannot say (`field-dropped`); absent where nobody listens. */
  readonly report?: (warning: Warning) => void;
}

/** A request's HTTP headers, names in lower case. */
export type RequestHeaders = { readonly [name: string]: string | readonly string[] | undefined };

/** Writes one streamed reply. */
export interface StreamWriter extends Stage<ChatEvent> {
  /**
   * Writes an event that says nothing, before or within the reply, and begins it if need be. For clients that give up where
   * bytes come but no events; absent where bytes are enough.
   */
  wait?(): void;
}

/** The half of a wire that faces clients. */
export interface ClientWire {
  readonly id: string;
  /** How its streams are framed. */
  readonly framing: 'sse' | 'ndjson';
  /**
   * Reads a parsed body. Throws DragomanError `bad-request` naming the path. Never mutates, never keeps, the body.
   * `headers` are for wires that say a part of a request there; without HTTP there are none.
   */
  readRequest(body: unknown, headers?: RequestHeaders): ChatRequest;
  /** Chat events in, encoded frames out: each output is one string that is ready to be sent. */
  createStreamWriter(context: ReplyContext): (sink: Sink<string>) => StreamWriter;
  /**
   * A whole answer's body out of its collected events. The caller has handled an `error` event before. A string is JSON
   * text and is sent as it is: numbers that JavaScript cannot hold survive only as text.
   */
  writeMessage(events: readonly ChatEvent[], context: ReplyContext): unknown;
  /** The body of an error answer. */
  writeError(error: DragomanError): unknown;
  /** What of the messages its replies tell again: the first one, if that is a system message, or all. Default: none. */
  readonly retells?: 'instructions' | 'prompt';
  /**
   * Whether the reply to a request with this body may be frames that an upstream of the same wire wrote. Default: always.
   * Not where we promise the client something of the reply that only we can keep.
   */
  mayRelay?(body: Readonly<Record<string, unknown>>): boolean;
  /** The header by which its clients know a reply, besides `x-request-id`. */
  readonly requestIdHeader?: string;
  /** A frame that keeps a silent stream alive and means nothing; made for the reply where it has to name it. */
  readonly keepAlive: string | ((context: ReplyContext) => string);
}

/** A documented departure of an upstream from its wire, as flags in configuration. */
export type Quirks = { readonly [flag: string]: boolean | string | number };

/**
 * One quirk of a wire. A text alone is what it says, and it is true or false; other quirks name the words that they may
 * be, or are whole numbers from one.
 */
export type QuirkRule = string | { readonly meaning: string; readonly value: 'count' | readonly string[] };

/** Every quirk of a wire, by name: what configuration accepts and documents. */
export type QuirkTable = { readonly [name: string]: QuirkRule };

export interface WrittenRequest {
  /** Appended to the upstream's base URL, such as `/chat/completions`. */
  readonly path: string;
  /** May hold a `JsonText` where a value would lose digits. */
  readonly body: unknown;
  /** Headers of this one request, names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What the wire could not say: `field-dropped`. */
  readonly warnings: readonly Warning[];
}

/** What an upstream's own list says of one of its chat models. What it does not say is absent. */
export interface ListedModel {
  /** As requests name it. */
  readonly id: string;
  /** Tokens that prompt and answer may have together, as the server runs the model now. */
  readonly contextWindow?: number;
  /** The most that `contextWindow` can be set to, where a request may ask for one. */
  readonly longestWindow?: number;
  /** The most tokens of an answer. */
  readonly maxOutput?: number;
  readonly images?: boolean;
  /** Whether the server itself takes tools and answers with calls. */
  readonly toolCalling?: boolean;
  /** Its chat template, in whatever language its server has for them. */
  readonly template?: string;
  /** The upstream wire by which its server counts tokens, whichever it is spoken to in. */
  readonly counts?: string;
  /** Changes when the model does, or how it is run; means nothing else. */
  readonly version?: string;
  readonly reasoning?: boolean;
  /** What its server is known to take, by what it says of itself. */
  readonly quirks?: Quirks;
  /** For people. */
  readonly displayName?: string;
  /** Seconds since 1970. */
  readonly created?: number;
}

/** A model of a list that answers no chat. */
export interface OtherModel {
  readonly id: string;
  /** What it is for instead, such as `embeddings`; `inactive` for one that is switched off. */
  readonly use: string;
}

/** One page of an upstream's list. */
export interface ModelPage {
  readonly models: readonly ListedModel[];
  readonly others?: readonly OtherModel[];
  /** The path of the next page; absent on the last. */
  readonly next?: string;
  /** Where the server of this page tells more of its models. */
  readonly more?: ServerQuestion;
}

/** Where a server tells how it runs its models, asked with GET. */
export interface ServerQuestion {
  readonly path: string;
  /** The path counts from the root of the server. */
  readonly fromRoot?: true;
  /** Adds what the body says of a model to what is known of it. */
  read(body: unknown): (model: ListedModel) => ListedModel;
}

/**
 * How an upstream is asked for its models. Their bodies are foreign: reading never throws, and leaves out entries that
 * cannot be read and models that do not chat.
 */
export interface ModelListing {
  /** Appended to the base URL; asked with GET. */
  readonly path: string;
  /** Undefined when the body is no list at all. */
  readPage(body: unknown): ModelPage | undefined;
  /** Where the list names models only: how each is asked for what is known of it, with POST. */
  readonly details?: {
    writeRequest(model: ListedModel): { readonly path: string; readonly body: unknown };
    read(model: ListedModel, body: unknown): ListedModel | OtherModel;
  };
  /** What is asked of the server each time; as it may change with every request, such lists count as new for some seconds only. */
  readonly running?: ServerQuestion;
}

/** How an upstream is asked how many tokens a prompt has, with POST. */
export interface TokenCounting {
  /** `written` is what `writeRequest` made of the request. */
  writeRequest(written: WrittenRequest): Pick<WrittenRequest, 'path' | 'body' | 'headers'>;
  /** Undefined when the body tells no count. */
  readCount(body: unknown): number | undefined;
}

/** Where in a conversation of an upstream the next message goes. Both absent: into a new one that it begins itself. */
export interface ConversationPlace {
  readonly id?: string;
  /** What the upstream called the parent of the next message. */
  readonly parent?: string;
}

/** Where a request goes, and what is known of the model there. */
export interface WritePlace extends ConversationPlace {
  /** The window of the model rule, or else of the upstream's list; absent when unknown. */
  readonly contextWindow?: number;
}

/** What an upstream that keeps the conversation on its side can do. */
export interface ConversationRules {
  /** A message may follow any reply, not only the last one. */
  readonly branches: boolean;
  /**
   * Every message has a field for system text: what is a system message is there, and not in what is said. Default:
   * none has.
   */
  readonly hasSystemField?: boolean;
  /** How a conversation is begun. Absent: by its first message. */
  readonly create?: {
    write(model: string): WrittenRequest;
    /** The new conversation's id out of the answer. Throws DragomanError `upstream-unreadable`. */
    read(body: unknown): string;
  };
  /** Whether a body that came with a good status, and not as a stream, says that the message was not taken. */
  refuses(body: unknown): boolean;
  /** Whether a refusal says that the conversation or the parent is not there any more. `body` as for `readError`. */
  isLost(status: number, body: unknown): boolean;
  /** Whether a refusal says that the conversation is busy: it takes no message now, but will take this one. */
  isBusy(status: number, body: unknown): boolean;
  /**
   * How the upstream is told to stop writing a reply, by its own name; undefined where it cannot be. Absent: that nobody
   * reads it any more is all that it hears.
   */
  stop?(place: ConversationPlace & { readonly reply: string }): WrittenRequest | undefined;
}

/** The half of a wire that faces upstreams. */
export interface UpstreamWire {
  readonly id: string;
  /** It carries no tools, calls or results: they are always written in a dialect. */
  readonly textOnly?: true;
  /** Whether this request is a text that a client wrote for the model as it is: nothing is escaped in it. Default: none is. */
  isAsWritten?(request: ChatRequest): boolean;
  /** It has no word for stop sequences: they are not told to it, and replies are ended here. */
  readonly cannotStop?: true;
  /** It keeps conversations and has no word for the longest reply: that is not told to it, and replies are ended here. */
  readonly cannotLimit?: true;
  /** The departures from it that configuration may name. Default: none. */
  readonly quirks?: QuirkTable;
  readonly framing: 'sse' | 'ndjson';
  /** The forms of an answer that it has a field for; others are asked for in words. Default: all. */
  readonly outputFormats?: readonly OutputFormat['type'][];
  /** Every server lets a model write only what fits the schema in that field; of other wires a quirk says it. */
  readonly holdsFormats?: true;
  /** Its servers take `tool_choice` and let the model write what it likes all the same. */
  readonly ignoresToolChoice?: true;
  /** Servers other than its vendor's take that field and ignore it: the form is asked for in words as well. */
  readonly ignoresFormats?: true;
  /** Which ids of past calls it takes, where no quirk says otherwise. Default: any. */
  readonly callIds?: CallIdFormName;
  /** The most characters of a tool's name, which may then hold only letters, digits, `_` and `-`. Default: any name. */
  readonly longestToolName?: number;
  /** Present: the upstream keeps the conversation, and requests hold only what it has not seen. */
  readonly conversation?: ConversationRules;
  /**
   * `model` is the upstream's own name for it. Asks for a stream, as a whole answer is a collected stream; a quirk may say
   * that the upstream has none. `place` is for upstreams that keep the conversation, or have to be told the window.
   */
  writeRequest(request: ChatRequest, model: string, quirks: Quirks, place?: WritePlace): WrittenRequest;
  /** Where a body goes that a client of this wire wrote, and with which headers. Absent: as `writeRequest` says. */
  destinationOf?(request: ChatRequest): Pick<WrittenRequest, 'path' | 'headers'>;
  /** `quirks` are those of the upstream that `writeRequest` was given, where they change how a reply is read. */
  createStreamReader(request: ChatRequest, quirks?: Quirks): StageFactory<Frame, ChatEvent>;
  /**
   * Whether a frame of a stream, as its text without the blank line after it, only adds to a block of text or reasoning that is
   * open: whoever only follows how a reply goes does without it. May say no where in doubt. Absent: none is known to.
   */
  isQuiet?(frame: string): boolean;
  /** A whole body, from an upstream that answered without streaming. Throws DragomanError `upstream-unreadable`. `quirks` as above. */
  readMessage(body: unknown, request: ChatRequest, quirks?: Quirks): ChatEvent[];
  /** An error answer. `body` is parsed JSON, or text when it was not JSON. */
  readError(status: number, body: unknown): DragomanError;
  /**
   * What an answer in a form that no reply has, such as a web page, means here; `contentType` is lower-case without
   * parameters. Default, and where undefined: `upstream-unreadable`.
   */
  readUnreadable?(status: number, contentType: string): DragomanError | undefined;
  /** Headers of every request, the key's among them, names in lower case. Default: `authorization: Bearer <key>`. */
  writeHeaders?(key: string | undefined): Readonly<Record<string, string>>;
  /** Absent where the API has no list. */
  readonly models?: ModelListing;
  /** Absent where the API does not count without answering. */
  readonly counting?: TokenCounting;
}
