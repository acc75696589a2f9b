import type { CallIdStore, ForeignId } from './call-id-store.ts';

/** What bounds the store. */
export interface MemoryCallIdStoreOptions {
  /** The most characters that are kept, the ids of all callers together. What was not used for longest goes first. */
  readonly maxSize: number;
}

interface Entry {
  readonly foreign: ForeignId;
  readonly size: number;
}

/** What one entry takes beside its texts, roughly. */
const entrySize = 100;

/** Ids in memory, for any number of callers: `of` gives each a store in which only its own ids are. */
export class MemoryCallIdStore {
  readonly #maxSize: number;
  /** In order of use, the latest last. */
  readonly #entries = new Map<string, Entry>();
  #size = 0;

  constructor({ maxSize }: MemoryCallIdStoreOptions) {
    this.#maxSize = maxSize;
  }

  /** The ids of one caller. */
  of(owner: string): CallIdStore {
    // No two pairs have the same key, whatever the names hold.
    const keyOf = (callId: string) => `${owner.length} ${owner} ${callId}`;
    return {
      put: (callId, foreign) => this.#put(keyOf(callId), foreign),
      get: (callId) => this.#get(keyOf(callId)),
    };
  }

  #put(key: string, foreign: ForeignId): void {
    this.#remove(key);
    const upstream = foreign.kind === 'wire' ? foreign.upstream.length : 0;
    const size = entrySize + key.length + foreign.id.length + upstream;
    if (size > this.#maxSize) return;
    this.#entries.set(key, { foreign, size });
    this.#size += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#maxSize) return;
      this.#remove(oldest);
    }
  }

  /** What is read becomes the latest used. */
  #get(key: string): ForeignId | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.foreign;
  }

  #remove(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#size -= entry.size;
  }
}
