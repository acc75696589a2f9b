/** A place in an upstream's own conversation: after one of its replies. */
export interface ConversationPoint {
  /** Our own name for the point; unique in a store. */
  readonly id: string;
  /** The upstream's id of the conversation. */
  readonly conversation: string;
  /** What the upstream wants to be told as the parent of the next message; absent where it told none. */
  readonly parent?: string;
  /** How many replies the conversation has up to here. */
  readonly depth: number;
  /** Digest of the system text and tools that the upstream was told last on the way here. */
  readonly told: string;
  /** What has been said up to here, as `conversation/chain.ts` knows it exactly. */
  readonly exact: string;
  /** Digests of blocks that the client has added by itself on the way here, the latest last. */
  readonly shown: readonly string[];
  /** Which conversation the client said that it is, where it said so. */
  readonly identity?: string;
}

/** How it stands with a point. */
export interface Standing {
  /** Messages that were sent after it and not withdrawn. */
  readonly continuations: number;
  /** Those of them whose replies are under way. What a gateway began that has gone since counts for a short while. */
  readonly open: number;
}

/** A point that is known, and how it stands with it. */
export interface KnownPoint extends ConversationPoint, Standing {}

/** Known points by the keys that lead to them, the latest last. */
export type FoundPoints = ReadonlyMap<string, readonly KnownPoint[]>;

/**
 * Remembers under which keys (`conversation/chain.ts`) a point of an upstream's conversation is found again. A store belongs
 * to one caller and may forget: then the whole history is sent anew. Several gateways may share what is behind it.
 */
export interface ConversationStore {
  /** What is known of these keys; one that leads nowhere may be left out. Rejects with DragomanError `store-failed`. */
  find(keys: readonly string[]): Promise<FoundPoints>;
  /**
   * A message goes out after the point. Resolves with how it stood just before: of all who take a point at the same time,
   * only one sees it without continuations. Undefined when there is no such point any more. Rejects as `find` does.
   */
  take(pointId: string): Promise<Standing | undefined>;
  /**
   * The reply to a message after the point is over. `kept`: the message is part of the conversation, or may be;
   * `withdrawn`: it is as if it had never been sent.
   */
  settle(pointId: string, outcome: 'kept' | 'withdrawn'): void;
  /**
   * Keeps a new point. Undefined: whoever asks next finds it. Otherwise that is so when the promise resolves, which takes
   * a moment at most and never rejects: a store that fails breaks no reply.
   */
  put(point: ConversationPoint, keys: readonly string[]): Promise<void> | undefined;
}
