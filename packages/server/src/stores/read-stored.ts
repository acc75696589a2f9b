import type { ConversationPoint, ForeignId, KeptFacts, StoredResponse } from '@dragoman/core';

/** A point as its body holds it. */
export interface StoredPoint extends ConversationPoint {
  /** When it was put, in milliseconds since 1970. */
  readonly at: number;
}

/** A response out of its body, which nobody but `StoredResponses` has written. */
export function readStoredResponse(body: string): StoredResponse {
  return JSON.parse(body) as StoredResponse;
}

/** A foreign id out of its body, which nobody but `StoredCallIds` has written. */
export function readForeignId(body: string): ForeignId {
  return JSON.parse(body) as ForeignId;
}

/** A point out of its body, which nobody but `StoredConversations` has written. */
export function readStoredPoint(body: string): StoredPoint {
  return JSON.parse(body) as StoredPoint;
}

/** Facts of a model out of their body, which nobody but `learnt-facts.ts` has written. */
export function readKeptFacts(body: string): KeptFacts {
  return JSON.parse(body) as KeptFacts;
}
