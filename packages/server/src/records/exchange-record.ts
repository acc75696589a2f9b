import type { FinishReason, KnownPoint, Usage } from '@dragoman/core';

/** How much is recorded of each exchange with an upstream. */
export type RecordLevel = 'off' | 'metadata' | 'full';

/**
 * What is known of every recorded exchange: who asked what, where it went, how it ended. No word of what was said. A field that is undefined is
 * none: JSON has no word for it, and to leave it out costs more.
 */
export interface RecordHead {
  /** `exch_` and 24 hexadecimal digits. */
  readonly id: string;
  readonly level: Exclude<RecordLevel, 'off'>;
  /** When the request came; ISO 8601. */
  readonly at: string;
  readonly requestId: string;
  /** The name of the caller's key; never the key. */
  readonly key?: string | undefined;
  /** The client wire's id. */
  readonly wire: string;
  readonly method: string;
  readonly route: string;
  readonly conversation: RecordedConversation;
  /** The hexadecimal digits of the reply's id, as our wires write it. */
  readonly replyId: string;
  /** The id that the upstream gave its reply. */
  readonly upstreamReplyId?: string | undefined;
  /** The model as the client named it. */
  readonly model: string;
  readonly plan: RecordedPlan;
  readonly stream: boolean;
  /** The upstream's frames went to the client as they were. */
  readonly relayed?: boolean | undefined;
  /** How many tools the request declared. */
  readonly tools: number;
  /** How many calls the model made. */
  readonly calls: number;
  /** The status that left; 499 when the client went before. */
  readonly status: number;
  /** Milliseconds from the request to the end of its reply. */
  readonly ms: number;
  /** Milliseconds until the first event that the client would see. */
  readonly firstEvent?: number | undefined;
  readonly finish?: FinishReason | undefined;
  readonly usage?: Usage | undefined;
  readonly error?: RecordedError | undefined;
  /** Warning codes with how often each came. */
  readonly warnings?: Readonly<Record<string, number>> | undefined;
  /** What was kept beside this; absent at the level `metadata`. */
  readonly said?: RecordBody | undefined;
}

/** Which conversation an exchange belongs to, in all the words that there are for it. */
export interface RecordedConversation {
  /** Ours: `conv_` and 24 hexadecimal digits. */
  readonly id: string;
  /** The place in it, from 1 on. Branches of a conversation have the same step twice. */
  readonly step: number;
  /** The exchange that this one goes on from. */
  readonly parent?: string | undefined;
  /** What the client said that it is. */
  readonly identity?: string | undefined;
  /** An upstream that keeps the conversation: its id, what the request named as its parent, and what the next one is to. */
  readonly upstream?:
    | { readonly id?: string | undefined; readonly parent?: string | undefined; readonly next?: string | undefined }
    | undefined;
}

/** The plan, and what decides how a reply is read. */
export interface RecordedPlan {
  readonly upstream: string;
  /** The upstream wire's id. */
  readonly wire: string;
  /** The upstream's own name for the model. */
  readonly model: string;
  readonly toolCalling: string;
  readonly reason: string;
}

export interface RecordedError {
  /** Under which the client and the log have it. */
  readonly id?: string | undefined;
  readonly code: string;
  readonly message?: string | undefined;
  readonly upstreamStatus?: number | undefined;
}

/** What was said, at the level `full`: without secrets, and as far as there was room. */
export interface RecordBody {
  /** What the client asked: the headers that matter to the reply, and its body as JSON text. */
  readonly request: { readonly headers: Readonly<Record<string, string>>; readonly body: string };
  /** All system text, as the model saw it. */
  readonly system: string;
  /** What went to the upstream, and what came back. More than one where it keeps conversations. */
  readonly sent: readonly SentRecord[];
  /** The canonical reply as the client got it, the deltas of a block joined. */
  readonly events: readonly RecordedEvent[];
  readonly calls: readonly RecordedCall[];
  /** Frames or body, as they were written for the client. */
  readonly reply: readonly string[];
  /** Random digits that were drawn for it, in order. */
  readonly drawn: readonly string[];
  /** When the wire was told that the reply was made; seconds since 1970. */
  readonly created: number;
  /** The items that a request of the Responses API continued, as its wire read them. */
  readonly past?: undefined | { readonly history: readonly unknown[]; readonly references: readonly unknown[] };
  /** The point of an upstream's conversation that the request went on from. */
  readonly point?: KnownPoint | undefined;
  /** What of the configuration this reply hung on, without addresses and secrets. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Parts that are not whole, and why. Empty: everything is there. */
  readonly gaps: readonly RecordGap[];
}

/** One request to an upstream, and its answer as it came. */
export interface SentRecord {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The JSON text that was sent: the prompt. */
  readonly body: string;
  /** Absent where no answer came. */
  readonly answer?:
    | undefined
    | { readonly status: number; readonly contentType: string; readonly retryAfter?: number | undefined };
  /** The answer's text in the pieces in which it arrived. */
  readonly pieces: readonly string[];
  /** It broke off, or did not come. */
  readonly error?: undefined | { readonly code: string; readonly message: string };
}

/** One call with its ids in all forms. */
export interface RecordedCall {
  /** As the client knows it. */
  readonly id: string;
  /** As the model itself wrote it in text. */
  readonly nativeId?: string | undefined;
  /** As the upstream's wire gave it. */
  readonly upstreamId?: string | undefined;
  readonly name: string;
  readonly arguments: string;
}

/** One canonical event; a block's deltas are one. */
export interface RecordedEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** A part of a record that is not whole: it was too long, a secret could not be taken out of its pieces, or it was deleted with other records. */
export interface RecordGap {
  readonly part: string;
  readonly why: 'too-long' | 'secret' | 'deleted';
  /** Characters that are missing. */
  readonly missing: number;
}
