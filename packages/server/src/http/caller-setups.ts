import { type EngineSetup, TurnQueue } from '@dragoman/core';
import type { SharedSetup } from '../config/create-setup.ts';
import type { Config } from '../config/schema.ts';
import type { Stores } from '../open-stores.ts';

interface CallerOptions {
  readonly setup: SharedSetup;
  readonly stores: Pick<Stores, 'callIdsOf' | 'conversationsOf'>;
  readonly keys: Config['keys'];
}

/**
 * The engine's setup for each caller, by the name of its key: they differ in the call ids and conversations that are kept for
 * them, and in whether loops are guarded, and nobody waits for another caller's turn. Made once for each caller.
 */
export function createCallerSetups({ setup, stores, keys }: CallerOptions): (owner: string) => EngineSetup {
  const unguarded = new Set(keys.filter(({ guards }) => guards === false).map(({ name }) => name));
  const setups = new Map<string, EngineSetup>();
  return (owner) => {
    let own = setups.get(owner);
    if (own === undefined) {
      own = {
        callIds: stores.callIdsOf(owner),
        conversations: stores.conversationsOf(owner),
        guards: !unguarded.has(owner),
        turns: new TurnQueue(),
        // Last: Node gives each copy that begins with another object a shape of its own, which code then has to learn.
        ...setup,
      };
      setups.set(owner, own);
    }
    return own;
  };
}
