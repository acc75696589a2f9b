/** A place in an upstream's own conversation: behind one of its replies. */
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
  /** Which conversation the client said that it is, where it said so. */
  readonly identity?: string;
}

/** A point that is known, and how it stands with it. */
export interface KnownPoint extends ConversationPoint {
  /** Messages that were sent behind it and not given back by `release`. */
  readonly continuations: number;
}

/**
 * Remembers under which keys (`lineage/chain.ts`) a point of an upstream's conversation is found again. A store belongs
 * to one caller and may forget: then the whole history is sent anew. Synchronous, so that two requests that come at the
 * same time cannot both believe that they are the first to continue a point.
 */
export interface ConversationStore {
  /** Every known point of that key, the latest last. */
  find(key: string): readonly KnownPoint[];
  put(point: ConversationPoint, keys: readonly string[]): void;
  /** A message goes out behind the point. */
  take(pointId: string): void;
  /** That message did not become part of the conversation after all. */
  release(pointId: string): void;
}
