import type { StoredResponse } from '@dragoman/core';

/** The events of a response as frames, each known by its sequence number. */
export interface EventLog {
  /** The number of the oldest event that is still there. */
  readonly first: number;
  /** No more will come. */
  readonly over: boolean;
  /** At most so many frames, from the event of that number on. */
  slice(from: number, most: number): readonly string[];
  /** Calls `read` when there is more, or when it is over. Returns what ends that. */
  follow(read: () => void): () => void;
}

/** The events of a response that has ended. */
export function storedLog({ frames }: StoredResponse): EventLog | undefined {
  if (frames === undefined) return undefined;
  return {
    first: 0,
    over: true,
    slice: (from, count) => frames.slice(from, from + count),
    follow: () => () => {},
  };
}
