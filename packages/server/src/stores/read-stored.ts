import type { ForeignId, StoredResponse } from '@dragoman/core';

/** A response out of its body, which nobody but `StoredResponses` has written. */
export function readStoredResponse(body: string): StoredResponse {
  return JSON.parse(body) as StoredResponse;
}

/** A foreign id out of its body, which nobody but `StoredCallIds` has written. */
export function readForeignId(body: string): ForeignId {
  return JSON.parse(body) as ForeignId;
}
