import {
  type ConversationStore,
  type KnownPoint,
  MemoryCallIdStore,
  MemoryFactStore,
  MemoryResponseStore,
} from '@dragoman/core';
import type { Stores } from '../open-stores.ts';

/** Room for what one exchange stores, in characters. */
const room = 64 * 1024 * 1024;

/** Stores of one replayed exchange, in which the point is known from which it went on, whatever leads to it. */
export function rememberingStores(point: KnownPoint | undefined): Stores {
  const responses = new MemoryResponseStore({ maxSize: room });
  const callIds = new MemoryCallIdStore({ maxSize: room });
  const conversations: ConversationStore = {
    find: async (keys) => new Map(point === undefined ? [] : keys.map((key) => [key, [point]])),
    take: async () => point,
    settle: () => {},
    put: () => undefined,
  };
  return {
    responses,
    held: responses,
    callIdsOf: (owner) => callIds.of(owner),
    conversationsOf: () => conversations,
    fetchCallIds: () => undefined,
    facts: new MemoryFactStore(),
    records: undefined,
    health: () => ({ kind: 'memory', status: 'ok', waiting: 0 }),
    close: async () => {},
  };
}
