import type { EngineSetup } from '@dragoman/core';
import type { Stores } from '../stores/open-stores.ts';

/**
 * The engine's setup for each caller, by the name of its key: they differ in the call ids and conversations that are kept for
 * them. Made once for each caller.
 */
export function createCallerSetups(
  setup: EngineSetup,
  stores: Pick<Stores, 'callIdsOf' | 'conversationsOf'>,
): (owner: string) => EngineSetup {
  const setups = new Map<string, EngineSetup>();
  return (owner) => {
    let own = setups.get(owner);
    if (own === undefined) {
      own = { ...setup, callIds: stores.callIdsOf(owner), conversations: stores.conversationsOf(owner) };
      setups.set(owner, own);
    }
    return own;
  };
}
